// RUN: hgc-opt --hgc-differentiate --split-input-file %s | FileCheck %s

// The entry stays, and its gradients become an entry behind it. The gradient by a bias
// is a sum over what it was repeated for, and operands change sides in products.
// CHECK-LABEL: func @loss(
// CHECK-NOT:     hgc.grad
// CHECK-LABEL: func @loss_grad(
// CHECK-SAME:    %[[X:.*]]: tensor<8x4xf32> {hgc.name = "x"}, %[[I:.*]]: tensor<i64>
// CHECK-SAME:    -> (tensor<f32> {hgc.name = "loss"}, tensor<8x4xf32> {hgc.name = "grad_x"}, tensor<4x3xf32> {hgc.name = "grad_fc_weight"}, tensor<3xf32> {hgc.name = "grad_fc_bias"})
hgc.parameter @fc.weight : tensor<4x3xf32> = dense<1.0>
hgc.parameter @fc.bias : tensor<3xf32> = dense<0.0>
func.func @loss(%x: tensor<8x4xf32> {hgc.name = "x"}, %i: tensor<i64> {hgc.name = "i"})
    -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry, hgc.grad} {
  // CHECK-DAG:  %[[W:.*]] = hgc.read @fc.weight
  // CHECK-DAG:  %[[B:.*]] = hgc.read @fc.bias
  %w = hgc.read @fc.weight : tensor<4x3xf32>
  %b = hgc.read @fc.bias : tensor<3xf32>
  %0 = hgc.matmul %x, %w : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = hgc.add %0, %b : (tensor<8x3xf32>, tensor<3xf32>) -> tensor<8x3xf32>
  // CHECK:      %[[Y:.*]] = hgc.relu
  %2 = hgc.relu %1 : tensor<8x3xf32>
  // CHECK:      %[[L:.*]] = hgc.reduce mean
  %l = hgc.reduce mean %2 axes = [0, 1] : (tensor<8x3xf32>) -> tensor<f32>
  // CHECK:      %[[ONE:.*]] = hgc.constant dense<1.000000e+00> : tensor<1x1xf32>
  // CHECK:      %[[N:.*]] = hgc.constant dense<2.400000e+01>
  // CHECK:      %[[Q:.*]] = hgc.div %[[ONE]], %[[N]]
  // CHECK:      %[[G:.*]] = hgc.broadcast %[[Q]] shape [8, 3]
  // CHECK:      %[[P:.*]] = hgc.compare gt %[[Y]], %
  // CHECK:      %[[S:.*]] = hgc.select %[[P]], %[[G]], %
  // CHECK:      %[[DB:.*]] = hgc.reduce sum %[[S]] axes = [0]
  // CHECK:      %[[DX:.*]] = hgc.matmul %[[S]], %[[W]] transpose_rhs
  // CHECK:      %[[DW:.*]] = hgc.matmul %[[X]], %[[S]] transpose_lhs
  // CHECK:      return %[[L]], %[[DX]], %[[DW]], %[[DB]]
  return %l : tensor<f32>
}

// -----

// Only what is named, in that order; state is left alone, and what the loss does not
// depend on has zeros. Variants keep the parts of their names.
// CHECK-LABEL: func @f_batch2(
// CHECK:         hgc.assign @count
// CHECK-LABEL: func @f_grad_batch2(
// CHECK-SAME:    hgc.name = "grad_b"}, tensor<2xf32> {hgc.name = "grad_a"})
// CHECK-SAME:    hgc.variant_of = "f_grad"
// CHECK-NOT:     hgc.assign
hgc.parameter @count : tensor<i64> = dense<0>
func.func @f_batch2(%a: tensor<2xf32> {hgc.name = "a"}, %b: tensor<2xf32> {hgc.name = "b"}, %c: tensor<2xf32> {hgc.name = "c"})
    -> (tensor<f32> {hgc.name = "loss"})
    attributes {hgc.entry, hgc.grad = ["b", "a"], hgc.variant_of = "f", hgc.variant_dims = {batch = 2}} {
  %n = hgc.read @count : tensor<i64>
  hgc.assign @count, %n : tensor<i64>
  // CHECK:       %[[SUM:.*]] = hgc.mul %arg0, %arg2
  %0 = hgc.mul %a, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %l = hgc.reduce sum %0 axes = [0] : (tensor<2xf32>) -> tensor<f32>
  // CHECK:       %[[A:.*]] = hgc.mul %{{.*}}, %arg2
  // CHECK-NOT:   hgc.mul
  // CHECK:       %[[B:.*]] = hgc.constant dense<0.000000e+00> : tensor<2xf32>
  // CHECK:       return %{{.*}}, %[[B]], %[[A]]
  return %l : tensor<f32>
}

// -----

// Nothing is differentiated behind stop_gradient, and the target of the loss is not
// either: the exponential has no gradient ops.
// CHECK-LABEL: func @stopped_grad(
// CHECK-COUNT-1: hgc.exp
// CHECK-NOT:     hgc.exp
// CHECK:         return
func.func @stopped(%x: tensor<3xf64> {hgc.name = "x"}) -> tensor<f64> attributes {hgc.entry, hgc.grad} {
  %e = hgc.exp %x : tensor<3xf64>
  %t = hgc.stop_gradient %e : tensor<3xf64>
  %d = hgc.sub %x, %t : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %s = hgc.mul %d, %d : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %l = hgc.reduce sum %s axes = [0] : (tensor<3xf64>) -> tensor<f64>
  return %l : tensor<f64>
}

// -----

// Convolutions give transposed ones and filter gradients with their attributes. The
// maximum of a window is found again, and each of its elements takes the gradient if it
// is that one.
// CHECK-LABEL: func @cnn_grad(
// CHECK:         hgc.pool max
// CHECK-COUNT-3: hgc.slice
// CHECK-COUNT-4: hgc.gather
// CHECK-NOT:     hgc.gather
// CHECK:         hgc.conv_filter_grad %arg0, %{{.*}} window = [3, 3] strides = [1, 1] pads = [1, 1, 1, 1] channels_last hwio
// CHECK-NOT:     hgc.conv_transpose
func.func @cnn(%x: tensor<2x8x8x3xf32> {hgc.name = "x"}, %w: tensor<3x3x3x4xf32> {hgc.name = "w"}) -> tensor<f32>
    attributes {hgc.entry, hgc.grad = ["w"]} {
  %0 = hgc.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] channels_last hwio
      : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x8x8x4xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<2x8x8x4xf32>) -> tensor<2x4x4x4xf32>
  %l = hgc.reduce sum %1 axes = [0, 1, 2, 3] : (tensor<2x4x4x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// The product of half precision is differentiated in f32; parameters read in a branch
// count, too.
// CHECK-LABEL: func @half_grad(
// CHECK:         %[[R:.*]] = hgc.read @w : tensor<4x4xf16>
// CHECK:         hgc.if
// CHECK:         %[[D:.*]] = hgc.if %arg1 : tensor<i1> -> (tensor<4x4xf16>) {
// CHECK:           hgc.cast %arg0 to f32
// CHECK:           %[[P:.*]] = hgc.matmul {{.*}} -> tensor<4x4xf32>
// CHECK:           %[[C:.*]] = hgc.cast %[[P]] to f16
// CHECK:           hgc.yield %[[C]]
// CHECK:         } else {
// CHECK:           %[[Z:.*]] = hgc.constant dense<0.000000e+00> : tensor<4x4xf16>
// CHECK-NEXT:      hgc.yield %[[Z]]
// CHECK:         return %{{.*}}, %[[D]]
hgc.parameter @w : tensor<4x4xf16> = dense<1.0>
func.func @half(%x: tensor<2x4xf16> {hgc.name = "x"}, %c: tensor<i1> {hgc.name = "c"}) -> tensor<f32>
    attributes {hgc.entry, hgc.grad = ["w"]} {
  %0 = hgc.if %c : tensor<i1> -> (tensor<2x4xf32>) {
    %w = hgc.read @w : tensor<4x4xf16>
    %1 = hgc.matmul %x, %w : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf32>
    hgc.yield %1 : tensor<2x4xf32>
  } else {
    %1 = hgc.constant dense<0.0> : tensor<2x4xf32>
    hgc.yield %1 : tensor<2x4xf32>
  }
  %l = hgc.reduce sum %0 axes = [0, 1] : (tensor<2x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// The scan that went forward also stacks its states; the one that goes back walks over
// them and carries the gradient by the state.
// CHECK-LABEL: func @recurrent_grad(
// CHECK:         %[[F:.*]]:2 = hgc.scan init(%arg0 : tensor<3xf32>) over(%arg1 : tensor<5x3xf32>) -> (tensor<3xf32>, tensor<5x3xf32>)
// CHECK-NOT:     hgc.scan
// CHECK:         hgc.reduce sum %[[F]]#0
// CHECK:         %[[B:.*]]:2 = hgc.scan init(%{{.*}} : tensor<3xf32>) over(%arg1, %[[F]]#1 : tensor<5x3xf32>, tensor<5x3xf32>) reverse
// CHECK:         return %{{.*}}, %[[B]]#0, %[[B]]#1
func.func @recurrent(%h: tensor<3xf32> {hgc.name = "h"}, %xs: tensor<5x3xf32> {hgc.name = "xs"}) -> tensor<f32>
    attributes {hgc.entry, hgc.grad} {
  %0 = hgc.scan init(%h : tensor<3xf32>) over(%xs : tensor<5x3xf32>) -> (tensor<3xf32>) {
  ^bb0(%s: tensor<3xf32>, %x: tensor<3xf32>):
    %1 = hgc.mul %s, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    hgc.yield %1 : tensor<3xf32>
  }
  %l = hgc.reduce sum %0 axes = [0] : (tensor<3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
