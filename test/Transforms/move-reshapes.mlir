// RUN: hgc-opt --hgc-move-reshapes --split-input-file %s | FileCheck %s

// The parts of a projection, split into heads: each reads the product's result
// through one chain that a kernel can hold.
// CHECK-LABEL: func.func @heads
// CHECK-SAME:    (%[[X:.*]]: tensor<5x24xf32>)
func.func @heads(%x: tensor<5x24xf32>) -> (tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>, tensor<1x2x5x4xf32>) {
  %half = hgc.constant dense<0.5> : tensor<1xf32>
  // CHECK:     %[[SPLIT:.*]] = hgc.reshape %[[X]] shape [1, 5, 3, 2, 4]
  // CHECK-DAG: %[[Q:.*]] = hgc.slice %[[SPLIT]] starts = [0, 0, 0, 0, 0] sizes = [1, 5, 1, 2, 4]
  // CHECK-DAG: %[[K:.*]] = hgc.slice %[[SPLIT]] starts = [0, 0, 1, 0, 0] sizes = [1, 5, 1, 2, 4]
  // CHECK-DAG: %[[V:.*]] = hgc.slice %[[SPLIT]] starts = [0, 0, 2, 0, 0] sizes = [1, 5, 1, 2, 4]
  // CHECK-DAG: %[[QT:.*]] = hgc.transpose %[[Q]] permutation = [2, 0, 3, 1, 4]
  // CHECK-DAG: %[[KT:.*]] = hgc.transpose %[[K]] permutation = [2, 0, 3, 4, 1]
  // CHECK-DAG: %[[VT:.*]] = hgc.transpose %[[V]] permutation = [2, 0, 3, 1, 4]
  // CHECK-DAG: %[[QS:.*]] = hgc.mul %[[QT]], %{{.*}} -> tensor<1x1x2x5x4xf32>
  // CHECK-DAG: %[[KS:.*]] = hgc.mul %[[KT]], %{{.*}} -> tensor<1x1x2x4x5xf32>
  // CHECK-DAG: %[[QR:.*]] = hgc.reshape %[[QS]] shape [1, 2, 5, 4]
  // CHECK-DAG: %[[KR:.*]] = hgc.reshape %[[KS]] shape [1, 2, 4, 5]
  // CHECK-DAG: %[[VR:.*]] = hgc.reshape %[[VT]] shape [1, 2, 5, 4]
  // CHECK:     return %[[QR]], %[[KR]], %[[VR]]
  %0 = hgc.reshape %x shape [1, 5, 3, 2, 4] : (tensor<5x24xf32>) -> tensor<1x5x3x2x4xf32>
  %1 = hgc.transpose %0 permutation = [2, 0, 3, 1, 4] : (tensor<1x5x3x2x4xf32>) -> tensor<3x1x2x5x4xf32>
  %2 = hgc.slice %1 starts = [0, 0, 0, 0, 0] sizes = [1, 1, 2, 5, 4] : (tensor<3x1x2x5x4xf32>) -> tensor<1x1x2x5x4xf32>
  %3 = hgc.slice %1 starts = [1, 0, 0, 0, 0] sizes = [1, 1, 2, 5, 4] : (tensor<3x1x2x5x4xf32>) -> tensor<1x1x2x5x4xf32>
  %4 = hgc.slice %1 starts = [2, 0, 0, 0, 0] sizes = [1, 1, 2, 5, 4] : (tensor<3x1x2x5x4xf32>) -> tensor<1x1x2x5x4xf32>
  %q = hgc.reshape %2 shape [1, 2, 5, 4] : (tensor<1x1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  %5 = hgc.mul %q, %half : (tensor<1x2x5x4xf32>, tensor<1xf32>) -> tensor<1x2x5x4xf32>
  %k = hgc.reshape %3 shape [2, 5, 4] : (tensor<1x1x2x5x4xf32>) -> tensor<2x5x4xf32>
  %6 = hgc.transpose %k permutation = [0, 2, 1] : (tensor<2x5x4xf32>) -> tensor<2x4x5xf32>
  %7 = hgc.reshape %6 shape [1, 2, 4, 5] : (tensor<2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %8 = hgc.mul %7, %half : (tensor<1x2x4x5xf32>, tensor<1xf32>) -> tensor<1x2x4x5xf32>
  %v = hgc.reshape %4 shape [1, 2, 5, 4] : (tensor<1x1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  return %5, %8, %v : tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>, tensor<1x2x5x4xf32>
}

// -----

// Heads that are split after a part was picked: the split moves above the slice. An
// index counts from the end.
// CHECK-LABEL: func.func @picked
// CHECK-SAME:    (%[[X:.*]]: tensor<5x1x24xf32>)
func.func @picked(%x: tensor<5x1x24xf32>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>) {
  %first = hgc.constant dense<0> : tensor<i64>
  %last = hgc.constant dense<-1> : tensor<i64>
  // CHECK-DAG: %[[SPLIT:.*]] = hgc.reshape %[[X]] shape [1, 5, 1, 3, 2, 4]
  // CHECK-DAG: hgc.slice %{{.*}} starts = [0, 0, 0, 0, 0, 0] sizes = [1, 5, 1, 1, 2, 4]
  // CHECK-DAG: hgc.slice %{{.*}} starts = [0, 0, 0, 2, 0, 0] sizes = [1, 5, 1, 1, 2, 4]
  // CHECK-NOT: hgc.gather
  %0 = hgc.reshape %x shape [1, 5, 1, 3, 8] : (tensor<5x1x24xf32>) -> tensor<1x5x1x3x8xf32>
  %1 = hgc.transpose %0 permutation = [3, 1, 2, 0, 4] : (tensor<1x5x1x3x8xf32>) -> tensor<3x5x1x1x8xf32>
  %2 = hgc.reshape %1 shape [3, 5, 1, 8] : (tensor<3x5x1x1x8xf32>) -> tensor<3x5x1x8xf32>
  %3 = hgc.gather %2, %first axis 0 : (tensor<3x5x1x8xf32>, tensor<i64>) -> tensor<5x1x8xf32>
  %4 = hgc.gather %2, %last axis 0 : (tensor<3x5x1x8xf32>, tensor<i64>) -> tensor<5x1x8xf32>
  %5 = hgc.reshape %3 shape [5, 2, 4] : (tensor<5x1x8xf32>) -> tensor<5x2x4xf32>
  %6 = hgc.transpose %5 permutation = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  %7 = hgc.reshape %4 shape [5, 2, 4] : (tensor<5x1x8xf32>) -> tensor<5x2x4xf32>
  %8 = hgc.transpose %7 permutation = [1, 0, 2] : (tensor<5x2x4xf32>) -> tensor<2x5x4xf32>
  return %6, %8 : tensor<2x5x4xf32>, tensor<2x5x4xf32>
}

// -----

// What follows a product joins it, whatever dims of extent 1 stand between.
// CHECK-LABEL: func.func @residual
// CHECK-SAME:    (%[[X:.*]]: tensor<5x8xf32>, %[[W:.*]]: tensor<8x8xf32>, %[[R:.*]]: tensor<1x5x8xf32>)
func.func @residual(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>, %r: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  // CHECK-DAG: %[[P:.*]] = hgc.matmul %[[X]], %[[W]]
  // CHECK-DAG: %[[V:.*]] = hgc.reshape %[[R]] shape [5, 8]
  // CHECK:     %[[S:.*]] = hgc.add %[[P]], %[[V]]
  // CHECK:     %[[T:.*]] = hgc.reshape %[[S]] shape [1, 5, 8]
  // CHECK:     return %[[T]]
  %0 = hgc.matmul %x, %w : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %1 = hgc.reshape %0 shape [5, 1, 8] : (tensor<5x8xf32>) -> tensor<5x1x8xf32>
  %2 = hgc.transpose %1 permutation = [1, 0, 2] : (tensor<5x1x8xf32>) -> tensor<1x5x8xf32>
  %3 = hgc.add %2, %r : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %3 : tensor<1x5x8xf32>
}

// -----

// Two products in different shapes would ask for each other's: the ops stay.
// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>, %y: tensor<5x1x8xf32>) -> tensor<1x5x8xf32> {
  // CHECK: hgc.add %{{.*}}, %{{.*}} : (tensor<1x5x8xf32>, tensor<1x5x8xf32>)
  %0 = hgc.matmul %x, %w : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %1 = hgc.reshape %0 shape [1, 5, 8] : (tensor<5x8xf32>) -> tensor<1x5x8xf32>
  %2 = hgc.matmul %y, %w : (tensor<5x1x8xf32>, tensor<8x8xf32>) -> tensor<5x1x8xf32>
  %3 = hgc.reshape %2 shape [1, 5, 8] : (tensor<5x1x8xf32>) -> tensor<1x5x8xf32>
  %4 = hgc.add %1, %3 : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %4 : tensor<1x5x8xf32>
}

// -----

// What a softmax reads is part of its kernel and stays so; slices that overlap, or
// that are not all that is read, leave the transpose where it is.
// CHECK-LABEL: func.func @stays
func.func @stays(%x: tensor<5x8xf32>, %y: tensor<4x6xf32>, %z: tensor<4x6xf32>)
    -> (tensor<1x8x5xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<6x4xf32>) {
  // CHECK: %[[T:.*]] = hgc.transpose %{{.*}} permutation = [1, 0] : (tensor<5x8xf32>)
  // CHECK: %[[R:.*]] = hgc.reshape %[[T]] shape [1, 8, 5]
  // CHECK: %[[E:.*]] = hgc.exp %[[R]]
  // CHECK: hgc.softmax %[[E]] axis 2
  %0 = hgc.transpose %x permutation = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
  %1 = hgc.reshape %0 shape [1, 8, 5] : (tensor<8x5xf32>) -> tensor<1x8x5xf32>
  %2 = hgc.exp %1 : tensor<1x8x5xf32>
  %3 = hgc.softmax %2 axis 2 : tensor<1x8x5xf32>
  // CHECK: %[[U:.*]] = hgc.transpose %{{.*}} permutation = [1, 0] : (tensor<4x6xf32>)
  // CHECK: hgc.slice %[[U]] starts = [0, 0]
  // CHECK: hgc.slice %[[U]] starts = [2, 0]
  %4 = hgc.transpose %y permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %5 = hgc.slice %4 starts = [0, 0] sizes = [4, 4] : (tensor<6x4xf32>) -> tensor<4x4xf32>
  %6 = hgc.slice %4 starts = [2, 0] sizes = [4, 4] : (tensor<6x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[Z:.*]] = hgc.transpose %{{.*}} permutation = [1, 0] : (tensor<4x6xf32>)
  // CHECK: hgc.slice %[[Z]]
  %7 = hgc.transpose %z permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %8 = hgc.slice %7 starts = [0, 0] sizes = [3, 4] : (tensor<6x4xf32>) -> tensor<3x4xf32>
  return %3, %5, %6, %8, %7 : tensor<1x8x5xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<6x4xf32>
}

// -----

// Both operands would have the other follow: neither moves.
// CHECK-LABEL: func.func @single_elements
// CHECK:         %[[A:.*]] = hgc.reduce {{ *}}sum {{.*}} -> tensor<f32>
// CHECK:         %[[B:.*]] = hgc.reduce {{ *}}sum {{.*}} -> tensor<1x1xf32>
// CHECK-DAG:     %[[C:.*]] = hgc.reshape %[[A]] shape [1]
// CHECK-DAG:     %[[D:.*]] = hgc.reshape %[[B]] shape [1]
// CHECK:         hgc.add %[[C]], %[[D]]
func.func @single_elements(%x: tensor<4x5xf32>) -> tensor<1xf32> attributes {hgc.entry} {
  %0 = hgc.reduce sum %x axes = [0, 1] : (tensor<4x5xf32>) -> tensor<f32>
  %1 = hgc.reduce sum %x axes = [0, 1] keepdims : (tensor<4x5xf32>) -> tensor<1x1xf32>
  %2 = hgc.reshape %0 shape [1] : (tensor<f32>) -> tensor<1xf32>
  %3 = hgc.reshape %1 shape [1] : (tensor<1x1xf32>) -> tensor<1xf32>
  %4 = hgc.add %2, %3 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %4 : tensor<1xf32>
}

// -----

// Numbers that scale parts of a tensor move behind the product that reads them.
// CHECK-LABEL: func.func @scaled_parts
// CHECK-SAME:    (%[[X:.*]]: tensor<5x2x64xf32>, %[[Y:.*]]: tensor<2x5x64xf32>)
// CHECK:         %[[HALF:.*]] = hgc.constant dense<5.000000e-01> : tensor<f32>
// CHECK:         %[[Q:.*]] = hgc.transpose %[[X]]
// CHECK-NOT:     hgc.mul %[[Q]]
// CHECK:         %[[K:.*]] = hgc.mul %[[Y]]
// CHECK:         %[[S:.*]] = hgc.matmul %[[Q]], %[[K]] transpose_rhs
// CHECK:         hgc.mul %[[S]], %[[HALF]]
func.func @scaled_parts(%x: tensor<5x2x64xf32>, %y: tensor<2x5x64xf32>) -> tensor<2x5x5xf32> {
  %half = hgc.constant dense<0.5> : tensor<1xf32>
  %0 = hgc.transpose %x permutation = [1, 0, 2] : (tensor<5x2x64xf32>) -> tensor<2x5x64xf32>
  %q = hgc.mul %0, %half : (tensor<2x5x64xf32>, tensor<1xf32>) -> tensor<2x5x64xf32>
  %k = hgc.mul %y, %half : (tensor<2x5x64xf32>, tensor<1xf32>) -> tensor<2x5x64xf32>
  %s = hgc.matmul %q, %k transpose_rhs : (tensor<2x5x64xf32>, tensor<2x5x64xf32>) -> tensor<2x5x5xf32>
  return %s : tensor<2x5x5xf32>
}

// -----

// Weights are scaled by the compiler, f16 is rounded after the scale, what others
// read as well is computed anyway, and short rows are copied.
// CHECK-LABEL: func.func @scales_stay
// CHECK:         hgc.mul
// CHECK-NEXT:    hgc.matmul
// CHECK:         hgc.mul
// CHECK-NEXT:    hgc.matmul
// CHECK:         hgc.mul
// CHECK-NEXT:    hgc.matmul
// CHECK:         hgc.mul
// CHECK-NEXT:    hgc.matmul
// CHECK-NEXT:    return
hgc.parameter @w : tensor<64x64xf32> = #hgc.init<uniform, seed = 1>
func.func @scales_stay(%x: tensor<4x64xf32>, %h: tensor<64x4xf16>, %y: tensor<64x4xf32>, %z: tensor<32x4xf32>)
    -> (tensor<4x64xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x64xf32>, tensor<4x4xf32>) {
  %half = hgc.constant dense<0.5> : tensor<1xf32>
  %half16 = hgc.constant dense<0.5> : tensor<1xf16>
  %w = hgc.read @w : tensor<64x64xf32>
  %0 = hgc.transpose %w permutation = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = hgc.mul %0, %half : (tensor<64x64xf32>, tensor<1xf32>) -> tensor<64x64xf32>
  %a = hgc.matmul %x, %1 : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %2 = hgc.transpose %h permutation = [1, 0] : (tensor<64x4xf16>) -> tensor<4x64xf16>
  %3 = hgc.mul %2, %half16 : (tensor<4x64xf16>, tensor<1xf16>) -> tensor<4x64xf16>
  %b = hgc.matmul %3, %h : (tensor<4x64xf16>, tensor<64x4xf16>) -> tensor<4x4xf32>
  %4 = hgc.transpose %y permutation = [1, 0] : (tensor<64x4xf32>) -> tensor<4x64xf32>
  %5 = hgc.mul %4, %half : (tensor<4x64xf32>, tensor<1xf32>) -> tensor<4x64xf32>
  %c = hgc.matmul %5, %y : (tensor<4x64xf32>, tensor<64x4xf32>) -> tensor<4x4xf32>
  %6 = hgc.transpose %z permutation = [1, 0] : (tensor<32x4xf32>) -> tensor<4x32xf32>
  %7 = hgc.mul %6, %half : (tensor<4x32xf32>, tensor<1xf32>) -> tensor<4x32xf32>
  %d = hgc.matmul %7, %z : (tensor<4x32xf32>, tensor<32x4xf32>) -> tensor<4x4xf32>
  return %a, %b, %c, %5, %d : tensor<4x64xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x64xf32>, tensor<4x4xf32>
}

// -----

// Permutations on both sides of a reshape that joins what is together in memory, too, are one view, or one
// permutation of what is joined; dims of extent 1 may be anywhere.
// CHECK-LABEL: func.func @joined
// CHECK-SAME:    (%[[X:.*]]: tensor<1x14x14x768xf32>, %[[Y:.*]]: tensor<2x3x4x5xf32>)
func.func @joined(%x: tensor<1x14x14x768xf32>, %y: tensor<2x3x4x5xf32>) -> (tensor<1x196x768xf32>, tensor<5x1x2x12xf32>) {
  // CHECK: %[[V:.*]] = hgc.reshape %[[X]] shape [1, 196, 768]
  %0 = hgc.transpose %x permutation = [0, 3, 1, 2] : (tensor<1x14x14x768xf32>) -> tensor<1x768x14x14xf32>
  %1 = hgc.reshape %0 shape [1, 768, 196] : (tensor<1x768x14x14xf32>) -> tensor<1x768x196xf32>
  %2 = hgc.transpose %1 permutation = [0, 2, 1] : (tensor<1x768x196xf32>) -> tensor<1x196x768xf32>
  // CHECK: %[[W:.*]] = hgc.reshape %[[Y]] shape [1, 2, 12, 5]
  // CHECK: %[[T:.*]] = hgc.transpose %[[W]] permutation = [3, 0, 1, 2]
  %3 = hgc.transpose %y permutation = [3, 1, 2, 0] : (tensor<2x3x4x5xf32>) -> tensor<5x3x4x2xf32>
  %4 = hgc.reshape %3 shape [5, 12, 1, 2] : (tensor<5x3x4x2xf32>) -> tensor<5x12x1x2xf32>
  %5 = hgc.transpose %4 permutation = [0, 2, 3, 1] : (tensor<5x12x1x2xf32>) -> tensor<5x1x2x12xf32>
  // CHECK: return %[[V]], %[[T]]
  return %2, %5 : tensor<1x196x768xf32>, tensor<5x1x2x12xf32>
}

// -----

// What is joined in another order, is split as well, or is read by others, too, is left.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-5: hgc.transpose
func.func @apart(%x: tensor<2x3x4xf32>, %y: tensor<4x6x5xf32>) -> (tensor<12x2xf32>, tensor<4x5x6xf32>, tensor<6x4xf32>, tensor<3x2x4xf32>) {
  %0 = hgc.transpose %x permutation = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = hgc.reshape %0 shape [2, 12] : (tensor<2x4x3xf32>) -> tensor<2x12xf32>
  %2 = hgc.transpose %1 permutation = [1, 0] : (tensor<2x12xf32>) -> tensor<12x2xf32>
  %3 = hgc.transpose %y permutation = [1, 0, 2] : (tensor<4x6x5xf32>) -> tensor<6x4x5xf32>
  %4 = hgc.reshape %3 shape [6, 5, 4] : (tensor<6x4x5xf32>) -> tensor<6x5x4xf32>
  %5 = hgc.transpose %4 permutation = [2, 1, 0] : (tensor<6x5x4xf32>) -> tensor<4x5x6xf32>
  %6 = hgc.transpose %x permutation = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %7 = hgc.reshape %6 shape [6, 4] : (tensor<3x2x4xf32>) -> tensor<6x4xf32>
  return %2, %5, %7, %6 : tensor<12x2xf32>, tensor<4x5x6xf32>, tensor<6x4xf32>, tensor<3x2x4xf32>
}
