//===- TestModel.h - a model written by hand ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code generation would emit, in C++: descriptors, programs and kernels.
// Tests copy the descriptor and change a field.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_UNITTESTS_RUNTIME_TESTMODEL_H
#define HGC_UNITTESTS_RUNTIME_TESTMODEL_H

#include "hgc_rt_abi.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hgc::rt_test {

/// Entries of the model, in order.
enum Entry : int32_t {
  kScale,   ///< y[batch,4] = 2 * x[batch,4] + w[4]; batch is 1, 3 or 1000
  kCount,   ///< counter += x (i64 scalar); y = counter; fails when x < 0, refuses kRefusedCount
  kPair,    ///< y[] = n * 100 + m for a[n,m] (i8), b[m] (bool)
  kScratch, ///< y[8] = unit, through scratch memory
  kRecord,  ///< records the ranges of a launch, see `ranges`
  kGate     ///< waits until `gate` is open; y = x
};

/// What kCount does not count, and leaves the counter as it is.
inline constexpr int64_t kRefusedCount = 1000000;

/// The descriptor with all entries; its weights are embedded.
hgc_rt_model_desc testDesc();

/// Parameters of that model.
enum Param : int32_t { kWeight, kCounter, kPacked };

/// Values of the parameter `w`.
extern const float kWeights[4];

/// Units and grain of the launch of kRecord, and the ranges it ran.
extern int64_t recordUnits, recordGrain;
std::vector<std::pair<int64_t, int64_t>> takeRanges();

/// Makes kGate wait when closed; counts how many are inside.
extern std::atomic<bool> gateClosed;
extern std::atomic<int> gateInside;

/// An instance that is destroyed at the end of its scope.
class Instance {
public:
  explicit Instance(const hgc_rt_model_desc &desc, int threads = 1, const hgc_rt_options *options = nullptr);
  ~Instance() { hgc_rt_model_destroy(model); }
  Instance(const Instance &) = delete;

  /// Calls kScale for `batch` rows of ones.
  hgc_rt_status scale(int64_t batch, std::vector<float> &y);
  /// Calls kCount.
  hgc_rt_status count(int64_t x, int64_t &y);
  hgc_rt_status call(int32_t entry, std::vector<void *> args, std::vector<int64_t> dims = {});

  hgc_rt_model *model = nullptr;
  hgc_rt_status status = HGC_RT_OK;

private:
  hgc_rt_model_desc desc; // must outlive the model
};

/// The message of the last failure; a test failure when it lacks a hint line.
std::string lastError();

/// True when `text` is one JSON document.
bool isJson(const std::string &text);

/// A path for a file of this test program only.
std::string tempPath(const std::string &name);

} // namespace hgc::rt_test

#endif
