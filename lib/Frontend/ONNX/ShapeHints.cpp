//===- ShapeHints.cpp - shapes that follow from those of later values -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of a value that depends on run-time inputs is often declared only
// some elementwise ops later. Ops that rely on a declared shape check it at run
// time, so that a hint that does not hold fails the call.
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "onnx.pb.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace hgc::onnx;

/// Ops whose result has the shape of their first input, or, of two, the shape of
/// the one that has more than one element.
static bool keepsShape(llvm::StringRef op) {
  return llvm::is_contained({"Abs", "Add", "Cast", "Ceil", "Cos", "Div", "Exp", "Floor", "Identity", "Log", "Mul",
                             "Neg", "Reciprocal", "Relu", "Sigmoid", "Sin", "Sqrt", "Sub", "Tanh"},
                            op);
}

void GraphImporter::addReaders(NodeList nodes) {
  for (const ::onnx::NodeProto *node : nodes)
    if (node->domain().empty() && node->output_size() == 1 && keepsShape(node->op_type()))
      for (const std::string &input : node->input())
        readers[input].push_back(node);
}

RankedTensorType GraphImporter::inferType(llvm::StringRef name, unsigned &budget) const {
  if (RankedTensorType type = getDeclaredType(name))
    return type;
  auto found = readers.find(name);
  if (found == readers.end())
    return {};
  for (const ::onnx::NodeProto *reader : found->second) {
    // What is not imported yet may come from this value, too.
    bool keepsThisShape = llvm::all_of(reader->input(), [&](const std::string &input) {
      Value value = input == name ? Value() : lookup(input);
      auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
      return !type || type.getRank() == 0;
    });
    if (!keepsThisShape || budget == 0)
      continue;
    --budget;
    if (RankedTensorType type = inferType(reader->output(0), budget))
      return type;
  }
  return {};
}
