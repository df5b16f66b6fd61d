// Tiled product in f32: shared tiles, four results per thread, any size.
extern "C" __global__ void gemm(const float *a, const float *b, float *c, int m,
                                int n, int k) {
  __shared__ float ta[32][33];
  __shared__ float tb[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  float sum[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < k; k0 += 32) {
    for (int r = 0; r < 4; ++r) {
      int y = threadIdx.y + 8 * r;
      int ra = blockIdx.y * 32 + y, rb = k0 + y;
      ta[y][threadIdx.x] =
          ra < m && k0 + threadIdx.x < k ? a[ra * k + k0 + threadIdx.x] : 0.0f;
      tb[y][threadIdx.x] = rb < k && col < n ? b[rb * n + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      for (int r = 0; r < 4; ++r)
        sum[r] += ta[threadIdx.y + 8 * r][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    if (row + 8 * r < m && col < n)
      c[(row + 8 * r) * n + col] = sum[r];
}
