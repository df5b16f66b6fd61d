//===- CompileCommand.cpp - hgc compile -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Loading.h"
#include "Verify.h"

#include "hgc/Pipeline/Artifacts.h"
#include "hgc/Pipeline/MemoryLimit.h"
#include "hgc/Report/Collect.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"
#include "hgc/Support/Resources.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples =
    R"(  hgc compile model.mlir -o model.so                 # library; model.h, model.hpp, model.plan.json beside it
  hgc compile model.mlir -o model.so --dim batch=1,32 --target-cpu=native
  hgc compile model.onnx -o model.so --shape input=1x3x224x224   # an ONNX model, and an extent for each dim
  hgc compile step.mlir -o step.so                   # a StableHLO program: jax.jit(f).lower(...).as_text()
  hgc compile model.mlir -o model.so --weights=external --verify
  hgc compile model.mlir -o model.so --gpu sm_80     # runs on GPUs from 8.0 on, and on the CPU without one
  hgc compile model.mlir -o model.so --train --loss sparse_categorical_crossentropy --optimizer adam:lr=1e-3 --metrics accuracy
  hgc compile model.mlir --emit=fused                # print the model after fusion
  hgc compile model.mlir -o model.so --gpu a100 --report plan.html   # and a page that shows who runs where
  hgc compile model.mlir -o model.so --gpu a100 --plan old.plan.json # placed as it was before
  hgc compile fused.mlir --start-from=fused -o model.so
  cat model.mlir | hgc compile - --emit=asm -o -
)";

struct Request {
  std::vector<std::string> paths;
  std::string output, emit = "lib", startFrom = "source", report, fault;
  bool verify = false, depfile = false;
  CompileFlags flags;
  DeviceFlags device;
};

void addOptions(ArgParser &parser, Request &request) {
  parser.positional(request.paths);
  parser.value("o", "FILE", request.output, "where to write; '-' is standard output");
  parser.choice("emit",
                {"graph", "placed", "fused", "exec", "llvm", "asm", "ptx", "obj", "staticlib", "lib", "header",
                 "cxx-header", "plan", "report"},
                request.emit, "what to make (default lib)");
  parser.choice("start-from", {"source", "graph", "placed", "fused", "exec"}, request.startFrom,
                "the input is what --emit printed for that stage");
  parser.value("report", "FILE.html", request.report,
               "also write a page that shows the plan: graph, costs, memory, timeline");
  parser.flag("verify", request.verify, "run the result on random inputs and compare with the evaluator");
  request.device.addTo(parser);
  parser.flag("MD", request.depfile, "write FILE.d, which lists what the output depends on, for make and ninja");
  request.flags.addTo(parser);
  parser.hidden("inject-fault", request.fault);
}

/// The stage `--emit` stops at, or nothing when it asks for machine code.
std::optional<Stage> stageOf(llvm::StringRef emit) { return emit == "llvm" ? std::nullopt : parseStage(emit); }

std::string defaultOutput(const Request &request) {
  if (stageOf(request.emit) || request.emit == "llvm" || request.emit == "asm" || request.emit == "ptx" ||
      request.emit == "header" || request.emit == "cxx-header" || request.emit == "plan" || request.emit == "report")
    return "-";
  llvm::StringRef stem = request.paths.front() == "-" ? "model" : llvm::sys::path::stem(request.paths.front());
  llvm::StringRef extension = request.emit == "lib" ? ".so" : request.emit == "obj" ? ".o" : ".a";
  return (stem + extension).str();
}

/// `target: sources` as make reads it; spaces are escaped.
llvm::Error writeDepfile(const Request &request, llvm::ArrayRef<std::string> files) {
  auto escape = [](llvm::StringRef path) {
    std::string text;
    for (char c : path)
      text += c == ' ' ? "\\ " : c == '$' ? "$$" : std::string(1, c);
    return text;
  };
  std::string text = escape(request.output) + ":";
  for (const std::string &file : files)
    text += " " + escape(file);
  return writeFile(request.output + ".d", text + "\n");
}

/// A library is linked in a folder of its own, then copied; its headers are
/// what --emit=header prints.
llvm::Error writeLibraryToStdout(mlir::ModuleOp module, Stage from, Artifact artifact, const Request &request,
                                 LibraryCheck check) {
  const CompileOptions &options = request.flags.options;
  if (options.externalWeights)
    return usageError("'-o -' has no folder for the weights file", "add -o model.so, or drop --weights=external");
  auto folder = TempFolder::create();
  if (!folder)
    return folder.takeError();
  std::string path = (*folder)->path("model.so");
  if (llvm::Error error = writeArtifact(module, from, artifact, options, path, request.report, check))
    return error;
  auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return makeError("cannot read '" + path + "': " + bytes.getError().message(), "set TMPDIR to another folder");
  return writeFile("-", (*bytes)->getBuffer());
}

llvm::Error writeOutput(mlir::ModuleOp module, Stage from, const Request &request, LibraryCheck check) {
  const CompileOptions &options = request.flags.options;
  if (std::optional<Stage> stage = stageOf(request.emit)) {
    // Its collector is who says remarks.
    plans::PlanCollector collector;
    if (mlir::failed(runStages(module, from, *stage, options, request.flags.remarks ? &collector : nullptr)))
      return alreadyReported();
    return writeModule(module, request.output);
  }
  Artifact artifact = *parseArtifact(request.emit);
  bool isLibrary = artifact == Artifact::Library || artifact == Artifact::StaticLibrary;
  // Linking takes memory for two more copies of the weights.
  auto drop = [&](LinkFunction) {
    dropUnusedResources(module);
    return llvm::Error::success();
  };
  if (!check)
    check = drop;
  if (isLibrary && request.output == "-")
    return writeLibraryToStdout(module, from, artifact, request, check);
  return writeArtifact(module, from, artifact, options, request.output, request.report, check);
}

/// Outputs must not replace the model or each other.
llvm::Error checkOutput(const Request &request) {
  if (!request.report.empty() && stageOf(request.emit))
    return usageError("'--report' shows a plan, which '--emit=" + request.emit + "' does not make", "drop one of them");
  if (request.depfile && request.output == "-")
    return usageError("'-MD' needs an output file", "add -o model.so");
  if (request.output != "-" && llvm::sys::fs::equivalent(request.output, request.paths.front()))
    return usageError("the output '" + request.output + "' is the model itself", "write -o model.so");
  bool hasHeader = request.emit == "lib" || request.emit == "staticlib";
  llvm::StringRef extension = llvm::sys::path::extension(request.output);
  if (hasHeader && (extension == ".h" || extension == ".hpp"))
    return usageError("the library '" + request.output + "' would have the name of its header", "write -o model.so");
  return llvm::Error::success();
}

/// What an earlier stage has settled cannot be chosen again.
llvm::Error checkStart(const Request &request, Stage from) {
  std::pair<bool, const char *> settled[] = {
      {from >= Stage::Graph && !request.flags.dims.empty(), "--dim"},
      {from >= Stage::Graph && !request.flags.shapes.empty(), "--shape"},
      {from >= Stage::Graph && request.flags.options.training.enabled, "--train"},
      {from >= Stage::Graph && !request.flags.targetCpu.empty(), "--target-cpu"},
      {from >= Stage::Graph && !request.flags.targetTables.empty(), "--target-table"},
      {from >= Stage::Placed && !request.flags.options.gpu.empty(), "--gpu"},
      {from >= Stage::Placed && !request.flags.options.place.empty(), "--place"},
      {from >= Stage::Placed && !request.flags.options.forceConv.empty(), "--force-conv"},
      {from >= Stage::Placed && request.flags.options.exactConv, "--exact-conv"},
      {from >= Stage::Placed && request.flags.options.matrixUnit != "auto", "--matrix-unit"},
      {from >= Stage::Placed && !request.flags.tune.items.empty(), "--tune"},
      {from >= Stage::Placed && !request.flags.options.plan.empty(), "--plan"},
      {from >= Stage::Placed && request.flags.options.strictPlacement, "--strict-placement"},
      {from >= Stage::Placed && !request.flags.options.memoryLimit.empty(), "--memory-limit"},
      {from >= Stage::Exec && request.flags.options.separateArena, "--arena"},
      {from >= Stage::Placed && request.flags.options.objective != "makespan", "--objective"},
      {from >= Stage::Exec && request.flags.options.schedule != "overlap", "--schedule"},
      {from >= Stage::Exec && request.flags.options.interOpThreads != 1, "--inter-op-threads"},
  };
  for (auto [isSet, name] : settled)
    if (isSet)
      return usageError("'" + llvm::Twine(name) + "' has no effect on stage '" + request.startFrom + "'",
                        "give it to the run that emits the stage");
  return llvm::Error::success();
}

/// Files that options name, before their contents take their place. They are
/// relative to this folder, which is not always where make runs.
std::vector<std::string> listOptionFiles(const CompileFlags &flags) {
  std::vector<std::string> files = flags.targetTables;
  if (llvm::StringRef rules = flags.options.place; rules.consume_front("@"))
    files.push_back(rules.str());
  if (!flags.options.plan.empty())
    files.push_back(flags.options.plan);
  for (std::string &file : files) {
    llvm::SmallString<128> path(file);
    llvm::sys::fs::make_absolute(path);
    file = std::string(path);
  }
  return files;
}

/// The model and the files that its parameters name.
std::vector<std::string> listModelFiles(mlir::ModuleOp module, llvm::StringRef path, llvm::StringRef baseDir) {
  std::vector<std::string> files;
  if (path != "-")
    files.push_back(path.str());
  for (const std::string &file : listFiles(module))
    files.push_back(baseDir == "." ? file : (baseDir + "/" + file).str());
  return files;
}

llvm::Error compile(llvm::ArrayRef<const char *> args) {
  ArgParser parser("compile", "turn a model into a shared library and its C header", "MODEL.mlir -o MODEL.so [options]",
                   kExamples);
  Request request;
  addOptions(parser, request);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (request.paths.size() != 1)
    return usageError(request.paths.empty() ? "no model given" : "more than one model given",
                      "hgc compile model.mlir -o model.so");
  Stage from = *parseStage(request.startFrom);
  request.flags.isPlaced = from >= Stage::Placed;
  std::vector<std::string> dependencies = listOptionFiles(request.flags);
  if (llvm::Error error = request.flags.finish())
    return error;
  if (request.output.empty())
    request.output = defaultOutput(request);
  if (llvm::Error error = checkOutput(request))
    return error;
  if (llvm::Error error = checkStart(request, from))
    return error;

  Session session(parser);
  if (request.flags.remarks)
    session.enableRemarks();
  if (request.output != "-")
    session.showProgress(parser, request.flags.options);
  auto module = session.read(request.paths.front(), request.flags);
  if (!module)
    return module.takeError();
  injectFault(request.fault);
  CompileOptions &options = request.flags.options;
  options.baseDir = session.getBaseDir().str();
  llvm::append_range(dependencies, listModelFiles(**module, request.paths.front(), options.baseDir));

  if (!request.verify && !request.device.device.empty())
    return usageError("'--device' says where '--verify' runs the result", "add --verify, or drop --device");
  if (request.verify && from != Stage::Source)
    return usageError("'--verify' needs the model itself", "drop --start-from");
  // What is written is what was checked; other outputs than libraries cannot run.
  bool checksOutput = request.verify && request.emit == "lib";
  if (request.verify && !checksOutput)
    if (llvm::Error error = verifyModel(**module, options, request.device, session))
      return error;
  mlir::OwningOpRef<mlir::ModuleOp> source = checksOutput ? (*module)->clone() : nullptr;
  auto check = [&](LinkFunction link) {
    session.getProgress().tell("comparing with the evaluator");
    return verifyModel(*source, options, request.device, session, link);
  };
  if (llvm::Error error = writeOutput(**module, from, request, checksOutput ? LibraryCheck(check) : nullptr))
    return error;
  session.getProgress().stop();
  if (std::string text = describeMemoryLimit(**module); !text.empty())
    llvm::errs() << "hgc: " << text << "\n";
  return request.depfile ? writeDepfile(request, dependencies) : llvm::Error::success();
}

} // namespace

int hgc::driver::runCompile(llvm::ArrayRef<const char *> args) { return report(compile(args)); }
