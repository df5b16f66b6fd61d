//===- Loading.cpp - from a path on the command line to a model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Loading.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Pipeline/Artifacts.h"
#include "hgc/Support/Error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace hgc;
using namespace hgc::driver;

void LoadFlags::addTo(ArgParser &parser) {
  parser.positional(paths);
  parser.value("entry", "NAME", entry, "entry function to call (default: the only one)");
  parser.list("input", "NAME=VALUE", inputs.inputs,
              "x=@x.npy, x=@all.npz:key, x=2xf32=1,2, or @all.npz for all; random otherwise");
  parser.number("seed", "N", inputs.seed, "seed of random inputs (default 0)");
  parser.value("weights-path", "FILE", weightsPath, "weights file of a library compiled with --weights=external");
  device.addTo(parser);
  compile.addTo(parser);
}

llvm::Expected<std::unique_ptr<TempFolder>> TempFolder::create() {
  llvm::SmallString<128> root;
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("hgc", root))
    return makeError("cannot make a temporary folder: " + error.message(), "set TMPDIR to a writable folder");
  std::unique_ptr<TempFolder> folder(new TempFolder);
  folder->root = std::string(root);
  return folder;
}

TempFolder::~TempFolder() { llvm::sys::fs::remove_directories(root); }

std::string TempFolder::path(llvm::StringRef file) const {
  llvm::SmallString<128> result(root);
  llvm::sys::path::append(result, file);
  return std::string(result);
}

static llvm::Error openLibrary(llvm::StringRef path, const LoadFlags &flags, const ModelLibrary::Options &options,
                               LoadedModel &loaded) {
  auto library = ModelLibrary::open(path, options, &loaded.session->getContext());
  if (!library)
    return library.takeError();
  loaded.library = std::move(*library);
  llvm::ArrayRef<EntrySignature> entries = loaded.library->getEntries();
  std::vector<std::string> names;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    names.push_back(entry.name);
    if (entry.name == flags.entry || (flags.entry.empty() && entries.size() == 1)) {
      loaded.entry = i;
      return llvm::Error::success();
    }
  }
  if (flags.entry.empty())
    return makeError("the model has several entries", "choose one: --entry=" + llvm::join(names, " or --entry="));
  return makeError("the model has no entry '" + flags.entry + "'", "its entries are " + llvm::join(names, ", "));
}

llvm::Expected<LoadedModel> hgc::driver::loadModel(const ArgParser &parser, LoadFlags &flags,
                                                   ModelLibrary::Options options) {
  if (flags.paths.size() != 1)
    return usageError(flags.paths.empty() ? "no model given" : "more than one model given",
                      "name one model.so or model.mlir");
  if (llvm::Error error = flags.compile.finish())
    return std::move(error);
  flags.inputs.dims = flags.compile.dims;
  options.threads = flags.compile.options.numThreads;
  options.weightsPath = flags.weightsPath;
  if (llvm::Error error = flags.device.apply(options))
    return std::move(error);

  LoadedModel loaded;
  loaded.session = std::make_unique<Session>(parser);
  if (flags.compile.remarks)
    loaded.session->enableRemarks();
  llvm::StringRef path = flags.paths.front();
  if (ModelLibrary::isLibrary(path)) {
    if (llvm::Error error = flags.compile.rejectForLibrary())
      return std::move(error);
    if (llvm::Error error = openLibrary(path, flags, options, loaded))
      return std::move(error);
    return loaded;
  }
  loaded.session->showProgress(parser, flags.compile.options);
  auto module = loaded.session->read(path, flags.compile);
  if (!module)
    return module.takeError();
  auto folder = TempFolder::create();
  if (!folder)
    return folder.takeError();
  for (mlir::func::FuncOp entry : getEntries(**module)) {
    auto of = entry->getAttrOfType<mlir::StringAttr>(graph::HGCDialect::kVariantOf);
    if (flags.entry.empty() || flags.entry == (of ? of.getValue() : entry.getSymName()))
      addCheckedRanges(entry, flags.inputs.ranges);
  }
  std::string library = (*folder)->path("model.so");
  flags.compile.options.baseDir = loaded.session->getBaseDir().str();
  if (llvm::Error error = writeArtifact(**module, Stage::Source, Artifact::Library, flags.compile.options, library))
    return std::move(error);
  loaded.session->getProgress().stop();
  if (llvm::Error error = openLibrary(library, flags, options, loaded))
    return std::move(error);
  return loaded;
}

llvm::Expected<LoadedCall> hgc::driver::loadCall(const ArgParser &parser, LoadFlags &flags,
                                                 ModelLibrary::Options options) {
  llvm::Expected<LoadedModel> model = loadModel(parser, flags, options);
  if (!model)
    return model.takeError();
  LoadedCall loaded;
  loaded.model = std::move(*model);
  const ModelLibrary &library = *loaded.model.library;
  auto inputs = makeInputs(loaded.getEntry(), flags.inputs, &loaded.model.session->getContext());
  if (!inputs)
    return inputs.takeError();
  loaded.inputs = std::move(*inputs);
  auto outputs = library.makeOutputs(loaded.model.entry, loaded.inputs);
  if (!outputs)
    return outputs.takeError();
  loaded.outputs = std::move(*outputs);
  auto call = PreparedCall::create(library.getModel(), loaded.model.entry, loaded.inputs, loaded.outputs);
  if (!call)
    return call.takeError();
  loaded.call = std::move(*call);
  return loaded;
}
