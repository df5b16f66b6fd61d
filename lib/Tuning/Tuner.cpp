//===- Tuner.cpp - choices that are measured ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates are many and seconds few: forms are compared first, register tiles in
// the fastest of them, then blocks around the fastest tile. The winner and the plain
// choice run once more in turns, since a machine may be slower for some seconds.
//===----------------------------------------------------------------------===//

#include "hgc/Tuning/Tuner.h"
#include "TuneTasks.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/KernelModel.h"
#include "hgc/CodeGen/CPU/TileCandidates.h"
#include "hgc/Support/Error.h"
#include "hgc/Target/MatrixUnit.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir;
using namespace hgc;
using namespace hgc::tuning;

hgc::tuning::Probe::~Probe() = default;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Searches among the candidates of one task.
class Search {
public:
  Search(const Task &task, const CompileOptions &given, const TuneOptions &tune, int64_t coldBytes,
         Clock::time_point start)
      : task(task), options(given), tune(tune), coldBytes(coldBytes), start(start) {
    options.tune = nullptr;
    options.progress = nullptr;
    options.name.clear();
    options.dims.clear();
    options.place.clear();
    options.plan.clear();
    options.training = {};
    options.gpu.clear();
    options.gpuTable.clear();
    options.resident.clear();
    options.externalWeights = false;
    options.exactConv = false;
  }

  /// What was measured, or an error of the machine. Empty when there was no time at all.
  llvm::Expected<Record> run() {
    for (const std::string &form : task.forms)
      if (llvm::Error error = tryCandidate(form, {}))
        return std::move(error);
    if (record.empty() || isLate())
      return finish();
    auto root = openRoot();
    if (root) {
      const DeviceTable &target = getCpuTable(**root);
      Operation *op = findContraction(**root);
      for (auto list : {cpu::listRegisterTiles, cpu::listBlocks}) {
        setTileChoice(op, record[best].tile);
        for (const TileChoice &tile : list(op, target))
          if (llvm::Error error = tryCandidate(record[best].form, tile))
            return std::move(error);
      }
    }
    return finish();
  }

private:
  bool isLate() const { return secondsSince(start) + lastSeconds > tune.seconds; }

  void setForm(CompileOptions &to, StringRef form) const {
    to.forceConv = form.str();
    to.matrixUnit = form == kMatrixForm ? "always" : "never";
  }

  /// The task's model at stage exec, in the fastest form; null where its contraction is lost.
  std::optional<OwningOpRef<ModuleOp>> openRoot() {
    OwningOpRef<ModuleOp> copy = (*task.model).clone();
    CompileOptions formed = options;
    setForm(formed, record[best].form);
    ScopedDiagnosticHandler silence(copy->getContext(), [](Diagnostic &) { return success(); });
    if (failed(runStages(*copy, Stage::Source, Stage::Exec, formed)) || !findContraction(*copy))
      return std::nullopt;
    return copy;
  }

  llvm::Error tryCandidate(StringRef form, const TileChoice &tile) {
    if (isLate())
      return llvm::Error::success();
    Clock::time_point begin = Clock::now();
    OwningOpRef<ModuleOp> copy = (*task.model).clone();
    setTileChoice(findContraction(*copy), tile);
    CompileOptions formed = options;
    setForm(formed, form);
    llvm::Expected<std::unique_ptr<Probe>> probe = tune.load(*copy, formed, coldBytes);
    if (!probe)
      return probe.takeError();
    llvm::Expected<double> ns = (*probe)->measure();
    if (!ns)
      return ns.takeError();
    record.push_back({form.str(), tile, std::max<int64_t>(1, static_cast<int64_t>(*ns * 1e3))});
    lastSeconds = secondsSince(begin);
    if (record.size() == 1) {
      plainProbe = std::move(*probe);
    } else if (static_cast<double>(record.back().ps) <
               (best == 0 ? kLeastGain : 1) * static_cast<double>(record[best].ps)) {
      best = record.size() - 1;
      bestProbe = std::move(*probe);
    }
    return llvm::Error::success();
  }

  /// The winner must win again.
  llvm::Expected<Record> finish() {
    constexpr int turns = 2;
    for (int turn = 0; turn < turns && best != 0; ++turn)
      for (auto [probe, index] : {std::pair(&plainProbe, size_t(0)), std::pair(&bestProbe, best)}) {
        llvm::Expected<double> ns = (*probe)->measure();
        if (!ns)
          return ns.takeError();
        record[index].ps = std::min(record[index].ps, std::max<int64_t>(1, static_cast<int64_t>(*ns * 1e3)));
      }
    return std::move(record);
  }

  const Task &task;
  CompileOptions options;
  const TuneOptions &tune;
  int64_t coldBytes;
  Clock::time_point start;
  Record record;
  size_t best = 0;
  std::unique_ptr<Probe> plainProbe, bestProbe;
  /// What a candidate takes, as far as is known.
  double lastSeconds = 0;
};

} // namespace

/// Bytes that pass through the caches between two calls of a kernel.
static int64_t countColdBytes(ModuleOp module) {
  auto bytes = module->getAttrOfType<IntegerAttr>(kCallBytesAttr);
  // A last cache is empty of a weight when twice its size has passed.
  return bytes ? std::min(bytes.getInt(), 2 * getCpuTable(module).l3Bytes) : 0;
}

/// Measures what the cache does not have; returns how many tasks had no time.
static llvm::Expected<size_t> measureTasks(ModuleOp module, ArrayRef<Task> tasks, const CompileOptions &options,
                                           const TuneOptions &tune, TuneCache &cache) {
  std::vector<const Task *> missing;
  for (const Task &task : tasks)
    if (!cache.find(task.key))
      missing.push_back(&task);
  if (missing.empty() || tune.seconds <= 0)
    return missing.size();
  if (llvm::Error error = cache.probe())
    return std::move(error);
  Clock::time_point start = Clock::now();
  size_t done = 0;
  for (const Task *task : missing) {
    if (options.progress)
      options.progress(llvm::formatv("tuning: kernel {0} of {1}, {2:F0} of {3:F0} s", done + 1, missing.size(),
                                     secondsSince(start), tune.seconds)
                           .str());
    llvm::Expected<Record> record = Search(*task, options, tune, countColdBytes(module), start).run();
    if (!record)
      return record.takeError();
    if (record->empty())
      break;
    cache.insert(task->key, std::move(*record));
    // Who interrupts a long search keeps what it has found.
    if (llvm::Error error = cache.write())
      return std::move(error);
    ++done;
  }
  return missing.size() - done;
}

LogicalResult hgc::tuning::tuneModule(ModuleOp module, const CompileOptions &options, const TuneOptions &tune) {
  std::string problem;
  TuneCache cache = TuneCache::read(tune.cache, problem);
  if (!problem.empty()) {
    InFlightDiagnostic diag = mlir::emitWarning(module.getLoc())
                              << "the tuning cache '" << tune.cache << "' cannot be read: " << problem;
    diag.attachNote() << "hint: all is measured anew, and the file is replaced";
  }
  std::vector<Task> tasks = collectTasks(module, options);
  llvm::Expected<size_t> left = measureTasks(module, tasks, options, tune, cache);
  if (!left)
    return hgc::emitError(module.getLoc(), left.takeError());
  if (*left) {
    InFlightDiagnostic diag = mlir::emitWarning(module.getLoc())
                              << *left << " of " << tasks.size() << " kernels are not tuned: there was no time";
    diag.attachNote()
        << "hint: compile again to measure these, or give --tune more seconds; others come from the cache";
  }
  applyRecords(tasks, cache);
  return success();
}
