// RUN: hgc-opt --hgc-convert-to-exec --split-input-file %s | FileCheck %s

// Buffers are in the memory of their device, weights have a copy on each GPU that
// reads them, which the load program fills, and the result of a transfer goes
// straight to the caller.
hgc.parameter @w : tensor<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// CHECK: exec.kernel @add inputs 2 attributes {device = #hgc.device<gpu>, ops = "add", price_ps = {{[1-9][0-9]*}} : i64}
// CHECK-NEXT: ^bb0(%{{.*}}: memref<4xf32, #exec.space<gpu>>, %{{.*}}: memref<4xf32, #exec.space<gpu>>, %{{.*}}: memref<4xf32, #exec.space<gpu>>)
// CHECK: exec.program @f.gpu entry "f" inputs 1 attributes {plan = "gpu"
// CHECK-NEXT: ^bb0(%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>):
// CHECK-NEXT: %[[W:.*]] = exec.weight @w : memref<4xf32, #exec.space<gpu>>
// CHECK-NEXT: %[[A:.*]] = exec.view : memref<4xf32, #exec.space<gpu>>
// CHECK-NEXT: exec.copy %[[X]] to %[[A]]
// CHECK-NEXT: %[[B:.*]] = exec.view : memref<4xf32, #exec.space<gpu>>
// CHECK-NEXT: exec.launch @add ins(%[[A]], %[[W]] {{.*}}) outs(%[[B]]
// CHECK-NEXT: exec.copy %[[B]] to %[[Y]]
// CHECK-NEXT: exec.return
func.func @f.gpu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %1 = hgc.kernel(%0, %w : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %3 = hgc.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %3 : tensor<4xf32>
  }
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
// CHECK: exec.program @load entry "" inputs 0 attributes {load, plan = "gpu", tensors = []}
// CHECK-NEXT: %[[H:.*]] = exec.weight @w : memref<4xf32>
// CHECK-NEXT: %[[G:.*]] = exec.weight @w : memref<4xf32, #exec.space<gpu>>
// CHECK-NEXT: exec.copy %[[H]] to %[[G]]
// CHECK-NEXT: exec.return

// -----

// Weights that others are made from are there before those are made.
hgc.parameter @made : tensor<4xf32> = #hgc.init<zeros> {hgc.loaded}
hgc.parameter @other : tensor<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
// CHECK: exec.program @load entry "load"
// CHECK-NEXT: %[[H:.*]] = exec.weight @const : memref<2x2xf32>
// CHECK-NEXT: %[[G:.*]] = exec.weight @const : memref<2x2xf32, #exec.space<gpu>>
// CHECK-NEXT: exec.copy %[[H]] to %[[G]]
// CHECK: exec.alias
// CHECK: %[[M:.*]] = exec.weight @made
// CHECK-NEXT: exec.copy %{{.*}} to %[[M]]
// CHECK: exec.weight @other : memref<4xf32>
func.func @load() attributes {hgc.entry, hgc.load, hgc.plan = "gpu", hgc.variant_of = "load"} {
  %0 = hgc.constant {hgc.device = #hgc.device<gpu>} dense<1.0> : tensor<2x2xf32>
  %1 = hgc.reshape %0 shape [4] {hgc.device = #hgc.device<gpu>} : (tensor<2x2xf32>) -> tensor<4xf32>
  hgc.assign @made, %1 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  return
}
func.func @f.gpu() -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %0 = hgc.read @made {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %1 = hgc.read @other {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %2 = hgc.kernel(%0, %1 : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %4 = hgc.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %4 : tensor<4xf32>
  }
  %3 = hgc.transfer %2 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// A mutable parameter is the runtime's to set: no load program.
hgc.parameter @s : tensor<4xf32> = dense<0.0>
// CHECK: exec.program @g.gpu
// CHECK: exec.launch @exp
// CHECK-NEXT: %[[S:.*]] = exec.weight @s : memref<4xf32, #exec.space<gpu>>
// CHECK: exec.copy %{{.*}} to %[[S]] : memref<4xf32, #exec.space<gpu>>, memref<4xf32, #exec.space<gpu>>
// CHECK-NOT: exec.program
func.func @g.gpu() attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "g"} {
  %0 = hgc.read @s {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %1 = hgc.kernel(%0 : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%a: tensor<4xf32>):
    %2 = hgc.exp %a : tensor<4xf32>
    hgc.yield %2 : tensor<4xf32>
  }
  hgc.assign @s, %1 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  return
}
