// Sums and histograms with atomics; a ticket elects the last block.
__device__ unsigned int ticket;
__constant__ float weights[4] = {1.0f, 0.5f, 0.25f, 0.125f};

extern "C" __global__ void histogram(const int *x, int *bins, int n) {
  __shared__ int local[16];
  if (threadIdx.x < 16)
    local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[x[i] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

extern "C" __global__ void last_block_sum(const float *x, float *partial,
                                          float *result, int n) {
  __shared__ bool last;
  __shared__ float sums[256];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    s += x[i] * weights[i & 3];
  sums[threadIdx.x] = s;
  __syncthreads();
  for (int d = blockDim.x / 2; d; d /= 2) {
    if (threadIdx.x < d)
      sums[threadIdx.x] += sums[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < gridDim.x; ++i)
      total += ((volatile float *)partial)[i];
    *result = total;
  }
}

extern "C" __global__ void votes(const int *x, unsigned *y) {
  int v = x[threadIdx.x];
  unsigned b = __ballot_sync(0xffffffffu, v > 0);
  unsigned m = __match_any_sync(0xffffffffu, v & 3);
  int s = __reduce_add_sync(0xffffffffu, v);
  y[4 * threadIdx.x] = b;
  y[4 * threadIdx.x + 1] = m;
  y[4 * threadIdx.x + 2] = s;
  y[4 * threadIdx.x + 3] = __popc(b) + __clz(v) + __brev(v) + __ffs(v);
}
