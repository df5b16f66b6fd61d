// One block per row; shuffles within warps, shared memory between them.
__device__ float warp_max(float v) {
  for (int d = 16; d; d /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
__device__ float warp_sum(float v) {
  for (int d = 16; d; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  return __shfl_sync(0xffffffffu, v, 0);
}

extern "C" __global__ void __launch_bounds__(256)
    softmax(const float *__restrict__ x, float *__restrict__ y, int columns) {
  __shared__ float part[8];
  const float *row = x + (size_t)blockIdx.x * columns;
  float *out = y + (size_t)blockIdx.x * columns;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float m = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    m = fmaxf(m, row[i]);
  m = warp_max(m);
  if (lane == 0)
    part[warp] = m;
  __syncthreads();
  m = part[0];
  for (int w = 1; w < 8; ++w)
    m = fmaxf(m, part[w]);
  __syncthreads();
  float s = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    s += __expf(row[i] - m);
  s = warp_sum(s);
  if (lane == 0)
    part[warp] = s;
  __syncthreads();
  s = 0;
  for (int w = 0; w < 8; ++w)
    s += part[w];
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[i] = __expf(row[i] - m) / s;
}
