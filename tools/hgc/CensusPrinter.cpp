//===- CensusPrinter.cpp - the census of a model as text or JSON ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CensusPrinter.h"
#include "Session.h"

#include "dialects/Graph/GraphOps.h"

#include "llvm/Support/FormatVariadic.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

/// Bytes of a value that a call has to hold; parameters and constants are weights.
int64_t getCallBytes(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  if (op && mlir::isa<graph::ReadOp, graph::ConstantOp>(op))
    return 0;
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? graph::getTensorBytes(type) : 0;
}

int64_t estimateLiveBytes(mlir::Block &block) {
  // Values by the op of the block that reads them last, itself or inside of it.
  llvm::DenseMap<mlir::Operation *, int64_t> freedAfter;
  auto addLastUse = [&](mlir::Value value) {
    mlir::Operation *last = value.getDefiningOp();
    for (mlir::Operation *user : value.getUsers())
      if (mlir::Operation *here = block.findAncestorOpInBlock(*user); here && (!last || last->isBeforeInBlock(here)))
        last = here;
    if (last)
      freedAfter[last] += getCallBytes(value);
  };
  int64_t live = 0, most = 0;
  for (mlir::BlockArgument argument : block.getArguments()) {
    live += argument.use_empty() ? 0 : getCallBytes(argument);
    addLastUse(argument);
  }
  for (mlir::Operation &op : block)
    for (mlir::Value result : op.getResults())
      addLastUse(result);
  for (mlir::Operation &op : block) {
    for (mlir::Value result : op.getResults())
      live += getCallBytes(result);
    int64_t inside = 0;
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &nested : region)
        inside = std::max(inside, estimateLiveBytes(nested));
    most = std::max(most, live + inside);
    live -= freedAfter.lookup(&op);
  }
  return most;
}

std::string spell(const OnnxCensus::Value &value) {
  return value.element + (value.hasShape ? "[" + llvm::join(value.dims, ", ") + "]" : " of any shape");
}

} // namespace

std::vector<CallEstimate> hgc::driver::estimateCalls(mlir::ModuleOp module) {
  std::vector<CallEstimate> estimates;
  for (mlir::func::FuncOp variant : getEntries(module)) {
    graph::OpCost cost;
    mlir::Block &body = variant.getBody().front();
    for (mlir::Operation &op : body)
      if (mlir::isa<graph::CostOp>(op))
        cost += graph::computeCost(&op);
    estimates.push_back({variant.getSymName().str(), static_cast<double>(cost.totalFlops()), estimateLiveBytes(body)});
  }
  return estimates;
}

std::string hgc::driver::describeWork(double flops) {
  constexpr llvm::StringLiteral units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};
  size_t unit = 0;
  for (; flops >= 1000 && unit + 1 < std::size(units); ++unit)
    flops /= 1000;
  return llvm::formatv(unit ? "{0:F3} {1}" : "{0:F0} {1}", flops, units[unit]);
}

void hgc::driver::printCensus(const OnnxCensus &census, llvm::raw_ostream &os) {
  os << "ONNX model of IR version " << census.irVersion;
  for (auto &[domain, version] : census.opsets)
    os << ", opset " << version << " of " << domain;
  os << (census.producer.empty() ? "" : ", made by " + census.producer) << "\n";
  for (const OnnxCensus::Value &value : census.inputs)
    os << "  input   " << llvm::left_justify(value.name, 16) << " " << spell(value) << "\n";
  for (const OnnxCensus::Value &value : census.outputs)
    os << "  output  " << llvm::left_justify(value.name, 16) << " " << spell(value) << "\n";
  std::vector<std::string> parts;
  for (auto &[name, count] : census.ops)
    parts.push_back(name + (count > 1 ? " x" + std::to_string(count) : ""));
  os << "  ops     " << llvm::join(parts, ", ") << "\n";
  os << llvm::formatv("parameters: {0} tensors, {1} values, {2} bytes\n", census.parameters, census.parameterValues,
                      census.parameterBytes);
  for (const OnnxCensus::OpenDim &dim : census.openDims)
    os << "open dim: " << dim.name << " of " << llvm::join(dim.inputs, ", ") << ", bound by " << dim.option << "\n";
  for (const OnnxCensus::Refusal &refusal : census.refusals)
    os << "not supported: " << (refusal.op.empty() ? "" : refusal.op + " ") << "'" << refusal.name
       << "': " << refusal.reason << "\n";
}

llvm::json::Object hgc::driver::toJson(const OnnxCensus &census) {
  auto describe = [](const std::vector<OnnxCensus::Value> &values) {
    llvm::json::Array array;
    for (const OnnxCensus::Value &value : values)
      array.push_back(llvm::json::Object{
          {"name", value.name},
          {"type", value.element},
          {"shape", value.hasShape ? llvm::json::Value(llvm::json::Array(value.dims)) : llvm::json::Value(nullptr)}});
    return array;
  };
  llvm::json::Object opsets, ops;
  for (auto &[domain, version] : census.opsets)
    opsets[domain] = version;
  for (auto &[name, count] : census.ops)
    ops[name] = count;
  llvm::json::Array dims, refusals;
  for (const OnnxCensus::OpenDim &dim : census.openDims)
    dims.push_back(
        llvm::json::Object{{"name", dim.name}, {"inputs", llvm::json::Array(dim.inputs)}, {"option", dim.option}});
  for (const OnnxCensus::Refusal &refusal : census.refusals)
    refusals.push_back(llvm::json::Object{{"name", refusal.name}, {"op", refusal.op}, {"reason", refusal.reason}});
  return llvm::json::Object{{"ir_version", census.irVersion},
                            {"producer", census.producer},
                            {"opsets", std::move(opsets)},
                            {"inputs", describe(census.inputs)},
                            {"outputs", describe(census.outputs)},
                            {"ops", std::move(ops)},
                            {"open_dims", std::move(dims)},
                            {"not_supported", std::move(refusals)},
                            {"parameters", llvm::json::Object{{"tensors", census.parameters},
                                                              {"values", census.parameterValues},
                                                              {"bytes", census.parameterBytes}}}};
}
