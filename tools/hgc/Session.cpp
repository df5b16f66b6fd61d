//===- Session.cpp - a model being worked on ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "TargetTables.h"

#include "Driver.h"

#include "hgc/Frontend/Model.h"
#include "hgc/Frontend/ONNX.h"
#include "hgc/Frontend/StableHLO.h"
#include "hgc/Pipeline/Registration.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/MemoryLimits.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace hgc;
using namespace hgc::driver;
using namespace mlir;

namespace {

DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  if (const char *name = std::getenv("HGC_SKIP_PASS"))
    skipPass(registry, name);
  return registry;
}

void parseMlirFlags(llvm::ArrayRef<std::string> args) {
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerDefaultTimingManagerCLOptions();
  if (args.empty())
    return;
  std::vector<const char *> argv = {"hgc"};
  for (const std::string &arg : args)
    argv.push_back(arg.c_str());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::cl::ParseCommandLineOptions(argv.size(), argv.data(), "hgc\n", &os))
    return;
  StringRef first = StringRef(text).split('\n').first;
  first.consume_front("hgc: ");
  std::exit(report(
      usageError("MLIR does not take the flag: " + first.split(" Try:").first, "'hgc-opt --help' lists MLIR's flags")));
}

/// Adds a hint to an error that has none, then leaves it to the next handler.
LogicalResult addHint(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure();
  for (Diagnostic &note : diagnostic.getNotes())
    if (StringRef(note.str()).starts_with("hint:"))
      return failure();
  if (StringRef(diagnostic.str()).contains("unregistered dialect"))
    diagnostic.attachNote() << "hint: a model is made of ops of the dialects hgc and func";
  else
    diagnostic.attachNote() << "hint: docs/graph-dialect.md shows the form of every op with an example";
  return failure();
}

} // namespace

/// Where a problem of a model without text is: `at 'conv1': `.
static std::string describePlace(Location loc) {
  auto name = loc->findInstanceOf<NameLoc>();
  return name ? "at '" + name.getName().str() + "': " : "";
}

static llvm::SourceMgr::DiagKind getKind(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return llvm::SourceMgr::DK_Error;
  case DiagnosticSeverity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case DiagnosticSeverity::Remark:
    return llvm::SourceMgr::DK_Remark;
  case DiagnosticSeverity::Note:
    break;
  }
  return llvm::SourceMgr::DK_Note;
}

LogicalResult Session::printForFile(Diagnostic &diagnostic) {
  if (textlessFile.empty() || diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    return failure();
  auto print = [&](const Diagnostic &message) {
    llvm::SMDiagnostic(textlessFile, getKind(message.getSeverity()),
                       describePlace(message.getLocation()) + message.str())
        .print(/*ProgName=*/nullptr, progress.errs());
  };
  print(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    print(note);
  return success();
}

Session::Session(const ArgParser &parser) : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  parseMlirFlags(parser.mlirArgs());
  // A dump of the whole model would bury the message and its hint.
  context.printOpOnDiagnostic(false);
  printer = std::make_unique<SourceMgrDiagnosticHandler>(sources, &context, progress.errs());
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) { return printForFile(diagnostic); });
  context.getDiagEngine().registerHandler(addHint);
}

Session::~Session() = default;

void Session::enableRemarks() {
  remark::RemarkCategories categories;
  categories.passed = "hgc-.*";
  // The first call decides; there is one context a session.
  (void)remark::enableOptimizationRemarks(context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                          categories, /*printAsEmitRemarks=*/true);
}

llvm::Expected<OwningOpRef<ModuleOp>> Session::read(llvm::StringRef path, const ShapeFlags &shapes) {
  if (llvm::sys::fs::is_directory(path))
    return makeError("'" + path + "' is a folder, not a model", "name a file such as " + path + "/model.mlir");
  // An ONNX model may be large; it is mapped. MLIR's parser wants text that ends.
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  bool isOnnx = buffer && isOnnxModel(path, (*buffer)->getBuffer());
  if (buffer && !isOnnx && llvm::sys::fs::is_regular_file(path))
    buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message(),
                     "check the path; '-' reads standard input");
  if (path != "-" && llvm::sys::path::has_parent_path(path))
    baseDir = llvm::sys::path::parent_path(path).str();
  llvm::StringRef stem = path == "-" ? "model" : llvm::sys::path::stem(path);
  OwningOpRef<ModuleOp> module;
  if (isOnnx) {
    textlessFile = path == "-" ? "<stdin>" : path.str();
    auto imported =
        importOnnx(std::move(*buffer), {stem.str(), baseDir, shapes.dims, shapes.shapes, shapes.trains}, context);
    if (!imported)
      return imported.takeError();
    module = std::move(*imported);
  } else {
    if (!shapes.shapes.empty())
      return usageError("'--shape' is for ONNX models", "bind the dims of this one with --dim");
    bool isStableHlo = isStableHloModel((*buffer)->getBuffer());
    sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
    module = isStableHlo ? importStableHlo(sources, {stem.str(), shapes.trains}, context)
                         : parseHgcText(sources, stem, context);
  }
  if (!module)
    return alreadyReported();
  std::string text;
  llvm::raw_string_ostream os(text);
  // The data of resources stays out: as text it would take more memory than the model.
  module->print(os, OpPrintingFlags().elideLargeElementsAttrs(16).useLocalScope());
  setCrashInput(std::move(text));
  return std::move(module);
}

void ShapeFlags::addTo(ArgParser &parser) {
  parser.list("dim", "NAME=N,...", dims, "extents of a named dim; one variant is compiled for each");
  parser.list("shape", "INPUT=1x3x8", shapes, "shape of an input of an ONNX model whose dims have no extent");
}

void CompileFlags::addTo(ArgParser &parser) {
  parser.prefix("O", "0..3", optLevel, "optimisation level (default 3)");
  parser.value("target-cpu", "CPU", targetCpu,
               "CPU to compile for: a name of 'hgc devices', or native (default x86-64-v3)");
  parser.list("target-table", "FILE.json", targetTables,
              "a CPU or GPU as a table describes it, such as one 'hgc calibrate' wrote");
  parser.value("gpu", "GPU,...", options.gpu,
               "also make a GPU plan, for these GPUs: names of 'hgc devices', or sm_75 and later");
  parser.flag("cubin", cubin, "also embed machine code for those GPUs, made by ptxas of the CUDA toolkit");
  parser.flag("allow-tf32", options.allowTf32,
              "let GPUs round f32 operands of products and convolutions to tf32: faster, errors up to 2e-3");
  parser.choice("force-conv", {std::begin(kConvFormNames), std::end(kConvFormNames)}, options.forceConv,
                "form of the CPU's convolutions, where possible (default: the fastest by the cost model)");
  parser.flag("exact-conv", options.exactConv, "no Winograd convolutions, whose errors can be larger: up to 5e-5");
  parser.choice(
      "matrix-unit", {"auto", "always", "never"}, options.matrixUnit,
      "products by the CPU's matrix unit (AMX), f32 in three parts of bf16: where faster (default), possible, never");
  parser.number("gpus", "N", options.gpus, "GPUs the plan may use (default 1); pins may name more");
  parser.value("place", "RULES", options.place,
               "pin ops by name: 'gpu(encoder.*); cpu(=probs)', the first match wins; @FILE reads rules, one per line");
  parser.value("resident", "NAME=GPU,...", options.resident,
               "arguments and results that callers of the GPU plan pass as device memory: x=gpu,y=gpu:1");
  parser.value("memory-limit", "DEVICE=SIZE,...", options.memoryLimit,
               "most memory an instance may allocate: gpu=64MiB,cpu=1GiB; gpu:1 is the second GPU");
  parser.choice("objective", {"makespan", "serial"}, options.objective,
                "what to place for: the least time with overlap (default), or without it, which is certified");
  parser.choice("schedule", {"overlap", "in-order", "serial"}, options.schedule,
                "order of the GPU plan's actions: overlap (default), in-order as in the graph, serial one at a time");
  parser.value("plan", "FILE.json", options.plan, "place ops as an earlier model.plan.json of this model did");
  parser.flag("remarks", remarks, "print each decision of placement as a remark at its line of the model");
  ShapeFlags::addTo(parser);
  training.addTo(parser, options.training);
  tune.addTo(parser);
  parser.number("num-threads", "N", options.numThreads, "threads an instance uses (default: all cores)");
  parser.number("inter-op-threads", "N", options.interOpThreads,
                "most small CPU kernels that run side by side (default 1: one after the other)");
  parser.value("name", "NAME", options.name, "name of the model: prefix of its C functions (default: the module's)");
  parser.choice("weights", {"embedded", "external"}, weights, "where weights go: into the library or a file beside it");
  parser.choice("arena", {"packed", "separate"}, arena, "separate: guard every buffer, to find bugs");
  parser.choice("sanitize", {"address", "thread"}, options.sanitize, "instrument the generated code");
  parser.flag("check-certificate", checkCertificate,
              "fail when the kernels do not cost what placement has certified, instead of printing 'certified: no'");
  parser.flag("strict-placement", options.strictPlacement,
              "fail when a device pin cannot be honoured, or the GPU plan cannot run");
}

/// A limit that no model could have is a mistake of the command line.
static llvm::Error checkLimits(const CompileOptions &options) {
  llvm::Expected<MemoryLimits> limits = MemoryLimits::parse(options.memoryLimit);
  if (!limits)
    return limits.takeError();
  if (limits->hasGpu() && options.gpu.empty())
    return usageError("'--memory-limit' names a GPU, and there is no GPU plan", "add --gpu=sm_80, or drop that limit");
  if (limits->getCpu() && options.numThreads == 0)
    return usageError("'--memory-limit' of the CPU needs '--num-threads': each thread has working memory of its own",
                      "add --num-threads=4");
  return llvm::Error::success();
}

/// Replaces `@file` by the rules in that file.
static llvm::Error readRules(std::string &rules) {
  StringRef path(rules);
  if (!path.consume_front("@"))
    return llvm::Error::success();
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return makeError("cannot read the rules of '--place=" + rules + "': " + file.getError().message(),
                     "a file has one rule per line, such as gpu(encoder.*); lines that start with # are comments");
  rules = (*file)->getBuffer().str();
  return llvm::Error::success();
}

/// Threads beyond what the runtime can count, and forms of convolutions that none can have.
static llvm::Error checkCpu(const CompileOptions &options) {
  if (options.numThreads > 256)
    return usageError("'--num-threads' is " + Twine(options.numThreads) + ", expected 0 to 256",
                      "0 uses all cores of the machine the model runs on");
  if (options.interOpThreads < 1 || options.interOpThreads > 256)
    return usageError("'--inter-op-threads' is " + Twine(options.interOpThreads) + ", expected 1 to 256",
                      "1 runs kernels one after the other");
  if (!options.forceConv.empty() && options.optLevel == 0)
    return usageError("'--force-conv' has no effect at -O0", "use -O1 or more, or drop it");
  if (options.exactConv && StringRef(options.forceConv).starts_with("winograd"))
    return usageError("'--exact-conv' forbids '--force-conv=" + options.forceConv + "'", "drop one of them");
  return llvm::Error::success();
}

llvm::Error CompileFlags::finish() {
  if (StringRef(optLevel).getAsInteger(10, options.optLevel) || options.optLevel > 3)
    return usageError("unknown optimisation level '-O" + optLevel + "'", "use -O0, -O1, -O2 or -O3");
  if (!targetCpu.empty())
    options.targetCpu = targetCpu;
  if (targetCpu == "native")
    if (llvm::Error error = useNativeCpu(options))
      return error;
  if (llvm::Error error = readTargetTables(targetTables, !targetCpu.empty(), options))
    return error;
  if (!options.gpu.empty())
    if (llvm::Expected<std::vector<GpuTable>> tables = lookupGpus(options.gpu); !tables) {
      llvm::consumeError(tables.takeError());
      return usageError("unknown GPU in '--gpu=" + options.gpu + "'",
                        "the known ones are sm_75 and later, " + llvm::join(listGpus(), ", "));
    }
  if (cubin) {
    if (options.gpu.empty())
      return usageError("'--cubin' has no GPU to make code for", "add --gpu=sm_80");
    llvm::Expected<std::string> path = findPtxas();
    if (!path)
      return path.takeError();
    options.ptxas = *path;
  }
  if (llvm::Error error = readRules(options.place))
    return error;
  if (options.gpus < 1 || options.gpus > 8)
    return usageError("'--gpus' is " + Twine(options.gpus) + ", expected 1 to 8", "a plan has at most 8 GPUs");
  if (options.gpus > 1 && options.gpu.empty() && !isPlaced)
    return usageError("'--gpus' has no GPU plan to use them", "add --gpu=sm_80");
  if (!options.resident.empty() && options.gpu.empty())
    return usageError("'--resident' has no GPU plan to hold for", "add --gpu=sm_80");
  if (options.allowTf32 && options.gpu.empty())
    return usageError("'--allow-tf32' has no GPU to hold for", "add --gpu=sm_80");
  if (options.objective != "makespan" && options.gpu.empty())
    return usageError("'--objective' has no GPU plan to place", "add --gpu=sm_80");
  if (options.schedule != "overlap" && options.gpu.empty() && !isPlaced)
    return usageError("'--schedule' has no GPU plan to order", "add --gpu=sm_80");
  if (!options.memoryLimit.empty())
    if (llvm::Error error = checkLimits(options))
      return error;
  if (llvm::Error error = checkCpu(options))
    return error;
  if (llvm::Error error = training.finish(options.training))
    return error;
  if (llvm::Error error = tune.finish(options))
    return error;
  trains = options.training.enabled;
  options.repairsCertificate = !checkCertificate;
  options.dims = llvm::join(dims, ";");
  options.externalWeights = weights == "external";
  options.separateArena = arena == "separate";
  if (!options.name.empty() && toIdentifier(options.name) != options.name)
    return usageError("'" + options.name + "' cannot be the prefix of C functions",
                      "use letters, digits and underscores: --name=" + toIdentifier(options.name));
  return llvm::Error::success();
}

llvm::Error CompileFlags::rejectForLibrary(llvm::StringRef what) const {
  const CompileFlags unset;
  std::pair<bool, const char *> flags[] = {
      {optLevel != unset.optLevel, "-O"},
      {!targetCpu.empty(), "--target-cpu"},
      {!targetTables.empty(), "--target-table"},
      {!options.gpu.empty(), "--gpu"},
      {cubin, "--cubin"},
      {options.training.enabled, "--train"},
      {!options.place.empty(), "--place"},
      {!options.resident.empty(), "--resident"},
      {!options.name.empty(), "--name"},
      {!options.plan.empty(), "--plan"},
      {remarks, "--remarks"},
      {!options.memoryLimit.empty(), "--memory-limit"},
      {options.objective != unset.options.objective, "--objective"},
      {options.schedule != unset.options.schedule, "--schedule"},
      {options.interOpThreads != unset.options.interOpThreads, "--inter-op-threads"},
      {weights != unset.weights, "--weights"},
      {arena != unset.arena, "--arena"},
      {!options.sanitize.empty(), "--sanitize"},
      {options.strictPlacement, "--strict-placement"},
      {checkCertificate, "--check-certificate"},
      {options.allowTf32, "--allow-tf32"},
      {!options.forceConv.empty(), "--force-conv"},
      {options.exactConv, "--exact-conv"},
      {options.matrixUnit != unset.options.matrixUnit, "--matrix-unit"},
      {!tune.items.empty(), "--tune"},
  };
  for (auto [isSet, name] : flags)
    if (isSet)
      return usageError("'" + Twine(name) + "' has no effect on " + what,
                        "give it to 'hgc compile', or name the model instead");
  return llvm::Error::success();
}

std::vector<func::FuncOp> hgc::driver::getEntries(ModuleOp module) {
  std::vector<func::FuncOp> entries;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function->hasAttr(graph::HGCDialect::kEntry))
      entries.push_back(function);
  return entries;
}

llvm::Expected<func::FuncOp> hgc::driver::findEntry(ModuleOp module, llvm::StringRef name) {
  std::vector<func::FuncOp> entries = getEntries(module);
  std::vector<std::string> names;
  for (func::FuncOp entry : entries) {
    names.push_back(entry.getSymName().str());
    if (entry.getSymName() == name || (name.empty() && entries.size() == 1))
      return entry;
  }
  if (entries.empty())
    return makeError("the model has no entry function", "mark one with attributes {hgc.entry}");
  if (name.empty())
    return makeError("the model has several entries", "choose one: --entry=" + llvm::join(names, " or --entry="));
  return makeError("the model has no entry '" + name + "'", "its entries are " + llvm::join(names, ", "));
}
