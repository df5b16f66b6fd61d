// RUN: hgc-opt --hgc-verify-placed --split-input-file --verify-diagnostics %s

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{'hgc.relu' has no device}}
  // expected-note @+1 {{hint: run hgc-place first}}
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{'hgc.relu' is placed on 'gpu', which this plan does not have}}
  // expected-note @+1 {{hint: the plan has only 'cpu'}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{a kernel does not belong to stage placed}}
  // expected-note @+1 {{hint: start from the stage}}
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A value is where its reader expects it.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  // expected-error @+2 {{operand #0 of 'hgc.relu' is on 'cpu', expected 'gpu:0'}}
  // expected-note @+1 {{hint: run hgc-materialize-transfers}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
