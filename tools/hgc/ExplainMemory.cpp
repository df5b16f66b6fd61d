//===- ExplainMemory.cpp - hgc explain --memory-curve ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExplainMemory.h"

#include "Driver.h"
#include "ModelLibrary.h"

#include "hgc/Pipeline/MemoryLimit.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace hgc;
using namespace hgc::driver;

static void printTable(llvm::StringRef device, llvm::ArrayRef<MemoryCurvePoint> curve) {
  llvm::outs() << "memory limit of " << device << "   modelled time of a call\n";
  for (const MemoryCurvePoint &point : curve)
    llvm::outs() << llvm::format("%16lld bytes %22.3f us\n", static_cast<long long>(point.limitBytes),
                                 static_cast<double>(point.costPs) / 1e6);
}

static void printJson(llvm::StringRef device, llvm::ArrayRef<MemoryCurvePoint> curve) {
  llvm::json::OStream json(llvm::outs(), 2);
  json.object([&] {
    json.attribute("device", device);
    json.attributeArray("points", [&] {
      for (const MemoryCurvePoint &point : curve)
        json.object([&] {
          json.attribute("limit_bytes", point.limitBytes);
          json.attribute("cost_ps", point.costPs);
        });
    });
  });
  llvm::outs() << "\n";
}

llvm::Error hgc::driver::explainMemory(const ArgParser &parser, llvm::StringRef path, CompileFlags &flags, bool json) {
  if (path.ends_with(".json") || ModelLibrary::isLibrary(path))
    return usageError("'--memory-curve' compares plans, '" + path + "' is one already", "name the model");
  if (!flags.options.memoryLimit.empty())
    return usageError("'--memory-curve' tries all limits", "drop --memory-limit");
  if (llvm::Error error = flags.finish())
    return error;
  Session session(parser);
  session.showProgress(parser, flags.options);
  auto module = session.read(path, flags);
  if (!module)
    return module.takeError();
  flags.options.baseDir = session.getBaseDir().str();
  if (mlir::failed(runStages(**module, Stage::Source, Stage::Graph, flags.options)))
    return alreadyReported();
  mlir::FailureOr<std::vector<MemoryCurvePoint>> curve = computeMemoryCurve(**module, flags.options);
  // The plan without a limit fails, and says why.
  if (mlir::failed(curve))
    return mlir::failed(runStages(**module, Stage::Graph, Stage::Exec, flags.options)) ? alreadyReported()
                                                                                       : llvm::Error::success();
  session.getProgress().stop();
  (json ? printJson : printTable)(flags.options.gpu.empty() ? "cpu" : "gpu", *curve);
  return llvm::Error::success();
}
