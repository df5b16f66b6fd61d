//===- Census.cpp - what an ONNX model holds and needs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "Reader.h"
#include "Types.h"

#include "dialects/Graph/Eval/HostTensor.h"
#include "hgc/Frontend/Model.h"
#include "hgc/Frontend/OnnxCensus.h"
#include "onnx.pb.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"

using namespace hgc;
using namespace hgc::onnx;
using llvm::StringRef;
using Opsets = llvm::StringMap<int64_t>;

namespace {

/// Calls deeper than this are taken for recursion, which ONNX does not allow.
constexpr unsigned kMaxDepth = 64;

StringRef spellDomain(StringRef domain) { return domain.empty() ? "ai.onnx" : domain; }

template <typename Imports> Opsets collectOpsets(const Imports &imports) {
  Opsets opsets;
  for (const auto &import : imports)
    opsets[spellDomain(import.domain())] = import.version();
  return opsets;
}

std::string functionKey(StringRef domain, StringRef name, StringRef overload) {
  return (spellDomain(domain) + "::" + name + "::" + overload).str();
}

class Counter {
public:
  explicit Counter(const ::onnx::ModelProto &model) : model(model), context(mlir::MLIRContext::Threading::DISABLED) {}

  OnnxCensus take();

private:
  void addHeader();
  OnnxCensus::Value describe(const ::onnx::ValueInfoProto &info);
  void addInput(const ::onnx::ValueInfoProto &info);
  void addDim(StringRef name, StringRef input);
  void addParameter(const ::onnx::TensorProto &tensor);
  template <typename Nodes> void addNodes(const Nodes &nodes, const Opsets &opsets, unsigned depth);
  void addNode(const ::onnx::NodeProto &node, const Opsets &opsets, unsigned depth);
  void addGraph(const ::onnx::GraphProto &graph, const Opsets &opsets, unsigned depth);

  const ::onnx::ModelProto &model;
  mlir::MLIRContext context;
  OnnxCensus census;
  llvm::StringMap<const ::onnx::FunctionProto *> functions;
  std::vector<OnnxCensus::OpenDim> dims;
};

void Counter::addHeader() {
  census.irVersion = model.ir_version();
  census.producer = model.producer_name();
  if (!model.producer_version().empty())
    census.producer += " " + model.producer_version();
  for (const auto &import : model.opset_import())
    census.opsets.emplace_back(spellDomain(import.domain()).str(), import.version());
}

OnnxCensus::Value Counter::describe(const ::onnx::ValueInfoProto &info) {
  OnnxCensus::Value value;
  value.name = info.name();
  if (StringRef kind = describeKind(info.type()); !kind.empty()) {
    value.element = kind.str();
    census.refusals.push_back({info.name(), "", ("a " + kind + " is no tensor").str()});
    return value;
  }
  const auto &tensor = info.type().tensor_type();
  value.element = describeElementType(tensor.elem_type());
  if (!getElementType(tensor.elem_type(), &context))
    census.refusals.push_back({info.name(), "", refuseElementType(tensor.elem_type())});
  value.hasShape = tensor.has_shape();
  for (const auto &dim : tensor.shape().dim())
    value.dims.push_back(isOpenDim(dim)        ? "?"
                         : dim.has_dim_value() ? std::to_string(dim.dim_value())
                                               : getDimName(dim).str());
  return value;
}

void Counter::addInput(const ::onnx::ValueInfoProto &info) {
  census.inputs.push_back(describe(info));
  const OnnxCensus::Value &value = census.inputs.back();
  if (!info.type().has_tensor_type())
    return;
  if (!value.hasShape || llvm::is_contained(value.dims, "?"))
    census.openDims.push_back({value.name, {value.name}, "--shape " + value.name + "=..."});
  for (const auto &dim : info.type().tensor_type().shape().dim())
    if (!getDimName(dim).empty())
      addDim(getDimName(dim), value.name);
}

void Counter::addDim(StringRef name, StringRef input) {
  auto known = llvm::find_if(dims, [&](const OnnxCensus::OpenDim &dim) { return dim.name == name; });
  if (known == dims.end())
    dims.push_back({name.str(), {input.str()}, "--dim " + toIdentifier(name) + "=N"});
  else if (known->inputs.back() != input)
    known->inputs.push_back(input.str());
}

void Counter::addParameter(const ::onnx::TensorProto &tensor) {
  std::vector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  mlir::Type element = getElementType(tensor.data_type(), &context);
  std::optional<int64_t> count = hgc::countElements(shape, 8);
  ++census.parameters;
  if (!element || !count) {
    census.refusals.push_back(
        {tensor.name(), "", !element ? refuseElementType(tensor.data_type()) : "its shape is beyond any memory"});
    return;
  }
  census.parameterValues += *count;
  census.parameterBytes += *count * ((element.getIntOrFloatBitWidth() + 7) / 8);
}

void Counter::addNode(const ::onnx::NodeProto &node, const Opsets &opsets, unsigned depth) {
  auto function = functions.find(functionKey(node.domain(), node.op_type(), node.overload()));
  if (function != functions.end() && depth < kMaxDepth)
    return addNodes(function->second->node(), collectOpsets(function->second->opset_import()), depth + 1);
  StringRef domain = spellDomain(node.domain());
  std::string op = domain == "ai.onnx" ? node.op_type() : (domain + "::" + node.op_type()).str();
  ++census.ops[op];
  const OpEntry *entry = OpTable::get().lookup(domain == "ai.onnx" ? "" : domain, node.op_type());
  if (std::string reason = OpTable::explainRefusal(entry, domain, opsets.lookup(domain)); !reason.empty())
    census.refusals.push_back({node.name().empty() && node.output_size() ? node.output(0) : node.name(), op, reason});
  for (const auto &attribute : node.attribute()) {
    if (attribute.has_g())
      addGraph(attribute.g(), opsets, depth + 1);
    for (const auto &graph : attribute.graphs())
      addGraph(graph, opsets, depth + 1);
  }
}

template <typename Nodes> void Counter::addNodes(const Nodes &nodes, const Opsets &opsets, unsigned depth) {
  for (const ::onnx::NodeProto &node : nodes)
    addNode(node, opsets, depth);
}

void Counter::addGraph(const ::onnx::GraphProto &graph, const Opsets &opsets, unsigned depth) {
  for (const auto &tensor : graph.initializer())
    addParameter(tensor);
  addNodes(graph.node(), opsets, depth);
}

OnnxCensus Counter::take() {
  addHeader();
  for (const auto &function : model.functions())
    functions[functionKey(function.domain(), function.name(), function.overload())] = &function;
  llvm::StringSet<> initialised;
  for (const auto &tensor : model.graph().initializer())
    initialised.insert(tensor.name());
  for (const auto &info : model.graph().input())
    if (!initialised.contains(info.name()))
      addInput(info);
  for (const auto &info : model.graph().output())
    census.outputs.push_back(describe(info));
  llvm::append_range(census.openDims, dims);
  Opsets opsets = collectOpsets(model.opset_import());
  // Before IR version 3 a model did not say its opset.
  if (model.ir_version() < 3)
    opsets.try_emplace("ai.onnx", 1);
  addGraph(model.graph(), opsets, 0);
  return std::move(census);
}

} // namespace

llvm::Expected<OnnxCensus> hgc::takeOnnxCensus(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  auto model = readModel(std::move(buffer));
  if (!model)
    return model.takeError();
  return Counter(**model).take();
}

std::vector<OnnxOpInfo> hgc::listOnnxOps() {
  std::vector<OnnxOpInfo> ops;
  for (const auto &entry : OpTable::get().getEntries())
    ops.push_back({entry.getKey().str(), entry.getValue().import != nullptr, entry.getValue().since,
                   entry.getValue().takesBounded, entry.getValue().note.str()});
  llvm::sort(ops, [](const OnnxOpInfo &a, const OnnxOpInfo &b) { return a.name < b.name; });
  return ops;
}
