// RUN: hgc-opt %s --canonicalize --split-input-file --allow-unregistered-dialect | FileCheck %s

// Data movement that moves nothing vanishes.
// CHECK-LABEL: func @identities
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3xf32>, %{{.*}}: tensor<2xi32>, %[[D:.*]]: tensor<?x3xf32>)
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[D]], %[[D]]
func.func @identities(%x: tensor<2x3xf32>, %i: tensor<2xi32>, %d: tensor<?x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
        tensor<2x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %zero = hgc.constant dense<0.0> : tensor<f32>
  %0 = hgc.reshape %x shape [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = hgc.transpose %x permutation = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = hgc.broadcast %x shape [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = hgc.concat %x axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = hgc.slice %x starts = [0, 0] sizes = [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = hgc.pad constant %x, %zero low = [0, 0] high = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %6 = hgc.reduce sum %x axes = [] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // The only offset that fits is 0.
  %7 = hgc.slice %x at %i sizes = [2, 3] : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %8 = hgc.reshape %d shape [-1, 3] : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %9 = hgc.transpose %d permutation = [0, 1] : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
      tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// The nearest ones that move something stay.
// CHECK-LABEL: func @no_identities
func.func @no_identities(%x: tensor<2x2xf32>, %d: tensor<?x?xf32>) {
  %zero = hgc.constant dense<0.0> : tensor<f32>
  // CHECK: hgc.transpose
  %0 = hgc.transpose %x permutation = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: hgc.slice
  %1 = hgc.slice %x starts = [1, 0] sizes = [2, 2] strides = [-1, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: hgc.pad
  %2 = hgc.pad constant %x, %zero low = [1, 0] high = [-1, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  // CHECK: hgc.reshape
  %3 = hgc.reshape %d shape ["a", "b"] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: hgc.broadcast
  %4 = hgc.broadcast %d shape ["a", "b"] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "test.use"(%0, %1, %2, %3, %4) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> ()
  return
}

// -----

// The last of two reshapes decides; it keeps its pin. The first stays for others.
// CHECK-LABEL: func @reshapes
// CHECK-SAME:    (%[[X:.*]]: tensor<4x6xf32>)
func.func @reshapes(%x: tensor<4x6xf32>) -> (tensor<8x3xf32>, tensor<24xf32>, tensor<4x6xf32>) {
  // CHECK-DAG: %[[A:.*]] = hgc.reshape %[[X]] shape [24]
  %0 = hgc.reshape %x shape [24] : (tensor<4x6xf32>) -> tensor<24xf32>
  // CHECK-DAG: %[[B:.*]] = hgc.reshape %[[X]] shape [8, -1] {hgc.device = #hgc.device<cpu>}
  %1 = hgc.reshape %0 shape [8, -1] {hgc.device = #hgc.device<cpu>} : (tensor<24xf32>) -> tensor<8x3xf32>
  %2 = hgc.reshape %1 shape [4, 6] : (tensor<8x3xf32>) -> tensor<4x6xf32>
  // CHECK: return %[[B]], %[[A]], %[[X]]
  return %1, %0, %2 : tensor<8x3xf32>, tensor<24xf32>, tensor<4x6xf32>
}

// -----

// Permutations compose.
// CHECK-LABEL: func @transposes
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3x4xf32>)
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<2x3x4xf32>) {
  %0 = hgc.transpose %x permutation = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  // CHECK: %[[T:.*]] = hgc.transpose %[[X]] permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = hgc.transpose %0 permutation = [0, 2, 1] : (tensor<3x4x2xf32>) -> tensor<3x2x4xf32>
  %2 = hgc.transpose %0 permutation = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  // CHECK: return %[[T]], %[[X]]
  return %1, %2 : tensor<3x2x4xf32>, tensor<2x3x4xf32>
}

// -----

// "The rest of the dim" becomes a number once the extent is known.
// CHECK-LABEL: func @rest
func.func @rest(%x: tensor<4x10xf32>) -> tensor<4x6xf32> {
  // CHECK: hgc.slice %{{.*}} starts = [0, 4] sizes = [4, 6]
  %0 = hgc.slice %x starts = [0, 4] sizes = [-1, -1] : (tensor<4x10xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

// Equal elements are equal wherever they lie; a broadcast would make the model grow.
// CHECK-LABEL: func @splats
func.func @splats(%i: tensor<2xi32>) -> (tensor<3x2xf32>, tensor<6xui8>, tensor<1x2xf32>, tensor<2x1xf32>, tensor<0x2xf32>, tensor<4x2x3xf32>) {
  %x = hgc.constant dense<1.5> : tensor<2x3xf32>
  %y = hgc.constant dense<7> : tensor<2x3xui8>
  %z = hgc.constant dense<> : tensor<2x0xf32>
  // CHECK-DAG: %[[T:.*]] = hgc.constant dense<1.500000e+00> : tensor<3x2xf32>
  %0 = hgc.transpose %x permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-DAG: %[[R:.*]] = hgc.constant dense<7> : tensor<6xui8>
  %1 = hgc.reshape %y shape [6] : (tensor<2x3xui8>) -> tensor<6xui8>
  // CHECK-DAG: %[[S:.*]] = hgc.constant dense<1.500000e+00> : tensor<1x2xf32>
  %2 = hgc.slice %x starts = [1, 2] sizes = [1, 2] strides = [1, -1] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK-DAG: %[[D:.*]] = hgc.constant dense<1.500000e+00> : tensor<2x1xf32>
  %3 = hgc.slice %x at %i sizes = [2, 1] : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x1xf32>
  // CHECK-DAG: %[[N:.*]] = hgc.transpose
  %4 = hgc.transpose %z permutation = [1, 0] : (tensor<2x0xf32>) -> tensor<0x2xf32>
  // CHECK-DAG: %[[B:.*]] = hgc.broadcast
  %5 = hgc.broadcast %x shape [4, 2, 3] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: return %[[T]], %[[R]], %[[S]], %[[D]], %[[N]], %[[B]]
  return %0, %1, %2, %3, %4, %5 : tensor<3x2xf32>, tensor<6xui8>, tensor<1x2xf32>, tensor<2x1xf32>, tensor<0x2xf32>, tensor<4x2x3xf32>
}
