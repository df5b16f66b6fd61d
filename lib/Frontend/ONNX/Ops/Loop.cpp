//===- Loop.cpp - the Loop of ONNX ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of a known number of steps without an early end is an hgc.scan over the
// step numbers. All others are an hgc.while that carries the step, the condition
// and one buffer a scan output, written at the step's position.
//===----------------------------------------------------------------------===//

#include "Regions.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;
using graph::ScanOp;
using graph::WhileOp;
using graph::YieldOp;

namespace {

/// Longest known loop; exporters write the largest integer for "no limit".
constexpr int64_t kMostSteps = int64_t(1) << 31;

class LoopImporter {
public:
  explicit LoopImporter(Node &node) : node(node), builder(node.getBuilder()), i64(builder.getI64Type()) {}

  LogicalResult run() {
    if (failed(readInputs()))
      return failure();
    draft = WhileOp::create(builder, node.getLoc(), TypeRange(), ValueRange(), 10);
    LogicalResult result = importBody();
    if (succeeded(result))
      result = finish();
    else
      builder.setInsertionPointAfter(draft);
    draft.erase();
    return result;
  }

private:
  LogicalResult readInputs() {
    trips = node.hasInput(0) ? toIndex(node, node.getInput(0)) : Value();
    condition = node.hasInput(1) ? node.reshape(node.getInput(1), {}) : Value();
    for (unsigned i = 2; i < node.getNumInputs(); ++i) {
      if (!node.hasInput(i))
        return failure();
      carried.push_back(node.getInput(i));
    }
    stateCount = static_cast<unsigned>(carried.size());
    if (node.getNumGraphInputs("body") != carried.size() + 2)
      return node.invalid("the body takes " + Twine(node.getNumGraphInputs("body")) + " values, expected " +
                              Twine(carried.size() + 2),
                          "a body takes the step, the condition and the loop-carried values");
    if (std::optional<Extents> known = trips ? node.getInts(trips) : std::nullopt)
      steps = std::max<int64_t>(known->front(), 0);
    if (steps && *steps >= kMostSteps) {
      steps.reset();
      trips = {};
    }
    return success();
  }

  /// Imports the body once, into a block of the step, the condition and the
  /// carried values.
  LogicalResult importBody() {
    SmallVector<Type> types{RankedTensorType::get({}, i64), RankedTensorType::get({}, builder.getI1Type())};
    llvm::append_range(types, ValueRange(carried).getTypes());
    body = builder.createBlock(&draft.getBody(), {}, types, SmallVector<Location>(types.size(), node.getLoc()));
    FailureOr<Values> outputs = node.importGraph("body", Values(body->getArguments()));
    if (failed(outputs))
      return failure();
    if (outputs->size() < 1 + carried.size() || outputs->size() - 1 < node.getNumOutputs())
      return node.invalid("the body gives " + Twine(outputs->size()) + " values, expected " +
                              Twine(std::max<size_t>(node.getNumOutputs(), carried.size()) + 1),
                          "a body gives the condition, the loop-carried values and the scan outputs");
    ArrayRef<Value> given(*outputs);
    goesOn = given.front();
    next.assign(given.slice(1, carried.size()));
    stacked.assign(given.drop_front(1 + carried.size()));
    return fitOutputs();
  }

  /// Gives what the body hands on the types that are expected. Whether the actual
  /// shapes of bounded values are those is one more state.
  LogicalResult fitOutputs() {
    Value valid;
    for (auto [value, first] : llvm::zip_equal(next, carried))
      value = fitCarried(node, value, Node::typeOf(first), valid);
    for (auto [i, value] : llvm::enumerate(stacked)) {
      RankedTensorType declared = value ? node.getDeclaredType(stateCount + i) : RankedTensorType();
      if (value && node.isBounded(value) && (!declared || declared.getRank() == 0))
        return node.unsupported("the loop stacks tensors whose shape is known only at run time and not declared");
      if (value && node.isBounded(value))
        value = fitCarried(node, value, RankedTensorType::Builder(declared).dropDim(0), valid);
    }
    if (llvm::is_contained(next, Value()) || llvm::is_contained(stacked, Value()))
      return failure();
    if (valid) {
      next.push_back(node.create<graph::AndOp>(body->addArgument(valid.getType(), node.getLoc()), valid));
      // The loop that takes the place of the draft comes after this constant.
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(draft);
      carried.push_back(node.scalar(builder.getI1Type(), 1));
    }
    return success();
  }

  /// Position of output `index` among the final states and the stacked results.
  unsigned resultOf(unsigned index) const {
    return index < stateCount ? index : index + static_cast<unsigned>(carried.size()) - stateCount;
  }

  /// Fails the call if a shape was another one than expected.
  void requireShapes(ValueRange states) {
    if (carried.size() > stateCount)
      node.require(states[stateCount], "a tensor that the loop hands on or stacks changes its shape");
  }

  /// Whether nothing but the trip count ends the loop. Without a condition input
  /// what the body says about it does not count.
  bool isCounted() {
    auto isTrue = [&](Value value) {
      std::optional<HostTensor> known = node.getConstant(value);
      return known && known->getNumElements() == 1 && known->getInt(0) != 0;
    };
    return !condition || (isTrue(condition) && (goesOn == body->getArgument(1) || isTrue(goesOn)));
  }

  LogicalResult finish() {
    bool counted = isCounted();
    builder.setInsertionPointAfter(draft);
    if (!counted)
      return buildWhile();
    condition = {};
    if (!trips)
      return node.unsupported("the loop has neither a trip count nor a condition that ends it");
    return steps && *steps > 0 ? buildCounted() : buildWhile();
  }

  /// Moves the body's ops to `target`, whose arguments stand for its own.
  void moveBody(Block *target, Value step, Value flag, ValueRange states) {
    Values replacements{step, flag};
    llvm::append_range(replacements, states);
    for (Value &value : llvm::concat<Value>(next, stacked))
      value = replaced(value, replacements);
    goesOn = replaced(goesOn, replacements);
    for (auto [argument, value] : llvm::zip_equal(body->getArguments(), replacements))
      argument.replaceAllUsesWith(value);
    target->getOperations().splice(target->end(), body->getOperations());
    builder.setInsertionPointToEnd(target);
  }

  Value replaced(Value value, ArrayRef<Value> replacements) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == body ? replacements[argument.getArgNumber()] : value;
  }

  LogicalResult buildCounted() {
    Value counts = node.iota({*steps}, 0, i64);
    FailureOr<Values> results = buildScan(node, carried, counts, false, [&](ValueRange states, ValueRange slices) {
      Block *block = builder.getInsertionBlock();
      Value flag = node.scalar(builder.getI1Type(), 1);
      moveBody(block, slices.front(), flag, states);
      Values yielded(next);
      llvm::append_range(yielded, stacked);
      return FailureOr<Values>(yielded);
    });
    if (failed(results))
      return failure();
    for (unsigned i = 0; i < node.getNumOutputs(); ++i)
      node.setOutput(i, (*results)[resultOf(i)]);
    requireShapes(*results);
    return success();
  }

  /// Length of the buffers of the scan outputs. A declared shape is exact.
  LogicalResult chooseLength() {
    for (unsigned i = stateCount; i < node.getNumOutputs() && !declared; ++i)
      if (RankedTensorType type = node.getDeclaredType(i); type && type.getRank() > 0)
        declared = type.getDimSize(0);
    if (!declared && !steps && !stacked.empty())
      return node.unsupported(
          "the loop's trip count is known only at run time and the shape of its scan outputs is not "
          "declared");
    length = declared ? *declared : steps.value_or(0);
    return success();
  }

  LogicalResult buildWhile() {
    if (failed(chooseLength()))
      return failure();
    Values inits{node.scalar(i64, 0), condition ? condition : node.scalar(builder.getI1Type(), 1)};
    llvm::append_range(inits, carried);
    for (Value value : stacked) {
      Extents shape{length};
      llvm::append_range(shape, Node::shapeOf(value));
      inits.push_back(node.splat(Node::elementOf(value), shape, 0));
    }
    SmallVector<Type> types(ValueRange(inits).getTypes());
    int64_t hint = declared ? *declared : steps.value_or(10);
    WhileOp loop = WhileOp::create(builder, node.getLoc(), types, inits, hint);
    SmallVector<Location> locs(types.size(), node.getLoc());
    Block *test = builder.createBlock(&loop.getCondition(), {}, types, locs);
    YieldOp::create(builder, node.getLoc(), buildTest(test));
    Block *block = builder.createBlock(&loop.getBody(), {}, types, locs);
    YieldOp::create(builder, node.getLoc(), buildStep(block));
    builder.setInsertionPointAfter(loop);
    setOutputs(loop);
    return success();
  }

  Value buildTest(Block *block) {
    Value less = trips ? node.compare(ComparePredicate::LT, block->getArgument(0), trips) : Value();
    if (!condition)
      return less;
    Value flag = block->getArgument(1);
    return less ? node.create<graph::AndOp>(less, flag) : flag;
  }

  /// One step: the body, then the buffers with what it gave.
  Values buildStep(Block *block) {
    ValueRange arguments = block->getArguments();
    ValueRange states = arguments.slice(2, carried.size()), buffers = arguments.drop_front(2 + carried.size());
    moveBody(block, arguments[0], arguments[1], states);
    Values yielded{node.add(arguments[0], node.scalar(i64, 1)),
                   condition ? node.reshape(goesOn, {}) : Value(arguments[1])};
    llvm::append_range(yielded, next);
    Value position = node.reshape(arguments[0], {1});
    for (auto [buffer, value] : llvm::zip_equal(buffers, stacked))
      yielded.push_back(length == 0 ? buffer
                                    : node.create<graph::ScatterOp>(graph::ScatterKind::Set, buffer, position,
                                                                    node.unsqueeze(value, {0}), 0, true));
    return yielded;
  }

  void setOutputs(WhileOp loop) {
    Value taken = loop.getResult(0);
    for (unsigned i = 0; i < node.getNumOutputs(); ++i) {
      Value result = loop.getResult(2 + resultOf(i));
      if (i >= stateCount && !declared && length > 0)
        node.setExtent(result, 0, taken);
      node.setOutput(i, result);
    }
    requireShapes(loop.getResults().drop_front(2));
    if (declared && node.getNumOutputs() > stateCount)
      node.require(node.compare(ComparePredicate::EQ, taken, node.scalar(i64, static_cast<double>(length))),
                   "the loop takes another number of steps than its scan outputs declare");
  }

  Node &node;
  OpBuilder &builder;
  Type i64;
  WhileOp draft;
  Block *body = nullptr;
  /// Null without a limit or a condition.
  Value trips, condition;
  std::optional<int64_t> steps, declared;
  int64_t length = 0;
  unsigned stateCount = 0;
  Values carried, next, stacked;
  Value goesOn;
};

} // namespace

LogicalResult importLoop(Node &node) { return LoopImporter(node).run(); }

} // namespace hgc::onnx
