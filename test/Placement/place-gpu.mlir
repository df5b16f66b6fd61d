// RUN: hgc-opt --hgc-place --split-input-file %s | FileCheck %s

// A large product is worth its copies; what is fused with it stays with it, and
// weights follow. The bound is the cost.
// CHECK-LABEL: func.func @product
// CHECK-SAME:    hgc.certificate = {alternatives = {all_cpu = [[CPU:[0-9]+]] : i64, all_gpu = [[COST:[0-9]+]] : i64, greedy = {{[0-9]+}} : i64, heft = {{[0-9]+}} : i64, m_etf = {{[0-9]+}} : i64, m_sct = {{[0-9]+}} : i64}, bound_ps = [[COST]] : i64, serial_ps = [[COST]] : i64}
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<1024x1024xf32> = #hgc.init<ones>
func.func @product(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.read @w {hgc.device = #hgc.device<gpu>}
  %w = hgc.read @w : tensor<1024x1024xf32>
  // CHECK: hgc.matmul {{.*}} {hgc.decision = {cpu_ps = {{[0-9]+}} : i64, gpu_ps = {{[0-9]+}} : i64, reason = "computes faster here", switch_ps = {{[0-9]+}} : i64}, hgc.device = #hgc.device<gpu>, hgc.fuses}
  %0 = hgc.matmul %x, %w : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  // CHECK: hgc.relu {{.*}}hgc.device = #hgc.device<gpu>}
  %1 = hgc.relu %0 : tensor<1024x1024xf32>
  return %1 : tensor<1024x1024xf32>
}
}

// -----

// A little work stays where its values are.
// CHECK-LABEL: func.func @small
func.func @small(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.constant {hgc.device = #hgc.device<cpu>}
  %c = hgc.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: hgc.add {{.*}}hgc.device = #hgc.device<cpu>}
  %0 = hgc.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Pins are honoured, also a second GPU's.
// CHECK-LABEL: func.func @pins
func.func @pins(%x: tensor<4xf32>) -> tensor<2x2xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.relu {{.*}}reason = "pinned"{{.*}}hgc.device = #hgc.device<cpu>
  %0 = hgc.relu %x {hgc.pin = #hgc.device<cpu>} : tensor<4xf32>
  // CHECK: hgc.tanh {{.*}}hgc.device = #hgc.device<gpu : 1>
  %1 = hgc.tanh %0 {hgc.pin = #hgc.device<gpu:1>} : tensor<4xf32>
  %2 = hgc.reshape %1 shape [2, 2] : (tensor<4xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

// The CPU plan beside it is all on the CPU.
// CHECK-LABEL: func.func @both(
// CHECK: hgc.relu {{.*}} {hgc.device = #hgc.device<cpu>}
func.func @both(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu"} {
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The host reads predicates; a branch has the device of what it carries.
// CHECK-LABEL: func.func @predicate
func.func @predicate(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.compare {{.*}}hgc.device = #hgc.device<cpu>}
  %p = hgc.compare lt %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK: hgc.if {{.*}} attributes {hgc.device = #hgc.device<gpu>
  %0 = hgc.if %p : tensor<i1> -> (tensor<f32>) attributes {hgc.pin = #hgc.device<gpu>} {
    // CHECK: hgc.tanh {{.*}}hgc.device = #hgc.device<gpu>
    %1 = hgc.tanh %x {hgc.pin = #hgc.device<gpu>} : tensor<f32>
    hgc.yield %1 : tensor<f32>
  } else {
    hgc.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A parameter that some entry assigns has one home for all entries: here the GPU,
// where one of them reads and assigns it.
hgc.parameter @state : tensor<1024x1024xf32> = #hgc.init<zeros>
// CHECK-LABEL: func.func @set
func.func @set(%x: tensor<1024x1024xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.assign @state, {{.*}} {hgc.device = #hgc.device<gpu>}
  hgc.assign @state, %x : tensor<1024x1024xf32>
  return
}
// CHECK-LABEL: func.func @get
func.func @get(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.read @state {hgc.device = #hgc.device<gpu>}
  %0 = hgc.read @state : tensor<1024x1024xf32>
  %1 = hgc.matmul %0, %0 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %2 = hgc.matmul %1, %0 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %3 = hgc.add %2, %x : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  // CHECK: hgc.assign @state, {{.*}} {hgc.device = #hgc.device<gpu>}
  hgc.assign @state, %2 : tensor<1024x1024xf32>
  return %3 : tensor<1024x1024xf32>
}
