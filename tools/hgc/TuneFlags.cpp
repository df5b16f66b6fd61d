//===- TuneFlags.cpp - what --tune says -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TuneFlags.h"

#include "Driver.h"
#include "KernelTimes.h"
#include "Session.h"

#include "hgc/Pipeline/Artifacts.h"
#include "hgc/Support/Error.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Tuning/Tuner.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

/// A probe as a library in a folder of its own, and a call of its entry.
class LibraryProbe : public tuning::Probe {
public:
  static llvm::Expected<std::unique_ptr<tuning::Probe>> load(mlir::ModuleOp model, const CompileOptions &options,
                                                             int64_t coldBytes) {
    auto folder = TempFolder::create();
    if (!folder)
      return folder.takeError();
    std::string path = (*folder)->path("probe.so");
    mlir::MLIRContext *context = model.getContext();
    if (llvm::Error error = writeArtifact(model, Stage::Source, Artifact::Library, options, path))
      return std::move(error);
    auto call = TimedCall::open(path, options.numThreads, context, coldBytes);
    if (!call)
      return call.takeError();
    return std::unique_ptr<tuning::Probe>(new LibraryProbe(std::move(*call)));
  }

  llvm::Expected<double> measure() override {
    // Long enough for some dozen launches of most kernels.
    constexpr double seconds = 0.05;
    llvm::Expected<ModelTimes> times = call->measure(seconds);
    if (!times)
      return times.takeError();
    return times->getKernelNs();
  }

private:
  explicit LibraryProbe(std::unique_ptr<TimedCall> call) : call(std::move(call)) {}

  std::unique_ptr<TimedCall> call;
};

/// Reads one item into the options.
llvm::Error parseItem(llvm::StringRef item, tuning::TuneOptions &tune) {
  while (!item.empty()) {
    if (item.consume_front("cache=")) {
      // A path may have commas in it.
      tune.cache = item.str();
      if (tune.cache.empty())
        return usageError("'--tune' names an empty cache", "write --tune=cache=FILE");
      return llvm::Error::success();
    }
    auto [first, rest] = item.split(',');
    item = rest;
    constexpr double most = 86400;
    llvm::StringRef number = first;
    if (!number.consume_front("seconds="))
      return usageError("'--tune' does not know '" + first + "'", "write --tune=seconds=30,cache=FILE, or one of both");
    if (number.getAsDouble(tune.seconds) || !(tune.seconds >= 0 && tune.seconds <= most))
      return usageError("'--tune' has '" + number + "' seconds, expected 0 to 86400",
                        "0 measures nothing: all comes from the cache");
  }
  return llvm::Error::success();
}

/// Code that this machine measures must be for machines like it.
llvm::Error checkTarget(mlir::ModuleOp module) {
  llvm::Expected<std::string> native = findNativeCpu();
  if (!native)
    return native.takeError();
  const DeviceTable &target = getCpuTable(module);
  if (target.llvmCpu == llvm::cantFail(lookupCpu(*native))->llvmCpu)
    return llvm::Error::success();
  return makeError("'--tune' measures this machine, whose CPU is '" + *native + "', and the model is compiled for '" +
                       target.name + "'",
                   "add --target-cpu=native, or tune on a machine of that kind");
}

} // namespace

void TuneFlags::addTo(ArgParser &parser) {
  parser.list("tune", "seconds=S,cache=FILE", items,
              "choose forms and loops of CPU kernels by measuring them here, for at most S seconds (default 30)");
}

llvm::Error TuneFlags::finish(CompileOptions &options) const {
  if (items.empty())
    return llvm::Error::success();
  tuning::TuneOptions tune;
  tune.load = LibraryProbe::load;
  for (const std::string &item : items)
    if (llvm::Error error = parseItem(item, tune))
      return error;
  if (tune.cache.empty())
    tune.cache = tuning::TuneCache::getDefaultPath();
  if (tune.cache.empty())
    return usageError("'--tune' has no place for its cache: HGC_TUNE_CACHE, XDG_CACHE_HOME and HOME are not set",
                      "add --tune=cache=FILE");
  if (options.optLevel == 0)
    return usageError("'--tune' has no effect at -O0", "use -O1 or more, or drop it");
  if (!options.sanitize.empty())
    return usageError("'--tune' cannot measure code that '--sanitize' instruments", "drop one of them");
  if (!options.memoryLimit.empty())
    return usageError("'--tune' cannot keep a '--memory-limit': larger blocks take more memory", "drop one of them");
  options.tune = [tune](mlir::ModuleOp module, const CompileOptions &settled) {
    if (llvm::Error error = checkTarget(module))
      return hgc::emitError(module.getLoc(), std::move(error));
    return tuning::tuneModule(module, settled, tune);
  };
  return llvm::Error::success();
}
