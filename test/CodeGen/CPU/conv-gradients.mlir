// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Every other pixel of a row is a phase: six pixels, side by side in the data, times
// two vectors are in registers. Taps of a phase are two apart.
// CHECK:       exec.kernel @transposed {{.*}}schedule = "transposed convolution: 2 phases, tile {{[0-9]+}}x16, {{.*}}, data staged"
// CHECK-LABEL: func.func private @transposed_body
// CHECK:         %[[STAGED:.*]] = memref.view
// CHECK:         vector.store {{.*}} %[[STAGED]]
// CHECK:         scf.for {{.*}} step %c2 iter_args
// CHECK:           scf.for {{.*}} to %c4 step %c2 iter_args
// CHECK:             scf.for {{.*}} to %c64 step %c1 iter_args
// CHECK-COUNT-5:       memref.load %[[STAGED]]
// CHECK:               scf.yield
exec.kernel @transposed inputs 2 {
^bb0(%y: memref<1x20x20x64xf32>, %w: memref<1x2x1024x16xf32>, %x: memref<1x40x40x32xf32>):
  %0 = exec.load %y : memref<1x20x20x64xf32> -> tensor<1x20x20x64xf32>
  %1 = exec.load %w : memref<1x2x1024x16xf32> -> tensor<1x2x1024x16xf32>
  %2 = hgc.conv_transpose %0, %1 strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio packed <16, [4, 4, 64, 32]>
      : (tensor<1x20x20x64xf32>, tensor<1x2x1024x16xf32>) -> tensor<1x40x40x32xf32>
  exec.store %2, %x : tensor<1x40x40x32xf32>, memref<1x40x40x32xf32>
}

// Windows that lie side by side see no border: the data is read in place.
// CHECK:       exec.kernel @upsample {{.*}}schedule = "transposed convolution: 2 phases, {{[^,]*}}, {{[^,"]*}}", scratch_bytes = 0
exec.kernel @upsample inputs 2 {
^bb0(%y: memref<1x8x8x16xf32>, %w: memref<1x1x64x16xf32>, %x: memref<1x16x16x16xf32>):
  %0 = exec.load %y : memref<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %1 = exec.load %w : memref<1x1x64x16xf32> -> tensor<1x1x64x16xf32>
  %2 = hgc.conv_transpose %0, %1 strides = [2, 2] channels_last hwio packed <16, [2, 2, 16, 16]>
      : (tensor<1x8x8x16xf32>, tensor<1x1x64x16xf32>) -> tensor<1x16x16x16xf32>
  exec.store %2, %x : tensor<1x16x16x16xf32>, memref<1x16x16x16xf32>
}

// CHECK:       exec.kernel @pointwise {{.*}}schedule = "pointwise transposed convolution: tile
exec.kernel @pointwise inputs 2 {
^bb0(%y: memref<1x8x8x32xf32>, %w: memref<1x1x16x32xf32>, %x: memref<1x8x8x16xf32>):
  %0 = exec.load %y : memref<1x8x8x32xf32> -> tensor<1x8x8x32xf32>
  %1 = exec.load %w : memref<1x1x16x32xf32> -> tensor<1x1x16x32xf32>
  %2 = hgc.conv_transpose %0, %1 channels_last hwio
      : (tensor<1x8x8x32xf32>, tensor<1x1x16x32xf32>) -> tensor<1x8x8x16xf32>
  exec.store %2, %x : tensor<1x8x8x16xf32>, memref<1x8x8x16xf32>
}

// Vectors along the channels.
// CHECK:       exec.kernel @depthwise {{.*}}schedule = "transposed depthwise convolution"
// CHECK-LABEL: func.func private @depthwise_body
// CHECK:         arith.mulf {{.*}} vector<8xf32>
exec.kernel @depthwise inputs 2 {
^bb0(%y: memref<1x4x4x32xf32>, %w: memref<3x3x1x32xf32>, %x: memref<1x9x9x32xf32>):
  %0 = exec.load %y : memref<1x4x4x32xf32> -> tensor<1x4x4x32xf32>
  %1 = exec.load %w : memref<3x3x1x32xf32> -> tensor<3x3x1x32xf32>
  %2 = hgc.conv_transpose %0, %1 strides = [2, 2] groups = 32 channels_last hwio
      : (tensor<1x4x4x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x9x9x32xf32>
  exec.store %2, %x : tensor<1x9x9x32xf32>, memref<1x9x9x32xf32>
}

// CHECK:       exec.kernel @generic {{.*}}schedule = "transposed convolution in any layout"
exec.kernel @generic inputs 2 {
^bb0(%y: memref<1x2x4xf32>, %w: memref<2x3x3xf32>, %x: memref<1x3x6xf32>):
  %0 = exec.load %y : memref<1x2x4xf32> -> tensor<1x2x4xf32>
  %1 = exec.load %w : memref<2x3x3xf32> -> tensor<2x3x3xf32>
  %2 = hgc.conv_transpose %0, %1 channels_first oihw : (tensor<1x2x4xf32>, tensor<2x3x3xf32>) -> tensor<1x3x6xf32>
  exec.store %2, %x : tensor<1x3x6xf32>, memref<1x3x6xf32>
}

// A tile of taps and input channels times a panel of output channels, which is copied
// first as 24 tiles read it; the data is copied between zeros, so that all taps see all
// pixels. A unit is a block of tiles, chunks of pixels are added in order.
// CHECK:       exec.kernel @filter_grad {{.*}}schedule = "filter gradient: tile 6x16, blocks 144x16, chunks of 1 images and {{[0-9]+}} rows, gradient packed, data padded", scratch_bytes = {{[1-9][0-9]*}} : i64, units = 16
// CHECK-LABEL: func.func private @filter_grad_body
// CHECK-SAME:    (%[[X:.*]]: memref<3211264xf32> {{.*}}, %[[Y:.*]]: memref<3211264xf32>
// CHECK:         %[[SUMS:.*]] = memref.view
// CHECK:         %[[PANEL:.*]] = memref.view
// CHECK:         %[[DATA:.*]] = memref.view
// CHECK:         vector.load %[[X]]
// CHECK:         vector.store {{.*}} %[[DATA]]
// CHECK:         vector.load %[[Y]]
// CHECK:         vector.store {{.*}} %[[PANEL]]
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-2:     vector.load %[[PANEL]]
// CHECK-COUNT-6:     memref.load %[[DATA]]
// CHECK:         vector.load %[[SUMS]]
// CHECK:         vector.store {{.*}} %[[SUMS]]
exec.kernel @filter_grad inputs 2 {
^bb0(%x: memref<16x56x56x64xf32>, %y: memref<16x56x56x64xf32>, %w: memref<3x3x64x64xf32>):
  %0 = exec.load %x : memref<16x56x56x64xf32> -> tensor<16x56x56x64xf32>
  %1 = exec.load %y : memref<16x56x56x64xf32> -> tensor<16x56x56x64xf32>
  %2 = hgc.conv_filter_grad %0, %1 window = [3, 3] pads = [1, 1, 1, 1] channels_last hwio
      : (tensor<16x56x56x64xf32>, tensor<16x56x56x64xf32>) -> tensor<3x3x64x64xf32>
  exec.store %2, %w : tensor<3x3x64x64xf32>, memref<3x3x64x64xf32>
}

// Nothing is copied where a unit has one tile and taps see no padding; three channels of
// nine taps fill the tiles.
// CHECK:       exec.kernel @few_inputs {{.*}}schedule = "filter gradient: tile 6x16, blocks 6x16, chunks of 1 images and 6 rows", scratch_bytes = 0 : i64, units = 5
exec.kernel @few_inputs inputs 2 {
^bb0(%x: memref<1x8x8x3xf32>, %y: memref<1x6x6x16xf32>, %w: memref<3x3x3x16xf32>):
  %0 = exec.load %x : memref<1x8x8x3xf32> -> tensor<1x8x8x3xf32>
  %1 = exec.load %y : memref<1x6x6x16xf32> -> tensor<1x6x6x16xf32>
  %2 = hgc.conv_filter_grad %0, %1 window = [3, 3] channels_last hwio
      : (tensor<1x8x8x3xf32>, tensor<1x6x6x16xf32>) -> tensor<3x3x3x16xf32>
  exec.store %2, %w : tensor<3x3x3x16xf32>, memref<3x3x3x16xf32>
}

// CHECK:       exec.kernel @pointwise_grad {{.*}}schedule = "pointwise filter gradient: tile
exec.kernel @pointwise_grad inputs 2 {
^bb0(%x: memref<1x8x8x32xf32>, %y: memref<1x8x8x16xf32>, %w: memref<1x1x32x16xf32>):
  %0 = exec.load %x : memref<1x8x8x32xf32> -> tensor<1x8x8x32xf32>
  %1 = exec.load %y : memref<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %2 = hgc.conv_filter_grad %0, %1 window = [1, 1] channels_last hwio
      : (tensor<1x8x8x32xf32>, tensor<1x8x8x16xf32>) -> tensor<1x1x32x16xf32>
  exec.store %2, %w : tensor<1x1x32x16xf32>, memref<1x1x32x16xf32>
}

// CHECK:       exec.kernel @depthwise_grad {{.*}}schedule = "depthwise filter gradient"
// CHECK-LABEL: func.func private @depthwise_grad_body
// CHECK:         arith.mulf {{.*}} vector<8xf32>
exec.kernel @depthwise_grad inputs 2 {
^bb0(%x: memref<1x8x8x32xf32>, %y: memref<1x6x6x32xf32>, %w: memref<3x3x1x32xf32>):
  %0 = exec.load %x : memref<1x8x8x32xf32> -> tensor<1x8x8x32xf32>
  %1 = exec.load %y : memref<1x6x6x32xf32> -> tensor<1x6x6x32xf32>
  %2 = hgc.conv_filter_grad %0, %1 window = [3, 3] groups = 32 channels_last hwio
      : (tensor<1x8x8x32xf32>, tensor<1x6x6x32xf32>) -> tensor<3x3x1x32xf32>
  exec.store %2, %w : tensor<3x3x1x32xf32>, memref<3x3x1x32xf32>
}

// CHECK:       exec.kernel @generic_grad {{.*}}schedule = "filter gradient in any layout"
exec.kernel @generic_grad inputs 2 {
^bb0(%x: memref<1x2x4xf32>, %y: memref<1x3x2xf32>, %w: memref<3x2x3xf32>):
  %0 = exec.load %x : memref<1x2x4xf32> -> tensor<1x2x4xf32>
  %1 = exec.load %y : memref<1x3x2xf32> -> tensor<1x3x2xf32>
  %2 = hgc.conv_filter_grad %0, %1 window = [3] channels_first oihw
      : (tensor<1x2x4xf32>, tensor<1x3x2xf32>) -> tensor<3x2x3xf32>
  exec.store %2, %w : tensor<3x2x3xf32>, memref<3x2x3xf32>
}
