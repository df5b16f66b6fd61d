// RUN: hgc-opt %s | hgc-opt | FileCheck %s

// The result's spatial extents are given, or the smallest that fit.
// CHECK-LABEL: func @transposed
func.func @transposed(%y: tensor<1x28x28x64xf32>, %w: tensor<3x3x32x64xf32>, %a: tensor<2x6x5xf16>, %v: tensor<6x2x3xf16>,
                      %z: tensor<?x2x3x4x4xf64>, %u: tensor<1x2x3x2x4xf64>, %d: tensor<1x6x?x?xi8>, %g: tensor<6x4x3x3xi8>) {
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} extents = [56, 56] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : {{.*}} -> tensor<1x56x56x32xf32>
  %0 = hgc.conv_transpose %y, %w extents = [56, 56] strides = [2, 2] pads = [1, 1, 1, 1] groups = 1 channels_last hwio
      : (tensor<1x28x28x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x56x56x32xf32>
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : {{.*}} -> tensor<1x55x55x32xf32>
  %1 = hgc.conv_transpose %y, %w strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
      : (tensor<1x28x28x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x55x55x32xf32>
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} dilations = [2] channels_first oihw : {{.*}} -> tensor<2x2x9xf32>
  %2 = hgc.conv_transpose %a, %v dilations = [2] channels_first oihw : (tensor<2x6x5xf16>, tensor<6x2x3xf16>) -> tensor<2x2x9xf32>
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} channels_last hwio : {{.*}} -> tensor<?x2x4x6x2xf64>
  %3 = hgc.conv_transpose %z, %u channels_last hwio : (tensor<?x2x3x4x4xf64>, tensor<1x2x3x2x4xf64>) -> tensor<?x2x4x6x2xf64>
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} groups = 2 channels_first oihw : {{.*}} -> tensor<1x8x?x?xi32>
  %4 = hgc.conv_transpose %d, %g groups = 2 channels_first oihw : (tensor<1x6x?x?xi8>, tensor<6x4x3x3xi8>) -> tensor<1x8x?x?xi32>
  // A stride of one, but a dilation: more pixels than windows reach.
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} extents = [10] dilations = [2] channels_first oihw : {{.*}} -> tensor<2x2x10xf32>
  %5 = hgc.conv_transpose %a, %v extents = [10] dilations = [2] channels_first oihw : (tensor<2x6x5xf16>, tensor<6x2x3xf16>) -> tensor<2x2x10xf32>
  return
}

// A packed filter has its channels exchanged first.
// CHECK-LABEL: func @packed
func.func @packed(%y: tensor<1x6x6x20xf32>, %f: tensor<3x3x10x6xf32>) {
  // CHECK: hgc.pack conv_filter %{{.*}} width 8 groups = 2 : (tensor<3x3x10x6xf32>) -> tensor<2x1x90x8xf32>
  %0 = hgc.pack conv_filter %f width 8 groups = 2 : (tensor<3x3x10x6xf32>) -> tensor<2x1x90x8xf32>
  // CHECK: hgc.conv_transpose %{{.*}}, %{{.*}} groups = 2 channels_last hwio packed <8, [3, 3, 10, 6]> : {{.*}} -> tensor<1x8x8x6xf32>
  %1 = hgc.conv_transpose %y, %0 groups = 2 channels_last hwio packed <8, [3, 3, 10, 6]>
      : (tensor<1x6x6x20xf32>, tensor<2x1x90x8xf32>) -> tensor<1x8x8x6xf32>
  return
}

// CHECK-LABEL: func @filter_grad
func.func @filter_grad(%x: tensor<1x56x56x32xf32>, %y: tensor<1x28x28x64xf32>, %a: tensor<2x6x9xi8>, %b: tensor<2x4x5xi8>,
                       %z: tensor<?x5x6x7x2xbf16>, %u: tensor<?x5x5x5x4xbf16>) {
  // CHECK: hgc.conv_filter_grad %{{.*}}, %{{.*}} window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio : {{.*}} -> tensor<3x3x32x64xf32>
  %0 = hgc.conv_filter_grad %x, %y window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] groups = 1 channels_last hwio
      : (tensor<1x56x56x32xf32>, tensor<1x28x28x64xf32>) -> tensor<3x3x32x64xf32>
  // CHECK: hgc.conv_filter_grad %{{.*}}, %{{.*}} window = [3] dilations = [2] groups = 2 channels_first oihw : {{.*}} -> tensor<4x3x3xi32>
  %1 = hgc.conv_filter_grad %a, %b window = [3] dilations = [2] groups = 2 channels_first oihw
      : (tensor<2x6x9xi8>, tensor<2x4x5xi8>) -> tensor<4x3x3xi32>
  // CHECK: hgc.conv_filter_grad %{{.*}}, %{{.*}} window = [1, 2, 3] channels_last oihw : {{.*}} -> tensor<4x2x1x2x3xf32>
  %2 = hgc.conv_filter_grad %z, %u window = [1, 2, 3] channels_last oihw
      : (tensor<?x5x6x7x2xbf16>, tensor<?x5x5x5x4xbf16>) -> tensor<4x2x1x2x3xf32>
  return
}
