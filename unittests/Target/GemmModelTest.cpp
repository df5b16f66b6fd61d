//===- GemmModelTest.cpp - modelled against measured products -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/GemmModel.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

using namespace hgc;
using graph::FlopClass;

namespace {

struct Measured {
  const char *gpu;
  FlopClass type;
  int64_t batch, rows, columns, depth, nanoseconds;
};

/// Products timed on real GPUs, of those the parameters were not fitted on. f32
/// was computed as tf32.
const Measured kMeasured[] = {
    {"h100", FlopClass::F16, 1, 512, 1024, 2048, 9296},    {"h100", FlopClass::F16, 4, 4096, 2048, 4096, 341584},
    {"h100", FlopClass::F16, 1, 512, 4096, 2048, 16208},   {"h100", FlopClass::F16, 1, 2048, 512, 256, 6368},
    {"h100", FlopClass::F16, 2, 4096, 1024, 2048, 47600},  {"h100", FlopClass::F16, 4, 1024, 2048, 256, 14208},
    {"h100", FlopClass::F16, 1, 256, 4096, 512, 7344},     {"h100", FlopClass::F16, 1, 256, 512, 2048, 8400},
    {"h100", FlopClass::F16, 2, 4096, 4096, 2048, 181040}, {"h100", FlopClass::F16, 1, 4096, 2048, 2048, 47232},
    {"h100", FlopClass::F16, 2, 2048, 2048, 2048, 47473},  {"h100", FlopClass::F16, 4, 1024, 512, 256, 7568},
    {"h100", FlopClass::F16, 1, 2048, 4096, 2048, 47360},  {"h100", FlopClass::F16, 2, 4096, 2048, 256, 21472},
    {"h100", FlopClass::F16, 1, 4096, 256, 512, 7408},     {"h100", FlopClass::F16, 1, 2048, 1024, 2048, 16048},
    {"h100", FlopClass::F16, 1, 2048, 2048, 512, 12320},   {"h100", FlopClass::F16, 4, 2048, 1024, 4096, 92784},
    {"h100", FlopClass::F16, 4, 2048, 4096, 4096, 343297}, {"h100", FlopClass::F16, 2, 512, 2048, 256, 7568},
    {"h100", FlopClass::F32, 1, 512, 1024, 2048, 22176},   {"h100", FlopClass::F32, 4, 4096, 2048, 4096, 818529},
    {"h100", FlopClass::F32, 1, 512, 4096, 2048, 35008},   {"h100", FlopClass::F32, 1, 2048, 512, 256, 9600},
    {"h100", FlopClass::F32, 2, 4096, 1024, 2048, 120608}, {"h100", FlopClass::F32, 4, 1024, 2048, 256, 24913},
    {"h100", FlopClass::F32, 1, 256, 4096, 512, 13136},    {"h100", FlopClass::F32, 1, 256, 512, 2048, 7984},
    {"h100", FlopClass::F32, 2, 4096, 4096, 2048, 420753}, {"h100", FlopClass::F32, 1, 4096, 2048, 2048, 110544},
    {"h100", FlopClass::F32, 2, 2048, 2048, 2048, 113921}, {"h100", FlopClass::F32, 4, 1024, 512, 256, 13040},
    {"h100", FlopClass::F32, 1, 2048, 4096, 2048, 108992}, {"h100", FlopClass::F32, 2, 4096, 2048, 256, 39680},
    {"h100", FlopClass::F32, 1, 4096, 256, 512, 13136},    {"h100", FlopClass::F32, 1, 2048, 1024, 2048, 32192},
    {"h100", FlopClass::F32, 1, 2048, 2048, 512, 28464},   {"h100", FlopClass::F32, 4, 2048, 1024, 4096, 218625},
    {"h100", FlopClass::F32, 4, 2048, 4096, 4096, 820305}, {"h100", FlopClass::F32, 2, 512, 2048, 256, 13040},
    {"b200", FlopClass::F16, 1, 512, 1024, 2048, 8162},    {"b200", FlopClass::F16, 4, 4096, 2048, 4096, 187539},
    {"b200", FlopClass::F16, 1, 512, 4096, 2048, 11283},   {"b200", FlopClass::F16, 1, 2048, 512, 256, 5920},
    {"b200", FlopClass::F16, 2, 4096, 1024, 2048, 29552},  {"b200", FlopClass::F16, 4, 1024, 2048, 256, 10562},
    {"b200", FlopClass::F16, 1, 256, 4096, 512, 6576},     {"b200", FlopClass::F16, 1, 256, 512, 2048, 7778},
    {"b200", FlopClass::F16, 2, 4096, 4096, 2048, 102231}, {"b200", FlopClass::F16, 1, 4096, 2048, 2048, 29367},
    {"b200", FlopClass::F16, 2, 2048, 2048, 2048, 29606},  {"b200", FlopClass::F16, 4, 1024, 512, 256, 6529},
    {"b200", FlopClass::F16, 1, 2048, 4096, 2048, 29296},  {"b200", FlopClass::F16, 2, 4096, 2048, 256, 16052},
    {"b200", FlopClass::F16, 1, 4096, 256, 512, 6674},     {"b200", FlopClass::F16, 1, 2048, 1024, 2048, 11297},
    {"b200", FlopClass::F16, 1, 2048, 2048, 512, 9136},    {"b200", FlopClass::F16, 4, 2048, 1024, 4096, 51725},
    {"b200", FlopClass::F16, 4, 2048, 4096, 4096, 187472}, {"b200", FlopClass::F16, 2, 512, 2048, 256, 6528},
    {"b200", FlopClass::F32, 1, 512, 1024, 2048, 11427},   {"b200", FlopClass::F32, 4, 4096, 2048, 4096, 316122},
    {"b200", FlopClass::F32, 1, 512, 4096, 2048, 19380},   {"b200", FlopClass::F32, 1, 2048, 512, 256, 7872},
    {"b200", FlopClass::F32, 2, 4096, 1024, 2048, 55379},  {"b200", FlopClass::F32, 4, 1024, 2048, 256, 15904},
    {"b200", FlopClass::F32, 1, 256, 4096, 512, 8578},     {"b200", FlopClass::F32, 1, 256, 512, 2048, 10864},
    {"b200", FlopClass::F32, 2, 4096, 4096, 2048, 169008}, {"b200", FlopClass::F32, 1, 4096, 2048, 2048, 54558},
    {"b200", FlopClass::F32, 2, 2048, 2048, 2048, 54286},  {"b200", FlopClass::F32, 4, 1024, 512, 256, 9409},
    {"b200", FlopClass::F32, 1, 2048, 4096, 2048, 54539},  {"b200", FlopClass::F32, 2, 4096, 2048, 256, 24144},
    {"b200", FlopClass::F32, 1, 4096, 256, 512, 8706},     {"b200", FlopClass::F32, 1, 2048, 1024, 2048, 18992},
    {"b200", FlopClass::F32, 1, 2048, 2048, 512, 14484},   {"b200", FlopClass::F32, 4, 2048, 1024, 4096, 97248},
    {"b200", FlopClass::F32, 4, 2048, 4096, 4096, 317008}, {"b200", FlopClass::F32, 2, 512, 2048, 256, 9378},
};

double getError(const Measured &m) {
  GpuTable table = llvm::cantFail(lookupGpu(m.gpu));
  table.useTf32 = true;
  double elements = static_cast<double>(m.rows * m.depth + m.depth * m.columns + m.rows * m.columns);
  double bytes = (m.type == FlopClass::F16 ? 2.0 : 4.0) * static_cast<double>(m.batch) * elements;
  double seconds = estimateGemm(table, {m.batch, m.rows, m.columns, m.depth, m.type, bytes});
  return std::abs(seconds * 1e9 / static_cast<double>(m.nanoseconds) - 1);
}

TEST(GemmModel, MedianErrorIsWithinTheBound) {
  for (llvm::StringRef gpu : {"h100", "b200"})
    for (FlopClass type : {FlopClass::F16, FlopClass::F32}) {
      std::vector<double> errors;
      for (const Measured &m : kMeasured)
        if (gpu == m.gpu && type == m.type)
          errors.push_back(getError(m));
      std::sort(errors.begin(), errors.end());
      EXPECT_LE(errors[errors.size() / 2], 0.15) << gpu.str();
      EXPECT_LE(errors[errors.size() * 9 / 10], 0.45) << gpu.str();
    }
}

TEST(GemmModel, FewRowsCostTheBytesOfTheWeights) {
  GpuTable table = llvm::cantFail(lookupGpu("a100"));
  double bytes = 2.0 * 4096 * 4096;
  double one = estimateGemm(table, {1, 1, 4096, 4096, FlopClass::F16, bytes});
  EXPECT_LT(one, 3 * estimateTraffic(table, bytes));
}

TEST(GemmModel, PartialWavesCostFullOnes) {
  GpuTable table = llvm::cantFail(lookupGpu("a100"));
  auto tiles = [&](int64_t count) { return estimateGemm(table, {count, 128, 128, 8192, FlopClass::F32, 0}); };
  EXPECT_GT(tiles(table.sms + 1), 1.15 * tiles(table.sms));
}

} // namespace
