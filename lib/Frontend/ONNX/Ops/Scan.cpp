//===- Scan.cpp - the Scan of ONNX ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Regions.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

namespace {

/// Values of a node's inputs from `first` on: states, then sequences.
struct ScanInputs {
  Values states, sequences;
};

} // namespace

static FailureOr<ScanInputs> readInputs(Node &node, unsigned first) {
  int64_t count = node.getInt("num_scan_inputs", 0), given = static_cast<int64_t>(node.getNumInputs()) - first;
  if (count < 1 || count > given || node.getNumGraphInputs("body") != given) {
    (void)node.invalid("the node has " + Twine(given) + " states and sequences, 'num_scan_inputs' is " + Twine(count) +
                           " and the body takes " + Twine(node.getNumGraphInputs("body")) + " values",
                       "a body takes the states, then one slice of each scan input");
    return failure();
  }
  ScanInputs inputs;
  for (int64_t i = 0; i < given; ++i) {
    if (!node.hasInput(first + i))
      return failure();
    (i < given - count ? inputs.states : inputs.sequences).push_back(node.getInput(first + i));
  }
  return inputs;
}

/// The ops of one step: what the body gives for these values. The last slice is
/// the step's number.
static FailureOr<Values> importStep(Node &node, ValueRange states, ValueRange slices) {
  Values arguments(states);
  llvm::append_range(arguments, slices.drop_back());
  FailureOr<Values> outputs = node.importGraph("body", arguments);
  if (failed(outputs))
    return failure();
  if (outputs->size() < states.size() || outputs->size() < node.getNumOutputs()) {
    (void)node.invalid("the body gives " + Twine(outputs->size()) + " values, expected " + Twine(node.getNumOutputs()),
                       "a body gives the next states, then one slice of each scan output");
    return failure();
  }
  ValueRange next(*outputs);
  if (failed(checkCarried(node, states, next.take_front(states.size()))))
    return failure();
  for (Value value : next.drop_front(states.size()))
    if (failed(checkCarried(node, value, value)))
      return failure();
  return outputs;
}

/// Entry `index` of a list that may be absent.
static int64_t entryOf(const Extents &list, size_t index) { return index < list.size() ? list[index] : 0; }

/// An axis of scan input or output `index`, counted from the front.
static FailureOr<int64_t> readScanAxis(Node &node, const Extents &axes, size_t index, int64_t rank) {
  if (std::optional<int64_t> axis = normalizeAxis(entryOf(axes, index), rank))
    return *axis;
  (void)node.invalid("scan axis " + Twine(entryOf(axes, index)) + " of a tensor of rank " + Twine(rank),
                     "an axis is at least -rank and less than the rank");
  return failure();
}

//===----------------------------------------------------------------------===//
// Opset 9 and later
//===----------------------------------------------------------------------===//

static LogicalResult importPlainScan(Node &node) {
  FailureOr<ScanInputs> inputs = readInputs(node, 0);
  if (failed(inputs))
    return failure();
  Extents directions = node.getIntList("scan_input_directions"), axes = node.getIntList("scan_input_axes");
  // A scan that reads all sequences backwards walks backwards itself.
  bool reverse =
      directions.size() == inputs->sequences.size() && llvm::all_of(directions, [](int64_t d) { return d == 1; });
  for (auto [i, sequence] : llvm::enumerate(inputs->sequences)) {
    FailureOr<int64_t> axis = readScanAxis(node, axes, i, Node::rankOf(sequence));
    if (failed(axis))
      return failure();
    sequence = moveDim(node, sequence, *axis, 0);
    if (!reverse && entryOf(directions, i) == 1)
      sequence = flip(node, sequence, 0);
  }
  int64_t steps = Node::shapeOf(inputs->sequences.front()).front();
  inputs->sequences.push_back(node.iota({steps}, 0, node.getBuilder().getI64Type()));
  FailureOr<Values> results =
      buildScan(node, inputs->states, inputs->sequences, reverse,
                [&](ValueRange states, ValueRange slices) { return importStep(node, states, slices); });
  if (failed(results))
    return failure();
  Extents outputDirections = node.getIntList("scan_output_directions"),
          outputAxes = node.getIntList("scan_output_axes");
  for (unsigned i = 0; i < node.getNumOutputs(); ++i) {
    Value result = (*results)[i];
    if (i >= inputs->states.size()) {
      size_t number = i - inputs->states.size();
      FailureOr<int64_t> axis = readScanAxis(node, outputAxes, number, Node::rankOf(result));
      if (failed(axis))
        return failure();
      if ((entryOf(outputDirections, number) == 1) != reverse)
        result = flip(node, result, 0);
      result = moveDim(node, result, 0, *axis);
    }
    node.setOutput(i, result);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Opset 8: a batch of sequences, each with a length of its own
//===----------------------------------------------------------------------===//

/// The sequences of one element of the batch, `length` (null: all) steps long.
static FailureOr<Values> scanElement(Node &node, Value length, ValueRange states, ValueRange sequences) {
  OpBuilder &builder = node.getBuilder();
  Extents directions = node.getIntList("directions");
  int64_t steps = Node::shapeOf(sequences.front()).front();
  Value counts = node.iota({steps}, 0, builder.getI64Type());
  Values ordered;
  for (auto [i, sequence] : llvm::enumerate(sequences)) {
    bool backwards = entryOf(directions, i) == 1;
    if (backwards && length) {
      Value last = node.sub(length, node.scalar(builder.getI64Type(), 1));
      ordered.push_back(node.gather(sequence, node.sub(last, counts), 0));
    } else {
      ordered.push_back(backwards ? flip(node, sequence, 0) : sequence);
    }
  }
  ordered.push_back(counts);
  if (!length)
    return buildScan(node, Values(states), ordered, false,
                     [&](ValueRange now, ValueRange slices) { return importStep(node, now, slices); });
  return buildScan(node, Values(states), ordered, false, [&](ValueRange now, ValueRange slices) -> FailureOr<Values> {
    FailureOr<Values> outputs = importStep(node, now, slices);
    if (failed(outputs))
      return failure();
    // Past its end a sequence keeps its states and gives zeros.
    Value inside = node.compare(ComparePredicate::LT, slices.back(), length);
    for (auto [i, value] : llvm::enumerate(*outputs))
      value = node.select(inside, value, i < now.size() ? Value(now[i]) : node.scalar(Node::elementOf(value), 0));
    return outputs;
  });
}

static LogicalResult importBatchedScan(Node &node) {
  FailureOr<ScanInputs> inputs = readInputs(node, 1);
  if (failed(inputs))
    return failure();
  Values sequences = inputs->states;
  llvm::append_range(sequences, inputs->sequences);
  Type i64 = node.getBuilder().getI64Type();
  if (node.hasInput(0))
    sequences.push_back(node.cast(node.getInput(0), i64));
  sequences.push_back(node.iota({Node::shapeOf(sequences.front()).front()}, 0, i64));
  FailureOr<Values> results =
      buildScan(node, {}, sequences, false, [&](ValueRange, ValueRange slices) -> FailureOr<Values> {
        size_t states = inputs->states.size();
        Value length = node.hasInput(0) ? Value(slices.drop_back().back()) : Value();
        return scanElement(node, length, slices.take_front(states), slices.slice(states, inputs->sequences.size()));
      });
  if (failed(results))
    return failure();
  for (unsigned i = 0; i < node.getNumOutputs(); ++i)
    node.setOutput(i, (*results)[i]);
  return success();
}

LogicalResult importScan(Node &node) { return node.getOpset() < 9 ? importBatchedScan(node) : importPlainScan(node); }

} // namespace hgc::onnx
