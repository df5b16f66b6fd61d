// RUN: hgc-opt --hgc-emit-programs --hgc-emit-model %s | FileCheck %s
// RUN: hgc-opt --hgc-emit-programs --hgc-emit-model="static-library external-weights num-threads=3" %s \
// RUN:   | FileCheck %s --check-prefix=OTHER

// The model's functions gather their arguments and call the runtime; a program
// whose symbol is the name of such a function makes room.
module @tiny attributes {hgc.target_cpu = "x86-64-v3"} {
  exec.blob @w : memref<8xf32> = dense<1.0> {offset = 0, parameter = "w"}
  exec.blob @s : memref<2xf32> = dense<2.0> {is_mutable, offset = 0, init_offset = 64, parameter = "s"}
  exec.blob @p.packed : memref<1x8x16xf32> = dense<0.0> {offset = 128, parameter = "p", packed}
  exec.program @tiny_predict entry "predict" inputs 1 attributes {arena_bytes = 96 : i64, dim_names = ["batch"],
      dims = array<i64: 2>, tensors = [{name = "x", shape = ["batch", 8], type = tensor<2x8xf32>},
      {name = "y", shape = [2], type = tensor<2xi1>}]} {
  ^bb0(%x: memref<2x8xf32>, %y: memref<2xi1>):
    exec.return
  }
  exec.program @p4 entry "predict" inputs 1 attributes {arena_bytes = 192 : i64, dim_names = ["batch"],
      dims = array<i64: 4>, tensors = [{name = "x", shape = ["batch", 8], type = tensor<4x8xf32>},
      {name = "y", shape = [4], type = tensor<4xi1>}]} {
  ^bb0(%x: memref<4x8xf32>, %y: memref<4xi1>):
    exec.return
  }
  // Entries may not be named like the model's own functions.
  exec.program @c entry "create" inputs 0 attributes {arena_bytes = 0 : i64, tensors = []} {
    exec.return
  }
}

// CHECK:      llvm.func internal @hgc_program_tiny_predict
// CHECK:      llvm.func internal @hgc_program_p4
// CHECK:      llvm.mlir.global internal constant @hgc_dims(dense<[-1, 8]> : tensor<2xi64>)
// The result's extent follows from the variants.
// CHECK:      llvm.mlir.global internal constant @hgc_dims_2(dense<-1> : tensor<1xi64>)
// CHECK:      llvm.mlir.global internal constant @hgc_variant_dims(dense<[2, 4]> : tensor<2xi64>)
// CHECK:      llvm.mlir.global internal constant @hgc_variants()
// CHECK:        llvm.mlir.addressof @hgc_program_tiny_predict
// CHECK:        llvm.mlir.addressof @hgc_program_p4
// CHECK:      llvm.mlir.global internal constant @hgc_params()
// CHECK-SAME:   !llvm.array<3 x struct<(ptr, ptr, i32, i32, i32, i32, i64, i64, i64)>>
// Bit 0: mutable; its initial value lies at 64.
// CHECK:        llvm.mlir.constant(64 : i64)
// CHECK:      llvm.mlir.global external hidden constant @hgc_weights_tiny()
// CHECK-SAME:   !llvm.array<640 x i8>
// CHECK:      llvm.mlir.global internal constant @hgc_model_desc()
// sizeof(hgc_rt_model_desc) and the features of x86-64-v3.
// CHECK:        llvm.mlir.constant(192 : i32)
// CHECK:        llvm.mlir.constant(16383 : i64)
// CHECK:        llvm.mlir.addressof @hgc_weights_tiny
// CHECK:      llvm.func @hgc_model_v1() -> !llvm.ptr
// CHECK:      llvm.func @tiny_create(%[[OPT:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr) -> i32
// CHECK:        %[[DESC:.*]] = llvm.mlir.addressof @hgc_model_desc
// CHECK:        llvm.call @hgc_rt_create(%[[DESC]], %[[OPT]], %[[OUT]])
// CHECK:      llvm.func @tiny_destroy(
// CHECK:      llvm.func @tiny_wait(
// CHECK:      llvm.func @tiny_last_error() -> !llvm.ptr
// CHECK:      llvm.func @tiny_predict(%[[MODEL:.*]]: !llvm.ptr, %[[BATCH:.*]]: i64, %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr) -> i32
// CHECK:        llvm.store %[[BATCH]], %[[P:.*]] : i64
// CHECK:        llvm.store %[[X]]
// CHECK:        llvm.store %[[Y]]
// CHECK:        llvm.call @hgc_rt_call(%[[MODEL]]
// CHECK:      llvm.func @tiny_predict_start(
// CHECK-SAME:   %[[TICKET:[^:]*]]: !llvm.ptr) -> i32
// CHECK:        llvm.call @hgc_rt_start({{.*}}, %[[TICKET]])
// CHECK:      llvm.func @tiny_create_2(
// CHECK:      llvm.func @tiny_create_2_start(

// OTHER-NOT:  @hgc_weights_tiny
// OTHER:      llvm.mlir.global internal unnamed_addr constant @{{.*}}("tiny.weights.safetensors\00")
// OTHER:      llvm.mlir.global internal constant @hgc_model_desc()
// The file is a page of header and 640 bytes.
// OTHER:        llvm.mlir.constant(4736 : i64)
// OTHER:        llvm.mlir.constant(3 : i32)
// OTHER-NOT:  @hgc_model_v1
// OTHER:      llvm.func @tiny_model_v1
