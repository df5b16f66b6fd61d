// RUN: hgc-opt --hgc-emit-gpu-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// A thread takes four neighbours, aligned; the geometry is exact. Buffers are flat,
// do not overlap and are aligned.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @bias
// CHECK-SAME: launches = [{block = array<i64: 256, 1, 1>, function = "hgc_0_pointwise", grid = array<i64: 75, 1, 1>, shared = 0 : i64}]
// CHECK-SAME: schedule = "pointwise dims=2 lanes=4", scratch_bytes = 0
// CHECK: gpu.module @hgc_gpu
// CHECK: gpu.func @hgc_0_pointwise(%[[X:[a-z0-9]+]]: memref<76800xf32> {llvm.align = 16 : i64, llvm.noalias}, %[[B:[a-z0-9]+]]: memref<300xf32>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 75, 1, 1>
// CHECK: arith.remui {{.*}}, %c75
// CHECK: vector.load %[[X]][{{.*}}] {alignment = 16 : i64} : memref<76800xf32>, vector<4xf32>
// CHECK: vector.load %[[B]][{{.*}}] {alignment = 16 : i64}
// CHECK: math.tanh {{.*}} : vector<4xf32>
// CHECK: vector.store {{.*}} {alignment = 16 : i64}
exec.kernel @bias inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<256x300xf32>, %b: memref<300xf32>, %y: memref<256x300xf32>):
  %0 = exec.load %x : memref<256x300xf32> -> tensor<256x300xf32>
  %1 = exec.load %b : memref<300xf32> -> tensor<300xf32>
  %2 = hgc.add %0, %1 : (tensor<256x300xf32>, tensor<300xf32>) -> tensor<256x300xf32>
  %3 = hgc.tanh %2 : tensor<256x300xf32>
  exec.store %3, %y : tensor<256x300xf32>, memref<256x300xf32>
}
}

// -----

// What does not fill the lanes of a thread gets a thread each.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @rest {{.*}}schedule = "pointwise dims=1 lanes=4"
// CHECK: gpu.func @hgc_0_pointwise
// CHECK: arith.cmpi slt, %[[ID:.*]], %c25000
// CHECK: vector.store
// CHECK: arith.cmpi slt, %[[ID]], %c25003
// CHECK: arith.addi %[[ID]], %c75000
// CHECK: memref.store
exec.kernel @rest inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<100003xf32>, %y: memref<100003xf32>):
  %0 = exec.load %x : memref<100003xf32> -> tensor<100003xf32>
  %1 = hgc.relu %0 : tensor<100003xf32>
  exec.store %1, %y : tensor<100003xf32>, memref<100003xf32>
}
}

// -----

// Small kernels need threads more than wide accesses; rank 0 is one thread.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @small {{.*}}lanes=1
// CHECK: exec.kernel @scalar {{.*}}grid = array<i64: 1, 1, 1>
exec.kernel @small inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024xf32>, %y: memref<1024xf32>):
  %0 = exec.load %x : memref<1024xf32> -> tensor<1024xf32>
  %1 = hgc.neg %0 : tensor<1024xf32>
  exec.store %1, %y : tensor<1024xf32>, memref<1024xf32>
}
exec.kernel @scalar inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<f64>, %y: memref<f64>):
  %0 = exec.load %x : memref<f64> -> tensor<f64>
  %1 = hgc.neg %0 : tensor<f64>
  exec.store %1, %y : tensor<f64>, memref<f64>
}
}

// -----

// Without elements there is no launch. Kernels on the CPU are left alone.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @empty {{.*}}launches = [], schedule = "empty"
// CHECK: exec.kernel @on_cpu inputs 1 {
// CHECK-NOT: gpu.func
exec.kernel @empty inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<0x4xf32>, %y: memref<0x4xf32>):
  %0 = exec.load %x : memref<0x4xf32> -> tensor<0x4xf32>
  %1 = hgc.neg %0 : tensor<0x4xf32>
  exec.store %1, %y : tensor<0x4xf32>, memref<0x4xf32>
}
exec.kernel @on_cpu inputs 1 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %0 = exec.load %x : memref<4xf32> -> tensor<4xf32>
  %1 = hgc.neg %0 : tensor<4xf32>
  exec.store %1, %y : tensor<4xf32>, memref<4xf32>
}
}

// -----

// A transposed input is loaded along its own rows into a padded tile and read from
// there along the rows of the result.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @transpose {{.*}}grid = array<i64: 160, 1, 1>, {{.*}}schedule = "pointwise dims=2 tiled inputs=1"
// CHECK: gpu.func @hgc_0_pointwise(%[[X:[a-z0-9]+]]: memref<150000xf16>
// CHECK-SAME: workgroup(%[[TILE:[a-z0-9]+]] : memref<1056xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK: memref.load %[[X]]
// CHECK: memref.store {{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[TILE]]
exec.kernel @transpose inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<300x500xf16>, %b: memref<300xf16>, %y: memref<500x300xf16>):
  %0 = exec.load %x : memref<300x500xf16> -> tensor<300x500xf16>
  %1 = exec.load %b : memref<300xf16> -> tensor<300xf16>
  %2 = hgc.transpose %0 permutation = [1, 0] : (tensor<300x500xf16>) -> tensor<500x300xf16>
  %3 = hgc.mul %2, %1 : (tensor<500x300xf16>, tensor<300xf16>) -> tensor<500x300xf16>
  exec.store %3, %y : tensor<500x300xf16>, memref<500x300xf16>
}
}

// -----

// An input that is read along and across has no one place in a tile.
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @symmetric {{.*}}schedule = "pointwise dims=2 lanes=1"
exec.kernel @symmetric inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<64x64xf32>, %y: memref<64x64xf32>):
  %0 = exec.load %x : memref<64x64xf32> -> tensor<64x64xf32>
  %1 = hgc.transpose %0 permutation = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = hgc.add %0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  exec.store %2, %y : tensor<64x64xf32>, memref<64x64xf32>
}
}
