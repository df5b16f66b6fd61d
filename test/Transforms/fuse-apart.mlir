// RUN: hgc-opt --hgc-place --hgc-fuse=keep-apart %s | FileCheck %s

// Without optimisation every op is a kernel of its own, so that a wrong value
// can be traced to one op.
// CHECK-LABEL: func.func @apart
// CHECK:         hgc.kernel(
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      hgc.relu
// CHECK-NEXT:      hgc.yield
// CHECK:         hgc.kernel(
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      hgc.neg
// CHECK-NEXT:      hgc.yield
func.func @apart(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = hgc.relu %x : tensor<8xf32>
  %1 = hgc.neg %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
