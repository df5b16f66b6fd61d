//===- CalibrationCheck.cpp - modelled against measured times -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Calibration.h"

#include "dialects/Exec/ExecOps.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Support/Error.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::driver;

/// Modelled nanoseconds of each CPU kernel of a model, on one core.
static llvm::Expected<llvm::StringMap<double>> priceKernels(const ArgParser &parser, llvm::StringRef path,
                                                            CompileFlags flags) {
  if (llvm::Error error = flags.finish())
    return std::move(error);
  Session session(parser);
  auto module = session.read(path, flags);
  if (!module)
    return module.takeError();
  flags.options.baseDir = session.getBaseDir().str();
  if (failed(runStages(**module, Stage::Source, Stage::Exec, flags.options)))
    return alreadyReported();
  DeviceTable single = getCpuTable(**module);
  single.cores = 1;
  Pricing pricing(single, getGpuTable(**module));
  auto host = graph::DeviceAttr::get(&session.getContext(), graph::DeviceKind::CPU, 0);
  llvm::StringMap<double> prices;
  for (auto kernel : (*module)->getOps<exec::KernelOp>())
    prices[kernel.getSymName()] = static_cast<double>(pricing.priceBody(kernel, host)) * 1e-3;
  return prices;
}

static double getQuantile(std::vector<double> values, double part) {
  llvm::sort(values);
  return values[std::min(values.size() - 1, static_cast<size_t>(part * static_cast<double>(values.size())))];
}

static void printErrors(llvm::StringRef what, const std::vector<double> &errors) {
  llvm::outs() << llvm::formatv("{0}: {1}, error median {2:F1} %, p90 {3:F1} %\n", what, errors.size(),
                                100 * getQuantile(errors, 0.5), 100 * getQuantile(errors, 0.9));
}

llvm::Error hgc::driver::checkTable(const ArgParser &parser, llvm::ArrayRef<std::string> models, const LoadFlags &flags,
                                    double seconds, double maxMedian, bool verbose) {
  std::vector<double> kernelErrors, modelErrors;
  llvm::outs() << "   modelled    measured   error  model\n";
  for (const std::string &path : models) {
    LoadFlags load = flags;
    load.paths = {path};
    load.compile.options.numThreads = 1;
    auto prices = priceKernels(parser, path, load.compile);
    if (!prices)
      return prices.takeError();
    auto times = measureKernels(parser, load, seconds);
    if (!times)
      return times.takeError();
    double modelled = 0, measured = 0;
    for (const auto &[name, kernel] : times->kernels) {
      double price = prices->lookup(name);
      double launches = static_cast<double>(kernel.launches) / static_cast<double>(times->calls);
      modelled += launches * price;
      measured += launches * kernel.ns;
      kernelErrors.push_back(std::abs(price / std::max(kernel.ns, 1.0) - 1));
      if (verbose)
        llvm::outs() << llvm::formatv("{0,8:F2} us {1,8:F2} us {2,6:F0}%    {3} ({4})\n", price / 1e3, kernel.ns / 1e3,
                                      100 * (price / std::max(kernel.ns, 1.0) - 1), name, kernel.ops);
    }
    if (times->kernels.empty())
      return makeError("'" + path + "' launches no kernel", "name a model that computes something");
    modelErrors.push_back(std::abs(modelled / measured - 1));
    llvm::outs() << llvm::formatv("{0,8:F2} us {1,8:F2} us {2,6:F0}%  {3}\n", modelled / 1e3, measured / 1e3,
                                  100 * (modelled / measured - 1), path);
  }
  printErrors("models", modelErrors);
  printErrors("kernels", kernelErrors);
  double median = 100 * getQuantile(kernelErrors, 0.5);
  if (maxMedian > 0 && median > maxMedian)
    return makeError(
        llvm::formatv("the median error of the kernels is {0:F1} %, expected at most {1:F1} %", median, maxMedian),
        "calibrate again while the machine is idle, and give the table with --target-table");
  return llvm::Error::success();
}
