//===- MemoryAttempts.cpp - trial compilations for a memory limit ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryAttempts.h"

#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"

#include "mlir/IR/Diagnostics.h"
#include <cmath>

using namespace mlir;
using namespace hgc;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool MemoryUse::fits(const MemoryLimits &limits) const {
  if (limits.getCpu() && cpu > *limits.getCpu())
    return false;
  for (auto [i, bytes] : llvm::enumerate(gpus))
    if (std::optional<int64_t> limit = limits.getGpu(i); limit && bytes > *limit)
      return false;
  return true;
}

MemoryUse hgc::measureMemory(ModuleOp module, int64_t threads) {
  auto memory = module->getAttrOfType<DictionaryAttr>("exec.memory");
  auto read = [](DictionaryAttr from, StringRef name) {
    auto value = from ? from.getAs<IntegerAttr>(name) : IntegerAttr();
    return value ? value.getInt() : 0;
  };
  auto sum = [&](DictionaryAttr from, int64_t scratches) {
    int64_t bytes = read(from, "arena_bytes") + read(from, "weights_bytes") + read(from, "state_bytes") +
                    read(from, "workspace_bytes") + scratches * read(from, "scratch_bytes");
    if (auto slots = from ? from.getAs<DenseI64ArrayAttr>("slots") : DenseI64ArrayAttr())
      for (int64_t slot : slots.asArrayRef())
        bytes += std::max<int64_t>(slot, 1);
    return bytes;
  };
  MemoryUse use;
  use.cpu = sum(memory, threads);
  use.cpuArena = read(memory, "arena_bytes");
  for (NamedAttribute entry : memory ? memory : DictionaryAttr::get(module.getContext())) {
    unsigned number = 0;
    StringRef name = entry.getName();
    if (!name.consume_front("gpu_") || name.getAsInteger(10, number))
      continue;
    use.gpus.resize(std::max<size_t>(use.gpus.size(), number + 1));
    use.gpuArenas.resize(use.gpus.size());
    auto own = cast<DictionaryAttr>(entry.getValue());
    use.gpus[number] = sum(own, 1);
    use.gpuArenas[number] = read(own, "arena_bytes");
  }
  return use;
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

/// Runs stages of a copy; what they have to say is said when the plan is made.
static LogicalResult runQuietly(ModuleOp copy, ArrayRef<Stage> stages, const CompileOptions &options) {
  ScopedDiagnosticHandler quiet(copy.getContext(), [](Diagnostic &) { return success(); });
  PassManager pm(copy.getContext());
  for (Stage stage : stages)
    buildStagePipeline(stage, pm, options);
  return pm.run(copy);
}

void MemoryAttempts::readCosts(ModuleOp copy, MemoryAttempt &attempt) {
  Pricing pricing(copy);
  int64_t cpuPs = 0, gpuPs = 0, boundPs = 0;
  bool hasGpuPlan = false, isBounded = true;
  for (auto entry : copy.getOps<func::FuncOp>()) {
    if (entry->hasAttr(kLoadAttr))
      continue;
    auto certificate = entry->getAttrOfType<DictionaryAttr>(kCertificateAttr);
    if (isInGpuPlan(entry) && certificate) {
      hasGpuPlan = true;
      gpuPs += certificate.getAs<IntegerAttr>("serial_ps").getInt();
      auto bound = certificate.getAs<IntegerAttr>("bound_ps");
      isBounded &= static_cast<bool>(bound);
      boundPs += bound ? bound.getInt() : 0;
      continue;
    }
    entry.walk([&](graph::KernelOp kernel) {
      cpuPs += pricing.priceKernel(kernel, getHost(copy.getContext())) * getTripWeight(kernel);
    });
  }
  attempt.costPs = hasGpuPlan ? gpuPs : cpuPs;
  attempt.otherPs = hasGpuPlan ? cpuPs : 0;
  // Without a GPU plan there is nothing to choose: recomputing only adds.
  attempt.boundPs = !hasGpuPlan ? cpuPs : isBounded ? boundPs : 0;
}

const MemoryAttempt *MemoryAttempts::run(const CompileOptions &options) {
  if (isExhausted())
    return nullptr;
  ++runs;
  MemoryAttempt attempt;
  attempt.options = options;
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(runQuietly(*copy, {Stage::Placed, Stage::Fused}, options)))
    return nullptr;
  readCosts(*copy, attempt);
  if (failed(runQuietly(*copy, {Stage::Exec}, options)))
    return nullptr;
  attempt.use = measureMemory(*copy, options.numThreads);
  all.push_back(std::move(attempt));
  return &all.back();
}

const MemoryAttempt *MemoryAttempts::runLean(int64_t price, StringRef targets, bool spills) {
  CompileOptions options = base;
  options.memoryPrice = price;
  options.schedule = "serial";
  options.objective = "serial";
  options.ownKernels = options.ownWeights = true;
  options.interOpThreads = 1;
  options.arenaTargets = targets.str();
  options.spills = spills;
  return run(options);
}

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

std::optional<std::pair<int64_t, int64_t>> MemoryAttempts::placeWeights(int64_t price) {
  if (isExhausted())
    return std::nullopt;
  ++runs;
  CompileOptions options = base;
  options.memoryPrice = price;
  options.pricesWeightsOnly = true;
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(runQuietly(*copy, {Stage::Placed}, options)))
    return std::nullopt;
  auto priced = (*copy)->getAttrOfType<DictionaryAttr>(kMemoryCostAttr);
  if (!priced)
    return std::nullopt;
  return std::pair(priced.getAs<IntegerAttr>("total_ps").getInt(), priced.getAs<IntegerAttr>("memory_ps").getInt());
}

/// For every price, the cheapest plan with priced weights, less the price of the
/// limit, costs no more than any plan within the limit. The best price is where
/// the weights' bytes pass the limit.
int64_t MemoryAttempts::computeDualBound(int64_t limit) {
  int64_t best = 0, low = 1, high = kHighestPrice;
  for (int step = 0; step < 6 && low < high; ++step) {
    auto price = static_cast<int64_t>(std::sqrt(static_cast<double>(low) * static_cast<double>(high)));
    std::optional<std::pair<int64_t, int64_t>> placed = placeWeights(price);
    if (!placed)
      return best;
    // Rounded up, so that the bound stays one.
    auto limitPs = static_cast<int64_t>((static_cast<__int128>(limit) * price + 1023) / 1024);
    best = std::max(best, placed->first - limitPs);
    if (placed->second > limitPs)
      low = price + 1;
    else
      high = price;
  }
  return best;
}
