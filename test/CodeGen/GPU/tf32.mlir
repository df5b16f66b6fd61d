// RUN: sed 's/GPU/sm_80/' %s | hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx | FileCheck %s
// RUN: sed 's/GPU/sm_90/' %s | hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx | FileCheck %s --check-prefix=NEW
// RUN: sed 's/GPU/sm_75/' %s | hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: sed 's/GPU/sm_80/; s/, hgc.allow_tf32//' %s | hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx | FileCheck %s --check-prefix=EXACT

// Elements are rounded between global and shared memory; fragments come by
// ldmatrix, never transposed. The text of the PTX precedes the kernels.
// CHECK:       .entry hgc_0_matmul
// CHECK:         ld.global.nc.v4
// CHECK:         cvt.rna.tf32.f32
// CHECK:         st.shared.v4
// CHECK:         ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT:     ldmatrix.sync.aligned.m8n8.x4.trans
// CHECK:         mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK:       .entry hgc_1_matmul
// CHECK:         mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK:       .entry hgc_2_conv
// CHECK:         mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK:       .entry hgc_3_matmul
// CHECK-NOT:     mma.sync
// CHECK:         fma.rn.f64

// Newer GPUs round in one instruction.
// NEW:         .entry hgc_0_matmul
// NEW:         cvt.rn.tf32.f32

// Older ones have no such tensor cores.
// OLD:         warning: tf32 is allowed, but 'sm_75' has no tensor cores for it: f32 stays exact
// OLD:         note: hint: name GPUs from sm_80 on only
// OLD-NOT:     mma.sync

// Nobody asked.
// EXACT-NOT:   tf32
// EXACT:       exec.kernel @plain {{.*}}"cublas or matmul: tile
// EXACT-NOT:   allow_tf32

module attributes {hgc.target_gpu = "GPU", hgc.allow_tf32} {

// CHECK: exec.kernel @plain {{.*}}allow_tf32 = 1 : i64{{.*}}"cublas or matmul: tf32 tensor cores, tile 128x128x16, 64x64 a warp
// OLD:   exec.kernel @plain
// OLD-NOT: allow_tf32 =
// OLD-SAME: "cublas or matmul: tile
exec.kernel @plain inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<2048x2048xf32>, %b: memref<2048x4096xf32>, %y: memref<2048x4096xf32>):
  %0 = exec.load %a : memref<2048x2048xf32> -> tensor<2048x2048xf32>
  %1 = exec.load %b : memref<2048x4096xf32> -> tensor<2048x4096xf32>
  %2 = hgc.matmul %0, %1 : (tensor<2048x2048xf32>, tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
  exec.store %2, %y : tensor<2048x4096xf32>, memref<2048x4096xf32>
}

// Nothing is aligned.
// CHECK: exec.kernel @odd {{.*}}tf32 tensor cores
exec.kernel @odd inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<67x101xf32>, %b: memref<101x35xf32>, %y: memref<67x35xf32>):
  %0 = exec.load %a : memref<67x101xf32> -> tensor<67x101xf32>
  %1 = exec.load %b : memref<101x35xf32> -> tensor<101x35xf32>
  %2 = hgc.matmul %0, %1 : (tensor<67x101xf32>, tensor<101x35xf32>) -> tensor<67x35xf32>
  exec.store %2, %y : tensor<67x35xf32>, memref<67x35xf32>
}

// CHECK: exec.kernel @windows {{.*}}convolution: tf32 tensor cores
exec.kernel @windows inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<8x14x14x64xf32>, %w: memref<3x3x64x128xf32>, %y: memref<8x14x14x128xf32>):
  %0 = exec.load %x : memref<8x14x14x64xf32> -> tensor<8x14x14x64xf32>
  %1 = exec.load %w : memref<3x3x64x128xf32> -> tensor<3x3x64x128xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
      : (tensor<8x14x14x64xf32>, tensor<3x3x64x128xf32>) -> tensor<8x14x14x128xf32>
  exec.store %2, %y : tensor<8x14x14x128xf32>, memref<8x14x14x128xf32>
}

// Wider types stay what they are.
// CHECK: exec.kernel @wide {{.*}}"matmul: tile
exec.kernel @wide inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<67x101xf64>, %b: memref<101x35xf64>, %y: memref<67x35xf64>):
  %0 = exec.load %a : memref<67x101xf64> -> tensor<67x101xf64>
  %1 = exec.load %b : memref<101x35xf64> -> tensor<101x35xf64>
  %2 = hgc.matmul %0, %1 : (tensor<67x101xf64>, tensor<101x35xf64>) -> tensor<67x35xf64>
  exec.store %2, %y : tensor<67x35xf64>, memref<67x35xf64>
}
}
