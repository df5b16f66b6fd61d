//===- SharedLibrary.cpp - model.so ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result depends on the module only: no path, time or build id goes in.
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

/// Only these symbols are visible outside.
static std::string makeVersionScript(const cpu::ModelInfo &info) {
  std::string script = "{\n  global:\n";
  for (const std::string &symbol : info.exportedSymbols(/*staticLibrary=*/false))
    script += "    " + symbol + ";\n";
  return script + "  local: *;\n};\n";
}

llvm::Expected<std::vector<std::string>> link::writeRuntime(const LinkJob &job, const EmbeddedFiles &files,
                                                            const ScratchFolder &scratch) {
  if (llvm::Error error = scratch.write("libhgc_rt.a", files.runtime))
    return std::move(error);
  if (job.info.gpus.empty())
    return std::vector<std::string>{scratch.path("libhgc_rt.a")};
  if (llvm::Error error = scratch.write("libhgc_rt_cuda.a", files.cudaRuntime))
    return std::move(error);
  // The runtime refers to its devices weakly, so they must be asked for.
  return std::vector<std::string>{"-u", "hgc_rti_cuda", scratch.path("libhgc_rt_cuda.a"), scratch.path("libhgc_rt.a")};
}

llvm::Expected<std::vector<std::string>> link::writeObjects(ArrayRef<cpu::ObjectCode> objects,
                                                            const ScratchFolder &scratch) {
  std::vector<std::string> paths;
  for (const cpu::ObjectCode &object : objects) {
    std::string name = "model" + std::to_string(paths.size()) + ".o";
    if (llvm::Error error = scratch.write(name, StringRef(object.data(), object.size())))
      return std::move(error);
    paths.push_back(scratch.path(name));
  }
  return paths;
}

/// Writes every other input of the linker into `scratch`.
static llvm::Error writeInputs(const LinkJob &job, const EmbeddedFiles &files, const LinkOptions &options,
                               const ScratchFolder &scratch) {
  const std::pair<StringRef, StringRef> inputs[] = {{"libc.so.6", files.libcStub}, {"libm.so.6", files.libmStub}};
  for (auto [name, contents] : inputs)
    if (llvm::Error error = scratch.write(name, contents))
      return error;
  if (llvm::Error error = scratch.write("exports", makeVersionScript(job.info)))
    return error;
  if (options.externalWeights || job.weights.getByteSize() == 0)
    return llvm::Error::success();
  return writeWeightsObject(job.weights, cpu::getWeightsSymbol(job.info), job.triple, scratch.path("weights.o"));
}

llvm::Error link::linkSharedLibrary(ModuleOp module, ArrayRef<cpu::ObjectCode> objects, const LinkOptions &options) {
  llvm::Expected<LinkJob> job = LinkJob::create(module);
  if (!job)
    return job.takeError();
  llvm::Expected<EmbeddedFiles> files = EmbeddedFiles::get(job->triple, options.sanitizer);
  if (!files)
    return files.takeError();
  llvm::Expected<ScratchFolder> scratch = ScratchFolder::create(options.output);
  if (!scratch)
    return scratch.takeError();
  llvm::Expected<std::vector<std::string>> paths = writeObjects(objects, *scratch);
  if (!paths)
    return paths.takeError();
  if (llvm::Error error = writeInputs(*job, *files, options, *scratch))
    return error;
  llvm::Expected<std::vector<std::string>> runtime = writeRuntime(*job, *files, *scratch);
  if (!runtime)
    return runtime.takeError();
  std::vector<std::string> arguments = {"-shared",
                                        "-Bsymbolic",
                                        "--gc-sections",
                                        "--hash-style=gnu",
                                        "-z",
                                        "relro",
                                        "-z",
                                        "now",
                                        "-z",
                                        "noexecstack",
                                        "--build-id=none",
                                        "--threads=1",
                                        "-soname=" + job->info.cName + ".so",
                                        "--version-script=" + scratch->path("exports")};
  // A function nobody provides is found here and not by the user's loader. A
  // sanitizer's runtime comes with the program.
  bool complete = options.sanitizer == cpu::Sanitizer::None && !job->hasLibrarySymbols;
  arguments.insert(arguments.end(), {"-z", complete ? "defs" : "undefs"});
  if (options.strip)
    arguments.push_back("--strip-all");
  arguments.insert(arguments.end(), {"-o", scratch->path("out.so")});
  llvm::append_range(arguments, *paths);
  if (!options.externalWeights && job->weights.getByteSize() > 0)
    arguments.push_back(scratch->path("weights.o"));
  llvm::append_range(arguments, *runtime);
  arguments.insert(arguments.end(), {"--as-needed", scratch->path("libm.so.6"), scratch->path("libc.so.6")});
  if (llvm::Error error = runLinker(arguments))
    return error;
  return scratch->publish("out.so", options.output);
}
