// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Before each band of results come the rows of the convolution that it sees and that are not there
// yet: register tiles, whose results go to the ring. Then windows are read from there, with a loop
// over the rows that are no padding.
// CHECK:       exec.kernel @overlapping {{.*}}grain = 4 : i64, schedule = "pool channels lanes=16, 1 row at a time, of a direct convolution: tile {{[0-9]+}}x16, blocks of 3 rows and 1 panels", scratch_bytes = 21504 : i64, units = 56 : i64
// CHECK-LABEL: func.func private @overlapping_body
// CHECK-SAME:    (%[[X:.*]]: memref<37632xf32> {llvm.noalias}, %[[W:.*]]: memref<2352xf32> {llvm.noalias}, %[[Y:.*]]: memref<50176xf32> {llvm.noalias}
// CHECK:         %[[RING:.*]] = memref.view {{.*}} to memref<5376xf32>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %c0) -> (index) {
// CHECK:           scf.if
// CHECK:             vector.load %[[W]]
// CHECK:             arith.remui {{.*}}, %c3
// CHECK:             vector.store {{.*}}, %[[RING]]
// CHECK-NOT:         vector.store {{.*}}, %[[Y]]
// CHECK:           vector.load %[[RING]]
// CHECK:           arith.maximumf
// CHECK-NOT:       vector.store {{.*}}, %[[RING]]
// CHECK:           vector.store {{.*}}, %[[Y]]
exec.kernel @overlapping inputs 2 {
^bb0(%x: memref<1x112x112x3xf32>, %w: memref<7x7x3x16xf32>, %y: memref<1x56x56x16xf32>):
  %0 = exec.load %x : memref<1x112x112x3xf32> -> tensor<1x112x112x3xf32>
  %1 = exec.load %w : memref<7x7x3x16xf32> -> tensor<7x7x3x16xf32>
  %2 = hgc.conv %0, %1 pads = [3, 3, 3, 3] channels_last hwio
      : (tensor<1x112x112x3xf32>, tensor<7x7x3x16xf32>) -> tensor<1x112x112x16xf32>
  %3 = hgc.relu %2 : tensor<1x112x112x16xf32>
  %4 = hgc.pool max %3 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last
      : (tensor<1x112x112x16xf32>) -> tensor<1x56x56x16xf32>
  exec.store %4, %y : tensor<1x56x56x16xf32>, memref<1x56x56x16xf32>
}

// Squares of several small images share a pass over the filter. Windows inside the image need no
// loop bounds of their own, and share no rows: threads may share bands at will.
// CHECK:       exec.kernel @small_images {{.*}}schedule = "pool channels lanes=32, 4 rows at a time, of a winograd convolution of 4x4 results: tile 6x16, blocks of {{[0-9]+}} squares and {{[0-9]+}} panels"
// CHECK-SAME:    units = 8 : i64
// CHECK-LABEL: func.func private @small_images_body
exec.kernel @small_images inputs 2 {
^bb0(%x: memref<48x8x8x8xf32>, %w: memref<1x2x288x16xf32>, %y: memref<48x4x4x32xf32>):
  %0 = exec.load %x : memref<48x8x8x8xf32> -> tensor<48x8x8x8xf32>
  %1 = exec.load %w : memref<1x2x288x16xf32> -> tensor<1x2x288x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 8, 32]>
      : (tensor<48x8x8x8xf32>, tensor<1x2x288x16xf32>) -> tensor<48x8x8x32xf32>
  %3 = hgc.pool avg %2 window = [2, 2] strides = [2, 2] channels_last
      : (tensor<48x8x8x32xf32>) -> tensor<48x4x4x32xf32>
  exec.store %3, %y : tensor<48x4x4x32xf32>, memref<48x4x4x32xf32>
}
