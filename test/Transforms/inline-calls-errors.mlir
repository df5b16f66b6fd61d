// RUN: hgc-opt --hgc-inline-calls --split-input-file --verify-diagnostics %s

// A function that calls itself has no flat form.
// expected-note @+1 {{the function is here}}
func.func private @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{calls 'loop' recursively}}
  // expected-note @+1 {{hint: use hgc.while or hgc.scan}}
  %0 = call @loop(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A declaration has nothing to copy.
func.func private @missing(tensor<4xf32>) -> tensor<4xf32>
func.func @entry(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // expected-error @+2 {{calls 'missing', which has no body of one block}}
  // expected-note @+1 {{hint: define the function in this module}}
  %0 = call @missing(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
