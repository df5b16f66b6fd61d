//===- GpuModelPtx.h - kernels of the model written by hand ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_UNITTESTS_RUNTIME_GPUMODELPTX_H
#define HGC_UNITTESTS_RUNTIME_GPUMODELPTX_H

namespace hgc::rt_test {

inline constexpr char gpuModelPtx[] = R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry scale(.param .u64 px, .param .u64 pw, .param .u64 py) {
  .reg .b64 %rd<8>;
  .reg .b32 %r<5>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [px];
  ld.param.u64 %rd2, [pw];
  ld.param.u64 %rd3, [py];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd2];
  fma.rn.f32 %f3, %f1, 0f40000000, %f2;
  st.global.f32 [%rd6], %f3;
  ret;
}

.visible .entry accumulate(.param .u64 px, .param .u64 pc, .param .u64 py) {
  .reg .b64 %rd<8>;
  .reg .b32 %r<2>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [px];
  ld.param.u64 %rd2, [pc];
  ld.param.u64 %rd3, [py];
  mov.u32 %r1, %tid.x;
  mul.wide.s32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.rn.f32 %f3, %f1, %f2;
  st.global.f32 [%rd6], %f3;
  st.global.f32 [%rd7], %f3;
  ret;
}

.visible .entry gemm(.param .u64 pa, .param .u64 pb, .param .u64 pc) {
  .reg .pred %p<2>;
  .reg .b64 %rd<8>;
  .reg .b32 %r<5>;
  .reg .f32 %f<4>;
  ld.param.u64 %rd1, [pa];
  ld.param.u64 %rd2, [pb];
  ld.param.u64 %rd3, [pc];
  mov.u32 %r1, %tid.x;
  div.u32 %r2, %r1, 3;
  rem.u32 %r3, %r1, 3;
  mul.wide.u32 %rd4, %r2, 16;
  add.s64 %rd1, %rd1, %rd4;
  mul.wide.u32 %rd4, %r3, 16;
  add.s64 %rd2, %rd2, %rd4;
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd3, %rd3, %rd4;
  mov.f32 %f3, 0f00000000;
  mov.u32 %r4, 0;
LOOP:
  ld.global.f32 %f1, [%rd1];
  ld.global.f32 %f2, [%rd2];
  fma.rn.f32 %f3, %f1, %f2, %f3;
  add.s64 %rd1, %rd1, 4;
  add.s64 %rd2, %rd2, 4;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 4;
  @%p1 bra LOOP;
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

} // namespace hgc::rt_test

#endif
