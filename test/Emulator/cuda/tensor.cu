// Tensor cores by inline PTX: one warp, 16x8 tiles of C, cp.async and ldmatrix.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

extern "C" __global__ void tensor_f16(const __half *a, const __half *b,
                                      float *c, int k) {
  __shared__ __align__(16) __half ta[16][24];
  __shared__ __align__(16) __half tb[16][8];
  int lane = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < k; k0 += 16) {
    uint32_t to = __cvta_generic_to_shared(&ta[lane / 2][8 * (lane % 2)]);
    const __half *from = a + (lane / 2) * k + k0 + 8 * (lane % 2);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
    if (lane < 16) {
      uint32_t tob = __cvta_generic_to_shared(&tb[lane][0]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(tob),
                   "l"(b + (k0 + lane) * 8));
    }
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    uint32_t ra[4], rb[2];
    uint32_t pa = __cvta_generic_to_shared(&ta[lane % 16][8 * (lane / 16)]);
    uint32_t pb = __cvta_generic_to_shared(&tb[lane % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]),
                   "r"(rb[1]));
    __syncthreads();
  }
  int row = lane / 4, col = 2 * (lane % 4);
  c[row * 8 + col] = d[0];
  c[row * 8 + col + 1] = d[1];
  c[(row + 8) * 8 + col] = d[2];
  c[(row + 8) * 8 + col + 1] = d[3];
}

extern "C" __global__ void tensor_tf32(const float *a, const float *b, float *c) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  uint32_t ra[4], rb[2];
  float d[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(ra[i])
        : "f"(a[(g + 8 * (i & 1)) * 8 + t + 4 * (i >> 1)]));
  for (int i = 0; i < 2; ++i)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rb[i]) : "f"(b[(t + 4 * i) * 8 + g]));
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i)
    c[(g + 8 * (i >> 1)) * 8 + 2 * t + (i & 1)] = d[i];
}

extern "C" __global__ void tensor_s8(const int *a, const int *b, int *c) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  int d[4] = {0, 0, 0, 0};
  // a: 16 rows of 32 bytes, b: 8 columns of 32 bytes
  int ra[4], rb[2];
  for (int i = 0; i < 4; ++i)
    ra[i] = a[(g + 8 * (i & 1)) * 8 + t + 4 * (i >> 1)];
  for (int i = 0; i < 2; ++i)
    rb[i] = b[g * 8 + t + 4 * i];
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i)
    c[(g + 8 * (i >> 1)) * 8 + 2 * t + (i & 1)] = d[i];
}
