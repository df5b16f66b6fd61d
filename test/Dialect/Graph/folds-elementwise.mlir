// RUN: hgc-opt %s --canonicalize --split-input-file | FileCheck %s

// Ops that undo or repeat themselves vanish.
// CHECK-LABEL: func @unary
// CHECK-SAME:    (%[[X:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<4xi1>, %[[U:.*]]: tensor<4xui8>)
func.func @unary(%x: tensor<?xf32>, %i: tensor<4xi1>, %u: tensor<4xui8>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<4xi1>, tensor<4xui8>, tensor<4xui8>, tensor<?xf32>) {
  // CHECK: %[[ABS:.*]] = hgc.abs %[[X]]
  // CHECK-NOT: hgc.abs
  %0 = hgc.abs %x : tensor<?xf32>
  %1 = hgc.abs %0 : tensor<?xf32>
  // CHECK: %[[RELU:.*]] = hgc.relu %[[X]]
  // CHECK-NOT: hgc.relu
  %2 = hgc.relu %x : tensor<?xf32>
  %3 = hgc.relu %2 : tensor<?xf32>
  %4 = hgc.neg %x : tensor<?xf32>
  %5 = hgc.neg %4 : tensor<?xf32>
  %6 = hgc.not %i : tensor<4xi1>
  %7 = hgc.not %6 : tensor<4xi1>
  %8 = hgc.abs %u : tensor<4xui8>
  %9 = hgc.relu %u : tensor<4xui8>
  %10 = hgc.cast %x to f32 : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: return %[[ABS]], %[[RELU]], %[[X]], %[[I]], %[[U]], %[[U]], %[[X]]
  return %1, %3, %5, %7, %8, %9, %10 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<4xi1>, tensor<4xui8>, tensor<4xui8>, tensor<?xf32>
}

// -----

// Neutral elements vanish, on either side of a commutative op.
// CHECK-LABEL: func @neutral
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi32>)
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[I]], %[[I]], %[[I]], %[[I]]
func.func @neutral(%x: tensor<4xf32>, %i: tensor<4xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %minus0 = hgc.constant dense<-0.0> : tensor<f32>
  %zero = hgc.constant dense<0.0> : tensor<4xf32>
  %one = hgc.constant dense<1.0> : tensor<1xf32>
  %0 = hgc.add %minus0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = hgc.sub %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = hgc.mul %one, %x : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = hgc.div %x, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %4 = hgc.pow %x, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %izero = hgc.constant dense<0> : tensor<i32>
  %ione = hgc.constant dense<1> : tensor<i32>
  %5 = hgc.add %izero, %i : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
  %6 = hgc.sub %i, %izero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %7 = hgc.mul %ione, %i : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
  %8 = hgc.div %i, %ione : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
      tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// Float identities that do not hold for signed zeros, NaN or infinity stay.
// CHECK-LABEL: func @not_exact
func.func @not_exact(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = hgc.constant dense<0.0> : tensor<4xf32>
  %minus0 = hgc.constant dense<-0.0> : tensor<4xf32>
  // CHECK: hgc.add
  %0 = hgc.add %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: hgc.sub
  %1 = hgc.sub %x, %minus0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: hgc.mul
  %2 = hgc.mul %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A neutral element that broadcasts the other operand stays.
// CHECK-LABEL: func @broadcasts
func.func @broadcasts(%x: tensor<4xf32>, %d: tensor<?xf32>) -> (tensor<2x4xf32>, tensor<?xf32>) {
  %one = hgc.constant dense<1.0> : tensor<2x1xf32>
  // CHECK: hgc.mul
  %0 = hgc.mul %x, %one : (tensor<4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  // The dynamic extent may be 1 and grow to 4.
  // CHECK: hgc.mul
  %four = hgc.constant dense<1.0> : tensor<4xf32>
  %1 = hgc.mul %d, %four : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @logical
// CHECK-SAME:    (%[[I:.*]]: tensor<4xi32>)
func.func @logical(%i: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  // CHECK-DAG: %[[ZERO:.*]] = hgc.constant dense<0> : tensor<4xi32>
  // CHECK-DAG: %[[ONES:.*]] = hgc.constant dense<-1> : tensor<4xi32>
  %zero = hgc.constant dense<0> : tensor<4xi32>
  %ones = hgc.constant dense<-1> : tensor<4xi32>
  %0 = hgc.and %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = hgc.and %i, %ones : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = hgc.and %i, %zero : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %3 = hgc.or %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = hgc.or %i, %zero : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %5 = hgc.or %i, %ones : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %6 = hgc.mul %i, %zero : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: return %[[I]], %[[I]], %[[ZERO]], %[[I]], %[[I]], %[[ONES]], %[[ZERO]]
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func @select
// CHECK-SAME:    (%[[C:.*]]: tensor<4xi1>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = hgc.constant dense<true> : tensor<i1>
  %false = hgc.constant dense<false> : tensor<4xi1>
  %0 = hgc.select %true, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = hgc.select %false, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = hgc.select %c, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[S:.*]] = hgc.select %[[C]], %[[X]], %[[Y]]
  %3 = hgc.select %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: return %[[X]], %[[Y]], %[[X]], %[[S]]
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
