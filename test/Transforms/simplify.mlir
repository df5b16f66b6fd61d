// RUN: hgc-opt --hgc-simplify --split-input-file %s | FileCheck %s

// A transpose of the last two dims becomes a flag; two of them cancel.
// CHECK-LABEL: func.func @flags
// CHECK-SAME:    (%[[A:.*]]: tensor<4x2xf32>, %[[B:.*]]: tensor<8x4xf32>)
func.func @flags(%a: tensor<4x2xf32>, %b: tensor<8x4xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  // CHECK: hgc.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs :
  %0 = hgc.transpose %a permutation = [1, 0] : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %1 = hgc.transpose %b permutation = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %2 = hgc.matmul %0, %1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  // CHECK: hgc.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs :
  %3 = hgc.transpose %1 permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %4 = hgc.matmul %a, %3 transpose_lhs transpose_rhs : (tensor<4x2xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
  return %2, %4 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// A permutation of batch dims is not a flag.
// CHECK-LABEL: func.func @batch
// CHECK:         hgc.transpose
// CHECK:         hgc.matmul %{{.*}}, %{{.*}} :
func.func @batch(%a: tensor<2x3x4xf32>, %b: tensor<2x4x3xf32>) -> tensor<4x3x3xf32> {
  %0 = hgc.transpose %a permutation = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = hgc.transpose %b permutation = [1, 0, 2] : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4x3x2xf32>, tensor<4x2x3xf32>) -> tensor<4x3x3xf32>
  return %2 : tensor<4x3x3xf32>
}

// -----

// What moves the innermost dim of the right operand to the one before becomes a flag, whatever scales it by a number or
// reshapes the other dims in between; the rest of the permutation stays.
// CHECK-LABEL: func.func @scaled
// CHECK-SAME:    (%[[A:.*]]: tensor<1x3x4x8xf32>, %[[B:.*]]: tensor<5x3x8xf32>)
// CHECK:         %[[T:.*]] = hgc.transpose %[[B]] permutation = [1, 0, 2]
// CHECK:         %[[R:.*]] = hgc.reshape %[[T]] shape [1, 3, 5, 8]
// CHECK:         %[[M:.*]] = hgc.mul %[[R]], %{{.*}} : (tensor<1x3x5x8xf32>, tensor<1xf32>) -> tensor<1x3x5x8xf32>
// CHECK:         %[[D:.*]] = hgc.div %[[M]], %{{.*}} -> tensor<1x3x5x8xf32>
// CHECK:         hgc.matmul %[[A]], %[[D]] transpose_rhs :
func.func @scaled(%a: tensor<1x3x4x8xf32>, %b: tensor<5x3x8xf32>) -> tensor<1x3x4x5xf32> {
  %c = hgc.constant dense<0.3> : tensor<1xf32>
  %0 = hgc.transpose %b permutation = [1, 2, 0] : (tensor<5x3x8xf32>) -> tensor<3x8x5xf32>
  %1 = hgc.reshape %0 shape [1, 3, 8, 5] : (tensor<3x8x5xf32>) -> tensor<1x3x8x5xf32>
  %2 = hgc.mul %c, %1 : (tensor<1xf32>, tensor<1x3x8x5xf32>) -> tensor<1x3x8x5xf32>
  %3 = hgc.div %2, %c : (tensor<1x3x8x5xf32>, tensor<1xf32>) -> tensor<1x3x8x5xf32>
  %4 = hgc.matmul %a, %3 : (tensor<1x3x4x8xf32>, tensor<1x3x8x5xf32>) -> tensor<1x3x4x5xf32>
  return %4 : tensor<1x3x4x5xf32>
}

// -----

// A number for each column, a scaled operand that others read, and a quotient by the operand stay.
// CHECK-LABEL: func.func @not_scaled
// CHECK-NOT:     transpose_rhs
func.func @not_scaled(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>, %s: tensor<5xf32>, %n: tensor<1xf32>)
    -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<8x5xf32>, tensor<4x5xf32>) {
  %0 = hgc.transpose %b permutation = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
  %1 = hgc.mul %0, %s : (tensor<8x5xf32>, tensor<5xf32>) -> tensor<8x5xf32>
  %2 = hgc.matmul %a, %1 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %3 = hgc.mul %0, %n : (tensor<8x5xf32>, tensor<1xf32>) -> tensor<8x5xf32>
  %4 = hgc.matmul %a, %3 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %5 = hgc.div %n, %0 : (tensor<1xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  %6 = hgc.matmul %a, %5 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return %2, %4, %3, %6 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<8x5xf32>, tensor<4x5xf32>
}

// -----

// A branch whose condition is known replaces the `if`.
// CHECK-LABEL: func.func @branch
// CHECK-NOT:     hgc.if
// CHECK:         %[[N:.*]] = hgc.neg
// CHECK-NEXT:    return %[[N]]
func.func @branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = hgc.constant dense<true> : tensor<i1>
  %0 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
    %1 = hgc.neg %x : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  } else {
    hgc.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @unknown_branch
// CHECK:         hgc.if
func.func @unknown_branch(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
    %1 = hgc.neg %x : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  } else {
    hgc.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A check that holds is gone; others stay, in branches as well.
// CHECK-LABEL: func.func @checks
// CHECK-SAME:    (%[[P:.*]]: tensor<i1>)
// CHECK-NOT:     "holds"
// CHECK:         hgc.check %[[P]], "open"
// CHECK:         hgc.if
// CHECK:           hgc.check %{{.*}}, "fails"
func.func @checks(%p: tensor<i1>) {
  %true = hgc.constant dense<true> : tensor<i1>
  %false = hgc.constant dense<false> : tensor<i1>
  hgc.check %true, "holds" : tensor<i1>
  hgc.check %p, "open" : tensor<i1>
  hgc.if %p : tensor<i1> {
    hgc.check %false, "fails" : tensor<i1>
    hgc.yield
  } else {
    hgc.yield
  }
  return
}

// -----

// One op reads what the sigmoid is taken of. In half precision two ops round twice.
// CHECK-LABEL: func.func @silu
func.func @silu(%x: tensor<4xf32>, %y: tensor<4xf32>, %h: tensor<4xf16>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>) {
  // CHECK: %[[A:.*]] = hgc.silu %arg0 : tensor<4xf32>
  %0 = hgc.sigmoid %x : tensor<4xf32>
  %a = hgc.mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[B:.*]] = hgc.silu %arg1 : tensor<4xf32>
  %1 = hgc.sigmoid %y : tensor<4xf32>
  %b = hgc.mul %1, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: hgc.sigmoid
  // CHECK-NEXT: hgc.mul
  %2 = hgc.sigmoid %a : tensor<4xf32>
  %c = hgc.mul %b, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: hgc.sigmoid
  // CHECK-NEXT: hgc.mul
  %3 = hgc.sigmoid %h : tensor<4xf16>
  %d = hgc.mul %3, %h : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf16>
}

// -----

// What only training and differentiation see is gone, and hides nothing any more.
// CHECK-LABEL: func.func @identities
// CHECK-SAME:    (%[[X:.*]]: tensor<2x4xf32>, %[[Y:.*]]: tensor<3x4xf32>)
func.func @identities(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[Z:.*]] = hgc.matmul %[[X]], %[[Y]] transpose_rhs
  // CHECK-NEXT: return %[[Z]]
  %0 = hgc.dropout %x rate 2.0e-01 : tensor<2x4xf32>
  %1 = hgc.transpose %y permutation = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = hgc.stop_gradient %1 : tensor<4x3xf32>
  %3 = hgc.matmul %0, %2 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %4 = hgc.dropout %3 rate 5.0e-01 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}
