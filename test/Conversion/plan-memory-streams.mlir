// RUN: hgc-opt --hgc-assign-streams --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-assign-streams --hgc-plan-memory=arena=separate --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=SLOTS

// The second copy in does not wait for the first kernel, so it must not land
// where that kernel still reads; the second kernel's result may, because kernels
// follow each other.
!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<16xf32>
  exec.store %0, %y : tensor<16xf32>, !g
}
// CHECK: exec.memory = {arena_bytes = 0 : i64, gpu_0 = {arena_bytes = 192 : i64, lower_bound = 128 : i64
// CHECK: %[[A:.*]] = exec.view offset [[FIRST:[0-9]+]] : memref<16xf32, #exec.space<gpu>>
// CHECK: %[[B:.*]] = exec.view offset {{.*}} : memref<16xf32, #exec.space<gpu>>
// CHECK: %[[C:.*]] = exec.view offset
// CHECK-NOT: offset [[FIRST]] :
// CHECK-SAME: memref<16xf32, #exec.space<gpu>>
// CHECK: exec.copy %{{.*}} to %[[C]] stream 1
// CHECK: exec.view offset [[FIRST]] : memref<16xf32, #exec.space<gpu>>
// SLOTS: gpu_0 = {arena_bytes = 0 : i64, lower_bound = 0 : i64, slots = array<i64: 64, 64, 64, 64>, state_bytes = 0 : i64, weights_bytes = 0 : i64}
// SLOTS: exec.view slot 3 : memref<16xf32, #exec.space<gpu>>
exec.program @f entry "f" inputs 2 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "z", shape = [16], type = tensor<16xf32>},
    {name = "y", shape = [16], type = tensor<16xf32>}, {name = "w", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: !h, %z: !h, %y: !h, %w: !h):
  %a = exec.view : !g
  exec.copy %x to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.copy %b to %y : !g, !h
  %c = exec.view : !g
  exec.copy %z to %c : !h, !g
  %d = exec.view : !g
  exec.launch @k ins(%c : !g) outs(%d : !g)
  exec.copy %d to %w : !g, !h
  exec.return
}

// -----

// Weights and state have places on each GPU that uses them.
// CHECK: gpu_1 = {arena_bytes = 0 : i64, lower_bound = 0 : i64, state_bytes = 64 : i64, weights_bytes = 64 : i64}
// CHECK: exec.blob @w {{.*}} {device_offsets = {gpu_1 = 0 : i64}, offset = 0 : i64}
// CHECK: exec.blob @s {{.*}} {device_offsets = {gpu_1 = 0 : i64}, is_mutable, offset = 0 : i64}
exec.blob @w : memref<16xf32> = dense<1.0>
exec.blob @s : memref<16xf32> = dense<0.0> {is_mutable}
exec.program @p entry "f" inputs 0 attributes {plan = "gpu", tensors = []} {
  %w = exec.weight @w : memref<16xf32, #exec.space<gpu : 1>>
  %s = exec.weight @s : memref<16xf32, #exec.space<gpu : 1>>
  exec.copy %w to %s : memref<16xf32, #exec.space<gpu : 1>>, memref<16xf32, #exec.space<gpu : 1>>
  exec.return
}
