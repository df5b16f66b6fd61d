// RUN: hgc-opt --hgc-convert-to-exec --split-input-file --verify-diagnostics %s

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // expected-error @+2 {{has no buffer form: it is not part of a kernel}}
  // expected-note @+1 {{hint: run hgc-fuse before hgc-convert-to-exec}}
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+2 {{function 'helper' is not an entry}}
// expected-note @+1 {{hint: inline it with hgc-inline-calls, or give it a body and hgc.entry}}
func.func @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+2 {{has type 'tensor<?xf32>', expected a tensor of static shape}}
// expected-note @+1 {{hint: run hgc-bind-dims before hgc-convert-to-exec}}
func.func @dynamic(%x: tensor<?xf32> {hgc.shape = ["n"]}) attributes {hgc.entry} {
  return
}
