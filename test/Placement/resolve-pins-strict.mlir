// RUN: hgc-opt --hgc-resolve-pins=strict --verify-diagnostics %s

// A strict plan honours pins or fails.
func.func @op(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // expected-error @+2 {{the pin to 'gpu:0' is void: this plan has only 'cpu'}}
  // expected-note @+1 {{hint: compile for that device, or drop the pin}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
