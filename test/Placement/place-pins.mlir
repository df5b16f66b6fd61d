// RUN: hgc-opt --hgc-place --split-input-file --verify-diagnostics %s

// A pin to a device the plan lacks is void, and that is said once per pin.
func.func @op(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // expected-remark @+2 {{the pin to 'gpu:1' is void: this plan has only 'cpu'}}
  // expected-note @+1 {{hint: compile for that device, or drop the pin}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu:1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-remark @+2 {{the pin to 'gpu:0' is void}}
// expected-note @+1 {{hint: compile for that device}}
func.func @function(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.device = #hgc.device<gpu>} {
  %0 = hgc.relu %x : tensor<4xf32>
  %1 = hgc.relu %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
