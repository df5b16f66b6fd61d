// RUN: hgc-opt --hgc-apply-plan="file=%S/Inputs/apply-plan.json" %s | FileCheck %s
// RUN: hgc-opt --hgc-apply-plan %s | FileCheck %s --check-prefix=NONE

// The plan's devices become pins of the GPU plan; the second op of a name is
// found by its number, and what the plan does not name stays free.
// CHECK-LABEL: func.func @f(
// CHECK-NOT: hgc.pin
// CHECK-LABEL: func.func @f.gpu(
// CHECK: hgc.relu {{.*}} {hgc.pin = #hgc.device<cpu>}
// CHECK: hgc.tanh {{.*}} {hgc.pin = #hgc.device<gpu>}
// CHECK: hgc.exp {{.*}} {hgc.pin = #hgc.device<gpu : 1>}
// CHECK: hgc.abs %{{[0-9]+}} : tensor<4xf32>
// NONE-NOT: hgc.pin
module {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "cpu"} {
    %0 = hgc.relu %x : tensor<4xf32> loc("a")
    %1 = hgc.tanh %0 : tensor<4xf32> loc("b")
    %2 = hgc.exp %1 : tensor<4xf32> loc("b")
    %3 = hgc.abs %2 : tensor<4xf32> loc("c")
    return %3 : tensor<4xf32>
  }
  func.func @f.gpu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = @f} {
    %0 = hgc.relu %x : tensor<4xf32> loc("a")
    %1 = hgc.tanh %0 : tensor<4xf32> loc("b")
    %2 = hgc.exp %1 : tensor<4xf32> loc("b")
    %3 = hgc.abs %2 : tensor<4xf32> loc("c")
    return %3 : tensor<4xf32>
  }
}
