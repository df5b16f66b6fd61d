// RUN: hgc-opt --hgc-emit-programs %s | FileCheck %s
// RUN: hgc-opt --hgc-emit-programs --hgc-emit-model=strict %s | FileCheck %s --check-prefix=MODEL

// A program of the GPU plan puts its work on streams and returns the status of
// the first call that fails; addresses come from the bases of its GPU.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu : 1>>

// CHECK-LABEL: module @gpu
// CHECK-SAME:    exec.gpu_totals = {cublas = 1 : i64, events = 1 : i64, functions = 1 : i64, scratch_bytes = array<i64: 0, 512>}
// CHECK-SAME:    exec.scratch_bytes = 0 : i64
module @gpu attributes {hgc.target_cpu = "x86-64-v3", hgc.target_gpu = "sm_80",
    exec.memory = {arena_bytes = 0 : i64, gpu_1 = {arena_bytes = 64 : i64, lower_bound = 64 : i64, state_bytes = 64 : i64, weights_bytes = 192 : i64},
                   lower_bound = 0 : i64, state_bytes = 64 : i64, weights_bytes = 64 : i64},
    exec.gpu_images = [{data = "code", kind = "ptx", sm = 80 : i64}, {data = "bits", kind = "cubin", sm = 90 : i64}]} {
  exec.blob @w : !h = dense<1.0> {device_offsets = {gpu_1 = 128 : i64}, offset = 0 : i64, parameter = "w"}
  exec.blob @s : !h = dense<0.0> {device_offsets = {gpu_1 = 0 : i64}, is_mutable, offset = 0 : i64, parameter = "s"}
  exec.kernel @k inputs 1 attributes {device = #hgc.device<gpu : 1>, scratch_bytes = 512 : i64,
      launches = [{function = "f", grid = array<i64: 4, 3, 2>, block = array<i64: 32, 1, 1>, shared = 1024 : i64}],
      gemm = {m = 2 : i64, n = 4 : i64, k = 8 : i64, batch = 1 : i64, type_a = f32, transpose_b = true, arg_c = 1 : i64,
              allow_tf32 = 7 : i64}} {
  ^bb0(%x: !g, %y: !g):
    %0 = exec.load %x : !g -> tensor<8xf32>
    %1 = hgc.relu %0 : tensor<8xf32>
    exec.store %1, %y : tensor<8xf32>, !g
  }
  exec.program @p entry "run" inputs 1 attributes {arena_bytes = 0 : i64, plan = "cpu",
      tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
  ^bb0(%x: !h):
    exec.return
  }
  // CHECK:     llvm.mlir.global internal constant @hgc_launches_k()
  // CHECK-SAME:  !llvm.array<1 x struct<(ptr, i32, i32, i32, i32, i32, i32, i32, i32)>>
  // CHECK:       llvm.mlir.constant(4 : i32)
  // CHECK:       llvm.mlir.constant(3 : i32)
  // CHECK:       llvm.mlir.constant(2 : i32)
  // CHECK:       llvm.mlir.constant(32 : i32)
  // CHECK:       llvm.mlir.constant(1024 : i32)
  // CHECK:     llvm.mlir.global internal constant @hgc_gemm_k()
  // CHECK:       llvm.mlir.constant(2 : i64)
  // CHECK:       llvm.mlir.constant(8 : i64)
  // CHECK:       llvm.mlir.constant(7 : i32)
  // CHECK:     llvm.mlir.global internal constant @hgc_kernel_desc_k()
  // CHECK-SAME:  !llvm.array<1 x struct<(ptr, ptr, ptr, ptr, ptr, i32, i32, i64, i64, i64)>>
  // CHECK:     llvm.func internal @hgc_program_p.gpu(%[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32
  exec.program @p.gpu entry "run" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu",
      tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
  ^bb0(%x: !h):
    // The bases are the fifth pointer of the context, 24 bytes a GPU.
    // CHECK:   llvm.mlir.constant(32 : i64)
    // CHECK:   %[[GPUS:.*]] = llvm.load
    // CHECK:   %[[AT:.*]] = llvm.mlir.constant(24 : i64)
    // CHECK:   llvm.getelementptr %[[GPUS]][%[[AT]]]
    %a = exec.view offset 0 : !g
    // CHECK:   llvm.mlir.constant(40 : i64)
    %s = exec.weight @s : !g
    // CHECK:   %[[TO:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK:   %[[FROM:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK:   %[[BYTES:.*]] = llvm.mlir.constant(32 : i64)
    // CHECK:   %[[GPU:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK:   %[[STREAM:.*]] = llvm.mlir.constant(1 : i32)
    // CHECK:   %[[STATUS:.*]] = llvm.call @hgc_rt_gpu_copy(%[[CTX]], %[[GPU]], %[[STREAM]], %{{.*}}, %[[TO]], %{{.*}}, %[[FROM]], %[[BYTES]])
    // CHECK:   %[[FAILED:.*]] = llvm.icmp "ne" %[[STATUS]]
    // CHECK:   llvm.cond_br %[[FAILED]], ^[[RETURN:.*]], ^[[NEXT:.*]]
    // CHECK:   ^[[RETURN]]:
    // CHECK:   llvm.return %[[STATUS]]
    exec.copy %x to %a stream 4 : !h, !g
    // CHECK:   llvm.call @hgc_rt_gpu_record(
    exec.record event 0 stream 4
    // CHECK:   llvm.call @hgc_rt_gpu_wait(
    exec.wait event 0 stream 3
    // The scratch memory takes a slot of its own.
    // CHECK:   %[[COUNT:.*]] = llvm.mlir.constant(3 : i64)
    // CHECK:   llvm.call @hgc_rt_gpu_launch(%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[COUNT]])
    exec.launch @k ins(%a : !g) outs(%s : !g) stream 3
    // CHECK:   llvm.call @hgc_rt_gpu_fill(
    exec.fill %a with 1.0 : f32 stream 3 : !g
    // CHECK:   llvm.call @hgc_rt_gpu_sync(
    exec.sync stream 3
    // CHECK:   llvm.call @hgc_rt_gpu_guarded(
    // CHECK:   llvm.icmp "eq"
    %b = exec.view slot 5 : !g
    exec.return
  }
  exec.program @load entry "" inputs 0 attributes {arena_bytes = 0 : i64, load, plan = "gpu", tensors = []} {
    %h = exec.weight @w : !h
    %g = exec.weight @w : !g
    exec.copy %h to %g stream 4 : !h, !g
    exec.sync stream 4
    exec.return
  }
}

// The plan: code, memory by GPU, homes of parameters, the load program. A strict
// model has bit 0 of its flags.
// MODEL:      llvm.mlir.global internal constant @hgc_variants()
// MODEL:        llvm.mlir.addressof @hgc_program_p :
// MODEL:        llvm.mlir.addressof @hgc_program_p.gpu :
// MODEL:      llvm.mlir.global internal constant @hgc_gpu_image("code\00")
// MODEL:      llvm.mlir.global internal constant @hgc_gpu_image_2("bits")
// MODEL:      llvm.mlir.global internal constant @hgc_gpu_images()
// MODEL:        llvm.mlir.constant(5 : i64)
// MODEL:      llvm.mlir.global internal constant @hgc_gpu_devices()
// MODEL-SAME:   !llvm.array<2 x struct<(i64, i64, i64, i64, i64, ptr, i64)>>
// MODEL:      llvm.mlir.global internal constant @hgc_gpu_params()
// MODEL-SAME:   !llvm.array<1 x struct<(i32, i32, i64)>>
// MODEL:      llvm.mlir.global internal constant @hgc_gpu_plan()
// MODEL:        llvm.mlir.addressof @hgc_program_load
// MODEL:        llvm.mlir.constant(80 : i32)
// MODEL:      llvm.mlir.global internal constant @hgc_model_desc()
// MODEL:        llvm.mlir.addressof @hgc_gpu_plan
