//===- Artifacts.cpp - files a compilation makes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Pipeline/Artifacts.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/CodeGen/CPU/TranslateToObject.h"
#include "hgc/Link/Link.h"
#include "hgc/Report/Collect.h"
#include "hgc/Report/Render.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace hgc;

namespace {

cpu::Sanitizer getSanitizer(const CompileOptions &options) {
  return options.sanitize == "address"  ? cpu::Sanitizer::Address
         : options.sanitize == "thread" ? cpu::Sanitizer::Thread
                                        : cpu::Sanitizer::None;
}

void tell(const CompileOptions &options, const llvm::Twine &activity) {
  if (options.progress)
    options.progress(activity.str());
}

/// What LLVM is asked for.
cpu::ObjectOptions getObjectOptions(const CompileOptions &options) {
  cpu::ObjectOptions result{options.optLevel, getSanitizer(options)};
  result.progress = [&options](unsigned done, unsigned total) {
    tell(options, "generating code: " + llvm::Twine(done) + " of " + llvm::Twine(total) + " kernels");
  };
  return result;
}

/// The diagnostics have said it all.
llvm::Error reported() { return makeError("", ""); }

/// `folder/name` for a file beside `path`.
std::string beside(llvm::StringRef path, llvm::StringRef name) {
  llvm::SmallString<128> result(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(result, name);
  return std::string(result);
}

std::string headerPath(llvm::StringRef library, llvm::StringRef extension = "h") {
  llvm::SmallString<128> path(library);
  llvm::sys::path::replace_extension(path, extension);
  return std::string(path);
}

llvm::Error writeHeaders(ModuleOp module, const CompileOptions &options, llvm::StringRef library) {
  llvm::Expected<std::string> header = link::generateHeader(module, options.staticLibrary);
  if (!header)
    return header.takeError();
  llvm::Expected<std::string> cxxHeader = link::generateCxxHeader(module, options.staticLibrary);
  if (!cxxHeader)
    return cxxHeader.takeError();
  const std::pair<std::string, StringRef> files[] = {{headerPath(library), *header},
                                                     {headerPath(library, "hpp"), *cxxHeader},
                                                     {beside(library, "hgc_rt.h"), link::getRuntimeHeader()},
                                                     {beside(library, "hgc_rt.hpp"), link::getRuntimeCxxHeader()}};
  for (const auto &[path, text] : files)
    if (llvm::Error error = writeFile(path, text))
      return error;
  return llvm::Error::success();
}

llvm::Error linkLibrary(ModuleOp module, llvm::ArrayRef<cpu::ObjectCode> objects, const CompileOptions &options,
                        llvm::StringRef path) {
  tell(options, "linking");
  link::LinkOptions linkOptions;
  linkOptions.output = path.str();
  linkOptions.externalWeights = options.externalWeights;
  linkOptions.sanitizer = getSanitizer(options);
  // Reports of sanitizers name functions.
  linkOptions.strip = options.sanitize.empty();
  if (options.externalWeights) {
    llvm::StringRef folder = llvm::sys::path::parent_path(path);
    llvm::Expected<std::string> weights = link::writeWeightsFile(module, folder.empty() ? "." : folder);
    if (!weights)
      return weights.takeError();
  }
  return options.staticLibrary ? link::linkStaticLibrary(module, objects, linkOptions)
                               : link::linkSharedLibrary(module, objects, linkOptions);
}

llvm::Error writeCode(ModuleOp module, cpu::ObjectKind kind, const CompileOptions &options, llvm::StringRef path) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  tell(options, "generating code");
  if (failed(cpu::translateToObject(module, getObjectOptions(options), kind, (*file)->os())))
    return reported();
  return (*file)->keep();
}

/// The PTX of all GPU kernels.
llvm::Error writePtx(ModuleOp module, llvm::StringRef path) {
  auto images = module->getAttrOfType<ArrayAttr>(cpu::kGpuImagesAttr);
  for (auto image : images ? llvm::to_vector(images.getAsRange<DictionaryAttr>()) : SmallVector<DictionaryAttr>())
    if (image.getAs<StringAttr>("kind") == "ptx")
      return writeFile(path, image.getAs<StringAttr>("data"));
  return makeError("the model has no GPU code",
                   "add --gpu sm_80; --place 'gpu(.*)' sends ops there that are cheaper on the CPU");
}

} // namespace

std::optional<Artifact> hgc::parseArtifact(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Artifact>>(name)
      .Case("llvm", Artifact::LLVM)
      .Case("asm", Artifact::Asm)
      .Case("ptx", Artifact::PTX)
      .Case("obj", Artifact::Object)
      .Case("staticlib", Artifact::StaticLibrary)
      .Case("lib", Artifact::Library)
      .Case("header", Artifact::Header)
      .Case("cxx-header", Artifact::CxxHeader)
      .Case("plan", Artifact::Plan)
      .Case("report", Artifact::Report)
      .Default(std::nullopt);
}

llvm::Error hgc::writeArtifact(ModuleOp module, Stage from, Artifact artifact, const CompileOptions &given,
                               llvm::StringRef path, llvm::StringRef report, LibraryCheck check) {
  CompileOptions options = given;
  options.staticLibrary = artifact == Artifact::StaticLibrary;
  // Tell at once, not after all the work, that nothing can be written.
  auto probe = OutputFile::create(path);
  if (!probe)
    return probe.takeError();
  probe->reset();
  bool isLibrary = artifact == Artifact::Library || artifact == Artifact::StaticLibrary;
  if (isLibrary) {
    probe = OutputFile::create(headerPath(path));
    if (!probe)
      return probe.takeError();
    probe->reset();
  }
  bool isPlan = artifact == Artifact::Plan || artifact == Artifact::Report;
  plans::PlanCollector collector;
  if (failed(runStages(module, from, isPlan ? Stage::Exec : Stage::LLVM, options, &collector)))
    return reported();
  FailureOr<std::vector<cpu::ObjectCode>> objects;
  if (isLibrary) {
    tell(options, "generating code");
    objects = cpu::translateToObjects(module, getObjectOptions(options));
    if (failed(objects))
      return reported();
  }
  if (artifact == Artifact::Library && check)
    if (llvm::Error error = check([&](StringRef to) { return linkLibrary(module, *objects, options, to); }))
      return error;
  std::string name = module.getSymName().value_or("model").str();
  if (!report.empty())
    if (llvm::Error error = writeFile(report, plans::renderHtml(collector.plan, name)))
      return error;
  switch (artifact) {
  case Artifact::LLVM:
    return writeCode(module, cpu::ObjectKind::LLVMIR, options, path);
  case Artifact::Asm:
    return writeCode(module, cpu::ObjectKind::Assembly, options, path);
  case Artifact::PTX:
    return writePtx(module, path);
  case Artifact::Object:
    return writeCode(module, cpu::ObjectKind::Object, options, path);
  case Artifact::StaticLibrary:
  case Artifact::Library:
    if (llvm::Error error = linkLibrary(module, *objects, options, path))
      return error;
    if (llvm::Error error = writeHeaders(module, options, path))
      return error;
    return writeFile(getPlanPath(path), plans::writeJson(collector.plan));
  case Artifact::Plan:
    return writeFile(path, plans::writeJson(collector.plan));
  case Artifact::Report:
    return writeFile(path, plans::renderHtml(collector.plan, name));
  case Artifact::Header:
  case Artifact::CxxHeader:
    break;
  }
  llvm::Expected<std::string> header =
      artifact == Artifact::Header ? link::generateHeader(module) : link::generateCxxHeader(module);
  if (!header)
    return header.takeError();
  return writeFile(path, *header);
}

llvm::Expected<plans::Plan> hgc::makePlan(ModuleOp module, Stage from, const CompileOptions &options) {
  plans::PlanCollector collector;
  if (failed(runStages(module, from, Stage::Exec, options, &collector)))
    return reported();
  return std::move(collector.plan);
}

std::string hgc::getPlanPath(llvm::StringRef library) {
  llvm::SmallString<128> path(library);
  llvm::sys::path::replace_extension(path, "plan.json");
  return std::string(path);
}

llvm::Error hgc::writeModule(ModuleOp module, llvm::StringRef path) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  module->print((*file)->os(), OpPrintingFlags().enableDebugInfo());
  (*file)->os() << "\n";
  return (*file)->keep();
}

std::vector<std::string> hgc::listFiles(ModuleOp module) {
  llvm::SetVector<StringRef> files;
  for (graph::ParameterOp parameter : module.getOps<graph::ParameterOp>())
    if (auto file = dyn_cast<graph::FileAttr>(parameter.getValue()))
      files.insert(file.getPath());
  return {files.begin(), files.end()};
}
