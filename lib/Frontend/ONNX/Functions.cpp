//===- Functions.cpp - functions of a model, inlined ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Node.h"

#include "onnx.pb.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::emitWithHint;
using ::onnx::FunctionProto;
using ::onnx::NodeProto;

/// Deepest nesting of calls: each takes some of the stack.
static constexpr size_t kMaxCalls = 64;

FailureOr<SmallVector<Value>> GraphImporter::importFunction(const FunctionProto &function, ArrayRef<Value> arguments) {
  for (const auto &info : function.value_info())
    declared.try_emplace(info.name(), &info.type());
  Location loc = NameLoc::get(builder.getStringAttr(function.name()));
  for (auto [i, input] : llvm::enumerate(function.input())) {
    // An input that the call leaves out is absent for the nodes that take it.
    Value value = i < arguments.size() ? arguments[i] : Value();
    if (value && failed(define(loc, input, value)))
      return failure();
    if (!value)
      absent.insert(input);
  }
  std::vector<const NodeProto *> nodes;
  for (const NodeProto &node : function.node())
    nodes.push_back(&node);
  if (failed(importNodes(nodes)))
    return failure();
  return getOutputs(SmallVector<StringRef>(function.output().begin(), function.output().end()));
}

LogicalResult GraphImporter::call(const FunctionProto &function, const NodeProto &node, Location loc) {
  if (llvm::is_contained(model.callStack, &function) || model.callStack.size() == kMaxCalls)
    return emitWithHint(loc, "calls of function '" + Twine(function.name()) + "' never end or nest too deep",
                        "functions of a model must not call themselves; at most 64 calls nest");
  if (node.input_size() > function.input_size() || node.output_size() > function.output_size())
    return emitWithHint(loc,
                        "function '" + Twine(function.name()) + "' is called with more inputs or outputs than it has",
                        "the file is damaged: export it again");
  OpsetTable opsets;
  for (const auto &opset : function.opset_import())
    opsets[normalizeDomain(opset.domain())] = opset.version();
  GraphImporter body(model, builder, std::move(opsets), cast<NameLoc>(loc).getName().str() + "/");
  for (const auto &attribute : function.attribute_proto())
    body.attributes[attribute.name()] = &attribute;
  for (const auto &attribute : node.attribute())
    if (const auto *resolved = resolve(attribute))
      body.attributes[attribute.name()] = resolved;
  SmallVector<Value> arguments;
  for (const std::string &input : node.input())
    arguments.push_back(input.empty() ? Value() : lookup(input));
  model.callStack.push_back(&function);
  FailureOr<SmallVector<Value>> results = body.importFunction(function, arguments);
  model.callStack.pop_back();
  if (failed(results))
    return failure();
  for (auto [output, value] : llvm::zip(node.output(), *results))
    if (!output.empty() && failed(define(loc, output, value)))
      return failure();
  return success();
}

const ::onnx::AttributeProto *GraphImporter::resolve(const ::onnx::AttributeProto &attribute) const {
  return attribute.ref_attr_name().empty() ? &attribute : attributes.lookup(attribute.ref_attr_name());
}
