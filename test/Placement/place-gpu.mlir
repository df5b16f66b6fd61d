// RUN: hgc-opt --hgc-place --split-input-file %s | FileCheck %s

// What is not pinned goes to the first GPU; parameters and constants follow.
// CHECK-LABEL: func.func @default
func.func @default(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.constant {hgc.device = #hgc.device<gpu>}
  %c = hgc.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: hgc.add {{.*}} {hgc.device = #hgc.device<gpu>}
  %0 = hgc.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Pins are honoured, also a second GPU's; a view stays with its source.
// CHECK-LABEL: func.func @pins
func.func @pins(%x: tensor<4xf32>) -> tensor<2x2xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.relu {{.*}} {hgc.device = #hgc.device<cpu>}
  %0 = hgc.relu %x {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  // CHECK: hgc.tanh {{.*}} {hgc.device = #hgc.device<gpu : 1>}
  %1 = hgc.tanh %0 {hgc.device = #hgc.device<gpu:1>} : tensor<4xf32>
  // CHECK: hgc.reshape {{.*}} {hgc.device = #hgc.device<gpu : 1>}
  %2 = hgc.reshape %1 shape [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

// The CPU plan beside it is all on the CPU, and says nothing of void pins.
// CHECK-LABEL: func.func @both(
// CHECK: hgc.relu {{.*}} {hgc.device = #hgc.device<cpu>}
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.device = #hgc.device<gpu:1>} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @both.gpu
// CHECK-NOT: hgc.device = #hgc.device<gpu : 1>}{{.*}}{
// CHECK: hgc.relu {{.*}} {hgc.device = #hgc.device<gpu : 1>}
func.func @both.gpu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.device = #hgc.device<gpu:1>} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Predicates are computed where they are read: on the host.
// CHECK-LABEL: func.func @predicate
func.func @predicate(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.compare {{.*}} {hgc.device = #hgc.device<cpu>}
  %p = hgc.compare lt %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK: hgc.if {{.*}} attributes {hgc.device = #hgc.device<gpu>}
  %0 = hgc.if %p : tensor<i1> -> (tensor<f32>) {
    // CHECK: hgc.tanh {{.*}} {hgc.device = #hgc.device<gpu>}
    %1 = hgc.tanh %x : tensor<f32>
    hgc.yield %1 : tensor<f32>
  } else {
    hgc.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A parameter that some entry assigns has one home for all entries; what only
// the host uses stays there.
hgc.parameter @shared : tensor<4xf32> = dense<0.0>
hgc.parameter @hosted : tensor<4xf32> = dense<0.0>
// CHECK-LABEL: func.func @set
func.func @set(%x: tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.relu %x {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  // CHECK: hgc.assign @shared, {{.*}} {hgc.device = #hgc.device<gpu>}
  hgc.assign @shared, %0 : tensor<4xf32>
  // CHECK: hgc.assign @hosted, {{.*}} {hgc.device = #hgc.device<cpu>}
  hgc.assign @hosted, %0 : tensor<4xf32>
  return
}
// CHECK-LABEL: func.func @get
func.func @get() -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.read @shared {hgc.device = #hgc.device<gpu>}
  %0 = hgc.read @shared : tensor<4xf32>
  // CHECK: hgc.read @hosted {hgc.device = #hgc.device<cpu>}
  %1 = hgc.read @hosted : tensor<4xf32>
  %2 = hgc.tanh %0 : tensor<4xf32>
  return %2, %1 : tensor<4xf32>, tensor<4xf32>
}
