//===- InspectCommand.cpp - hgc inspect -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Loading.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Support/Error.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples =
    R"(  hgc inspect model.mlir      # entries, ops, parameters, work, before compiling
  hgc inspect model.so        # what a library holds, as JSON
)";

void printEntry(mlir::func::FuncOp function) {
  EntrySignature entry = getSignature(function);
  llvm::outs() << "entry " << entry.name << "\n";
  for (const TensorSignature &tensor : entry.inputs)
    llvm::outs() << "  input   " << llvm::left_justify(tensor.name, 16) << " " << entry.spell(tensor) << "\n";
  for (const TensorSignature &tensor : entry.outputs)
    llvm::outs() << "  output  " << llvm::left_justify(tensor.name, 16) << " " << entry.spell(tensor) << "\n";
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

/// `flops` with a unit that leaves one to three digits before the point.
std::string describeWork(double flops) {
  constexpr llvm::StringLiteral units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};
  size_t unit = 0;
  for (; flops >= 1000 && unit + 1 < std::size(units); ++unit)
    flops /= 1000;
  return llvm::formatv(unit ? "{0:F3} {1}" : "{0:F0} {1}", flops, units[unit]);
}

/// Work of one call of each variant; needs static shapes.
void printWork(mlir::ModuleOp module) {
  for (mlir::func::FuncOp variant : getEntries(module)) {
    graph::OpCost cost;
    for (mlir::Operation &op : variant.getBody().front())
      if (mlir::isa<graph::CostOp>(op))
        cost += graph::computeCost(&op);
    llvm::outs() << "work of " << variant.getSymName() << ": " << describeWork(cost.totalFlops()) << "\n";
  }
}

llvm::Error inspectModel(const ArgParser &parser, llvm::StringRef path, CompileFlags &flags) {
  Session session(parser);
  auto module = session.read(path);
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
  printWork(**module);
  return llvm::Error::success();
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
  ArgParser parser("inspect", "say what a model or a compiled library holds", "MODEL.mlir|MODEL.so [options]",
                   kExamples);
  std::vector<std::string> paths;
  CompileFlags flags;
  parser.positional(paths);
  parser.list("dim", "NAME=N,...", flags.dims, "extents of a named dim");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (paths.size() != 1)
    return usageError("expected one model, got " + llvm::Twine(paths.size()), "hgc inspect model.mlir");
  llvm::StringRef path = paths.front();
  return ModelLibrary::isLibrary(path) ? inspectLibrary(path) : inspectModel(parser, path, flags);
}

} // namespace

int hgc::driver::runInspect(llvm::ArrayRef<const char *> args) { return report(inspect(args)); }
