// RUN: hgc-opt --hgc-split-plans --hgc-split-plans --split-input-file %s | FileCheck %s

// Every entry exists twice, once per plan; a second run changes nothing.
// CHECK-LABEL: module attributes {hgc.target_gpu = "sm_80"}
// CHECK:         func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.variant_of = "f"}
// CHECK:         func.func @f.gpu(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"}
// CHECK:           hgc.relu
// CHECK-NOT:     func.func
module attributes {hgc.target_gpu = "sm_80"} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
    %0 = hgc.relu %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Without a GPU there is one plan, which needs no name.
// CHECK-LABEL: func.func @g
// CHECK-SAME:    attributes {hgc.entry}
// CHECK-NOT:   func.func
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  return %x : tensor<4xf32>
}

// -----

// The weights that one call reads are counted, each once, and the largest op's other tensors.
// CHECK-LABEL: module attributes {hgc.call_bytes = 192 : i64}
module {
  func.func @h(%x: tensor<2x4xf32>, %w: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<2x4xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %1 = hgc.matmul %0, %v : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %2 = hgc.matmul %1, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
}
