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

llvm::Error link::checkArchitecture(const llvm::Triple &triple) {
#if defined(__x86_64__)
  bool matches = triple.isX86_64();
#elif defined(__aarch64__)
  bool matches = triple.isAArch64(64);
#else
#error "hgc links libraries for x86-64 and aarch64"
#endif
  if (matches)
    return llvm::Error::success();
  return makeError("this hgc holds no runtime for '" + triple.str() + "'",
                   "use --emit=obj and link on the target, or build hgc there");
}

/// Only these symbols are visible outside.
static std::string makeVersionScript(const cpu::ModelInfo &info) {
  std::string script = "{\n  global:\n";
  for (const std::string &symbol : info.exportedSymbols(/*staticLibrary=*/false))
    script += "    " + symbol + ";\n";
  return script + "  local: *;\n};\n";
}

llvm::Expected<std::vector<std::string>> link::writeRuntime(const LinkJob &job, const LinkOptions &options,
                                                            const ScratchFolder &scratch) {
  if (llvm::Error error = scratch.write("libhgc_rt.a", EmbeddedFiles::runtime(options.sanitizer)))
    return std::move(error);
  if (job.info.gpus.empty())
    return std::vector<std::string>{scratch.path("libhgc_rt.a")};
  if (llvm::Error error = scratch.write("libhgc_rt_cuda.a", EmbeddedFiles::cudaRuntime(options.sanitizer)))
    return std::move(error);
  // The runtime refers to its devices weakly, so they must be asked for.
  return std::vector<std::string>{"-u", "hgc_rti_cuda", scratch.path("libhgc_rt_cuda.a"), scratch.path("libhgc_rt.a")};
}

/// Writes every other input of the linker into `scratch`.
static llvm::Error writeInputs(const LinkJob &job, StringRef object, const LinkOptions &options,
                               const ScratchFolder &scratch) {
  const std::pair<StringRef, StringRef> files[] = {
      {"model.o", object}, {"libc.so.6", EmbeddedFiles::libcStub()}, {"libm.so.6", EmbeddedFiles::libmStub()}};
  for (auto [name, contents] : files)
    if (llvm::Error error = scratch.write(name, contents))
      return error;
  if (llvm::Error error = scratch.write("exports", makeVersionScript(job.info)))
    return error;
  if (options.externalWeights || job.weights.getByteSize() == 0)
    return llvm::Error::success();
  return writeWeightsObject(job.weights, cpu::getWeightsSymbol(job.info), job.triple, scratch.path("weights.o"));
}

llvm::Error link::linkSharedLibrary(ModuleOp module, StringRef object, const LinkOptions &options) {
  llvm::Expected<LinkJob> job = LinkJob::create(module);
  if (!job)
    return job.takeError();
  if (llvm::Error error = checkArchitecture(job->triple))
    return error;
  llvm::Expected<ScratchFolder> scratch = ScratchFolder::create(options.output);
  if (!scratch)
    return scratch.takeError();
  if (llvm::Error error = writeInputs(*job, object, options, *scratch))
    return error;
  llvm::Expected<std::vector<std::string>> runtime = writeRuntime(*job, options, *scratch);
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
  arguments.insert(arguments.end(), {"-o", scratch->path("out.so"), scratch->path("model.o")});
  if (!options.externalWeights && job->weights.getByteSize() > 0)
    arguments.push_back(scratch->path("weights.o"));
  llvm::append_range(arguments, *runtime);
  arguments.insert(arguments.end(), {"--as-needed", scratch->path("libm.so.6"), scratch->path("libc.so.6")});
  if (llvm::Error error = runLinker(arguments))
    return error;
  return scratch->publish("out.so", options.output);
}
