// RUN: hgc-opt "--hgc-bind-dims=dims=bach=3" --verify-diagnostics %s

// A dim nobody uses is most likely misspelt.
// expected-error @+2 {{dim 'bach' is used by no entry}}
// expected-note @+1 {{hint: the model's dims are batch}}
module attributes {hgc.dims = {batch = [1]}} {
  func.func @f(%x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
    return %x : tensor<?xf32>
  }
}
