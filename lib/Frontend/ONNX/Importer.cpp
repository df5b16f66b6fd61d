//===- Importer.cpp - one graph of an ONNX model --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Node.h"
#include "OpTable.h"
#include "Ops/Sequences.h"
#include "Types.h"

#include "onnx.pb.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::emitWithHint;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

StringRef hgc::onnx::normalizeDomain(StringRef domain) { return domain == "ai.onnx" ? "" : domain; }

GraphImporter::GraphImporter(ModelImporter &model, OpBuilder &builder, OpsetTable opsets, std::string prefix)
    : model(model), builder(builder), opsets(std::move(opsets)), prefix(std::move(prefix)) {}

GraphImporter::GraphImporter(GraphImporter &outer)
    : model(outer.model), builder(outer.builder), outer(&outer), opsets(outer.opsets), attributes(outer.attributes),
      prefix(outer.prefix) {}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

int64_t GraphImporter::getOpset(StringRef domain) const { return opsets.lookup(normalizeDomain(domain)); }

Value GraphImporter::lookup(StringRef name) const {
  auto found = values.find(name);
  if (found != values.end())
    return found->second;
  return outer ? outer->lookup(name) : Value();
}

bool GraphImporter::isDefined(StringRef name) const {
  return values.contains(name) || (outer && outer->isDefined(name));
}

static LogicalResult reportTwice(Location loc, StringRef name) {
  return emitWithHint(loc, "the name '" + name + "' is defined twice", "every value of an ONNX graph has its own name");
}

LogicalResult GraphImporter::define(Location loc, StringRef name, Value value) {
  return values.try_emplace(name, value).second ? success() : reportTwice(loc, name);
}

RankedTensorType GraphImporter::getDeclaredType(StringRef name) const {
  const ::onnx::TypeProto *type = declared.lookup(name);
  return type ? getStaticType(*type, &model.getContext()) : RankedTensorType();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::addInitializers(const GraphProto &graph) {
  for (const ::onnx::TensorProto &tensor : graph.initializer()) {
    Location loc = NameLoc::get(builder.getStringAttr(tensor.name()));
    FailureOr<Value> value = model.addInitializer(builder, tensor);
    if (failed(value) || failed(define(loc, tensor.name(), *value)))
      return failure();
  }
  if (graph.sparse_initializer_size() == 0)
    return success();
  const std::string &name = graph.sparse_initializer(0).values().name();
  return emitWithHint(NameLoc::get(builder.getStringAttr(name)), "sparse initialisers are not supported",
                      "store the tensor '" + Twine(name) + "' as a dense one");
}

FailureOr<SmallVector<Value>> GraphImporter::getOutputs(ArrayRef<StringRef> names) {
  SmallVector<Value> results;
  for (StringRef name : names) {
    Value value = lookup(name);
    if (!value && !isDefined(name))
      return emitWithHint(UnknownLoc::get(&model.getContext()), "output '" + name + "' is defined nowhere",
                          "every output of a graph is the output of a node, an input or an initialiser");
    results.push_back(value);
  }
  return results;
}

FailureOr<SmallVector<Value>> GraphImporter::importGraph(const GraphProto &graph, ArrayRef<Value> arguments) {
  for (const auto *list : {&graph.value_info(), &graph.output()})
    for (const auto &info : *list)
      declared.try_emplace(info.name(), &info.type());
  if (failed(addInitializers(graph)))
    return failure();
  // Initialised inputs are constants.
  llvm::StringSet<> initialised;
  for (const auto &tensor : graph.initializer())
    initialised.insert(tensor.name());
  SmallVector<StringRef> inputs;
  for (const auto &input : graph.input())
    if (!initialised.contains(input.name()))
      inputs.push_back(input.name());
  if (inputs.size() != arguments.size())
    return emitWithHint(NameLoc::get(builder.getStringAttr(graph.name())),
                        "a graph with " + Twine(inputs.size()) + " inputs is given " + Twine(arguments.size()),
                        "the op that holds the graph says how many inputs it has");
  for (auto [input, argument] : llvm::zip(inputs, arguments))
    if (failed(define(NameLoc::get(builder.getStringAttr(input)), input, argument)))
      return failure();
  std::vector<const NodeProto *> nodes;
  for (const NodeProto &node : graph.node())
    nodes.push_back(&node);
  if (failed(importNodes(nodes)))
    return failure();
  SmallVector<StringRef> names;
  for (const auto &output : graph.output())
    names.push_back(output.name());
  FailureOr<SmallVector<Value>> results = getOutputs(names);
  if (succeeded(results) && llvm::any_of(*results, isSequence))
    return emitWithHint(builder.getUnknownLoc(), "an output of the graph is a sequence, which hgc does not import",
                        "give its tensors, or join them with ConcatFromSequence");
  return results;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importNodes(NodeList nodes) {
  // A name of its own for each value is what the order relies on.
  llvm::StringSet<> outputs;
  for (const NodeProto *node : nodes)
    for (const std::string &output : node->output())
      if (!output.empty() && (values.contains(output) || !outputs.insert(output).second))
        return reportTwice(NameLoc::get(builder.getStringAttr(node->name())), output);
  auto order = sortNodes(nodes, model.getContext());
  if (failed(order))
    return failure();
  addReaders(*order);
  for (auto [i, node] : llvm::enumerate(*order))
    if (failed(importNode(*node, i)))
      return failure();
  return success();
}

LogicalResult GraphImporter::checkInputs(const NodeProto &proto, Location loc, bool &isComplete) {
  isComplete = true;
  for (const std::string &input : proto.input()) {
    if (input.empty() || isAbsent(input))
      continue;
    if (!isDefined(input))
      return emitWithHint(loc, "input '" + Twine(input) + "' of " + proto.op_type() + " is defined nowhere",
                          "the file is damaged, or an initialiser is missing: export it again");
    isComplete &= static_cast<bool>(lookup(input));
  }
  return success();
}

LogicalResult GraphImporter::skip(const NodeProto &proto, Location loc) {
  for (const std::string &output : proto.output()) {
    if (output.empty() || values.contains(output))
      continue;
    Value value;
    if (RankedTensorType type = getDeclaredType(output))
      value = hgc::onnx::Builder(builder, loc).splat(type.getElementType(), type.getShape(), 0);
    if (failed(define(loc, output, value)))
      return failure();
  }
  return success();
}

LogicalResult GraphImporter::importNode(const NodeProto &proto, unsigned index) {
  std::string name = prefix + (proto.name().empty() ? proto.op_type() + "_" + std::to_string(index) : proto.name());
  Location loc = NameLoc::get(builder.getStringAttr(name));
  bool isComplete;
  if (failed(model.countNode(loc)) || failed(checkInputs(proto, loc, isComplete)))
    return failure();
  if (const ::onnx::FunctionProto *function = model.findFunction(proto))
    return isComplete ? call(*function, proto, loc) : skip(proto, loc);

  StringRef domain = normalizeDomain(proto.domain());
  const OpEntry *entry = OpTable::get().lookup(domain, proto.op_type());
  int64_t opset = getOpset(domain);
  std::string refusal = OpTable::explainRefusal(entry, domain, opset);
  if (entry && opset == 0)
    return emitWithHint(loc, refusal, "add an opset import for that domain");
  if (!refusal.empty()) {
    model.addUnsupported(proto, name, refusal);
  } else if (isComplete) {
    Node node(*this, proto, loc);
    for (unsigned i = 0, e = getNumRequiredInputs(domain, proto.op_type(), opset); i < e; ++i)
      if (!node.hasInput(i))
        return emitWithHint(loc, Twine(proto.op_type()) + ": input " + Twine(i) + " is missing",
                            "the op needs its first " + Twine(e) + " inputs");
    bool isBounded = llvm::any_of(proto.input(), [&](const std::string &input) {
      Value value = lookup(input);
      return value && node.isBounded(value);
    });
    bool isList = llvm::any_of(proto.input(), [&](const std::string &input) { return isSequence(lookup(input)); });
    if (isList && !takesSequences(proto.op_type()))
      model.addUnsupported(proto, name, "its input is a sequence of tensors");
    else if (isBounded && !entry->takesBounded)
      model.addUnsupported(proto, name, "an extent of its input is known only at run time");
    else
      return importOp(node, proto, loc);
  }
  return skip(proto, loc);
}

LogicalResult GraphImporter::importOp(Node &node, const NodeProto &proto, Location loc) {
  size_t errors = 0;
  ScopedDiagnosticHandler counter(&model.getContext(), [&](Diagnostic &diag) {
    errors += diag.getSeverity() == DiagnosticSeverity::Error;
    return failure();
  });
  const OpEntry *entry = OpTable::get().lookup(normalizeDomain(proto.domain()), proto.op_type());
  size_t refused = model.countUnsupported();
  LogicalResult result = entry->import(node);
  if (errors)
    return failure();
  // A graph inside of the node may read what an earlier node should have given.
  bool isWhole = llvm::all_of(proto.output(),
                              [&](const std::string &output) { return output.empty() || values.contains(output); });
  if (model.countUnsupported() != refused || (refused != 0 && (failed(result) || !isWhole)))
    return skip(proto, loc);
  if (failed(result))
    return emitWithHint(loc, Twine(proto.op_type()) + " lacks an input or an attribute",
                        "the file is damaged, or made for another version of the op");
  for (const std::string &output : proto.output())
    if (!output.empty() && !values.contains(output))
      return emitWithHint(loc, Twine(proto.op_type()) + " has no output '" + output + "'",
                          "the node has more outputs than its op");
  return success();
}
