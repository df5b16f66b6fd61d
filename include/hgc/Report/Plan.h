//===- Plan.h - what was decided about a model, as data ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of model.plan.json: who runs where and why, what is copied, what
// it costs and what it needs. Collected from the IR, read back by `--plan`,
// compared by `hgc diff`, gated by `hgc check`, drawn by `hgc explain`. Times are
// picoseconds, sizes bytes; what is not known is absent.
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_PLAN_H
#define HGC_REPORT_PLAN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hgc::plans {

/// Version of the file's form; another one is not read.
inline constexpr int64_t kPlanSchema = 1;

/// One op of the graph that was placed. Names are unique within an entry: the
/// second op that came of `softmax` is `softmax#2`.
struct OpPlan {
  std::string name, op, device;
  /// Device the user asked for; empty: hgc chose.
  std::string pin;
  /// Device that computes it as well, instead of a copy; empty: none.
  std::string alsoOn;
  /// By device; a view has none.
  std::map<std::string, int64_t> costPs;
  /// What the plan would cost more if this op alone changed sides.
  std::optional<int64_t> switchPricePs;
  /// How the CPU computes it, of a convolution there.
  std::string form;
  /// The kernel it became part of; empty: none of its own.
  std::string kernel;
  std::string reason;
  /// Bytes of its results.
  int64_t bytes = 0;
  /// Ops, `%argument`s and `@parameter`s it reads.
  std::vector<std::string> inputs;
};

/// A copy between devices.
struct TransferPlan {
  /// Op, `%argument` or `@parameter` that is copied.
  std::string value;
  std::string from, to, reason;
  int64_t bytes = 0;
  /// When the model is loaded, not in every call.
  bool isAtLoad = false;
  /// How often a call makes it: more than once in a loop.
  int64_t times = 1;
};

/// What was measured of a kernel, for its choice among forms and sizes of loops.
struct TunedPlan {
  /// The kernel as it is, as the cost model would have it, and what that says.
  int64_t measuredPs = 0, untunedPs = 0, modelledPs = 0;
  int64_t candidates = 0;
  /// Sizes that differ from those of the plan; empty: none.
  std::string tile;
};

/// A unit of code generation; `launches` counts the functions it takes.
struct KernelPlan {
  std::string name, device, schedule;
  std::vector<std::string> ops;
  int64_t launches = 1, scratchBytes = 0;
  std::optional<TunedPlan> tuned = std::nullopt;
};

/// A piece of the simulated timeline.
struct TimelineItem {
  std::string name, resource;
  int64_t startPs = 0, endPs = 0;
};

/// An argument or result that the caller has on a GPU.
struct ResidentPlan {
  /// Its name in the C header, and the op or `%argument` it is.
  std::string name, value;
  std::string device;
  bool isOutput = false;
};

/// One entry function in one plan of one variant.
struct EntryPlan {
  std::string name;
  /// Modelled time without overlap, what no placement can beat, and the modelled
  /// time with overlap.
  std::optional<int64_t> serialCostPs, boundPs, makespanPs;
  /// The kernels cost something else than placement had certified; then there is
  /// no bound.
  bool isUncertified = false;
  /// Modelled serial time of other ways to place: `all_cpu`, `greedy`, ...
  std::map<std::string, int64_t> alternatives;
  std::vector<OpPlan> ops;
  /// Ops and `%argument`s that the entry returns.
  std::vector<std::string> outputs;
  std::vector<ResidentPlan> residents;
  std::vector<TransferPlan> transfers;
  std::vector<KernelPlan> kernels;
  /// For pictures; not in the file.
  std::vector<TimelineItem> timeline;
};

/// What a plan needs on one device.
struct MemoryPlan {
  std::string device;
  int64_t arenaBytes = 0, weightsBytes = 0, stateBytes = 0, scratchBytes = 0;
  /// Bytes that are alive at the same time: no arena is smaller.
  int64_t lowerBound = 0;
  std::optional<int64_t> limit;
  /// With a limit: no plan that keeps all limits costs less, and how much more
  /// this one costs.
  std::optional<int64_t> boundPs, gapPs;
  /// Live bytes of the arena after each action of the entry that needs most; for
  /// pictures, not in the file.
  std::vector<int64_t> curve;
  std::vector<std::string> curveNames;

  int64_t getPeak() const { return arenaBytes + weightsBytes + stateBytes + scratchBytes; }
};

/// `cpu` or `gpu`.
struct DevicePlan {
  std::string name;
  std::vector<EntryPlan> entries;
  std::vector<MemoryPlan> memory;
};

/// Everything for one choice of dims; both plans of a library.
struct VariantPlan {
  std::map<std::string, int64_t> dims;
  std::vector<DevicePlan> plans;

  /// `batch=32, seq=8`; empty without dims.
  std::string describeDims() const;
  /// The plan that runs where all devices are: that for GPUs, if there is one.
  const DevicePlan &getPreferred() const { return plans.back(); }
};

struct Plan {
  std::string hgcVersion, modelHash, cpu, tableHash;
  std::vector<std::string> gpus;
  std::vector<VariantPlan> variants;
};

/// Sorted keys, integers, no paths and no times of day: equal plans are equal
/// bytes. Readers do not take what is `forPictures`.
std::string writeJson(const Plan &plan, bool forPictures = false);

/// Reads what writeJson writes. Unknown, missing and ill-typed keys are errors
/// that name the place. Safe for any text.
llvm::Expected<Plan> readJson(llvm::StringRef text);

/// readJson of a file; errors name it.
llvm::Expected<Plan> readPlanFile(llvm::StringRef path);

} // namespace hgc::plans

#endif // HGC_REPORT_PLAN_H
