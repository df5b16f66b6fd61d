// RUN: hgc-opt --hgc-resolve-pins --split-input-file --verify-diagnostics %s | FileCheck %s

// A pin to a device the plan lacks is void, and that is said once per pin.
func.func @op(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // expected-remark @+2 {{the pin to 'gpu:1' is void: this plan has only 'cpu'}}
  // expected-note @+1 {{hint: compile for that device, or drop the pin}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<gpu:1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-remark @+2 {{the pin to 'gpu:0' is void}}
// expected-note @+1 {{hint: compile for that device}}
func.func @function(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.device = #hgc.device<gpu>} {
  %0 = hgc.relu %x : tensor<4xf32>
  %1 = hgc.relu %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Beside a GPU plan the CPU plan's pins are void without a word; in the GPU plan
// pins of ops, regions and functions bind what computes or controls.
// CHECK-LABEL: func.func @both(
// CHECK-NOT: hgc.pin
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu", hgc.device = #hgc.device<gpu:1>} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @both.gpu
// CHECK-NOT: hgc.device =
func.func @both.gpu(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<2x2xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.device = #hgc.device<gpu:1>} {
  // CHECK: hgc.relu {{.*}} {hgc.pin = #hgc.device<gpu : 1>}
  %0 = hgc.relu %x : tensor<4xf32>
  // CHECK: hgc.if {{.*}} attributes {hgc.pin = #hgc.device<cpu>}
  %1 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) attributes {hgc.device = #hgc.device<cpu>} {
    // CHECK: hgc.neg {{.*}} {hgc.pin = #hgc.device<cpu>}
    %2 = hgc.neg %0 : tensor<4xf32>
    hgc.yield %2 : tensor<4xf32>
  } else {
    hgc.yield %x : tensor<4xf32>
  }
  // Views follow.
  // CHECK: hgc.reshape %{{[0-9]+}} shape
  %3 = hgc.reshape %1 shape [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// -----

// A parameter's home is pinned on the parameter.
// CHECK: hgc.parameter @state {{.*}}hgc.pin = #hgc.device<gpu>
hgc.parameter @state : tensor<4xf32> = dense<0.0> {hgc.device = #hgc.device<gpu>}
func.func @set(%x: tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  hgc.assign @state, %x : tensor<4xf32>
  return
}
