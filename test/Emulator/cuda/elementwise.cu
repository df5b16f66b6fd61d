// Bias, gelu and a residual over rows, four elements per thread where possible.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

extern "C" __global__ void bias_gelu(const float *__restrict__ x,
                                     const float *__restrict__ bias,
                                     float *__restrict__ y, int rows,
                                     int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns)
    return;
  float v = x[i] + bias[i % columns];
  y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

extern "C" __global__ void half_ops(const __half *a, const __half *b,
                                    __half *sum, __half *product, float *wide,
                                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  sum[i] = a[i] + b[i];
  product[i] = __hfma(a[i], b[i], a[i]);
  wide[i] = __half2float(a[i]) * 2.0f;
}

extern "C" __global__ void brain_ops(const __nv_bfloat16 *a, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = expf(__bfloat162float(a[i])) + sqrtf(fabsf((float)a[i]));
}

extern "C" __global__ void bytes(const unsigned char *a, const signed char *b,
                                 int *y, unsigned char *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = a[i] * b[i] / 3 + (a[i] % 7);
  z[i] = (unsigned char)(a[i] + b[i]);
}

extern "C" __global__ void doubles(const double *a, double *y, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a[i] / 3.0 + sqrt(fabs(a[i])) + sin(a[i]);
}
