//===- LinkInputs.cpp - what every kind of library is linked from ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include "hgc/CodeGen/CPU/TargetSpec.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::link;

llvm::Expected<LinkJob> LinkJob::create(ModuleOp module) {
  FailureOr<cpu::ModelInfo> info = cpu::getModelInfo(module);
  FailureOr<cpu::WeightsImage> weights = cpu::WeightsImage::create(module);
  FailureOr<cpu::TargetSpec> target = cpu::TargetSpec::get(module);
  if (failed(info) || failed(weights) || failed(target))
    return makeError("the module is not a planned model", "see the errors above");
  auto libraries = module->getAttrOfType<ArrayAttr>(cpu::kLibrarySymbolsAttr);
  return LinkJob{std::move(*info), std::move(*weights), llvm::Triple(target->triple), libraries && !libraries.empty()};
}

llvm::Error LinkInputs::writeRuntime() {
  if (llvm::Error error = scratch.write("libhgc_rt.a", files.runtime))
    return error;
  if (!job.info.gpus.empty()) {
    if (llvm::Error error = scratch.write("libhgc_rt_cuda.a", files.cudaRuntime))
      return error;
    // The runtime refers to its devices weakly, so they must be asked for.
    runtime = {"-u", "hgc_rti_cuda", scratch.path("libhgc_rt_cuda.a")};
  }
  runtime.push_back(scratch.path("libhgc_rt.a"));
  return llvm::Error::success();
}

llvm::Error LinkInputs::write(ArrayRef<cpu::ObjectCode> codes, const LinkOptions &options) {
  for (const cpu::ObjectCode &code : codes) {
    std::string name = "model" + std::to_string(objects.size()) + ".o";
    if (llvm::Error error = scratch.write(name, StringRef(code.data(), code.size())))
      return error;
    objects.push_back(scratch.path(name));
  }
  if (llvm::Error error = writeRuntime())
    return error;
  if (options.externalWeights || job.weights.getByteSize() == 0)
    return llvm::Error::success();
  weights = scratch.path("weights.o");
  return writeWeightsObject(job.weights, cpu::getWeightsSymbol(job.info), job.triple, *weights);
}

llvm::Expected<LinkInputs> LinkInputs::create(ModuleOp module, ArrayRef<cpu::ObjectCode> objects,
                                              const LinkOptions &options) {
  llvm::Expected<LinkJob> job = LinkJob::create(module);
  if (!job)
    return job.takeError();
  llvm::Expected<EmbeddedFiles> files = EmbeddedFiles::get(job->triple, options.sanitizer);
  if (!files)
    return files.takeError();
  llvm::Expected<ScratchFolder> scratch = ScratchFolder::create(options.output);
  if (!scratch)
    return scratch.takeError();
  LinkInputs inputs{std::move(*job), *files, std::move(*scratch), {}, {}, {}};
  if (llvm::Error error = inputs.write(objects, options))
    return std::move(error);
  return std::move(inputs);
}
