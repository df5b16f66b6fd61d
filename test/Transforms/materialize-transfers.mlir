// RUN: hgc-opt --hgc-materialize-transfers --hgc-materialize-transfers --split-input-file %s | FileCheck %s

// One copy per value and device, shared by all readers; a second run adds none.
// CHECK-LABEL: func.func @shared
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>)
func.func @shared(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>}
  // CHECK-NEXT: %[[R:.*]] = hgc.relu %[[G]]
  // CHECK-NEXT: %[[RC:.*]] = hgc.transfer %[[R]] from <gpu> to <cpu>
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK-NEXT: %[[T:.*]] = hgc.tanh %[[G]]
  // CHECK-NEXT: %[[TC:.*]] = hgc.transfer %[[T]] from <gpu> to <cpu>
  %1 = hgc.tanh %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK-NEXT: return %[[RC]], %[[TC]]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Constants and parameters nobody assigns are on both devices from the start;
// one that is assigned moves during the call.
hgc.parameter @fixed : tensor<4xf32> = dense<1.0>
hgc.parameter @state : tensor<4xf32> = dense<1.0>
// CHECK-LABEL: func.func @residents
func.func @residents() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.read @fixed {hgc.device = #hgc.device<gpu>}
  // CHECK: %[[F:.*]] = hgc.read @fixed {hgc.device = #hgc.device<cpu>}
  %0 = hgc.read @fixed {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK: %[[S:.*]] = hgc.read @state {hgc.device = #hgc.device<gpu>}
  // CHECK: %[[T:.*]] = hgc.transfer %[[S]] from <gpu> to <cpu>
  %1 = hgc.read @state {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK: hgc.constant {hgc.device = #hgc.device<gpu>}
  // CHECK: %[[C:.*]] = hgc.constant {hgc.device = #hgc.device<cpu>}
  %2 = hgc.constant {hgc.device = #hgc.device<gpu>} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  hgc.assign @state, %2 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK: return %[[F]], %[[T]], %[[C]]
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What a loop carries is on its device; its predicate goes to the host.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK-DAG: %[[X:.*]] = hgc.transfer %arg0 from <cpu> to <gpu>
  // CHECK-DAG: %[[Y:.*]] = hgc.transfer %arg1 from <cpu> to <gpu>
  // CHECK: hgc.while init(%[[X]] : tensor<f32>)
  %0 = hgc.while init(%x : tensor<f32>) -> (tensor<f32>) attributes {hgc.device = #hgc.device<gpu>} cond {
  ^bb0(%s: tensor<f32>):
    // CHECK: %[[P:.*]] = hgc.compare lt %{{.*}}, %[[Y]]
    // CHECK-NEXT: %[[H:.*]] = hgc.transfer %[[P]] from <gpu> to <cpu>
    // CHECK-NEXT: hgc.yield %[[H]]
    %p = hgc.compare lt %s, %y {hgc.device = #hgc.device<gpu>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    hgc.yield %p : tensor<i1>
  } do {
  ^bb0(%s: tensor<f32>):
    // CHECK: %[[E:.*]] = hgc.exp
    // CHECK-NEXT: hgc.yield %[[E]]
    %e = hgc.exp %s {hgc.device = #hgc.device<gpu>} : tensor<f32>
    hgc.yield %e : tensor<f32>
  }
  // CHECK: hgc.transfer %{{.*}} from <gpu> to <cpu>
  return %0 : tensor<f32>
}

// -----

// The CPU plan is left alone.
// CHECK-LABEL: func.func @host
// CHECK-NOT: hgc.transfer
func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu"} {
  %0 = hgc.relu %x {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Views of a value share its copy, whoever reads first; a view that is read there alone is copied as it is.
// CHECK-LABEL: func.func @views
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
func.func @views(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<2x2xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[G:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu>
  // CHECK-NOT: hgc.transfer %{{.*}} from <cpu>
  %v = hgc.reshape %x shape [2, 2] {hgc.device = #hgc.device<cpu>} : (tensor<4xf32>) -> tensor<2x2xf32>
  %w = hgc.reshape %v shape [1, 4] {hgc.device = #hgc.device<cpu>} : (tensor<2x2xf32>) -> tensor<1x4xf32>
  // CHECK: %[[V:.*]] = hgc.reshape %[[G]] shape [2, 2] {hgc.device = #hgc.device<gpu>}
  // CHECK: %[[W:.*]] = hgc.reshape %[[V]] shape [1, 4] {hgc.device = #hgc.device<gpu>}
  // CHECK: hgc.exp %[[W]]
  %1 = hgc.exp %w {hgc.device = #hgc.device<gpu>} : tensor<1x4xf32>
  // CHECK: hgc.tanh %[[V]]
  %0 = hgc.tanh %v {hgc.device = #hgc.device<gpu>} : tensor<2x2xf32>
  // CHECK: hgc.relu %[[G]]
  %2 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK: %[[U:.*]] = hgc.reshape %[[Y]]
  // CHECK-NEXT: %[[H:.*]] = hgc.transfer %[[U]] from <cpu> to <gpu>
  // CHECK: hgc.relu %[[H]]
  %u = hgc.reshape %y shape [2, 2] {hgc.device = #hgc.device<cpu>} : (tensor<4xf32>) -> tensor<2x2xf32>
  %3 = hgc.relu %u {hgc.device = #hgc.device<gpu>} : tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<2x2xf32>
}
