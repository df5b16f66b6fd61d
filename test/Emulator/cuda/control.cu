// Local arrays, calls, switches, loops that diverge.
__device__ __noinline__ int collatz(int n) {
  int steps = 0;
  while (n != 1 && steps < 1000) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}

struct Pair {
  int a;
  double b;
};
__device__ __noinline__ Pair swap_scale(Pair p, int by) {
  Pair r;
  r.a = (int)p.b;
  r.b = (double)p.a * by;
  return r;
}

extern "C" __global__ void calls(const int *x, int *y, double *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = collatz(x[i]);
  Pair p = {x[i], x[i] * 2.5};
  p = swap_scale(p, 3);
  z[i] = p.a + p.b;
}

extern "C" __global__ void local_array(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a[32];
  for (int k = 0; k < 32; ++k)
    a[k] = x[i] * k;
  int at = x[i] & 31, sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += a[at];
    at = (at * 5 + 3) & 31;
    a[at] ^= sum;
  }
  y[i] = sum;
}

extern "C" __global__ void switches(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = x[i], r = 0;
  switch (v & 15) {
  case 0: r = v * 3; break;
  case 1: r = v / 7; break;
  case 2: r = v ^ 0x55; break;
  case 3: r = collatz(v & 63 | 1); break;
  case 4: r = v << 3; break;
  case 5: r = -v; break;
  case 6: for (int k = 0; k < (v & 63); ++k) r += k * k; break;
  case 7: r = v % 11; break;
  case 8: r = __popc(v); break;
  case 9: r = v >> 2; break;
  case 10: r = v * v; break;
  default: r = 1;
  }
  y[i] = r;
}
