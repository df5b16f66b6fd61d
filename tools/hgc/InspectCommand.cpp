//===- InspectCommand.cpp - hgc inspect -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CensusPrinter.h"
#include "Loading.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Frontend/ONNX.h"
#include "hgc/Frontend/StableHLO.h"
#include "hgc/Support/Error.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples =
    R"(  hgc inspect model.mlir      # entries, ops, parameters, work, before compiling
  hgc inspect model.onnx      # and what hgc does not support, open dims, memory
  hgc inspect model.onnx --dim batch=8 --json
  hgc inspect model.so        # what a library holds, as JSON
  hgc inspect --onnx-ops      # which ops of ONNX hgc imports, as JSON
  hgc inspect --stablehlo-ops # which ops of StableHLO
)";

void printEntry(mlir::func::FuncOp function) {
  EntrySignature entry = getSignature(function);
  llvm::outs() << "entry " << entry.name << "\n";
  for (const TensorSignature &tensor : entry.inputs)
    llvm::outs() << "  input   " << llvm::left_justify(tensor.name, 16) << " " << entry.spell(tensor) << "\n";
  for (const TensorSignature &tensor : entry.outputs)
    llvm::outs() << "  output  " << llvm::left_justify(tensor.name, 16) << " " << entry.spell(tensor)
                 << (tensor.shapeOutput >= 0 ? " at most" : "") << "\n";
  std::map<std::string, int64_t> counts;
  function.getBody().walk([&](mlir::Operation *op) {
    if (op->getDialect() && op->getDialect()->getNamespace() == "hgc" && !mlir::isa<graph::YieldOp>(op))
      ++counts[op->getName().stripDialect().str()];
  });
  std::vector<std::string> parts;
  for (auto &[name, count] : counts)
    parts.push_back(name + (count > 1 ? " x" + std::to_string(count) : ""));
  llvm::outs() << "  ops     " << llvm::join(parts, ", ") << "\n";
}

llvm::Error inspectModel(const ArgParser &parser, llvm::StringRef path, CompileFlags &flags) {
  Session session(parser);
  auto module = session.read(path, flags);
  if (!module)
    return module.takeError();
  llvm::outs() << "model " << (*module)->getSymName().value_or("") << "\n";
  for (mlir::func::FuncOp entry : getEntries(**module))
    printEntry(entry);
  int64_t parameters = 0, elements = 0, bytes = 0;
  for (graph::ParameterOp parameter : (*module)->getOps<graph::ParameterOp>()) {
    ++parameters;
    elements += parameter.getTensorType().getNumElements();
    bytes += graph::getTensorBytes(parameter.getTensorType());
  }
  llvm::outs() << llvm::formatv("parameters: {0} tensors, {1} values, {2} bytes\n", parameters, elements, bytes);
  if (llvm::Error error = flags.finish())
    return error;
  flags.options.baseDir = session.getBaseDir().str();
  if (mlir::failed(runStages(**module, Stage::Source, Stage::Graph, flags.options)))
    return alreadyReported();
  for (const CallEstimate &call : estimateCalls(**module))
    llvm::outs() << "work of " << call.name << ": " << describeWork(call.flops) << "\n";
  return llvm::Error::success();
}

/// What a call of each variant takes. Nothing of a model that has open dims or ops
/// that are not imported.
llvm::Expected<std::vector<CallEstimate>> estimateOnnx(const ArgParser &parser, llvm::StringRef path,
                                                       CompileFlags &flags, const OnnxCensus &census) {
  bool isBound = census.openDims.empty() || !flags.dims.empty() || !flags.shapes.empty();
  if (!isBound || !census.refusals.empty())
    return std::vector<CallEstimate>();
  Session session(parser);
  auto module = session.read(path, flags);
  if (!module)
    return module.takeError();
  if (llvm::Error error = flags.finish())
    return std::move(error);
  flags.options.baseDir = session.getBaseDir().str();
  if (mlir::failed(runStages(**module, Stage::Source, Stage::Graph, flags.options)))
    return alreadyReported();
  return estimateCalls(**module);
}

llvm::Error inspectOnnx(const ArgParser &parser, llvm::StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer,
                        CompileFlags &flags, bool asJson) {
  llvm::Expected<OnnxCensus> census = takeOnnxCensus(std::move(buffer));
  if (!census)
    return census.takeError();
  if (!asJson)
    printCensus(*census, llvm::outs());
  auto calls = estimateOnnx(parser, path, flags, *census);
  if (!calls)
    return calls.takeError();
  llvm::json::Array array;
  for (const CallEstimate &call : *calls) {
    array.push_back(llvm::json::Object{{"name", call.name}, {"flops", call.flops}, {"live_bytes", call.liveBytes}});
    if (!asJson)
      llvm::outs() << "work of " << call.name << ": " << describeWork(call.flops) << ", about " << call.liveBytes
                   << " bytes at once besides parameters\n";
  }
  if (asJson) {
    llvm::json::Object object = toJson(*census);
    object["calls"] = std::move(array);
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(object))) << "\n";
  }
  return llvm::Error::success();
}

void printOnnxOps() {
  llvm::json::Array ops;
  for (const OnnxOpInfo &op : listOnnxOps())
    ops.push_back(llvm::json::Object{{"name", op.name},
                                     {"imported", op.isImported},
                                     {"since", op.since},
                                     {"takes_bounded", op.takesBounded},
                                     {"note", op.note}});
  llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(ops))) << "\n";
}

void printStableHloOps() {
  llvm::json::Array ops;
  for (const StableHloOpInfo &op : listStableHloOps())
    ops.push_back(llvm::json::Object{{"name", op.name}, {"imported", op.isImported}, {"note", op.note}});
  llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(ops))) << "\n";
}

llvm::Error inspectLibrary(llvm::StringRef path) {
  llvm::Expected<std::string> text = ModelLibrary::describe(path);
  if (!text)
    return text.takeError();
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(*text);
  if (!value)
    return value.takeError();
  llvm::outs() << llvm::formatv("{0:2}", *value) << "\n";
  return llvm::Error::success();
}

llvm::Error inspect(llvm::ArrayRef<const char *> args) {
  ArgParser parser("inspect", "say what a model or a compiled library holds",
                   "MODEL.mlir|MODEL.onnx|MODEL.so [options]", kExamples);
  std::vector<std::string> paths;
  CompileFlags flags;
  bool json = false, listOps = false, listHloOps = false;
  parser.positional(paths);
  flags.ShapeFlags::addTo(parser);
  parser.flag("json", json, "what an ONNX model holds as JSON instead of text");
  parser.flag("onnx-ops", listOps, "list the ops of ONNX and which of them hgc imports, as JSON; needs no model");
  parser.flag("stablehlo-ops", listHloOps, "the same of StableHLO");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if ((listOps || listHloOps) && paths.empty()) {
    listOps ? printOnnxOps() : printStableHloOps();
    return llvm::Error::success();
  }
  if (paths.size() != 1)
    return usageError("expected one model, got " + llvm::Twine(paths.size()), "hgc inspect model.mlir");
  llvm::StringRef path = paths.front();
  if (listOps || listHloOps)
    return usageError(llvm::Twine("'--") + (listOps ? "onnx" : "stablehlo") + "-ops' is not about '" + path + "'",
                      "drop the model, or the option");
  if (ModelLibrary::isLibrary(path))
    return inspectLibrary(path);
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (buffer && isOnnxModel(path, (*buffer)->getBuffer()))
    return inspectOnnx(parser, path, std::move(*buffer), flags, json);
  if (json)
    return usageError("'--json' is for ONNX models", "a library is shown as JSON without it; drop it for other models");
  return inspectModel(parser, path, flags);
}

} // namespace

int hgc::driver::runInspect(llvm::ArrayRef<const char *> args) { return report(inspect(args)); }
