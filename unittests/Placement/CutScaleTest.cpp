//===- CutScaleTest.cpp - time and memory of large cuts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what it measures. HGC_TEST_FULL=1 adds a million ops. The limits leave
// room for a busy machine.
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "hgc/Placement/CutSolver.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <ctime>
#include <fstream>

using namespace hgc;

/// Most memory the process has had, in MiB.
static long readPeak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::stol(line.substr(6)) / 1024;
  return 0;
}

static void measure(uint32_t ops, double mostSeconds, long mostMiB) {
  std::mt19937 engine(7);
  PlacementProblem problem = makeRandomProblem(engine, {ops, 20});
  long before = readPeak();
  // Of the process, so that others on the machine do not count.
  std::clock_t start = std::clock();
  CutResult result = placeByCut(problem);
  double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  long memory = readPeak() - before;
  std::printf("%u ops: %.3f s, %ld MiB\n", ops, seconds, memory);
  EXPECT_EQ(result.cost, result.bound);
  EXPECT_LT(seconds, mostSeconds);
  EXPECT_LT(memory, mostMiB);
}

TEST(CutScale, TimeAndMemoryAreLinear) {
  measure(10'000, 1, 32);
  measure(100'000, 10, 256);
  if (std::getenv("HGC_TEST_FULL"))
    measure(1'000'000, 120, 2560);
}
