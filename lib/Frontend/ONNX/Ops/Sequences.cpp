//===- Sequences.cpp - sequences that are known while importing -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sequences.h"
#include "Indexing.h"
#include "Regions.h"
#include "lib/Frontend/ONNX/OpTable.h"

using namespace mlir;

namespace hgc::onnx {

bool takesSequences(StringRef op) {
  return llvm::is_contained({"ConcatFromSequence", "SequenceAt", "SequenceErase", "SequenceInsert", "SequenceLength",
                             "SequenceMap", "Optional", "OptionalGetElement", "OptionalHasElement"},
                            op);
}

void eraseSequences(Operation *root) {
  root->walk([](UnrealizedConversionCastOp op) {
    if (op.use_empty())
      op.erase();
  });
}

/// Tensors of a sequence.
static Values getTensors(Value sequence) {
  return Values(sequence.getDefiningOp<UnrealizedConversionCastOp>().getInputs());
}

static Value makeSequence(Node &node, ArrayRef<Value> tensors) {
  OpBuilder &builder = node.getBuilder();
  auto type = TupleType::get(builder.getContext(), SmallVector<Type>(ValueRange(tensors).getTypes()));
  return UnrealizedConversionCastOp::create(builder, node.getLoc(), type, tensors).getResult(0);
}

/// Tensors of input 0, which must be a sequence.
static FailureOr<Values> readSequence(Node &node) {
  Value value = node.getInput(0);
  if (isSequence(value))
    return getTensors(value);
  (void)node.invalid("the input is no sequence", "make one with SequenceConstruct");
  return failure();
}

/// The position in input `index`, counted from the front and less than `limit`.
static FailureOr<int64_t> readPosition(Node &node, unsigned index, int64_t otherwise, int64_t count, int64_t limit) {
  if (!node.hasInput(index))
    return otherwise;
  std::optional<Extents> known = node.getInputInts(index);
  if (!known || known->size() != 1)
    return node.unsupported("the position in a sequence is known only at run time");
  int64_t position = known->front() < 0 ? known->front() + count : known->front();
  if (position >= 0 && position < limit)
    return position;
  return node.invalid("position " + Twine(known->front()) + " in a sequence of " + Twine(count),
                      "positions are less than the length");
}

static LogicalResult importConstruct(Node &node) {
  Values tensors;
  for (unsigned i = 0; i < node.getNumInputs(); ++i) {
    // Its inputs are alike: none can be left out.
    if (failed(checkInputs(node, i + 1)))
      return failure();
    tensors.push_back(node.getInput(i));
  }
  return node.done(makeSequence(node, tensors));
}

static LogicalResult importLength(Node &node) {
  FailureOr<Values> tensors = readSequence(node);
  if (failed(tensors))
    return failure();
  return node.done(node.scalar(node.getBuilder().getI64Type(), static_cast<double>(tensors->size())));
}

static LogicalResult importAt(Node &node) {
  FailureOr<Values> tensors = readSequence(node);
  if (failed(tensors))
    return failure();
  // Tensors of one type are rows of one, which any index picks from.
  bool isKnown = node.getInputInts(1).has_value();
  bool isUniform = !tensors->empty() && llvm::all_equal(ValueRange(*tensors).getTypes()) &&
                   llvm::none_of(*tensors, [&](Value value) { return node.isBounded(value); });
  if (!isKnown && isUniform) {
    Values rows;
    for (Value tensor : *tensors)
      rows.push_back(node.unsqueeze(tensor, {0}));
    return node.done(node.gather(node.concat(rows, 0), toIndex(node, node.getInput(1)), 0));
  }
  auto count = static_cast<int64_t>(tensors->size());
  FailureOr<int64_t> position = readPosition(node, 1, 0, count, count);
  return failed(position) ? failure() : node.done((*tensors)[*position]);
}

static LogicalResult importInsert(Node &node) {
  FailureOr<Values> tensors = readSequence(node);
  if (failed(tensors))
    return failure();
  auto count = static_cast<int64_t>(tensors->size());
  FailureOr<int64_t> position = readPosition(node, 2, count, count, count + 1);
  if (failed(position))
    return failure();
  tensors->insert(tensors->begin() + *position, node.getInput(1));
  return node.done(makeSequence(node, *tensors));
}

static LogicalResult importErase(Node &node) {
  FailureOr<Values> tensors = readSequence(node);
  if (failed(tensors))
    return failure();
  auto count = static_cast<int64_t>(tensors->size());
  FailureOr<int64_t> position = readPosition(node, 1, count - 1, count, count);
  if (failed(position) || *position < 0)
    return failure();
  tensors->erase(tensors->begin() + *position);
  return node.done(makeSequence(node, *tensors));
}

static LogicalResult importSplit(Node &node) {
  Value x = node.getInput(0);
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(x), 0);
  if (!axis)
    return failure();
  int64_t extent = Node::shapeOf(x)[*axis];
  Extents sizes;
  if (node.hasInput(1)) {
    std::optional<Extents> known = node.getInputInts(1);
    if (!known)
      return node.unsupported("the parts of a sequence are known only at run time");
    sizes = *known;
  }
  bool squeezes = !node.hasInput(1) && node.getInt("keepdims", 1) == 0;
  // One number, or none, is the size of all parts; the last may be smaller.
  if (!node.hasInput(1) || Node::rankOf(node.getInput(1)) == 0) {
    int64_t size = sizes.empty() ? 1 : sizes.front();
    sizes.clear();
    for (int64_t start = 0; size > 0 && start < extent; start += size)
      sizes.push_back(std::min(size, extent - start));
  }
  Values parts;
  int64_t start = 0;
  for (int64_t size : sizes) {
    Value part = node.sliceAxis(x, *axis, start, size);
    parts.push_back(squeezes ? node.squeeze(part, {*axis}) : part);
    start += size;
  }
  if (start != extent || llvm::is_contained(parts, Value()))
    return node.invalid("the parts do not make up the " + Twine(extent) + " elements along the axis",
                        "the sizes of the parts add up to the extent");
  return node.done(makeSequence(node, parts));
}

static LogicalResult importConcat(Node &node) {
  FailureOr<Values> tensors = readSequence(node);
  if (failed(tensors))
    return failure();
  if (tensors->empty())
    return node.invalid("the sequence is empty", "an empty sequence has no shape");
  if (llvm::any_of(*tensors, [&](Value value) { return node.isBounded(value); }))
    return node.unsupported("a tensor of the sequence has a shape that is known only at run time");
  bool isNew = node.getInt("new_axis", 0) != 0;
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(tensors->front()) + isNew, 0);
  if (!axis)
    return failure();
  for (Value &tensor : *tensors)
    if (isNew)
      tensor = node.unsqueeze(tensor, {*axis});
  return node.done(node.concat(*tensors, *axis));
}

static LogicalResult importMap(Node &node) {
  FailureOr<Values> tensors = readSequence(node);
  if (failed(tensors))
    return failure();
  SmallVector<Values> results(node.getNumOutputs());
  for (size_t i = 0; i < tensors->size(); ++i) {
    Values arguments;
    for (unsigned input = 0; input < node.getNumInputs(); ++input) {
      Value value = node.getInput(input);
      if (!value)
        return failure();
      Values list = isSequence(value) ? getTensors(value) : Values(tensors->size(), value);
      if (list.size() != tensors->size())
        return node.invalid("the sequences have " + Twine(tensors->size()) + " and " + Twine(list.size()) + " tensors",
                            "all sequences have one length");
      arguments.push_back(list[i]);
    }
    FailureOr<Values> given = node.importGraph("body", arguments);
    if (failed(given) || given->size() < results.size() || llvm::is_contained(*given, Value()))
      return failure();
    for (auto [list, value] : llvm::zip(results, *given))
      list.push_back(value);
  }
  for (unsigned i = 0; i < node.getNumOutputs(); ++i)
    node.setOutput(i, makeSequence(node, results[i]));
  return success();
}

void addSequenceOps(OpTable &table) {
  StringRef note = "lengths and positions are known at compile time; no sequences as inputs, outputs or in loops";
  table.addBounded("SequenceConstruct", importConstruct, 11, note);
  table.add("SequenceEmpty", importConstruct, 11, note);
  table.add("SequenceLength", importLength, 11, note);
  table.add("SequenceAt", importAt, 11, note);
  table.addBounded("SequenceInsert", importInsert, 11, note);
  table.add("SequenceErase", importErase, 11, note);
  table.add("SequenceMap", importMap, 17, note);
  table.add("SplitToSequence", importSplit, 11, note);
  table.add("ConcatFromSequence", importConcat, 11, note);
}

} // namespace hgc::onnx
