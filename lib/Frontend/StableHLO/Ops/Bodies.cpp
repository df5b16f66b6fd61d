//===- Bodies.cpp - what the body of a reduction computes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ArgReduceKind;
using graph::ReduceKind;

StringRef getCombiner(Block &body) {
  if (body.getNumArguments() != 2 || body.empty() || body.back().getNumOperands() != 1)
    return "";
  Value result = body.back().getOperand(0), a = body.getArgument(0), b = body.getArgument(1);
  if (result == b)
    return "second";
  Operation *op = result.getDefiningOp();
  if (!op || op->getBlock() != &body || op->getNumOperands() != 2 || body.getOperations().size() != 2)
    return "";
  bool isPair =
      (op->getOperand(0) == a && op->getOperand(1) == b) || (op->getOperand(0) == b && op->getOperand(1) == a);
  StringRef name = op->getName().getStringRef();
  return isPair && name.consume_front("stablehlo.") ? name : "";
}

std::optional<ReduceKind> getReduceKind(StringRef combiner, Type element) {
  using Kind = std::optional<ReduceKind>;
  if (element.isInteger(1))
    return llvm::StringSwitch<Kind>(combiner)
        .Cases({"or", "maximum", "add"}, ReduceKind::Any)
        .Cases({"and", "minimum", "multiply"}, ReduceKind::All)
        .Default(std::nullopt);
  return llvm::StringSwitch<Kind>(combiner)
      .Case("add", ReduceKind::Sum)
      .Case("multiply", ReduceKind::Prod)
      .Case("maximum", ReduceKind::Max)
      .Case("minimum", ReduceKind::Min)
      .Default(std::nullopt);
}

bool isIdentity(Node &node, Value value, ReduceKind kind) {
  std::optional<double> number = node.getSplat(value);
  if (!number)
    return false;
  if (kind == ReduceKind::Sum || kind == ReduceKind::Any)
    return *number == 0;
  if (kind == ReduceKind::Prod || kind == ReduceKind::All)
    return *number == 1;
  return number == node.getSplat(extreme(node, Node::elementOf(value), kind == ReduceKind::Min));
}

std::optional<ArgReduceKind> getArgReduceKind(Block &body) {
  if (body.getNumArguments() != 4 || body.getOperations().size() != 10)
    return std::nullopt;
  auto text = [](Operation &op) {
    StringRef name = op.getName().getStringRef();
    auto word = dyn_cast_or_null<StringAttr>(findAttribute(&op, "comparison_direction"));
    return name.split('.').second.str() + (word ? " " + word.str() : "");
  };
  std::vector<std::string> ops;
  for (Operation &op : body)
    ops.push_back(text(op));
  bool isMax = ops.front() == "compare GT";
  if (!isMax && ops.front() != "compare LT")
    return std::nullopt;
  std::vector<std::string> expected = {ops.front(), "compare NE", "or",     "compare EQ", "compare LT",
                                       "and",       "or",         "select", "select",     "return"};
  // In the order that JAX writes: what is greater or no number wins, of equals the first.
  auto op = [&](unsigned index) { return &*std::next(body.begin(), index); };
  auto reads = [&](unsigned index, Value a, Value b) {
    return op(index)->getNumOperands() >= 2 && op(index)->getOperand(op(index)->getNumOperands() - 2) == a &&
           op(index)->getOperand(op(index)->getNumOperands() - 1) == b;
  };
  Value x = body.getArgument(0), i = body.getArgument(1), y = body.getArgument(2), j = body.getArgument(3);
  if (ops != expected || !reads(0, x, y) || !reads(1, x, x) || !reads(3, x, y) || !reads(4, i, j) || !reads(7, x, y) ||
      !reads(8, i, j))
    return std::nullopt;
  bool isJoined = reads(2, op(0)->getResult(0), op(1)->getResult(0)) &&
                  reads(5, op(3)->getResult(0), op(4)->getResult(0)) &&
                  reads(6, op(2)->getResult(0), op(5)->getResult(0)) && op(7)->getOperand(0) == op(2)->getResult(0) &&
                  op(8)->getOperand(0) == op(6)->getResult(0) && reads(9, op(7)->getResult(0), op(8)->getResult(0));
  return isJoined ? std::optional(isMax ? ArgReduceKind::Max : ArgReduceKind::Min) : std::nullopt;
}

SmallVector<Extents> listOffsets(Shape extents) {
  SmallVector<Extents> offsets = {Extents(extents.size(), 0)};
  for (int64_t dim = static_cast<int64_t>(extents.size()) - 1; dim >= 0; --dim) {
    SmallVector<Extents> next;
    for (int64_t i = 0; i < extents[dim]; ++i)
      for (Extents offset : offsets) {
        offset[dim] = i;
        next.push_back(offset);
      }
    offsets = std::move(next);
  }
  return offsets;
}

FailureOr<SmallVector<Value>> buildPrefixes(Node &node, Block &body, SmallVector<Value> inputs, ArrayRef<Value> inits,
                                            int64_t dim, bool fromEnd) {
  int64_t extent = Node::shapeOf(inputs.front())[dim];
  for (int64_t step = 1; step < extent; step *= 2) {
    SmallVector<Value> before;
    Extents low(Node::rankOf(inputs.front()), 0), high(low);
    low[dim] = fromEnd ? -step : step;
    high[dim] = -low[dim];
    for (auto [input, init] : llvm::zip_equal(inputs, inits))
      before.push_back(node.pad(input, init, low, high));
    SmallVector<Value> arguments(before);
    llvm::append_range(arguments, inputs);
    if (llvm::is_contained(arguments, Value()))
      return failure();
    FailureOr<SmallVector<Value>> combined = node.importLanes(body, arguments);
    if (failed(combined) || combined->size() != inputs.size())
      return failure();
    inputs = *combined;
  }
  return inputs;
}

} // namespace hgc::stablehlo
