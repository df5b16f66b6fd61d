// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// A row of the window is one run of 3 * 64 elements; six pixels times two vectors are in
// registers. Padding is left out: rows of the window that lie in it, and the first pixel
// of the first tile, whose run is shorter by one column; the last tile has two pixels. Lines
// of the result are fetched meanwhile, between steps where all pixels have the same run.
// CHECK:       exec.kernel @direct {{.*}}schedule = "direct convolution: tile 6x16, blocks of 4 rows and 4 panels", scratch_bytes = 0 : i64, units = 14 : i64
// CHECK-LABEL: func.func private @direct_body
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<200704xf32>{{.*}}, %{{[a-z0-9]+}}: memref<36864xf32>{{.*}}, %[[Y:[a-z0-9]+]]: memref<200704xf32>
// CHECK:         %[[DISTANCE:.*]] = arith.subi %c1, %[[ROW:.*]] overflow<nsw>
// CHECK:         %[[FIRST:.*]] = arith.maxsi %[[DISTANCE]], %c0
// CHECK:         %[[LAST:.*]] = arith.minsi {{.*}}, %c3
// CHECK-COUNT-6: memref.prefetch %[[Y]]{{.*}}, write
// CHECK-NOT:     memref.prefetch
// CHECK:         scf.for {{.*}} = %[[FIRST]] to %[[LAST]] step %c1 iter_args
// CHECK:           scf.for {{.*}} to %c64 step %c1 iter_args
// CHECK-COUNT-5:     memref.load %[[X]]
// CHECK-NOT:         memref.load
// CHECK:             scf.yield
// CHECK:           scf.for {{.*}} to %c128 step %c1 iter_args
// CHECK-COUNT-6:     memref.load %[[X]]
// CHECK-NOT:         memref.load
// CHECK:             scf.yield
// CHECK:         scf.for {{.*}} = %c6 to %c54 step %c6
// CHECK:           scf.for {{.*}} = %[[FIRST]] to %[[LAST]] step %c1 iter_args
// CHECK:             scf.for {{.*}} to %c192 step %c4 iter_args
// CHECK-COUNT-1:       memref.prefetch %[[Y]]{{.*}}, write
// CHECK-NOT:           memref.prefetch
// CHECK-COUNT-24:      memref.load %[[X]]
// CHECK-NOT:           memref.load
// CHECK:               scf.yield
// CHECK:         scf.for {{.*}} = %[[FIRST]] to %[[LAST]] step %c1 iter_args
// CHECK:           scf.for {{.*}} to %c128 step %c1 iter_args
// CHECK-COUNT-2:     memref.load %[[X]]
// CHECK-NOT:         memref.load
// CHECK:             scf.yield
// CHECK:           scf.for {{.*}} to %c64 step %c1 iter_args
// CHECK:             memref.load %[[X]]
// CHECK-NOT:         memref.load
// CHECK:             scf.yield
exec.kernel @direct inputs 2 {
^bb0(%x: memref<1x56x56x64xf32>, %w: memref<1x4x576x16xf32>, %y: memref<1x56x56x64xf32>):
  %0 = exec.load %x : memref<1x56x56x64xf32> -> tensor<1x56x56x64xf32>
  %1 = exec.load %w : memref<1x4x576x16xf32> -> tensor<1x4x576x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio packed <16, [3, 3, 64, 64]>
      : (tensor<1x56x56x64xf32>, tensor<1x4x576x16xf32>) -> tensor<1x56x56x64xf32>
  exec.store %2, %y : tensor<1x56x56x64xf32>, memref<1x56x56x64xf32>
}

// Wide windows: too many tiles see some of the padding. Rows of input are copied to
// scratch between zeros.
// CHECK:       exec.kernel @staged {{.*}}schedule = "direct convolution: tile 6x16, blocks of 1 rows and 1 panels, input staged", scratch_bytes = 226432 : i64, units = 56 : i64
// CHECK-LABEL: func.func private @staged_body
// CHECK:         %[[STAGED:.*]] = memref.view
// CHECK:         scf.if
// CHECK:           vector.store {{.*}} %[[STAGED]]
// CHECK:         scf.for {{.*}} to %c3 {{.*}} iter_args
// CHECK:           scf.for {{.*}} to %c3 {{.*}} iter_args
// CHECK:             scf.for {{.*}} to %c8 {{.*}} iter_args
// CHECK-COUNT-6:       memref.load %[[STAGED]]
// CHECK-NOT:           memref.load
// CHECK:               scf.yield
exec.kernel @staged inputs 2 {
^bb0(%x: memref<1x56x56x8xf32>, %w: memref<1x1x72x16xf32>, %y: memref<1x56x56x16xf32>):
  %0 = exec.load %x : memref<1x56x56x8xf32> -> tensor<1x56x56x8xf32>
  %1 = exec.load %w : memref<1x1x72x16xf32> -> tensor<1x1x72x16xf32>
  %2 = hgc.conv %0, %1 pads = [30, 30, 30, 30] dilations = [30, 30] channels_last hwio packed <16, [3, 3, 8, 16]>
      : (tensor<1x56x56x8xf32>, tensor<1x1x72x16xf32>) -> tensor<1x56x56x16xf32>
  exec.store %2, %y : tensor<1x56x56x16xf32>, memref<1x56x56x16xf32>
}

// Groups and dilation: the window's columns are runs of their own, of the group's
// channels; without padding the input is read in place.
// CHECK:       exec.kernel @grouped {{.*}}scratch_bytes = 0
// CHECK-LABEL: func.func private @grouped_body
// CHECK-SAME:    (%[[X:.*]]: memref<648xf32>
// CHECK:         scf.for {{.*}} to %c3
// CHECK:           scf.for {{.*}} to %c3
// CHECK:             scf.for {{.*}} to %c4
// CHECK:               memref.load %[[X]]
exec.kernel @grouped inputs 2 {
^bb0(%x: memref<1x9x9x8xf32>, %w: memref<2x1x36x16xf32>, %y: memref<1x5x5x32xf32>):
  %0 = exec.load %x : memref<1x9x9x8xf32> -> tensor<1x9x9x8xf32>
  %1 = exec.load %w : memref<2x1x36x16xf32> -> tensor<2x1x36x16xf32>
  %2 = hgc.conv %0, %1 dilations = [2, 2] groups = 2 channels_last hwio packed <16, [3, 3, 4, 32]>
      : (tensor<1x9x9x8xf32>, tensor<2x1x36x16xf32>) -> tensor<1x5x5x32xf32>
  exec.store %2, %y : tensor<1x5x5x32xf32>, memref<1x5x5x32xf32>
}

// One pixel at a time is a matrix product over all pixels. Nothing after it looks at
// rows and columns of the image: pixels are not divided into them.
// CHECK:       exec.kernel @pointwise {{.*}}schedule = "pointwise convolution: tile 6x16
// CHECK-LABEL: func.func private @pointwise_body
// CHECK:         scf.for {{.*}} to %c32 step %c1 iter_args
// CHECK-NOT:     arith.{{rem|div}}ui
// CHECK:         vector.store
exec.kernel @pointwise inputs 2 {
^bb0(%x: memref<1x8x8x32xf32>, %w: memref<1x2x32x16xf32>, %y: memref<1x8x8x32xf32>):
  %0 = exec.load %x : memref<1x8x8x32xf32> -> tensor<1x8x8x32xf32>
  %1 = exec.load %w : memref<1x2x32x16xf32> -> tensor<1x2x32x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 32, 32]>
      : (tensor<1x8x8x32xf32>, tensor<1x2x32x16xf32>) -> tensor<1x8x8x32xf32>
  exec.store %2, %y : tensor<1x8x8x32xf32>, memref<1x8x8x32xf32>
}

// An op that sees rows of the image alone: pixels are divided into rows and columns.
// CHECK-LABEL: func.func private @pointwise_rows_body
// CHECK:         scf.for {{.*}} to %c32 step %c1 iter_args
// CHECK:         arith.divui {{.*}}, %c8
// CHECK:         vector.store
exec.kernel @pointwise_rows inputs 3 {
^bb0(%x: memref<1x8x8x32xf32>, %w: memref<1x2x32x16xf32>, %b: memref<8x1x1xf32>, %y: memref<1x8x8x32xf32>):
  %0 = exec.load %x : memref<1x8x8x32xf32> -> tensor<1x8x8x32xf32>
  %1 = exec.load %w : memref<1x2x32x16xf32> -> tensor<1x2x32x16xf32>
  %2 = exec.load %b : memref<8x1x1xf32> -> tensor<8x1x1xf32>
  %3 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 32, 32]>
      : (tensor<1x8x8x32xf32>, tensor<1x2x32x16xf32>) -> tensor<1x8x8x32xf32>
  %4 = hgc.add %3, %2 : (tensor<1x8x8x32xf32>, tensor<8x1x1xf32>) -> tensor<1x8x8x32xf32>
  exec.store %4, %y : tensor<1x8x8x32xf32>, memref<1x8x8x32xf32>
}

// Depthwise: vectors along the channels. A tile of eight pixels loads each vector of
// data once for all three taps, and leaves out the padding at both ends.
// CHECK:       exec.kernel @depthwise {{.*}}schedule = "depthwise convolution: tile 8x8, blocks of 4 rows and 8 channels"{{.*}}units = 8 : i64
// CHECK-LABEL: func.func private @depthwise_body
// CHECK-SAME:    (%[[X:.*]]: memref<2048xf32> {{.*}}, %[[W:.*]]: memref<288xf32>
// CHECK:         arith.maxsi
// CHECK-COUNT-3:   vector.load %[[W]]
// CHECK-NOT:       vector.load %[[W]]
// CHECK-COUNT-8:   vector.load %[[X]]
// CHECK-NOT:       vector.load
// CHECK:           scf.yield
// CHECK-COUNT-8: vector.store
// CHECK-NOT:     vector.store
exec.kernel @depthwise inputs 2 {
^bb0(%x: memref<1x8x8x32xf32>, %w: memref<3x3x1x32xf32>, %y: memref<1x8x8x32xf32>):
  %0 = exec.load %x : memref<1x8x8x32xf32> -> tensor<1x8x8x32xf32>
  %1 = exec.load %w : memref<3x3x1x32xf32> -> tensor<3x3x1x32xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 32 channels_last hwio
      : (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x8x8x32xf32>
  exec.store %2, %y : tensor<1x8x8x32xf32>, memref<1x8x8x32xf32>
}

// Two tiles of seven pixels at the borders, a loop over those between; the last
// three channels are two vectors of their own.
// CHECK:       exec.kernel @depthwise_strided {{.*}}schedule = "depthwise convolution: tile 7x8, blocks of 7 rows and 8 channels"
// CHECK-LABEL: func.func private @depthwise_strided_body
// CHECK:         scf.for {{.*}} = %c7 to %c21 step %c7
// CHECK:           scf.for {{.*}} step %c8
// CHECK:           vector<2xf32>
exec.kernel @depthwise_strided inputs 2 {
^bb0(%x: memref<1x56x56x19xf32>, %w: memref<5x5x1x19xf32>, %y: memref<1x28x28x19xf32>):
  %0 = exec.load %x : memref<1x56x56x19xf32> -> tensor<1x56x56x19xf32>
  %1 = exec.load %w : memref<5x5x1x19xf32> -> tensor<5x5x1x19xf32>
  %2 = hgc.conv %0, %1 strides = [2, 2] pads = [2, 2, 2, 2] groups = 19 channels_last hwio
      : (tensor<1x56x56x19xf32>, tensor<5x5x1x19xf32>) -> tensor<1x28x28x19xf32>
  exec.store %2, %y : tensor<1x28x28x19xf32>, memref<1x28x28x19xf32>
}

// Bytes: the rows of the window are taken in pairs, the filter's in scratch memory, where it is laid out again when
// another row of it lies in the padding. A tile at the border makes nine positions of the data pairs of i16, and the last
// row alone; of the padding it makes nothing.
// CHECK:       exec.kernel @depthwise_bytes {{.*}}schedule = "depthwise convolution: tile 8x8, blocks of 4 rows and 8 channels, 2 rows at once", scratch_bytes = 192 : i64
// CHECK-LABEL: func.func private @depthwise_bytes_body
// CHECK-SAME:    (%[[X:.*]]: memref<4096xi8> {{.*}}, %[[W:.*]]: memref<288xi8> {{.*}}, %[[S:.*]]: memref<192xi8>
// CHECK:         %[[PAIRS:.*]] = memref.view %[[S]]
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.if
// CHECK:             %[[V:.*]] = vector.load %[[W]]
// CHECK:             arith.select {{.*}}, %[[V]]
// CHECK:             vector.store {{.*}}, %[[PAIRS]]
// CHECK:           scf.for
// CHECK-COUNT-6:     vector.load %[[PAIRS]]
// CHECK-NOT:         vector.load %[[PAIRS]]
// CHECK:             %[[A:.*]] = vector.load %[[X]]
// CHECK:             %[[B:.*]] = vector.load %[[X]]
// CHECK:             %[[AB:.*]] = vector.interleave %[[A]], %[[B]]
// CHECK:             arith.extsi %[[AB]] : vector<16xi8> to vector<16xi16>
// CHECK:             llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK-COUNT-8:     vector.interleave
// CHECK-NOT:         vector.interleave
// CHECK:             vector.store {{.*}} memref<4096xi32>
exec.kernel @depthwise_bytes inputs 2 {
^bb0(%x: memref<1x8x16x32xi8>, %w: memref<3x3x1x32xi8>, %y: memref<1x8x16x32xi32>):
  %0 = exec.load %x : memref<1x8x16x32xi8> -> tensor<1x8x16x32xi8>
  %1 = exec.load %w : memref<3x3x1x32xi8> -> tensor<3x3x1x32xi8>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 32 channels_last hwio
      : (tensor<1x8x16x32xi8>, tensor<3x3x1x32xi8>) -> tensor<1x8x16x32xi32>
  exec.store %2, %y : tensor<1x8x16x32xi32>, memref<1x8x16x32xi32>
}

// Long windows are not unrolled: pixels one by one, four vectors side by side.
// CHECK:       exec.kernel @depthwise_long {{.*}}schedule = "depthwise convolution"
// CHECK-LABEL: func.func private @depthwise_long_body
// CHECK:         scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
exec.kernel @depthwise_long inputs 2 {
^bb0(%x: memref<1x64x32xf32>, %w: memref<31x1x32xf32>, %y: memref<1x64x32xf32>):
  %0 = exec.load %x : memref<1x64x32xf32> -> tensor<1x64x32xf32>
  %1 = exec.load %w : memref<31x1x32xf32> -> tensor<31x1x32xf32>
  %2 = hgc.conv %0, %1 pads = [15, 15] groups = 32 channels_last hwio
      : (tensor<1x64x32xf32>, tensor<31x1x32xf32>) -> tensor<1x64x32xf32>
  exec.store %2, %y : tensor<1x64x32xf32>, memref<1x64x32xf32>
}

// Other layouts are computed element by element.
// CHECK:       exec.kernel @any {{.*}}schedule = "convolution in any layout"
// CHECK-LABEL: func.func private @any_body
// CHECK:         scf.for {{.*}} -> (f32)
exec.kernel @any inputs 2 {
^bb0(%x: memref<1x3x8x8xf32>, %w: memref<4x3x3x3xf32>, %y: memref<1x4x6x6xf32>):
  %0 = exec.load %x : memref<1x3x8x8xf32> -> tensor<1x3x8x8xf32>
  %1 = exec.load %w : memref<4x3x3x3xf32> -> tensor<4x3x3x3xf32>
  %2 = hgc.conv %0, %1 channels_first oihw : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  exec.store %2, %y : tensor<1x4x6x6xf32>, memref<1x4x6x6xf32>
}

// Rows of one pixel are one row, which is cut into blocks of pixels.
// CHECK:       exec.kernel @tall {{.*}}schedule = "direct convolution: tile 6x16, blocks of 66 pixels and 1 panels, input staged", scratch_bytes = {{[1-9][0-9]*}} : i64, units = 16 : i64
// CHECK-LABEL: func.func private @tall_body
exec.kernel @tall inputs 2 {
^bb0(%x: memref<1x1024x1x16xf32>, %w: memref<1x1x48x16xf32>, %y: memref<1x1024x1x16xf32>):
  %0 = exec.load %x : memref<1x1024x1x16xf32> -> tensor<1x1024x1x16xf32>
  %1 = exec.load %w : memref<1x1x48x16xf32> -> tensor<1x1x48x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 0, 1, 0] channels_last hwio packed <16, [3, 1, 16, 16]> : (tensor<1x1024x1x16xf32>, tensor<1x1x48x16xf32>) -> tensor<1x1024x1x16xf32>
  exec.store %2, %y : tensor<1x1024x1x16xf32>, memref<1x1024x1x16xf32>
}
