// RUN: hgc-opt --hgc-resolve-pins --verify-diagnostics %s

func.func @far(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // expected-error @+2 {{the pin to 'gpu:8' cannot be honoured: a plan has GPUs 0 to 7}}
  // expected-note @+1 {{hint: pin the op to a GPU of a lower number}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu:8>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
