// RUN: hgc-opt --hgc-emit-gpu-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// Short rows: some threads of a warp each, combined by shuffles.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @rows {{.*}}block = array<i64: 128, 1, 1>{{.*}}schedule = "reduce rows lanes=4 team=32 parts=1"
// CHECK: gpu.func @hgc_0_reduce
// CHECK: scf.for
// CHECK: vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: memref.store
exec.kernel @rows inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<64x256xf32>, %y: memref<64xf32>):
  %0 = exec.load %x : memref<64x256xf32> -> tensor<64x256xf32>
  %1 = hgc.reduce sum %0 axes = [1] : (tensor<64x256xf32>) -> tensor<64xf32>
  exec.store %1, %y : tensor<64xf32>, memref<64xf32>
}
}

// -----

// Long rows: a block each. Warps meet in shared memory; the sum of chunks is f64.
module attributes {hgc.target_gpu = "sm_75"} {
// CHECK: exec.kernel @long {{.*}}schedule = "reduce rows lanes=4 team=256 parts=1"
// CHECK: gpu.func @hgc_0_reduce
// CHECK-SAME: workgroup(%[[S:[a-z0-9]+]] : memref<8xf64, #gpu.address_space<workgroup>>
// CHECK: arith.addf {{.*}} : f64
// CHECK: gpu.shuffle xor {{.*}} : i32
// CHECK: memref.store {{.*}}, %[[S]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[S]]
exec.kernel @long inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<100x100000xf32>, %y: memref<100xf32>):
  %0 = exec.load %x : memref<100x100000xf32> -> tensor<100x100000xf32>
  %1 = hgc.reduce mean %0 axes = [1] : (tensor<100x100000xf32>) -> tensor<100xf32>
  exec.store %1, %y : tensor<100xf32>, memref<100xf32>
}
}

// -----

// One result of many elements: blocks leave partial sums, a second launch combines
// them in order. Products of f32 are f64.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @split
// CHECK-SAME: launches = [{block = array<i64: 256, 1, 1>, function = "hgc_0_reduce", grid = array<i64: 1, 128, 1>
// CHECK-SAME: {block = array<i64: 128, 1, 1>, function = "hgc_0_reduce_1", grid = array<i64: 1, 1, 1>
// CHECK-SAME: schedule = "reduce rows lanes=4 team=256 parts=128", scratch_bytes = 1024 : i64
// CHECK: gpu.func @hgc_0_reduce({{.*}}, %[[S:[a-z0-9]+]]: memref<1024xi8>
// CHECK: %[[P:.*]] = memref.view %[[S]]
// CHECK: memref.store {{.*}}, %[[P]]
// CHECK: gpu.func @hgc_0_reduce_1({{.*}}, %[[Y:[a-z0-9]+]]: memref<1xf32> {{.*}}, %[[S:[a-z0-9]+]]: memref<1024xi8>
// CHECK: %[[P:.*]] = memref.view %[[S]]
// CHECK: memref.load %[[P]]
// CHECK: arith.truncf {{.*}} : f64 to f32
// CHECK: memref.store {{.*}}, %[[Y]]
exec.kernel @split inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1048576xf32>, %y: memref<f32>):
  %0 = exec.load %x : memref<1048576xf32> -> tensor<1048576xf32>
  %1 = hgc.reduce prod %0 axes = [0] : (tensor<1048576xf32>) -> tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32>
}
}

// -----

// Columns: neighbouring threads take neighbouring results; eight share one and meet
// in shared memory. The epilogue follows at once.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @columns {{.*}}schedule = "reduce columns lanes=1 team=8 parts=1"
// CHECK: gpu.func @hgc_0_reduce
// CHECK-SAME: memref<256xi64, #gpu.address_space<workgroup>>
// CHECK: arith.extui {{.*}} : i8 to i64
// CHECK: gpu.barrier
// CHECK-COUNT-7: arith.addi {{.*}} : i64
// CHECK: arith.divui {{.*}} : i64
// CHECK: arith.trunci {{.*}} : i64 to i8
exec.kernel @columns inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<90x5000xui8>, %y: memref<5000xui8>):
  %0 = exec.load %x : memref<90x5000xui8> -> tensor<90x5000xui8>
  %1 = hgc.reduce mean %0 axes = [0] : (tensor<90x5000xui8>) -> tensor<5000xui8>
  %2 = hgc.add %1, %1 : (tensor<5000xui8>, tensor<5000xui8>) -> tensor<5000xui8>
  exec.store %2, %y : tensor<5000xui8>, memref<5000xui8>
}
}

// -----

// Nothing to combine: the neutral value, and no loop.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: gpu.func @hgc_0_reduce
// CHECK: %[[INF:.*]] = arith.constant 0xFF800000 : f32
// CHECK-NOT: scf.for
// CHECK: memref.store %[[INF]]
exec.kernel @none inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<4x0xf32>, %y: memref<4xf32>):
  %0 = exec.load %x : memref<4x0xf32> -> tensor<4x0xf32>
  %1 = hgc.reduce max %0 axes = [1] : (tensor<4x0xf32>) -> tensor<4xf32>
  exec.store %1, %y : tensor<4xf32>, memref<4xf32>
}
}
