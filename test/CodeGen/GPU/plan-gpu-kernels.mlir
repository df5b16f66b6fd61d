// RUN: hgc-opt --hgc-plan-gpu-kernels --hgc-plan-memory --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-plan-gpu-kernels=own-kernels --hgc-plan-memory --split-input-file %s | FileCheck %s --check-prefix=OWN

// A sum in parts needs memory between its launches: rounded up, for every stream
// that runs kernels.
// CHECK: module attributes {exec.memory = {{.*}}gpu_0 = {{.*}}scratch_bytes = 512 : i64
// CHECK-NOT: workspace_bytes
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @all inputs 1 attributes {device = #hgc.device<gpu>, scratch_bytes = 488 : i64}
exec.kernel @all inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1000000xf32, #exec.space<gpu>>, %y: memref<f32, #exec.space<gpu>>):
  %0 = exec.load %x : memref<1000000xf32, #exec.space<gpu>> -> tensor<1000000xf32>
  %1 = hgc.reduce sum %0 axes = [0] : (tensor<1000000xf32>) -> tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32, #exec.space<gpu>>
}
}

// -----

// Products that are worth it may go to cuBLAS, which has 4 MiB, from sm_90 on 32.
// CHECK: gpu_0 = {{.*}}workspace_bytes = 4194304 : i64
// OWN: module attributes {exec.memory = {
// OWN-NOT: workspace_bytes
// OWN-SAME: hgc.own_kernels
module attributes {hgc.target_gpu = "sm_80"} {
// CHECK: exec.kernel @product {{.*}}gemm =
// OWN: exec.kernel @product
// OWN-NOT: gemm =
exec.kernel @product inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x1024xf32, #exec.space<gpu>>, %b: memref<1024x1024xf32, #exec.space<gpu>>, %c: memref<1024x1024xf32, #exec.space<gpu>>):
  %0 = exec.load %a : memref<1024x1024xf32, #exec.space<gpu>> -> tensor<1024x1024xf32>
  %1 = exec.load %b : memref<1024x1024xf32, #exec.space<gpu>> -> tensor<1024x1024xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  exec.store %2, %c : tensor<1024x1024xf32>, memref<1024x1024xf32, #exec.space<gpu>>
}
}

// -----

// CHECK: gpu_0 = {{.*}}workspace_bytes = 33554432 : i64
module attributes {hgc.target_gpu = "sm_80,sm_90"} {
exec.kernel @product inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x1024xf32, #exec.space<gpu>>, %b: memref<1024x1024xf32, #exec.space<gpu>>, %c: memref<1024x1024xf32, #exec.space<gpu>>):
  %0 = exec.load %a : memref<1024x1024xf32, #exec.space<gpu>> -> tensor<1024x1024xf32>
  %1 = exec.load %b : memref<1024x1024xf32, #exec.space<gpu>> -> tensor<1024x1024xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  exec.store %2, %c : tensor<1024x1024xf32>, memref<1024x1024xf32, #exec.space<gpu>>
}
}
