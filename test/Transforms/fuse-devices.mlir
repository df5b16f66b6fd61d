// RUN: hgc-opt --hgc-fuse %s | FileCheck %s

// An edge whose ends have different devices is not contracted; the forest is
// otherwise the same.
// CHECK-LABEL: func.func @split
// CHECK:         hgc.kernel({{.*}} attributes {hgc.device = #hgc.device<gpu>} {
// CHECK:           hgc.relu
// CHECK:         hgc.kernel({{.*}} attributes {hgc.device = #hgc.device<cpu>} {
// CHECK:           hgc.neg
// CHECK:           hgc.tanh
func.func @split(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %1 = hgc.neg %0 {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  %2 = hgc.tanh %1 {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  return %2 : tensor<8xf32>
}
