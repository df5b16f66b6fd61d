// RUN: hgc-opt --hgc-fold-packs --verify-diagnostics %s

// A weights file that is not there is reported at the op that needs it.
hgc.parameter @w : tensor<3x2xf32> = #hgc.file<"no-such-file.safetensors", "w">
func.func @f() -> tensor<1x3x4xf32> {
  %w = hgc.read @w : tensor<3x2xf32>
  // expected-error @+2 {{no-such-file.safetensors}}
  // expected-note @+1 {{hint: check the value of the parameter this op reads}}
  %p = hgc.pack matmul_rhs %w width 4 : (tensor<3x2xf32>) -> tensor<1x3x4xf32>
  return %p : tensor<1x3x4xf32>
}
