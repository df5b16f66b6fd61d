// RUN: hgc-opt --hgc-emit-gpu-kernels --hgc-lower-gpu-to-ptx --split-input-file %s | FileCheck %s

// The oldest PTX that knows the GPU; wide accesses through the read-only cache;
// 32-bit index arithmetic; nothing but instructions. The functions are gone.
module attributes {hgc.target_gpu = "a100"} {
// CHECK: exec.gpu_images = [{data = "
// CHECK-SAME: .version 7.0\0A.target sm_80\0A
// CHECK-SAME: .visible .entry hgc_0_pointwise(
// CHECK-SAME: .maxntid 256, 1, 1
// CHECK-NOT: .extern
// CHECK-NOT: div.u64
// CHECK-SAME: mul.wide.u32
// CHECK-SAME: ld.global.nc.v4.b32
// CHECK-SAME: fma.rn.f32
// CHECK-SAME: div.rn.f32
// CHECK-SAME: sqrt.rn.f32
// CHECK-SAME: st.global.v4.b32
// CHECK-SAME: kind = "ptx", sm = 80 : i64}]
// CHECK-NOT: gpu.module
exec.kernel @k inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<256x300xf32>, %b: memref<300xf32>, %y: memref<256x300xf32>):
  %0 = exec.load %x : memref<256x300xf32> -> tensor<256x300xf32>
  %1 = exec.load %b : memref<300xf32> -> tensor<300xf32>
  %2 = hgc.add %0, %1 : (tensor<256x300xf32>, tensor<300xf32>) -> tensor<256x300xf32>
  %3 = hgc.sigmoid %2 : tensor<256x300xf32>
  %4 = hgc.sqrt %3 : tensor<256x300xf32>
  exec.store %4, %y : tensor<256x300xf32>, memref<256x300xf32>
}
}

// -----

// Of several GPUs the oldest decides. It has no bf16: integers do. A half is
// converted by an instruction.
module attributes {hgc.target_gpu = "h100,t4"} {
// CHECK: .version 6.5\0A.target sm_75\0A
// CHECK-NOT: .bf16
// CHECK-SAME: cvt.f32.f16
// CHECK-NOT: .bf16
// CHECK-SAME: sm = 75 : i64
exec.kernel @k inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<8xf16>, %z: memref<8xbf16>, %y: memref<8xbf16>):
  %0 = exec.load %x : memref<8xf16> -> tensor<8xf16>
  %1 = exec.load %z : memref<8xbf16> -> tensor<8xbf16>
  %2 = hgc.cast %0 to bf16 : (tensor<8xf16>) -> tensor<8xbf16>
  %3 = hgc.mul %1, %2 : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  exec.store %3, %y : tensor<8xbf16>, memref<8xbf16>
}
}

// -----

// Nothing is read beyond a buffer's end, however it is aligned.
module attributes {hgc.target_gpu = "sm_120"} {
// CHECK: .version 8.7\0A.target sm_120\0A
// CHECK-NOT: ld.global{{[a-z.]*}}.v2
// CHECK-SAME: sm = 120 : i64
exec.kernel @k inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<3xf32>, %y: memref<f32>):
  %0 = exec.load %x : memref<3xf32> -> tensor<3xf32>
  %1 = hgc.reduce sum %0 axes = [0] : (tensor<3xf32>) -> tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32>
}
}
