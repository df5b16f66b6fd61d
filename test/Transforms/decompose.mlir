// RUN: hgc-opt --hgc-decompose --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-decompose=fold-into-filter=false --split-input-file %s | FileCheck %s --check-prefix=PLAIN

// Factor and shift are vectors along the channels.
// CHECK-LABEL: func.func @pointwise
// CHECK-SAME:    (%[[X:.*]]: tensor<2x4x3x3xf32>, %[[S:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>)
func.func @pointwise(%x: tensor<2x4x3x3xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>)
    -> tensor<2x4x3x3xf32> {
  // CHECK: %[[E:.*]] = hgc.constant dense<1.000000e-03> : tensor<f32>
  // CHECK: %[[VE:.*]] = hgc.add %[[V]], %[[E]]
  // CHECK: %[[I:.*]] = hgc.rsqrt %[[VE]]
  // CHECK: %[[F:.*]] = hgc.mul %[[S]], %[[I]]
  // CHECK: %[[MF:.*]] = hgc.mul %[[M]], %[[F]]
  // CHECK: %[[T:.*]] = hgc.sub %[[B]], %[[MF]]
  // CHECK: %[[FR:.*]] = hgc.reshape %[[F]] shape [4, 1, 1]
  // CHECK: %[[XF:.*]] = hgc.mul %[[X]], %[[FR]]
  // CHECK: %[[TR:.*]] = hgc.reshape %[[T]] shape [4, 1, 1]
  // CHECK: hgc.add %[[XF]], %[[TR]]
  // CHECK-NOT: hgc.batch_norm
  %0 = hgc.batch_norm %x, %s, %b, %m, %v axis 1 epsilon 1.0e-03
      : (tensor<2x4x3x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3x3xf32>
  return %0 : tensor<2x4x3x3xf32>
}

// -----

// Half precision is scaled in f32 and rounded once.
// CHECK-LABEL: func.func @half
// CHECK:         hgc.cast %{{.*}} to f32 : (tensor<2x4xf16>) -> tensor<2x4xf32>
// CHECK:         hgc.mul {{.*}} -> tensor<2x4xf32>
// CHECK:         %[[R:.*]] = hgc.cast %{{.*}} to f16 : (tensor<2x4xf32>) -> tensor<2x4xf16>
// CHECK-NEXT:    return %[[R]]
func.func @half(%x: tensor<2x4xf16>, %v: tensor<4xf16>) -> tensor<2x4xf16> {
  %0 = hgc.batch_norm %x, %v, %v, %v, %v axis 1 epsilon 1.0e-03
      : (tensor<2x4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<2x4xf16>
  return %0 : tensor<2x4xf16>
}

// -----

// Behind a convolution with an immutable filter the factor moves into it.
hgc.parameter @w : tensor<1x1x2x4xf32> = dense<1.0>
hgc.parameter @v : tensor<4xf32> = dense<1.0>
// CHECK-LABEL: func.func @filter
func.func @filter(%x: tensor<1x3x3x2xf32>) -> tensor<1x3x3x4xf32> {
  %w = hgc.read @w : tensor<1x1x2x4xf32>
  %v = hgc.read @v : tensor<4xf32>
  // CHECK: %[[W:.*]] = hgc.mul {{.*}} -> tensor<1x1x2x4xf32>
  // CHECK: %[[C:.*]] = hgc.conv %{{.*}}, %[[W]]
  // CHECK: %[[Y:.*]] = hgc.add %[[C]],
  // CHECK: return %[[Y]]
  // PLAIN-LABEL: func.func @filter
  // PLAIN: %[[C:.*]] = hgc.conv
  // PLAIN: hgc.mul %[[C]],
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x3x3x2xf32>, tensor<1x1x2x4xf32>) -> tensor<1x3x3x4xf32>
  %1 = hgc.batch_norm %0, %v, %v, %v, %v axis 3 epsilon 1.0e-03
      : (tensor<1x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  return %1 : tensor<1x3x3x4xf32>
}

// -----

// A filter that an entry assigns stays as it is.
hgc.parameter @w : tensor<1x1x2x4xf32> = dense<1.0>
hgc.parameter @v : tensor<4xf32> = dense<1.0>
// CHECK-LABEL: func.func @trained
func.func @trained(%x: tensor<1x3x3x2xf32>) -> tensor<1x3x3x4xf32> {
  // CHECK: %[[W:.*]] = hgc.read @w
  %w = hgc.read @w : tensor<1x1x2x4xf32>
  %v = hgc.read @v : tensor<4xf32>
  // CHECK: hgc.conv %{{.*}}, %[[W]]
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x3x3x2xf32>, tensor<1x1x2x4xf32>) -> tensor<1x3x3x4xf32>
  %1 = hgc.batch_norm %0, %v, %v, %v, %v axis 3 epsilon 1.0e-03
      : (tensor<1x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x3x3x4xf32>
  hgc.assign @w, %w : tensor<1x1x2x4xf32>
  return %1 : tensor<1x3x3x4xf32>
}

// -----

// What only differentiation and training look at is gone.
// CHECK-LABEL: func.func @identities
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[Y:.*]] = hgc.exp %[[X]]
// CHECK-NEXT:    return %[[Y]]
func.func @identities(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hgc.stop_gradient %x : tensor<4xf32>
  %1 = hgc.exp %0 : tensor<4xf32>
  %2 = hgc.dropout %1 rate 5.0e-01 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
