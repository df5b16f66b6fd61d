//===- MemoryLimit.cpp - plans that fit into a device's memory ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan allocates is known at stage exec only, so the span from graph to
// exec is run again with other options. Whether a limit can be kept is decided
// by a few frugal plans that do not depend on it: a limit of exactly what the
// best of them needs is kept, one byte less is refused. Which of the plans that
// fit is taken is decided by modelled time, and more plans are tried for that.
//===----------------------------------------------------------------------===//

#include "MemoryAttempts.h"

#include "hgc/Support/Error.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace hgc;

namespace {

class LimitSearch {
public:
  LimitSearch(ModuleOp module, const CompileOptions &options, const MemoryLimits &limits)
      : limits(limits), attempts(module, options), hasGpus(!options.gpu.empty() && limits.hasGpu()) {}

  /// Runs the plan without a limit, and if that does not fit the frugal ones.
  /// False when the model cannot be compiled at all.
  bool runFrugal();
  /// Tries to be faster than the frugal plans.
  void improve();

  /// The cheapest plan that fits; null when none does.
  const MemoryAttempt *findBest() const;
  /// `limits` with the least bytes of one device, in text, for which a plan fits.
  std::string findSmallest() const;
  /// A bound of what any plan within the limit costs.
  int64_t computeBound();
  int countRuns() const { return attempts.countRuns(); }
  const std::deque<MemoryAttempt> &getAll() const { return attempts.getAll(); }

private:
  bool fits(const MemoryAttempt *attempt) const { return attempt && attempt->use.fits(limits); }
  std::string getTargets(const MemoryAttempt &from, int64_t less = 0) const;
  int64_t getExcess(const MemoryAttempt &attempt) const;
  void relieve(int64_t price, const MemoryAttempt &lean);
  void bisectPrice();

  MemoryLimits limits;
  MemoryAttempts attempts;
  bool hasGpus;
};

} // namespace

bool LimitSearch::runFrugal() {
  const MemoryAttempt *plain = attempts.runPlain();
  if (!plain || fits(plain))
    return plain;
  // Nothing is held that can be had again.
  MemoryLimits none;
  if (limits.getCpu())
    none.setCpu(0);
  for (unsigned i = 0; i < plain->use.gpus.size(); ++i)
    if (limits.getGpu(i))
      none.setGpu(i, 0);
  attempts.runLean(0, none.str(), /*spills=*/true);
  if (!hasGpus)
    return true;
  attempts.runLean(MemoryAttempts::kHighestPrice, none.str(), /*spills=*/true);
  attempts.runLean(MemoryAttempts::kHighestPrice);
  return true;
}

const MemoryAttempt *LimitSearch::findBest() const {
  const MemoryAttempt *best = nullptr;
  for (const MemoryAttempt &attempt : attempts.getAll())
    if (fits(&attempt) && (!best || attempt.isCheaper(*best)))
      best = &attempt;
  return best;
}

/// What the arenas may have beside all else the plan `from` allocates.
std::string LimitSearch::getTargets(const MemoryAttempt &from, int64_t less) const {
  MemoryLimits targets;
  const MemoryUse &use = from.use;
  if (limits.getCpu())
    targets.setCpu(std::max<int64_t>(0, *limits.getCpu() - (use.cpu - use.cpuArena) - less));
  for (auto [i, bytes] : llvm::enumerate(use.gpus))
    if (std::optional<int64_t> limit = limits.getGpu(i))
      targets.setGpu(i, std::max<int64_t>(0, *limit - (bytes - use.gpuArenas[i]) - less));
  return targets.str();
}

/// Bytes above the limit, on the device where they are most.
int64_t LimitSearch::getExcess(const MemoryAttempt &attempt) const {
  int64_t excess = limits.getCpu() ? attempt.use.cpu - *limits.getCpu() : 0;
  for (auto [i, bytes] : llvm::enumerate(attempt.use.gpus))
    if (std::optional<int64_t> limit = limits.getGpu(i))
      excess = std::max(excess, bytes - *limit);
  return excess;
}

/// Recomputes, then spills; a second time with less where the arena has gaps.
void LimitSearch::relieve(int64_t price, const MemoryAttempt &lean) {
  std::string targets = getTargets(lean);
  if (fits(attempts.runLean(price, targets)) || !hasGpus)
    return;
  const MemoryAttempt *spilled = attempts.runLean(price, targets, /*spills=*/true);
  if (!spilled || fits(spilled))
    return;
  attempts.runLean(price, getTargets(lean, getExcess(*spilled)), /*spills=*/true);
}

/// The lowest price at which the plan fits, and what passes make of a lower one.
void LimitSearch::bisectPrice() {
  int64_t low = 1, high = MemoryAttempts::kHighestPrice;
  const MemoryAttempt *tooLarge = nullptr;
  for (int step = 0; step < 6 && high / low > 1; ++step) {
    auto price = static_cast<int64_t>(std::sqrt(static_cast<double>(low) * static_cast<double>(high)));
    const MemoryAttempt *attempt = attempts.runLean(price);
    if (!attempt)
      return;
    if (fits(attempt)) {
      high = price;
    } else {
      low = price;
      tooLarge = attempt;
    }
  }
  if (tooLarge)
    attempts.runLean(low, getTargets(*tooLarge), /*spills=*/true);
}

void LimitSearch::improve() {
  const MemoryAttempt *lean = attempts.runLean(0);
  // It costs no more than the plan without a limit.
  if (!lean || fits(lean))
    return;
  relieve(0, *lean);
  if (hasGpus)
    bisectPrice();
}

int64_t LimitSearch::computeBound() {
  const MemoryAttempt &plain = attempts.getAll().front();
  int64_t bound = plain.boundPs;
  std::optional<int64_t> limit = limits.getGpu(0);
  if (hasGpus && limit && plain.use.gpus.size() == 1 && !plain.use.fits(limits))
    bound = std::max(bound, attempts.computeDualBound(*limit));
  return bound;
}

std::string LimitSearch::findSmallest() const {
  // The least bytes of one device while the others keep their limits.
  std::string text;
  auto check = [&](StringRef name, auto get, auto set) {
    std::optional<int64_t> least;
    for (const MemoryAttempt &attempt : attempts.getAll()) {
      MemoryLimits others = limits;
      set(others, INT64_MAX);
      if (attempt.use.fits(others) && (!least || get(attempt.use) < *least))
        least = get(attempt.use);
    }
    if (least && text.empty())
      text = (name + "=" + Twine(*least)).str();
  };
  const MemoryUse &use = attempts.getAll().front().use;
  for (unsigned i = 0; i < use.gpus.size(); ++i)
    if (limits.getGpu(i))
      check(
          use.gpus.size() == 1 ? "gpu" : ("gpu:" + Twine(i)).str(),
          [i](const MemoryUse &of) { return i < of.gpus.size() ? of.gpus[i] : 0; },
          [i](MemoryLimits &of, int64_t bytes) { of.setGpu(i, bytes); });
  if (limits.getCpu())
    check(
        "cpu", [](const MemoryUse &of) { return of.cpu; }, [](MemoryLimits &of, int64_t bytes) { of.setCpu(bytes); });
  return text;
}

/// Reports that no plan fits.
static LogicalResult refuse(ModuleOp module, const MemoryLimits &limits, StringRef smallest) {
  InFlightDiagnostic diag = module.emitError() << "no plan keeps the memory limit '" << limits.str() << "'";
  if (!smallest.empty())
    diag.attachNote() << "smallest limit hgc found: " << smallest.split('=').second << " bytes on "
                      << smallest.split('=').first;
  diag.attachNote() << "hint: "
                    << (smallest.empty() ? "raise several limits at once, or drop pins"
                                         : "compile with --memory-limit " + smallest.str() +
                                               ", or drop pins, or compile smaller variants");
  return diag;
}

static void writeAttribute(ModuleOp module, const MemoryLimits &limits, const MemoryAttempt &best, int64_t bound,
                           int64_t runs) {
  Builder builder(module.getContext());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  SmallVector<NamedAttribute> devices;
  if (limits.getCpu())
    devices.push_back(number("cpu", *limits.getCpu()));
  for (unsigned i = 0; i < best.use.gpus.size(); ++i)
    if (limits.getGpu(i))
      devices.push_back(number("gpu_" + std::to_string(i), *limits.getGpu(i)));
  module->setAttr(kMemoryLimitAttr,
                  builder.getDictionaryAttr({builder.getNamedAttr("limits", builder.getStringAttr(limits.str())),
                                             builder.getNamedAttr("devices", builder.getDictionaryAttr(devices)),
                                             number("cost_ps", best.costPs), number("bound_ps", bound),
                                             number("gap_ps", best.costPs - bound), number("runs", runs)}));
}

LogicalResult hgc::checkMemoryLimit(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<MemoryLimits> limits = MemoryLimits::parse(options.memoryLimit);
  if (!limits)
    return hgc::emitError(module.getLoc(), limits.takeError());
  if (measureMemory(module, options.numThreads).fits(*limits))
    return success();
  InFlightDiagnostic diag = module.emitError()
                            << "internal error: the plan does not keep the memory limit '" << limits->str() << "'";
  diag.attachNote() << "hint: report this as a bug in hgc";
  return diag;
}

FailureOr<CompileOptions> hgc::chooseUnderLimit(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<MemoryLimits> limits = MemoryLimits::parse(options.memoryLimit);
  if (!limits)
    return hgc::emitError(module.getLoc(), limits.takeError());
  CompileOptions plain = options;
  plain.memoryLimit.clear();
  LimitSearch search(module, plain, *limits);
  // A model with a mistake is reported when it is compiled.
  if (!search.runFrugal())
    return plain;
  if (!search.findBest())
    return refuse(module, *limits, search.findSmallest());
  if (!search.getAll().front().use.fits(*limits))
    search.improve();
  int64_t bound = search.computeBound();
  const MemoryAttempt *best = search.findBest();
  writeAttribute(module, *limits, *best, std::min(bound, best->costPs), search.countRuns());
  return best->options;
}

/// Plans for prices of memory, closer to each other where the bytes differ most.
static void explorePrices(MemoryAttempts &attempts, int64_t unpricedBytes) {
  std::map<int64_t, int64_t> bytesAt = {{1, unpricedBytes}};
  auto run = [&](int64_t price) {
    const MemoryAttempt *attempt = attempts.runLean(price);
    if (attempt)
      bytesAt[price] = attempt->use.gpus.empty() ? 0 : attempt->use.gpus[0];
    return attempt != nullptr;
  };
  bool goesOn = run(MemoryAttempts::kHighestPrice);
  while (goesOn) {
    int64_t widest = 0, next = 0;
    for (auto low = bytesAt.begin(), high = std::next(low); high != bytesAt.end(); ++low, ++high) {
      auto middle = static_cast<int64_t>(std::sqrt(static_cast<double>(low->first) * static_cast<double>(high->first)));
      if (low->second - high->second <= widest || middle - low->first <= low->first / 16)
        continue;
      widest = low->second - high->second;
      next = middle;
    }
    goesOn = next > 0 && run(next);
  }
}

FailureOr<std::vector<MemoryCurvePoint>> hgc::computeMemoryCurve(ModuleOp module, const CompileOptions &options) {
  MemoryAttempts attempts(module, options);
  const MemoryAttempt *plain = attempts.runPlain();
  const MemoryAttempt *lean = plain ? attempts.runLean(0) : nullptr;
  if (!lean)
    return failure();
  bool onGpu = !lean->use.gpus.empty();
  auto getBytes = [&](const MemoryUse &use) { return onGpu ? (use.gpus.empty() ? 0 : use.gpus[0]) : use.cpu; };
  int64_t arena = onGpu ? lean->use.gpuArenas[0] : lean->use.cpuArena;
  for (int64_t quarters : {3, 2, 1, 0}) {
    MemoryLimits targets;
    onGpu ? targets.setGpu(0, arena * quarters / 4) : targets.setCpu(arena * quarters / 4);
    attempts.runLean(0, targets.str(), /*spills=*/onGpu);
  }
  if (onGpu)
    explorePrices(attempts, lean->use.gpus[0]);

  std::vector<const MemoryAttempt *> order;
  for (const MemoryAttempt &attempt : attempts.getAll())
    order.push_back(&attempt);
  llvm::sort(order, [&](const MemoryAttempt *a, const MemoryAttempt *b) {
    return std::pair(getBytes(a->use), a->costPs) < std::pair(getBytes(b->use), b->costPs);
  });
  std::vector<MemoryCurvePoint> curve;
  for (const MemoryAttempt *attempt : order)
    if (curve.empty() || attempt->costPs < curve.back().costPs)
      curve.push_back({getBytes(attempt->use), attempt->costPs});
  return curve;
}

std::string hgc::describeMemoryLimit(ModuleOp module) {
  auto known = module->getAttrOfType<DictionaryAttr>(kMemoryLimitAttr);
  if (!known)
    return "";
  auto get = [&](StringRef name) { return known.getAs<IntegerAttr>(name).getInt(); };
  auto printTime = [&](StringRef name) { return llvm::format("%.3f us", static_cast<double>(get(name)) / 1e6); };
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "memory limit " << known.getAs<StringAttr>("limits").getValue();
  // Its time with overlap is what that plan was chosen for.
  if (get("runs") == 1) {
    os << " kept by the plan without a limit";
    return text;
  }
  double gap = get("bound_ps") ? 100.0 * static_cast<double>(get("gap_ps")) / static_cast<double>(get("bound_ps")) : 0;
  os << " kept: modelled " << printTime("cost_ps") << " a call without overlap, no plan within it takes less than "
     << printTime("bound_ps") << " (gap " << llvm::format("%.1f", gap) << " %, " << get("runs") << " plans tried)";
  return text;
}
