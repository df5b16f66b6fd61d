// RUN: hgc-opt --hgc-name-ops --split-input-file --verify-diagnostics %s

// A name that occurs twice gets a suffix.
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // expected-note @+1 {{the first op of that name is here}}
  %0 = hgc.relu %x {hgc.name = "act"} : tensor<4xf32>
  // expected-remark @+1 {{name 'act' is taken; the op is called 'act_1'}}
  %1 = hgc.relu %0 {hgc.name = "act"} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
