// RUN: hgc-opt --hgc-inline-calls --split-input-file %s | FileCheck %s

// A call becomes the body of its callee, also through a chain of calls.
// CHECK-NOT:   func.func private
// CHECK-LABEL: func.func @entry
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>)
func.func @entry(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // CHECK-NEXT: %[[A:.*]] = hgc.add %[[X]], %[[X]]
  // CHECK-NEXT: %[[R:.*]] = hgc.relu %[[A]]
  // CHECK-NEXT: return %[[R]]
  %0 = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = hgc.relu %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK-NOT: @twice
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hgc.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// An entry that is called is copied and stays an entry.
// CHECK-LABEL: func.func @first
// CHECK:         hgc.relu
// CHECK-LABEL: func.func @second
// CHECK-NEXT:    hgc.relu
// CHECK-NEXT:    hgc.relu
func.func @first(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  %0 = call @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @first(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The callee's pin holds for its ops, an op's own pin for the op.
// CHECK-LABEL: func.func @pins
// CHECK-NEXT:    hgc.relu %{{.*}} {hgc.device = #hgc.device<gpu>}
// CHECK-NEXT:    hgc.neg %{{.*}} {hgc.device = #hgc.device<cpu>}
func.func @pins(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  %0 = call @helper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  %0 = hgc.relu %x : tensor<4xf32>
  %1 = hgc.neg %0 {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
