//===- SharedLibrary.cpp - model.so ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result depends on the module only: no path, time or build id goes in.
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::link;

/// Only these symbols are visible outside.
static std::string makeVersionScript(const cpu::ModelInfo &info) {
  std::string script = "{\n  global:\n";
  for (const std::string &symbol : info.exportedSymbols(/*staticLibrary=*/false))
    script += "    " + symbol + ";\n";
  return script + "  local: *;\n};\n";
}

llvm::Error link::linkSharedLibrary(ModuleOp module, ArrayRef<cpu::ObjectCode> objects, const LinkOptions &options) {
  llvm::Expected<LinkInputs> inputs = LinkInputs::create(module, objects, options);
  if (!inputs)
    return inputs.takeError();
  const auto &[job, files, scratch, paths, runtime, weights] = *inputs;
  const std::pair<StringRef, std::string> others[] = {
      {"libc.so.6", files.libcStub.str()},
      {"libm.so.6", files.libmStub.str()},
      {"exports", makeVersionScript(job.info)}};
  for (const auto &[name, contents] : others)
    if (llvm::Error error = scratch.write(name, contents))
      return error;
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
                                        "-soname=" + job.info.cName + ".so",
                                        "--version-script=" + scratch.path("exports")};
  // A function nobody provides is found here and not by the user's loader. A
  // sanitizer's runtime comes with the program.
  bool complete = options.sanitizer == cpu::Sanitizer::None && !job.hasLibrarySymbols;
  arguments.insert(arguments.end(), {"-z", complete ? "defs" : "undefs"});
  if (options.strip)
    arguments.push_back("--strip-all");
  arguments.insert(arguments.end(), {"-o", scratch.path("out.so")});
  llvm::append_range(arguments, paths);
  if (weights)
    arguments.push_back(*weights);
  llvm::append_range(arguments, runtime);
  arguments.insert(arguments.end(), {"--as-needed", scratch.path("libm.so.6"), scratch.path("libc.so.6")});
  if (llvm::Error error = runLinker(arguments))
    return error;
  scratch.writeAtOnce("out.so");
  return scratch.publish("out.so", options.output);
}
