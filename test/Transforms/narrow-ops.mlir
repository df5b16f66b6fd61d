// RUN: hgc-opt --hgc-narrow --split-input-file %s | FileCheck %s

// Reductions keep the dims that they reduce.
// CHECK-LABEL: func @reduce
// CHECK:         hgc.slice %{{.*}} starts = [0, 0, 2] sizes = [4, 8, 1]
// CHECK:         hgc.reduce sum {{.*}} axes = [1] : (tensor<4x8x1xf32>) -> tensor<4x1xf32>
// CHECK:         hgc.slice %{{.*}} starts = [3, 0, 0] sizes = [1, 8, 6]
// CHECK:         hgc.arg_reduce max {{.*}} axis 1 keepdims : (tensor<1x8x6xf32>) -> tensor<1x1x6xi64>
// CHECK:         hgc.slice %{{.*}} starts = [1, 0, 0] sizes = [1, 8, 6]
// CHECK:         %[[S:.*]] = hgc.arg_sort {{.*}} axis 1 : (tensor<1x8x6xf32>) -> tensor<1x8x6xi64>
// CHECK:         hgc.slice %[[S]] starts = [0, 0, 0] sizes = [1, 3, 6]
func.func @reduce(%x: tensor<4x8x6xf32>) -> (tensor<4x1xf32>, tensor<1x1x6xi64>, tensor<1x3x6xi64>) {
  %0 = hgc.reduce sum %x axes = [1] : (tensor<4x8x6xf32>) -> tensor<4x6xf32>
  %1 = hgc.slice %0 starts = [0, 2] sizes = [4, 1] : (tensor<4x6xf32>) -> tensor<4x1xf32>
  %2 = hgc.arg_reduce max %x axis 1 keepdims : (tensor<4x8x6xf32>) -> tensor<4x1x6xi64>
  %3 = hgc.slice %2 starts = [3, 0, 0] sizes = [1, 1, 6] : (tensor<4x1x6xi64>) -> tensor<1x1x6xi64>
  %4 = hgc.arg_sort %x axis 1 : (tensor<4x8x6xf32>) -> tensor<4x8x6xi64>
  %5 = hgc.slice %4 starts = [1, 0, 0] sizes = [1, 3, 6] : (tensor<4x8x6xi64>) -> tensor<1x3x6xi64>
  return %1, %3, %5 : tensor<4x1xf32>, tensor<1x1x6xi64>, tensor<1x3x6xi64>
}

// -----

// Images and output channels of a convolution, all channels of groups; statistics of channels.
// CHECK-LABEL: func @conv
// CHECK-DAG:     %[[X:.*]] = hgc.slice %{{.*}} starts = [1, 0, 0, 0] sizes = [1, 4, 8, 8]
// CHECK-DAG:     %[[W:.*]] = hgc.slice %{{.*}} starts = [2, 0, 0, 0] sizes = [3, 4, 3, 3]
// CHECK-DAG:     %[[S:.*]] = hgc.slice %{{.*}} starts = [2] sizes = [3]
// CHECK-DAG:     %[[C:.*]] = hgc.conv %[[X]], %[[W]] {{.*}} -> tensor<1x3x6x6xf32>
// CHECK:         %[[N:.*]] = hgc.batch_norm %[[C]], %[[S]], {{.*}} -> tensor<1x3x6x6xf32>
// CHECK:         hgc.pool max %[[N]] {{.*}} -> tensor<1x3x3x3xf32>
// CHECK:         hgc.conv {{.*}} groups = 2 {{.*}} -> tensor<1x8x6x6xf32>
func.func @conv(%x: tensor<2x4x8x8xf32>, %w: tensor<8x4x3x3xf32>, %s: tensor<8xf32>, %g: tensor<8x2x3x3xf32>) -> (tensor<1x3x3x3xf32>, tensor<1x3x6x6xf32>) {
  %0 = hgc.conv %x, %w channels_first oihw : (tensor<2x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x6x6xf32>
  %1 = hgc.batch_norm %0, %s, %s, %s, %s axis 1 epsilon 1.0e-03 : (tensor<2x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x6x6xf32>
  %2 = hgc.pool max %1 window = [2, 2] strides = [2, 2] channels_first : (tensor<2x8x6x6xf32>) -> tensor<2x8x3x3xf32>
  %3 = hgc.slice %2 starts = [1, 2, 0, 0] sizes = [1, 3, 3, 3] : (tensor<2x8x3x3xf32>) -> tensor<1x3x3x3xf32>
  %4 = hgc.conv %x, %g groups = 2 channels_first oihw : (tensor<2x4x8x8xf32>, tensor<8x2x3x3xf32>) -> tensor<2x8x6x6xf32>
  %5 = hgc.slice %4 starts = [0, 2, 0, 0] sizes = [1, 3, 6, 6] : (tensor<2x8x6x6xf32>) -> tensor<1x3x6x6xf32>
  return %3, %5 : tensor<1x3x3x3xf32>, tensor<1x3x6x6xf32>
}

// -----

// Windows of the pixels that are read, with the padding that they see; those between pixels are computed, too.
// CHECK-LABEL: func @windows
// CHECK:         %[[X:.*]] = hgc.slice %{{.*}} starts = [0, 0, 3, 0] sizes = [2, 8, 5, 4]
// CHECK:         hgc.conv %[[X]], {{.*}} strides = [2, 2] pads = [1, 0, 0, 0] {{.*}} -> tensor<2x4x2x8xf32>
// CHECK:         %[[Y:.*]] = hgc.slice %{{.*}} starts = [0, 7, 0, 0] sizes = [2, 2, 9, 4]
// CHECK:         hgc.pool avg %[[Y]] window = [3, 3] strides = [2, 2] pads = [0, 1, 1, 1] {{.*}} -> tensor<2x1x5x4xf32>
// CHECK:         hgc.pool max %{{.*}} window = [1, 1] pads = [0, 0, 0, 0] {{.*}} -> tensor<2x9x9x4xf32>
func.func @windows(%x: tensor<2x9x9x4xf32>, %w: tensor<3x3x4x8xf32>) -> (tensor<2x4x2x8xf32>, tensor<2x1x5x4xf32>, tensor<2x2x9x4xf32>) {
  %0 = hgc.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x9x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x5x5x8xf32>
  %1 = hgc.slice %0 starts = [0, 0, 2, 0] sizes = [2, 4, 2, 8] : (tensor<2x5x5x8xf32>) -> tensor<2x4x2x8xf32>
  %2 = hgc.pool avg %x window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last : (tensor<2x9x9x4xf32>) -> tensor<2x5x5x4xf32>
  %3 = hgc.slice %2 starts = [0, 4, 0, 0] sizes = [2, 1, 5, 4] : (tensor<2x5x5x4xf32>) -> tensor<2x1x5x4xf32>
  %4 = hgc.pool max %x window = [1, 1] pads = [0, 0, 0, 0] channels_last : (tensor<2x9x9x4xf32>) -> tensor<2x9x9x4xf32>
  %5 = hgc.slice %4 starts = [0, 1, 0, 0] sizes = [2, 2, 9, 4] strides = [1, 7, 1, 1] : (tensor<2x9x9x4xf32>) -> tensor<2x2x9x4xf32>
  return %1, %3, %5 : tensor<2x4x2x8xf32>, tensor<2x1x5x4xf32>, tensor<2x2x9x4xf32>
}

// -----

// Pixels that no window of a pool reaches are not computed, nor what they alone would need. A few are left as they are,
// and so is what comes in.
// CHECK-LABEL: func @leftovers
// CHECK-SAME:    (%[[X:.*]]: tensor<2x13x13x4xf32>, %[[Z:.*]]: tensor<2x65x64x4xf32>
// CHECK:         %[[S:.*]] = hgc.slice %[[X]] starts = [0, 0, 0, 0] sizes = [2, 12, 12, 4]
// CHECK:         %[[C:.*]] = hgc.conv %[[S]], {{.*}} -> tensor<2x10x10x8xf32>
// CHECK:         %[[R:.*]] = hgc.relu %[[C]] : tensor<2x10x10x8xf32>
// CHECK:         hgc.pool max %[[R]] window = [2, 2] strides = [2, 2] {{.*}}: (tensor<2x10x10x8xf32>) -> tensor<2x5x5x8xf32>
// CHECK:         %[[N:.*]] = hgc.neg %[[Z]] : tensor<2x65x64x4xf32>
// CHECK:         hgc.pool max %[[N]] {{.*}}: (tensor<2x65x64x4xf32>) -> tensor<2x32x32x4xf32>
// CHECK:         hgc.pool avg %[[X]] {{.*}}: (tensor<2x13x13x4xf32>) -> tensor<2x3x3x4xf32>
func.func @leftovers(%x: tensor<2x13x13x4xf32>, %z: tensor<2x65x64x4xf32>, %w: tensor<3x3x4x8xf32>) -> (tensor<2x5x5x8xf32>, tensor<2x32x32x4xf32>, tensor<2x3x3x4xf32>) {
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<2x13x13x4xf32>, tensor<3x3x4x8xf32>) -> tensor<2x11x11x8xf32>
  %1 = hgc.relu %0 : tensor<2x11x11x8xf32>
  %2 = hgc.pool max %1 window = [2, 2] strides = [2, 2] channels_last : (tensor<2x11x11x8xf32>) -> tensor<2x5x5x8xf32>
  %3 = hgc.neg %z : tensor<2x65x64x4xf32>
  %4 = hgc.pool max %3 window = [2, 2] strides = [2, 2] channels_last : (tensor<2x65x64x4xf32>) -> tensor<2x32x32x4xf32>
  %5 = hgc.pool avg %x window = [4, 4] strides = [4, 4] channels_last : (tensor<2x13x13x4xf32>) -> tensor<2x3x3x4xf32>
  return %2, %4, %5 : tensor<2x5x5x8xf32>, tensor<2x32x32x4xf32>, tensor<2x3x3x4xf32>
}

// -----

// Padding in front stays, padding behind that nothing reaches goes; another reader needs all.
// CHECK-LABEL: func @borders
// CHECK:         hgc.conv %{{.*}} pads = [1, 1, 0, 0] {{.*}} -> tensor<1x4x7x4xf32>
// CHECK:         hgc.pool avg {{.*}} pads = [1, 1, 0, 0] {{.*}}: (tensor<1x4x7x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK:         hgc.conv %{{.*}} pads = [1, 1, 1, 1] {{.*}} -> tensor<1x5x8x4xf32>
// CHECK:         hgc.pool max {{.*}}: (tensor<1x5x8x4xf32>) -> tensor<1x2x2x4xf32>
func.func @borders(%x: tensor<1x5x8x4xf32>, %w: tensor<3x3x4x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x2x4xf32>, tensor<1x5x8x4xf32>) {
  %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x5x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x5x8x4xf32>
  %1 = hgc.pool avg %0 window = [2, 2] strides = [3, 3] pads = [1, 1, 0, 0] channels_last : (tensor<1x5x8x4xf32>) -> tensor<1x2x3x4xf32>
  %2 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x5x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x5x8x4xf32>
  %3 = hgc.pool max %2 window = [2, 3] strides = [2, 3] channels_last : (tensor<1x5x8x4xf32>) -> tensor<1x2x2x4xf32>
  return %1, %3, %2 : tensor<1x2x3x4xf32>, tensor<1x2x2x4xf32>, tensor<1x5x8x4xf32>
}

// -----

// A slice that takes back what a pad has added leaves neither; padding alone has no part; a convolution without the places that are
// cut off needs no slice at all, however few they are.
// CHECK-LABEL: func @pads
// CHECK-SAME:    (%[[X:.*]]: tensor<2x16x4xf32>
// CHECK:         %[[S:.*]] = hgc.slice %[[X]] starts = [0, 3, 0] sizes = [2, 5, 4]
// CHECK:         hgc.pad constant %{{.*}} low = [0, 2, 0] high = [0, 0, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x5x4xf32>
// CHECK:         hgc.pad constant %{{.*}} low = [0, 2, 0] high = [0, 2, 0] : (tensor<1x16x4xf32>, tensor<f32>) -> tensor<1x20x4xf32>
// CHECK:         hgc.slice
// CHECK:         hgc.conv %[[X]], %{{.*}} pads = [2, 0] {{.*}} -> tensor<2x16x8xf32>
// CHECK-NOT:     hgc.slice
// CHECK:         return %[[S]]
func.func @pads(%x: tensor<2x16x4xf32>, %w: tensor<3x4x8xf32>, %z: tensor<f32>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<1x2x4xf32>, tensor<2x16x8xf32>) {
  %0 = hgc.pad constant %x, %z low = [0, 2, 0] high = [0, 2, 0] : (tensor<2x16x4xf32>, tensor<f32>) -> tensor<2x20x4xf32>
  %1 = hgc.slice %0 starts = [0, 5, 0] sizes = [2, 5, 4] : (tensor<2x20x4xf32>) -> tensor<2x5x4xf32>
  %2 = hgc.pad constant %x, %z low = [0, 2, 0] high = [0, 2, 0] : (tensor<2x16x4xf32>, tensor<f32>) -> tensor<2x20x4xf32>
  %3 = hgc.slice %2 starts = [0, 0, 0] sizes = [2, 5, 4] : (tensor<2x20x4xf32>) -> tensor<2x5x4xf32>
  %4 = hgc.pad constant %x, %z low = [0, 2, 0] high = [0, 2, 0] : (tensor<2x16x4xf32>, tensor<f32>) -> tensor<2x20x4xf32>
  %5 = hgc.slice %4 starts = [1, 0, 0] sizes = [1, 2, 4] : (tensor<2x20x4xf32>) -> tensor<1x2x4xf32>
  %6 = hgc.conv %x, %w pads = [2, 2] channels_last hwio : (tensor<2x16x4xf32>, tensor<3x4x8xf32>) -> tensor<2x18x8xf32>
  %7 = hgc.slice %6 starts = [0, 0, 0] sizes = [2, 16, 8] : (tensor<2x18x8xf32>) -> tensor<2x16x8xf32>
  return %1, %3, %5, %7 : tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<1x2x4xf32>, tensor<2x16x8xf32>
}

// -----

// Other kinds: images of a transposed convolution, dims without borders, dims beside indices, the start of a count.
// CHECK-LABEL: func @others
// CHECK:         hgc.conv_transpose {{.*}} -> tensor<1x5x5x4xf32>
// CHECK:         %[[P:.*]] = hgc.pad edge {{.*}} low = [0, 1] high = [0, 1] : (tensor<1x6xf32>, tensor<f32>) -> tensor<1x8xf32>
// CHECK:         hgc.slice %[[P]] starts = [0, 0] sizes = [1, 2]
// CHECK:         hgc.gather_along {{.*}} axis 1 : (tensor<1x6xf32>, tensor<1x2xi64>) -> tensor<1x2xf32>
// CHECK:         hgc.scatter add {{.*}} axis 1 : (tensor<1x6xf32>, tensor<1x3xi64>, tensor<1x3xf32>) -> tensor<1x6xf32>
// CHECK:         hgc.scatter set {{.*}} axis 0 slices : (tensor<4x1xf32>, tensor<2xi64>, tensor<2x1xf32>) -> tensor<4x1xf32>
// CHECK:         %[[I:.*]] = hgc.iota shape [7, 1] axis 0 of i32 : tensor<7x1xi32>
// CHECK:         hgc.slice %[[I]] starts = [5, 0] sizes = [2, 1]
func.func @others(%x: tensor<4x6xf32>, %c: tensor<4x3x3x4xf32>, %w: tensor<3x3x4x4xf32>, %z: tensor<f32>, %i: tensor<4x3xi64>, %u: tensor<4x3xf32>, %j: tensor<2xi64>, %v: tensor<2x6xf32>)
    -> (tensor<1x5x5x4xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x6xf32>, tensor<4x1xf32>, tensor<2x1xi32>) {
  %0 = hgc.conv_transpose %c, %w channels_last hwio : (tensor<4x3x3x4xf32>, tensor<3x3x4x4xf32>) -> tensor<4x5x5x4xf32>
  %1 = hgc.slice %0 starts = [2, 0, 0, 0] sizes = [1, 5, 5, 4] : (tensor<4x5x5x4xf32>) -> tensor<1x5x5x4xf32>
  %2 = hgc.pad edge %x, %z low = [0, 1] high = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x8xf32>
  %3 = hgc.slice %2 starts = [2, 0] sizes = [1, 2] : (tensor<4x8xf32>) -> tensor<1x2xf32>
  %4 = hgc.gather_along %x, %i axis 1 : (tensor<4x6xf32>, tensor<4x3xi64>) -> tensor<4x3xf32>
  %5 = hgc.slice %4 starts = [2, 1] sizes = [1, 2] : (tensor<4x3xf32>) -> tensor<1x2xf32>
  %6 = hgc.scatter add %x, %i, %u axis 1 : (tensor<4x6xf32>, tensor<4x3xi64>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %7 = hgc.slice %6 starts = [3, 0] sizes = [1, 6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
  %8 = hgc.scatter set %x, %j, %v axis 0 slices : (tensor<4x6xf32>, tensor<2xi64>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %9 = hgc.slice %8 starts = [0, 4] sizes = [4, 1] : (tensor<4x6xf32>) -> tensor<4x1xf32>
  %10 = hgc.iota shape [20, 3] axis 0 of i32 : tensor<20x3xi32>
  %11 = hgc.slice %10 starts = [5, 1] sizes = [2, 1] : (tensor<20x3xi32>) -> tensor<2x1xi32>
  return %1, %3, %5, %7, %9, %11 : tensor<1x5x5x4xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x6xf32>, tensor<4x1xf32>, tensor<2x1xi32>
}

// -----

// Random numbers and control flow are computed as they stand.
// CHECK-LABEL: func @left_alone
// CHECK:         hgc.random {{.*}} -> tensor<8x4xui64>
// CHECK:         hgc.dropout {{.*}} : tensor<8x4xf32>
// CHECK:         hgc.scan
// CHECK:         hgc.add {{.*}} -> tensor<4xf32>
func.func @left_alone(%c: tensor<8x4xui64>, %k: tensor<ui64>, %x: tensor<8x4xf32>, %h: tensor<4xf32>) -> (tensor<1x4xui64>, tensor<1x4xf32>, tensor<1x4xf32>) {
  %0 = hgc.random %c, %k, %k : (tensor<8x4xui64>, tensor<ui64>, tensor<ui64>) -> tensor<8x4xui64>
  %1 = hgc.slice %0 starts = [0, 0] sizes = [1, 4] : (tensor<8x4xui64>) -> tensor<1x4xui64>
  %2 = hgc.dropout %x rate 2.0e-01 : tensor<8x4xf32>
  %3 = hgc.slice %2 starts = [0, 0] sizes = [1, 4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %4, %5 = hgc.scan init(%h : tensor<4xf32>) over(%x : tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  ^bb0(%s: tensor<4xf32>, %e: tensor<4xf32>):
    %n = hgc.add %s, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %n, %n : tensor<4xf32>, tensor<4xf32>
  }
  %6 = hgc.slice %5 starts = [7, 0] sizes = [1, 4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
  return %1, %3, %6 : tensor<1x4xui64>, tensor<1x4xf32>, tensor<1x4xf32>
}

// -----

// What a loop reads a part of is computed in part before it, and what it needs of an outer tensor is sliced there.
// CHECK-LABEL: func @loop
// CHECK-SAME:    (%[[X:.*]]: tensor<8x4xf32>, %[[Y:.*]]: tensor<4x16xf32>
// CHECK:         %[[A:.*]] = hgc.slice %[[X]] starts = [6, 0] sizes = [1, 4]
// CHECK:         %[[S:.*]] = hgc.softmax %[[A]] axis 1 : tensor<1x4xf32>
// CHECK:         %[[B:.*]] = hgc.slice %[[Y]] starts = [0, 5] sizes = [4, 1]
// CHECK:         hgc.scan
// CHECK-NOT:     hgc.slice
// CHECK:         hgc.matmul %[[S]], %[[B]] : {{.*}} -> tensor<1x1xf32>
func.func @loop(%x: tensor<8x4xf32>, %y: tensor<4x16xf32>, %h: tensor<1x1xf32>, %e: tensor<9x1xf32>) -> tensor<1x1xf32> {
  %0 = hgc.softmax %x axis 1 : tensor<8x4xf32>
  %1 = hgc.scan init(%h : tensor<1x1xf32>) over(%e : tensor<9x1xf32>) -> (tensor<1x1xf32>) {
  ^bb0(%s: tensor<1x1xf32>, %d: tensor<1xf32>):
    %2 = hgc.slice %0 starts = [6, 0] sizes = [1, 4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %3 = hgc.matmul %2, %y : (tensor<1x4xf32>, tensor<4x16xf32>) -> tensor<1x16xf32>
    %4 = hgc.slice %3 starts = [0, 5] sizes = [1, 1] : (tensor<1x16xf32>) -> tensor<1x1xf32>
    %5 = hgc.add %4, %s : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    hgc.yield %5 : tensor<1x1xf32>
  }
  return %1 : tensor<1x1xf32>
}
