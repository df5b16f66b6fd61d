// RUN: sed 's/GPU/sm_80/' %s | hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx | FileCheck %s
// RUN: sed 's/GPU/sm_75/' %s | hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx | FileCheck %s --check-prefix=OLD

// Copies run by themselves, three deep; fragments come by ldmatrix, transposed
// where rows lie side by side. The text of the PTX precedes the kernels.
// CHECK:     .entry hgc_0_matmul
// CHECK:       cp.async.cg.shared.global
// CHECK:       cp.async.commit_group
// CHECK:       cp.async.wait_group
// CHECK:       ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK:       ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK:       mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK:     .entry hgc_1_matmul
// CHECK-NOT:   cp.async.cg
// CHECK:       mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK:     .entry hgc_2_conv
// CHECK:       cp.async.cg.shared.global {{.*}}, 16, %r
// CHECK:       mma.sync

// Older GPUs have neither such copies nor that depth; bf16 is left to the
// ordinary units.
// OLD:       .entry hgc_0_matmul
// OLD-NOT:     cp.async
// OLD:         ld.global.nc.v4
// OLD:         ldmatrix.sync.aligned.m8n8.x4
// OLD:         mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
// OLD:       .entry hgc_1_matmul
// OLD-NOT:     mma.sync
// OLD:         fma.rn.f32
// OLD:       .entry hgc_2_conv

module attributes {hgc.target_gpu = "GPU"} {

// CHECK: exec.kernel @half {{.*}}tensor cores, tile 128x128x32, 64x64 a warp
// OLD:   exec.kernel @half {{.*}}tensor cores
exec.kernel @half inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<2048x2048xf16>, %b: memref<2048x4096xf16>, %y: memref<2048x4096xf32>):
  %0 = exec.load %a : memref<2048x2048xf16> -> tensor<2048x2048xf16>
  %1 = exec.load %b : memref<2048x4096xf16> -> tensor<2048x4096xf16>
  %2 = hgc.matmul %0, %1 : (tensor<2048x2048xf16>, tensor<2048x4096xf16>) -> tensor<2048x4096xf32>
  exec.store %2, %y : tensor<2048x4096xf32>, memref<2048x4096xf32>
}

// Nothing is aligned: elements are gathered in registers.
// CHECK: exec.kernel @odd {{.*}}tensor cores
// OLD:   exec.kernel @odd {{.*}}"matmul: tile
exec.kernel @odd inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<67x101xbf16>, %b: memref<101x35xbf16>, %y: memref<67x35xf32>):
  %0 = exec.load %a : memref<67x101xbf16> -> tensor<67x101xbf16>
  %1 = exec.load %b : memref<101x35xbf16> -> tensor<101x35xbf16>
  %2 = hgc.matmul %0, %1 : (tensor<67x101xbf16>, tensor<101x35xbf16>) -> tensor<67x35xf32>
  exec.store %2, %y : tensor<67x35xf32>, memref<67x35xf32>
}

// Padding is what a copy of no bytes leaves behind.
// CHECK: exec.kernel @windows {{.*}}convolution: tensor cores
exec.kernel @windows inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<8x14x14x64xf16>, %w: memref<3x3x64x128xf16>, %y: memref<8x14x14x128xf32>):
  %0 = exec.load %x : memref<8x14x14x64xf16> -> tensor<8x14x14x64xf16>
  %1 = exec.load %w : memref<3x3x64x128xf16> -> tensor<3x3x64x128xf16>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
      : (tensor<8x14x14x64xf16>, tensor<3x3x64x128xf16>) -> tensor<8x14x14x128xf32>
  exec.store %2, %y : tensor<8x14x14x128xf32>, memref<8x14x14x128xf32>
}
}
