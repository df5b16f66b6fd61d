// RUN: hgc-opt --hgc-place --hgc-fuse --split-input-file %s | FileCheck %s

// A root takes its epilogue; softmax is a root of its own.
// CHECK-LABEL: func.func @mlp
// CHECK-SAME:    (%[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<16x4xf32>, %[[B:.*]]: tensor<4xf32>)
func.func @mlp(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[K:.*]] = hgc.kernel(%[[X]], %[[W]], %[[B]] : {{.*}}) -> tensor<8x4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  // CHECK-NEXT: ^bb0(%[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<16x4xf32>, %[[A2:.*]]: tensor<4xf32>):
  // CHECK-NEXT:   %[[M:.*]] = hgc.matmul %[[A0]], %[[A1]] :
  // CHECK-NEXT:   %[[S:.*]] = hgc.add %[[M]], %[[A2]] :
  // CHECK-NEXT:   %[[R:.*]] = hgc.relu %[[S]] :
  // CHECK-NEXT:   hgc.yield %[[R]]
  %0 = hgc.matmul %x, %w : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = hgc.add %0, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %2 = hgc.relu %1 : tensor<8x4xf32>
  // CHECK:      %[[P:.*]] = hgc.kernel(%[[K]] : tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK:        hgc.softmax
  // CHECK:      return %[[P]]
  %3 = hgc.softmax %2 axis 1 : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// -----

// A value with two readers is computed once, in a kernel of its own.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-3: hgc.kernel(
// CHECK-NOT:     hgc.kernel(
func.func @shared(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = hgc.relu %x : tensor<8xf32>
  %1 = hgc.neg %0 : tensor<8xf32>
  %2 = hgc.tanh %0 : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Splat constants are copied into kernels; others are read from memory. State
// and views stay outside.
// CHECK-LABEL: func.func @outside
hgc.parameter @p : tensor<8xf32> = dense<1.0>
func.func @outside(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  // CHECK-DAG: %[[D:.*]] = hgc.constant {{.*}} dense<[1.0
  // CHECK-DAG: %[[R:.*]] = hgc.read @p
  // CHECK-DAG: %[[V:.*]] = hgc.reshape
  // CHECK:     hgc.kernel(%[[V]], %[[R]], %[[D]] :
  // CHECK:       %[[C:.*]] = hgc.constant dense<2.0
  // CHECK:       hgc.mul %{{.*}}, %[[C]]
  // CHECK-NOT: hgc.constant
  %c = hgc.constant dense<2.0> : tensor<f32>
  %d = hgc.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %r = hgc.read @p : tensor<8xf32>
  %v = hgc.reshape %x shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %0 = hgc.mul %v, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = hgc.add %0, %r : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = hgc.add %1, %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// Ops inside control flow get kernels inside it.
// CHECK-LABEL: func.func @region
func.func @region(%c: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      hgc.if
  // CHECK-NEXT:   %[[K:.*]] = hgc.kernel(
  // CHECK:          hgc.relu
  // CHECK:          hgc.neg
  // CHECK:        hgc.yield %[[K]]
  %0 = hgc.if %c : tensor<i1> -> (tensor<8xf32>) {
    %1 = hgc.relu %x : tensor<8xf32>
    %2 = hgc.neg %1 : tensor<8xf32>
    hgc.yield %2 : tensor<8xf32>
  } else {
    hgc.yield %x : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A transpose on its own that moves dims of extent 1 only is another view; one that
// moves elements, or has joined a kernel, is computed.
// CHECK-LABEL: func.func @views
// CHECK-SAME:    (%[[X:.*]]: tensor<6x1x4xf32>
func.func @views(%x: tensor<6x1x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<1x6x4xf32>, tensor<4x1x6xf32>, tensor<1x6x4xf32>) {
  // CHECK-NEXT: %[[R:.*]] = hgc.reshape %[[X]] {{.*}} -> tensor<1x6x4xf32>
  // CHECK-NEXT: hgc.kernel(%[[R]],
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   hgc.matmul
  // CHECK:      hgc.kernel(%[[X]]
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   hgc.transpose
  // CHECK:      hgc.kernel(%[[X]]
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   hgc.transpose
  // CHECK-NEXT:   hgc.relu
  %0 = hgc.transpose %x permutation = [1, 0, 2] : (tensor<6x1x4xf32>) -> tensor<1x6x4xf32>
  %1 = hgc.matmul %0, %w : (tensor<1x6x4xf32>, tensor<4x4xf32>) -> tensor<1x6x4xf32>
  %2 = hgc.transpose %x permutation = [2, 1, 0] : (tensor<6x1x4xf32>) -> tensor<4x1x6xf32>
  %3 = hgc.transpose %x permutation = [1, 0, 2] : (tensor<6x1x4xf32>) -> tensor<1x6x4xf32>
  %4 = hgc.relu %3 : tensor<1x6x4xf32>
  return %1, %2, %4 : tensor<1x6x4xf32>, tensor<4x1x6xf32>, tensor<1x6x4xf32>
}
