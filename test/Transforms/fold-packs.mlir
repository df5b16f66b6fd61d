// RUN: hgc-opt --hgc-fold-packs --split-input-file %s | FileCheck %s

// A chain of ops on a parameter becomes one parameter, shared by two entries; the
// original disappears.
// CHECK-NOT:   @w :
// CHECK:       hgc.parameter @w.packed : tensor<1x2x4xf32> = dense<{{\[\[\[}}1.0{{.*}}, 3.0{{.*}}, 5.0{{.*}}, 0.0{{.*}}], [2.0
// CHECK-NOT:   hgc.parameter
hgc.parameter @w : tensor<3x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]>
// CHECK-LABEL: func.func @first
// CHECK-NEXT:    %[[R:.*]] = hgc.read @w.packed
// CHECK-NEXT:    return %[[R]]
func.func @first() -> tensor<1x2x4xf32> {
  %w = hgc.read @w : tensor<3x2xf32>
  %t = hgc.transpose %w permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %p = hgc.pack matmul_rhs %t width 4 : (tensor<2x3xf32>) -> tensor<1x2x4xf32>
  return %p : tensor<1x2x4xf32>
}
// CHECK-LABEL: func.func @second
// CHECK-NEXT:    hgc.read @w.packed
func.func @second() -> tensor<1x2x4xf32> {
  %w = hgc.read @w : tensor<3x2xf32>
  %t = hgc.transpose %w permutation = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %p = hgc.pack matmul_rhs %t width 4 : (tensor<2x3xf32>) -> tensor<1x2x4xf32>
  return %p : tensor<1x2x4xf32>
}
// What placement notes on ops makes no other bytes.
// CHECK-LABEL: func.func @noted
// CHECK-NEXT:    hgc.read @w.packed
func.func @noted() -> tensor<1x2x4xf32> {
  %w = hgc.read @w : tensor<3x2xf32>
  %t = hgc.transpose %w permutation = [1, 0] {hgc.fuses} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %p = hgc.pack matmul_rhs %t width 4 {hgc.packing} : (tensor<2x3xf32>) -> tensor<1x2x4xf32>
  return %p : tensor<1x2x4xf32>
}

// -----

// The original stays while somebody reads it; a scaled filter is `.folded`.
// CHECK-DAG:   hgc.parameter @w.folded : tensor<2xf32> = dense<[2.0{{.*}}, 6.0{{.*}}]>
// CHECK-DAG:   hgc.parameter @w : tensor<2xf32>
hgc.parameter @w : tensor<2xf32> = dense<[1.0, 2.0]>
// CHECK-LABEL: func.func @kept
func.func @kept(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[W:.*]] = hgc.read @w :
  // CHECK-DAG: %[[F:.*]] = hgc.read @w.folded
  // CHECK-DAG: hgc.add %{{.*}}, %[[F]]
  // CHECK-DAG: hgc.mul %{{.*}}, %[[W]]
  %w = hgc.read @w : tensor<2xf32>
  %c = hgc.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %s = hgc.mul %w, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = hgc.add %x, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = hgc.mul %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Assigned parameters, views and what would grow stay ops.
// CHECK-NOT:   .folded
// CHECK-LABEL: func.func @stay
// CHECK:         hgc.pack
// CHECK:         hgc.reshape
// CHECK:         hgc.broadcast
hgc.parameter @state : tensor<2x3xf32> = dense<1.0>
hgc.parameter @w : tensor<4xf32> = dense<1.0>
func.func @stay() -> (tensor<1x2x4xf32>, tensor<2x2xf32>, tensor<9x4xf32>) {
  %s = hgc.read @state : tensor<2x3xf32>
  %p = hgc.pack matmul_rhs %s width 4 : (tensor<2x3xf32>) -> tensor<1x2x4xf32>
  hgc.assign @state, %s : tensor<2x3xf32>
  %w = hgc.read @w : tensor<4xf32>
  %v = hgc.reshape %w shape [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
  %b = hgc.broadcast %w shape [9, 4] : (tensor<4xf32>) -> tensor<9x4xf32>
  return %p, %v, %b : tensor<1x2x4xf32>, tensor<2x2xf32>, tensor<9x4xf32>
}

// -----

// Four rows become one, the rest of the depth is zero, and -128 times the columns' sums
// stand before them as i32: -128 * 9 = 0xfffffb80 and 128 * 9 = 0x480.
// CHECK: hgc.parameter @w.packed : tensor<1x3x8xi8> = dense<{{\[\[\[}}-128, -5, -1, -1, -128, 4, 0, 0], [1, 2, 3, 1, -1, -2, -3, -1], [2, 0, 0, 0, -2, 0, 0, 0]]]>
hgc.parameter @w : tensor<5x2xi8> = dense<[[1, -1], [2, -2], [3, -3], [1, -1], [2, -2]]>
func.func @interleaved() -> tensor<1x3x8xi8> {
  %w = hgc.read @w : tensor<5x2xi8>
  %p = hgc.pack matmul_rhs %w width 2 interleave = 4 : (tensor<5x2xi8>) -> tensor<1x3x8xi8>
  return %p : tensor<1x3x8xi8>
}
