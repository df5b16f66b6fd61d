//===- ForeignTest.cpp - kernels compiled by nvcc ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX beside the .cu files in test/Emulator/cuda is nvcc's (CUDA 13.0,
// -arch=compute_80 -ptx): another producer than the one hgc uses.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "exec/Half.h"

#include <cmath>
#include <random>

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

struct Foreign : testing::Test {
  Device device;
  std::mt19937 random{11};

  void open(const char *name) { device.loadFile(std::string(HGC_EMU_PTX_DIR) + "/" + name); }
  std::vector<float> floats(size_t n) {
    std::uniform_real_distribution<float> uniform(-3, 3);
    std::vector<float> result(n);
    for (float &value : result)
      value = uniform(random);
    return result;
  }
  void run(const char *name, uint32_t blocks, uint32_t threads, const Params &params) {
    LaunchResult result = device.run(name, blocks, threads, params.bytes);
    EXPECT_TRUE(result.ok()) << name << ": " << messages(result);
  }
};

TEST_F(Foreign, Elementwise) {
  open("elementwise.ptx");
  const int rows = 37, columns = 53, n = rows * columns;
  std::vector<float> x = floats(n), bias = floats(columns);
  uint64_t y = device.memory.allocate(n * 4);
  run("bias_gelu", (n + 127) / 128, 128,
      Params().add(device.put(x)).add(device.put(bias)).add(y).add(rows).add(columns));
  std::vector<float> have = device.get<float>(y, n);
  for (int i = 0; i < n; ++i) {
    double v = double(x[i]) + bias[i % columns];
    double want = 0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
    ASSERT_NEAR(have[i], want, 1e-5);
  }
}

TEST_F(Foreign, SmallTypes) {
  open("elementwise.ptx");
  const int n = 300;
  std::vector<uint16_t> a, b;
  for (float value : floats(n))
    a.push_back(toHalf(value));
  for (float value : floats(n))
    b.push_back(toHalf(value));
  uint64_t sum = device.memory.allocate(n * 2), product = device.memory.allocate(n * 2),
           wide = device.memory.allocate(n * 4);
  run("half_ops", 3, 128, Params().add(device.put(a)).add(device.put(b)).add(sum).add(product).add(wide).add(n));
  std::vector<uint16_t> sums = device.get<uint16_t>(sum, n), products = device.get<uint16_t>(product, n);
  std::vector<float> wides = device.get<float>(wide, n);
  for (int i = 0; i < n; ++i) {
    float x = fromHalf(a[i]), y = fromHalf(b[i]);
    ASSERT_EQ(sums[i], toHalf(x + y));
    ASSERT_EQ(products[i], toHalf(float(double(x) * y + x)));
    ASSERT_EQ(wides[i], 2 * x);
  }
  std::vector<uint8_t> u(n);
  std::vector<int8_t> s(n);
  for (int i = 0; i < n; ++i)
    u[i] = random(), s[i] = random();
  uint64_t y = device.memory.allocate(n * 4), z = device.memory.allocate(n);
  run("bytes", 3, 128, Params().add(device.put(u)).add(device.put(s)).add(y).add(z).add(n));
  std::vector<int> ints = device.get<int>(y, n);
  std::vector<uint8_t> bytes = device.get<uint8_t>(z, n);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(ints[i], u[i] * s[i] / 3 + u[i] % 7);
    ASSERT_EQ(bytes[i], uint8_t(u[i] + s[i]));
  }
}

TEST_F(Foreign, BrainAndDouble) {
  open("elementwise.ptx");
  const int n = 200;
  std::vector<uint16_t> a;
  for (float value : floats(n))
    a.push_back(toBrain(value));
  uint64_t y = device.memory.allocate(n * 4);
  run("brain_ops", 2, 128, Params().add(device.put(a)).add(y).add(n));
  std::vector<float> have = device.get<float>(y, n);
  for (int i = 0; i < n; ++i) {
    double x = fromBrain(a[i]);
    ASSERT_NEAR(have[i], std::exp(x) + std::sqrt(std::fabs(x)), 2e-5);
  }
  std::vector<double> d(n);
  for (int i = 0; i < n; ++i)
    d[i] = (i - 100) * 1234.567 * (i % 7 ? 1 : 1e9);
  uint64_t z = device.memory.allocate(n * 8);
  run("doubles", 2, 128, Params().add(device.put(d)).add(z).add((long long)n));
  std::vector<double> doubles = device.get<double>(z, n);
  for (int i = 0; i < n; ++i) {
    double want = d[i] / 3 + std::sqrt(std::fabs(d[i])) + std::sin(d[i]);
    ASSERT_NEAR(doubles[i], want, 1e-12 * std::max(1.0, std::fabs(want)));
  }
}

TEST_F(Foreign, Softmax) {
  open("softmax.ptx");
  const int rows = 9, columns = 777;
  std::vector<float> x = floats(rows * columns);
  uint64_t y = device.memory.allocate(x.size() * 4);
  run("softmax", rows, 256, Params().add(device.put(x)).add(y).add(columns));
  std::vector<float> have = device.get<float>(y, x.size());
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += std::exp(double(x[r * columns + c]));
    for (int c = 0; c < columns; ++c)
      ASSERT_NEAR(have[r * columns + c], std::exp(double(x[r * columns + c])) / sum, 1e-7);
  }
}

TEST_F(Foreign, Gemm) {
  open("gemm.ptx");
  const int m = 45, n = 70, k = 51;
  std::vector<float> a = floats(m * k), b = floats(k * n);
  uint64_t c = device.memory.allocate(m * n * 4);
  device.config.block[1] = 8;
  device.config.grid[1] = (m + 31) / 32;
  run("gemm", (n + 31) / 32, 32, Params().add(device.put(a)).add(device.put(b)).add(c).add(m).add(n).add(k));
  std::vector<float> have = device.get<float>(c, m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int x = 0; x < k; ++x)
        sum += double(a[i * k + x]) * b[x * n + j];
      ASSERT_NEAR(have[i * n + j], sum, 1e-4);
    }
  // Padded tiles have no bank conflicts.
  EXPECT_EQ(device.counters.sharedWavefronts, device.counters.sharedWavefrontsIdeal);
}

TEST_F(Foreign, TensorCores) {
  open("tensor.ptx");
  const int k = 64;
  std::vector<uint16_t> a, b;
  for (float value : floats(16 * k))
    a.push_back(toHalf(value));
  for (float value : floats(k * 8))
    b.push_back(toHalf(value));
  uint64_t c = device.memory.allocate(16 * 8 * 4);
  run("tensor_f16", 1, 32, Params().add(device.put(a)).add(device.put(b)).add(c).add(k));
  std::vector<float> have = device.get<float>(c, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      double sum = 0;
      for (int x = 0; x < k; ++x)
        sum += double(fromHalf(a[i * k + x])) * fromHalf(b[x * 8 + j]);
      ASSERT_NEAR(have[i * 8 + j], sum, 1e-4);
    }
  std::vector<float> fa = floats(16 * 8), fb = floats(8 * 8);
  run("tensor_tf32", 1, 32, Params().add(device.put(fa)).add(device.put(fb)).add(c));
  have = device.get<float>(c, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      double sum = 0;
      for (int x = 0; x < 8; ++x)
        sum += double(fa[i * 8 + x]) * fb[x * 8 + j];
      ASSERT_NEAR(have[i * 8 + j], sum, 5e-2);
    }
  std::vector<int8_t> ia(16 * 32), ib(8 * 32);
  for (int8_t &value : ia)
    value = random();
  for (int8_t &value : ib)
    value = random();
  run("tensor_s8", 1, 32, Params().add(device.put(ia)).add(device.put(ib)).add(c));
  std::vector<int> ints = device.get<int>(c, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      int sum = 0;
      for (int x = 0; x < 32; ++x)
        sum += ia[i * 32 + x] * ib[j * 32 + x];
      ASSERT_EQ(ints[i * 8 + j], sum);
    }
}

TEST_F(Foreign, AtomicsAndVotes) {
  open("reduce.ptx");
  const int n = 5000;
  std::vector<int> x(n);
  int bins[16] = {};
  for (int &value : x)
    ++bins[(value = random() % 1000) & 15];
  uint64_t out = device.put(std::vector<int>(16, 0));
  run("histogram", 7, 96, Params().add(device.put(x)).add(out).add(n));
  EXPECT_EQ(device.get<int>(out, 16), std::vector<int>(bins, bins + 16));
  std::vector<float> f = floats(n);
  uint64_t partial = device.memory.allocate(9 * 4), total = device.memory.allocate(4);
  double want = 0;
  for (int i = 0; i < n; ++i)
    want += double(f[i]) / (1 << (i & 3));
  uint64_t in = device.put(f);
  for (int round = 0; round < 2; ++round) {
    run("last_block_sum", 9, 256, Params().add(in).add(partial).add(total).add(n));
    EXPECT_NEAR(device.get<float>(total, 1)[0], want, 1e-2);
  }
  std::vector<int> v(32);
  int sum = 0;
  for (int &value : v)
    sum += value = int(random() % 200) - 100;
  uint64_t y = device.memory.allocate(32 * 16);
  run("votes", 1, 32, Params().add(device.put(v)).add(y));
  std::vector<uint32_t> have = device.get<uint32_t>(y, 128);
  EXPECT_EQ(int(have[4 * 5 + 2]), sum);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(have[0] >> i & 1, uint32_t(v[i] > 0));
}

int collatz(int n) {
  int steps = 0;
  for (; n != 1 && steps < 1000; ++steps)
    n = n & 1 ? 3 * n + 1 : n / 2;
  return steps;
}

TEST_F(Foreign, Control) {
  open("control.ptx");
  const int n = 500;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = i + 1;
  uint64_t in = device.put(x), y = device.memory.allocate(n * 4), z = device.memory.allocate(n * 8);
  run("calls", 4, 128, Params().add(in).add(y).add(z).add(n));
  std::vector<int> have = device.get<int>(y, n);
  std::vector<double> doubles = device.get<double>(z, n);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(have[i], collatz(x[i]));
    ASSERT_EQ(doubles[i], int(x[i] * 2.5) + x[i] * 3.0);
  }
  run("local_array", 4, 128, Params().add(in).add(y).add(n));
  have = device.get<int>(y, n);
  for (int i = 0; i < n; ++i) {
    int a[32], at = x[i] & 31, sum = 0;
    for (int k = 0; k < 32; ++k)
      a[k] = x[i] * k;
    for (int k = 0; k < 8; ++k) {
      sum += a[at];
      at = (at * 5 + 3) & 31;
      a[at] ^= sum;
    }
    ASSERT_EQ(have[i], sum);
  }
  run("switches", 4, 128, Params().add(in).add(y).add(n));
  have = device.get<int>(y, n);
  EXPECT_EQ(have[15], 48);                   // 16: case 0
  EXPECT_EQ(have[2], collatz((3 & 63) | 1)); // 3: case 3
  EXPECT_EQ(have[36], -37);                  // 37: case 5
  EXPECT_EQ(have[41], 1764);                 // 42: case 10
}

} // namespace
