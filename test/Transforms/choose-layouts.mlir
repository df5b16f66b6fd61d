// RUN: hgc-opt --hgc-choose-layouts --split-input-file %s | FileCheck %s

// Between two convolutions nothing is transposed: bias, activation, pool and
// the residual sum follow the layout.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: tensor<1x2x8x8xf32>
func.func @chain(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x3x3xf32>, %b: tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  // CHECK:     hgc.transpose %{{.*}} permutation = [2, 3, 1, 0] : {{.*}} -> tensor<3x3x2x2xf32>
  // CHECK:     hgc.transpose %[[X]] permutation = [0, 2, 3, 1] : {{.*}} -> tensor<1x8x8x2xf32>
  // CHECK:     %[[C1:.*]] = hgc.conv %{{.*}}, %{{.*}} pads = [1, 1, 1, 1] {{.*}}channels_last hwio : {{.*}} -> tensor<1x8x8x2xf32>
  // CHECK:     %[[B:.*]] = hgc.reshape %{{.*}} shape [1, 1, 1, 2]
  // CHECK:     %[[S:.*]] = hgc.add %[[C1]], %[[B]]
  // CHECK:     %[[R:.*]] = hgc.relu %[[S]] : tensor<1x8x8x2xf32>
  // CHECK-NOT: hgc.transpose %[[R]]
  // CHECK:     %[[C2:.*]] = hgc.conv %[[R]],
  // CHECK:     %[[Y:.*]] = hgc.add %[[C2]], %[[R]]
  // CHECK:     %[[P:.*]] = hgc.pool max %[[Y]] {{.*}} channels_last : {{.*}} -> tensor<1x4x4x2xf32>
  // CHECK:     %[[O:.*]] = hgc.transpose %[[P]] permutation = [0, 3, 1, 2]
  // CHECK:     return %[[O]]
  %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_first oihw : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  %1 = hgc.add %0, %b : (tensor<1x2x8x8xf32>, tensor<2x1x1xf32>) -> tensor<1x2x8x8xf32>
  %2 = hgc.relu %1 : tensor<1x2x8x8xf32>
  %3 = hgc.conv %2, %w pads = [1, 1, 1, 1] channels_first oihw : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32>
  %4 = hgc.add %3, %2 : (tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %5 = hgc.pool max %4 window = [2, 2] strides = [2, 2] channels_first : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  return %5 : tensor<1x2x4x4xf32>
}

// -----

// Concat, pad, slice and softmax take their axes along; a reduction over the
// spatial dims leaves nothing to transpose.
// CHECK-LABEL: func.func @axes
func.func @axes(%x: tensor<1x2x4x4xf32>) -> tensor<1x4xf32> {
  %zero = hgc.constant dense<0.0> : tensor<f32>
  // CHECK: %[[P:.*]] = hgc.pool
  %0 = hgc.pool max %x window = [1, 1] channels_first : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  // CHECK: hgc.concat %[[P]], %[[P]] axis 3 : {{.*}} -> tensor<1x4x4x4xf32>
  %1 = hgc.concat %0, %0 axis 1 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  // CHECK: hgc.pad constant {{.*}} low = [0, 1, 2, 0] high = [0, 3, 4, 0] : {{.*}} -> tensor<1x8x10x4xf32>
  %2 = hgc.pad constant %1, %zero low = [0, 0, 1, 2] high = [0, 0, 3, 4] : (tensor<1x4x4x4xf32>, tensor<f32>) -> tensor<1x4x8x10xf32>
  // CHECK: hgc.slice {{.*}} starts = [0, 1, 2, 0] sizes = [1, 3, 4, 4] : {{.*}} -> tensor<1x3x4x4xf32>
  %3 = hgc.slice %2 starts = [0, 0, 1, 2] sizes = [1, 4, 3, 4] : (tensor<1x4x8x10xf32>) -> tensor<1x4x3x4xf32>
  // CHECK: hgc.softmax {{.*}} axis 3 : tensor<1x3x4x4xf32>
  %4 = hgc.softmax %3 axis 1 : tensor<1x4x3x4xf32>
  // CHECK: %[[R:.*]] = hgc.reduce mean {{.*}} axes = [1, 2] : {{.*}} -> tensor<1x4xf32>
  // CHECK-NEXT: return %[[R]]
  %5 = hgc.reduce mean %4 axes = [2, 3] : (tensor<1x4x3x4xf32>) -> tensor<1x4xf32>
  return %5 : tensor<1x4xf32>
}

// -----

// With extents of one a transpose is a view.
// CHECK-LABEL: func.func @view
// CHECK:         %[[P:.*]] = hgc.pool
// CHECK-NEXT:    %[[V:.*]] = hgc.reshape %[[P]] shape [1, 2, 1, 1]
// CHECK-NEXT:    return %[[V]]
func.func @view(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x1x1xf32> {
  %0 = hgc.pool avg %x window = [4, 4] channels_first : (tensor<1x2x4x4xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}

// -----

// A second operand in the other order keeps the transpose where it is.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME:    , %[[Y:[a-z0-9]+]]: tensor<1x2x4x4xf32>)
// CHECK:         %[[P:.*]] = hgc.pool
// CHECK:         %[[T:.*]] = hgc.transpose %[[P]]
// CHECK:         hgc.add %[[T]], %[[Y]]
func.func @mixed(%x: tensor<1x2x4x4xf32>, %y: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = hgc.pool max %x window = [1, 1] channels_first : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = hgc.add %0, %y : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// -----

// Channels-last models are left alone.
// CHECK-LABEL: func.func @already
// CHECK-NOT:     hgc.transpose
func.func @already(%x: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// -----

// A transposed convolution follows the layout as a convolution does.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    (%[[X:.*]]: tensor<1x2x8x8xf32>
func.func @transposed(%x: tensor<1x2x8x8xf32>, %w: tensor<2x3x3x3xf32>, %v: tensor<3x4x2x2xf32>) -> tensor<1x4x34x34xf32> {
  // CHECK:     hgc.transpose %[[X]] permutation = [0, 2, 3, 1] : {{.*}} -> tensor<1x8x8x2xf32>
  // CHECK:     %[[T:.*]] = hgc.conv_transpose %{{.*}}, %{{.*}} strides = [2, 2] channels_last hwio : (tensor<1x8x8x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x17x17x3xf32>
  // CHECK:     %[[R:.*]] = hgc.relu %[[T]]
  // CHECK-NOT: hgc.transpose %[[R]]
  // CHECK:     %[[U:.*]] = hgc.conv_transpose %[[R]], {{.*}} channels_last hwio : {{.*}} -> tensor<1x34x34x4xf32>
  // CHECK:     hgc.transpose %[[U]] permutation = [0, 3, 1, 2]
  %0 = hgc.conv_transpose %x, %w strides = [2, 2] channels_first oihw : (tensor<1x2x8x8xf32>, tensor<2x3x3x3xf32>) -> tensor<1x3x17x17xf32>
  %1 = hgc.relu %0 : tensor<1x3x17x17xf32>
  %2 = hgc.conv_transpose %1, %v strides = [2, 2] channels_first oihw : (tensor<1x3x17x17xf32>, tensor<3x4x2x2xf32>) -> tensor<1x4x34x34xf32>
  return %2 : tensor<1x4x34x34xf32>
}

// -----

// A filter gradient reads both operands channels-last and writes hwio.
// CHECK-LABEL: func.func @filter_grad
func.func @filter_grad(%x: tensor<2x3x8x9xf32>, %y: tensor<2x5x6x8xf32>) -> tensor<5x3x3x2xf32> {
  // CHECK: %[[X:.*]] = hgc.transpose %arg0 permutation = [0, 2, 3, 1]
  // CHECK: %[[Y:.*]] = hgc.transpose %arg1 permutation = [0, 2, 3, 1]
  // CHECK: %[[W:.*]] = hgc.conv_filter_grad %[[X]], %[[Y]] window = [3, 2] channels_last hwio : {{.*}} -> tensor<3x2x3x5xf32>
  // CHECK: %[[T:.*]] = hgc.transpose %[[W]] permutation = [3, 2, 0, 1] : {{.*}} -> tensor<5x3x3x2xf32>
  // CHECK: return %[[T]]
  %0 = hgc.conv_filter_grad %x, %y window = [3, 2] channels_first oihw : (tensor<2x3x8x9xf32>, tensor<2x5x6x8xf32>) -> tensor<5x3x3x2xf32>
  return %0 : tensor<5x3x3x2xf32>
}
