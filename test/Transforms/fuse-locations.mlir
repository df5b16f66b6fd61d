// RUN: hgc-opt --hgc-name-ops --hgc-place --hgc-fuse --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s

// A kernel is called after its root, or after its last op without one.
// CHECK-LABEL: func.func @names
// CHECK:         hgc.matmul
// CHECK:         } loc("fc"(
// CHECK:         hgc.neg
// CHECK:         } loc("last"(
func.func @names(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = hgc.matmul %x, %x {hgc.name = "fc"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = hgc.relu %0 : tensor<8x8xf32>
  %2 = hgc.relu %x : tensor<8x8xf32>
  %3 = hgc.neg %2 {hgc.name = "last"} : tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
