// RUN: hgc-opt --hgc-convert-to-exec --hgc-assign-streams --hgc-plan-memory --hgc-verify-exec %s | FileCheck %s

// Results are computed in the caller's device memory, arguments are read there: no
// arena, no copy. A GPU where only the caller has memory is one of the plan's.
// CHECK:      gpu_0 = {arena_bytes = 0 : i64
// CHECK:      gpu_1 = {arena_bytes = 0 : i64
// CHECK-LABEL: exec.program @f.gpu
// CHECK-NEXT:  ^bb0(%[[X:.*]]: memref<4xf32, #exec.space<gpu>>, %[[Z:.*]]: memref<4xf32, #exec.space<gpu : 1>>, %[[Y:.*]]: memref<4xf32, #exec.space<gpu>>, %[[H:.*]]: memref<4xf32>):
// CHECK-NEXT:    exec.launch @relu ins(%[[X]] : {{.*}}) outs(%[[Y]] :
// CHECK-NEXT:    exec.copy %[[Z]] to %[[H]] stream 5
// CHECK-NEXT:    exec.sync
// CHECK-NEXT:    exec.sync
// CHECK-NEXT:    exec.return
func.func @f.gpu(%x: tensor<4xf32> {hgc.device = #hgc.device<gpu>}, %z: tensor<4xf32> {hgc.device = #hgc.device<gpu:1>})
    -> (tensor<4xf32> {hgc.device = #hgc.device<gpu>}, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  %2 = hgc.transfer %z from <gpu : 1> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
