// RUN: hgc-opt --hgc-place --verify-diagnostics %s

func.func @wide(%q: tensor<4x300xf32>) -> tensor<4x300xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // expected-error @+2 {{the pin to 'gpu:0' cannot be honoured: 'hgc.attention' has no kernel there}}
  // expected-note @+1 {{hint: drop the pin, or pin the op to another device}}
  %0 = hgc.attention %q, %q, %q {hgc.pin = #hgc.device<gpu>} : (tensor<4x300xf32>, tensor<4x300xf32>, tensor<4x300xf32>) -> tensor<4x300xf32>
  return %0 : tensor<4x300xf32>
}
