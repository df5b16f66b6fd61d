//===- StepReplay.cpp - a step of a GPU, again on the CPU -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StepReplay.h"

using namespace hgc;
using namespace hgc::driver;

llvm::Error StepReplay::remember(const ModelLibrary &library) {
  llvm::Expected<NamedTensors> parameters = readParameters(library, context);
  if (!parameters)
    return parameters.takeError();
  before = std::move(now);
  now = std::move(*parameters);
  return llvm::Error::success();
}

std::string StepReplay::findBad() const {
  for (const auto &[name, tensor] : now)
    if (llvm::StringRef kind = findNonFinite(tensor); !kind.empty())
      return "parameter '" + name + "' is " + kind.str();
  return "";
}

llvm::Expected<std::string> StepReplay::explain(const StepPlan &plan, Batch &batch, int64_t step) const {
  KernelWatch watch;
  watch.setStep(step);
  ModelLibrary::Options onCpu = options;
  onCpu.device = "cpu";
  onCpu.timing = KernelWatch::onKernel;
  onCpu.timingUser = &watch;
  auto library = ModelLibrary::open(path, onCpu, context);
  if (!library)
    return library.takeError();
  if (llvm::Error error = writeParameters(**library, before, context))
    return std::move(error);
  hgc_rt_model *model = (*library)->getModel();
  hgc_rt_status status =
      hgc_rt_model_call(model, plan.entry, batch.inputs.data(), static_cast<int32_t>(batch.inputs.size()),
                        batch.outputs.data(), static_cast<int32_t>(batch.outputs.size()));
  if (status != HGC_RT_OK)
    return makeLibraryError(hgc_rt_model_last_error(model));
  std::string found = watch.explain(step);
  return found.empty() ? "made again on the CPU, the step has no such results" : "made again on the CPU, " + found;
}
