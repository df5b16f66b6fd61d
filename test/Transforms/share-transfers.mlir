// RUN: hgc-opt --hgc-share-transfers --split-input-file %s | FileCheck %s

// The first copy serves the second, and one of the same bytes in another shape.
// CHECK-LABEL: func.func @shared
// CHECK-SAME:    (%[[X:.*]]: tensor<4x2xf32>)
func.func @shared(%x: tensor<4x2xf32>) -> tensor<8xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu>
  // CHECK-NOT: hgc.transfer
  // CHECK: %[[A:.*]] = hgc.relu %[[G]]
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4x2xf32>
  %a = hgc.relu %g {hgc.device = #hgc.device<gpu>} : tensor<4x2xf32>
  %h = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4x2xf32>
  // CHECK: %[[B:.*]] = hgc.mul %[[A]], %[[G]]
  %b = hgc.mul %a, %h {hgc.device = #hgc.device<gpu>} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %v = hgc.reshape %x shape [8] {hgc.device = #hgc.device<cpu>} : (tensor<4x2xf32>) -> tensor<8xf32>
  %i = hgc.transfer %v from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  // CHECK: %[[V:.*]] = hgc.reshape %[[G]] shape [8] {hgc.device = #hgc.device<gpu>}
  // CHECK: hgc.add %[[V]]
  %c = hgc.reshape %b shape [8] {hgc.device = #hgc.device<gpu>} : (tensor<4x2xf32>) -> tensor<8xf32>
  %d = hgc.add %i, %c {hgc.device = #hgc.device<gpu>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // CHECK: hgc.transfer %{{.*}} from <gpu> to <cpu>
  %r = hgc.transfer %d from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Copies to two devices are two.
// CHECK-LABEL: func.func @two_devices
func.func @two_devices(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.transfer %{{.*}} from <cpu> to <gpu>
  // CHECK: hgc.transfer %{{.*}} from <cpu> to <gpu : 1>
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %h = hgc.transfer %x from <cpu> to <gpu : 1> {hgc.device = #hgc.device<gpu : 1>} : tensor<4xf32>
  %a = hgc.transfer %g from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  %b = hgc.transfer %h from <gpu : 1> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop does not copy again and again what it does not change.
// CHECK-LABEL: func.func @loop
// CHECK-SAME:    (%[[XS:.*]]: tensor<9x4xf32>, %[[B:.*]]: tensor<4xf32>)
func.func @loop(%xs: tensor<9x4xf32>, %b: tensor<4xf32>) -> tensor<9x4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[XG:.*]] = hgc.transfer %[[XS]]
  // CHECK-NEXT: %[[BG:.*]] = hgc.transfer %[[B]] from <cpu> to <gpu>
  // CHECK-NEXT: hgc.scan
  // CHECK: hgc.add %{{.*}}, %[[BG]]
  %g = hgc.transfer %xs from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<9x4xf32>
  %ys = hgc.scan over(%g : tensor<9x4xf32>) -> (tensor<9x4xf32>) attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%x: tensor<4xf32>):
    %t = hgc.transfer %b from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    %y = hgc.add %x, %t {hgc.device = #hgc.device<gpu>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %y : tensor<4xf32>
  }
  %r = hgc.transfer %ys from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}

// -----

// Both branches copy: one copy before. One branch copies: it stays there.
// CHECK-LABEL: func.func @branches
// CHECK-SAME:    (%[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu>
  // CHECK-NEXT: hgc.if %[[C]]
  %r = hgc.if %c : tensor<i1> -> (tensor<4xf32>) attributes {hgc.device = #hgc.device<gpu>} {
    // CHECK-NEXT: hgc.relu %[[G]]
    %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    %a = hgc.relu %g {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    hgc.yield %a : tensor<4xf32>
  } else {
    // CHECK: %[[H:.*]] = hgc.transfer %[[Y]] from <cpu> to <gpu>
    // CHECK-NEXT: hgc.add %[[G]], %[[H]]
    %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    %h = hgc.transfer %y from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    %a = hgc.add %g, %h {hgc.device = #hgc.device<gpu>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %a : tensor<4xf32>
  }
  %s = hgc.transfer %r from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// What is copied behind the branch anyway is copied before it.
// CHECK-LABEL: func.func @behind
// CHECK-SAME:    (%[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>)
func.func @behind(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[G:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu>
  // CHECK-NEXT: hgc.if
  // CHECK: hgc.relu %[[G]]
  %z = hgc.constant {hgc.device = #hgc.device<gpu>} dense<0.0> : tensor<4xf32>
  %r = hgc.if %c : tensor<i1> -> (tensor<4xf32>) attributes {hgc.device = #hgc.device<gpu>} {
    %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    %a = hgc.relu %g {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    hgc.yield %a : tensor<4xf32>
  } else {
    hgc.yield %z : tensor<4xf32>
  }
  // CHECK-NOT: hgc.transfer %[[X]]
  // CHECK: hgc.add %{{.*}}, %[[G]]
  %h = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %s = hgc.add %r, %h {hgc.device = #hgc.device<gpu>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t = hgc.transfer %s from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %t : tensor<4xf32>
}
