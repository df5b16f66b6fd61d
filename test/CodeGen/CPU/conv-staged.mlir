// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Before each row of results come the pixels that it sees and that are not there yet:
// tiles of the product, whose results go to the ring. Then tiles of the depthwise
// convolution read rows of the ring.
// CHECK:       exec.kernel @staged {{.*}}grain = 12 : i64, schedule = "depthwise convolution: tile 8x8, of a pointwise convolution: tile 6x16, in a ring of 6 rows", scratch_bytes = 258048 : i64, units = 56 : i64
// CHECK-LABEL: func.func private @staged_body
// CHECK-SAME:    (%[[X:.*]]: memref<200704xf32> {llvm.noalias}, %[[W:.*]]: memref<1536xf32> {llvm.noalias}, %[[F:.*]]: memref<864xf32> {llvm.noalias}, %[[Y:.*]]: memref<301056xf32> {llvm.noalias}
// CHECK:         %[[RING:.*]] = memref.view {{.*}} to memref<64512xf32>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %c0) -> (index) {
// CHECK:           scf.if
// CHECK:             scf.for {{.*}} to %c16 step %c1 iter_args
// CHECK:               memref.load %[[X]]
// CHECK:             arith.remui {{.*}}, %c672
// CHECK:             vector.store {{.*}}, %[[RING]]
// CHECK-NOT:         vector.store {{.*}}, %[[Y]]
// CHECK:           arith.remui {{.*}}, %c6
// CHECK:           vector.load %[[F]]
// CHECK:           vector.load %[[RING]]
// CHECK:           vector.store {{.*}}, %[[Y]]
exec.kernel @staged inputs 3 {
^bb0(%x: memref<1x112x112x16xf32>, %w: memref<1x6x16x16xf32>, %f: memref<3x3x1x96xf32>, %y: memref<1x56x56x96xf32>):
  %0 = exec.load %x : memref<1x112x112x16xf32> -> tensor<1x112x112x16xf32>
  %1 = exec.load %w : memref<1x6x16x16xf32> -> tensor<1x6x16x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 16, 96]>
      : (tensor<1x112x112x16xf32>, tensor<1x6x16x16xf32>) -> tensor<1x112x112x96xf32>
  %3 = hgc.relu %2 : tensor<1x112x112x96xf32>
  %4 = exec.load %f : memref<3x3x1x96xf32> -> tensor<3x3x1x96xf32>
  %5 = hgc.conv %3, %4 strides = [2, 2] pads = [1, 1, 1, 1] groups = 96 channels_last hwio
      : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32>
  exec.store %5, %y : tensor<1x56x56x96xf32>, memref<1x56x56x96xf32>
}
