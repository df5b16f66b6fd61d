//===- Fourier.cpp - DFT and STFT of ONNX ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FourierMatrix.h"
#include "Regions.h"
#include "Signal.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

/// The type that a transform is computed in.
static Type widen(Node &node, Type element) { return element.isF64() ? element : Type(node.getBuilder().getF32Type()); }

/// Whether a rank-0 i64 is this number.
static Value isInt(Node &node, Value value, int64_t number) {
  return node.compare(ComparePredicate::EQ, value,
                      node.scalar(node.getBuilder().getI64Type(), static_cast<double>(number)));
}

static LogicalResult checkParts(Node &node, Value x, int64_t leastRank) {
  if (x && Node::rankOf(x) >= leastRank && (Node::shapeOf(x).back() == 1 || Node::shapeOf(x).back() == 2))
    return success();
  return node.invalid("the signal's last dim does not hold a real or a complex number",
                      "its extent is 1, or 2 for the real and the imaginary part");
}

//===----------------------------------------------------------------------===//
// DFT
//===----------------------------------------------------------------------===//

namespace {

class DftImporter {
public:
  explicit DftImporter(Node &node)
      : node(node), x(node.getInput(0)), inverse(node.getInt("inverse", 0) != 0),
        oneSided(node.getInt("onesided", 0) != 0), fromHalf(inverse && oneSided) {}

  LogicalResult run() {
    if (failed(checkParts(node, x, 2)))
      return failure();
    rank = Node::rankOf(x);
    knownLength = getKnownInt(node, 1);
    runTimeLength = node.hasInput(1) && !knownLength;
    RankedTensorType type = node.getDeclaredType(0);
    if (type && type.getRank() == rank)
      declared = Extents(type.getShape());
    bool isInput = node.getOpset() >= 20 && node.hasInput(2);
    if (isInput && !getKnownInt(node, 2))
      return runForAnyAxis();
    int64_t given = isInput ? *getKnownInt(node, 2) : node.getInt("axis", node.getOpset() >= 20 ? -2 : 1);
    std::optional<int64_t> axis = normalizeAxis(given, rank);
    if (!axis || *axis == rank - 1)
      return node.invalid("axis " + Twine(given) + " of a signal of rank " + Twine(rank),
                          "the last dim holds the parts of a number and cannot be transformed");
    std::optional<Fourier> plan = getPlan(*axis);
    if (!plan)
      return node.unsupported(
          "the transform's length is known only at run time and the result's shape is not declared");
    if (runTimeLength)
      node.require(fitsLength(*plan), "the DFT's length does not fit the shape that the model declares");
    return node.done(build(*axis, *plan));
  }

private:
  /// The transform of dim `axis`; nothing when its size is not known.
  std::optional<Fourier> getPlan(int64_t axis) {
    Fourier plan;
    plan.inverse = inverse;
    plan.fromHalf = fromHalf;
    int64_t points = Node::shapeOf(x)[axis];
    if (runTimeLength) {
      if (!declared)
        return std::nullopt;
      plan.outputs = (*declared)[axis];
      if (oneSided && !inverse)
        plan.runTimeLength = toIndex(node, node.getInput(1));
      else
        plan.length = plan.outputs;
      return plan;
    }
    plan.length = knownLength ? *knownLength : (fromHalf ? 2 * (points - 1) : points);
    plan.outputs = oneSided && !inverse ? *plan.length / 2 + 1 : *plan.length;
    return plan;
  }

  /// Whether the length given at run time is the plan's.
  Value fitsLength(const Fourier &plan) {
    Value given = toIndex(node, node.getInput(1));
    if (plan.length)
      return isInt(node, given, *plan.length);
    Value half = node.div(given, node.scalar(node.getBuilder().getI64Type(), 2));
    return isInt(node, half, plan.outputs - 1);
  }

  Value build(int64_t axis, const Fourier &plan) {
    Type element = Node::elementOf(x);
    Value moved = moveDim(node, node.cast(x, widen(node, element)), axis, rank - 2);
    Extents shape(Node::shapeOf(moved));
    int64_t rows = 1;
    for (int64_t extent : ArrayRef(shape).drop_back(2))
      rows *= extent;
    Value result = plan.build(node, node.reshape(moved, {rows, shape[rank - 2], shape[rank - 1]}));
    if (!result)
      return {};
    shape[rank - 2] = Node::shapeOf(result)[1];
    shape[rank - 1] = Node::shapeOf(result)[2];
    return node.cast(moveDim(node, node.reshape(result, shape), rank - 2, axis), element);
  }

  /// Whether transforming dim `axis` gives the declared shape.
  bool fitsShape(int64_t axis, const Fourier &plan) {
    Extents shape(Node::shapeOf(x));
    shape[axis] = plan.outputs;
    shape.back() = fromHalf ? 1 : 2;
    return shape == *declared;
  }

  /// One branch for each axis that the declared shape allows.
  LogicalResult runForAnyAxis() {
    std::optional<Extents> shape = needDeclaredShape(node, rank, "the transform's axis");
    if (!shape)
      return failure();
    Value given = toIndex(node, node.getInput(2)), zero = node.scalar(node.getBuilder().getI64Type(), 0);
    Value fromEnd = node.add(given, node.scalar(node.getBuilder().getI64Type(), static_cast<double>(rank)));
    given = node.select(node.compare(ComparePredicate::LT, given, zero), fromEnd, given);
    SmallVector<std::pair<int64_t, Fourier>> plans;
    Value allowed = node.scalar(node.getBuilder().getI1Type(), 0);
    for (int64_t axis = 0; axis < rank - 1; ++axis) {
      std::optional<Fourier> plan = getPlan(axis);
      if (!plan || !fitsShape(axis, *plan))
        continue;
      Value fits = isInt(node, given, axis);
      if (runTimeLength)
        fits = node.create<graph::AndOp>(fits, fitsLength(*plan));
      allowed = node.create<graph::OrOp>(allowed, fits);
      plans.emplace_back(axis, *plan);
    }
    if (plans.empty())
      return node.invalid("no axis of the signal gives the declared shape", "declare the shape of the result as it is");
    node.require(allowed, "the DFT's axis or length does not fit the shape that the model declares");
    return node.done(choose(given, plans));
  }

  Value choose(Value axis, ArrayRef<std::pair<int64_t, Fourier>> plans) {
    auto [first, plan] = plans.front();
    if (plans.size() == 1)
      return build(first, plan);
    auto thenBranch = [&, first = first, plan = plan]() -> FailureOr<Values> { return Values{build(first, plan)}; };
    auto elseBranch = [&]() -> FailureOr<Values> { return Values{choose(axis, plans.drop_front())}; };
    FailureOr<Values> results = buildIf(node, isInt(node, axis, first), thenBranch, elseBranch);
    return failed(results) ? Value() : results->front();
  }

  Node &node;
  Value x;
  bool inverse, oneSided, fromHalf;
  int64_t rank = 0;
  std::optional<int64_t> knownLength;
  bool runTimeLength = false;
  std::optional<Extents> declared;
};

} // namespace

LogicalResult importDft(Node &node) { return DftImporter(node).run(); }

//===----------------------------------------------------------------------===//
// STFT
//===----------------------------------------------------------------------===//

namespace {

class StftImporter {
public:
  explicit StftImporter(Node &node)
      : node(node), signal(node.getInput(0)), window(node.getInput(2)), oneSided(node.getInt("onesided", 1) != 0) {}

  LogicalResult run() {
    if (failed(checkParts(node, signal, 3)) || failed(readLength()) || failed(readFrames()))
      return failure();
    Type i64 = node.getBuilder().getI64Type(), element = Node::elementOf(signal), wide = widen(node, element);
    int64_t width = plan.length ? *plan.length : 2 * plan.outputs - 1;
    int64_t batch = Node::shapeOf(signal)[0], parts = Node::shapeOf(signal)[2];
    Value starts = node.mul(node.iota({frames, 1}, 0, i64), toIndex(node, node.getInput(1)));
    Value positions = node.add(starts, node.iota({1, width}, 1, i64));
    Value cut = node.gather(node.cast(signal, wide), positions, 1); // [batch, frames, width, parts]
    if (window)
      cut = node.mul(cut, node.cast(node.reshape(window, {width, 1}), wide));
    Value result = plan.build(node, node.reshape(cut, {batch * frames, width, parts}));
    return node.done(node.cast(node.reshape(result, {batch, frames, plan.outputs, 2}), element));
  }

private:
  LogicalResult readLength() {
    std::optional<int64_t> length = getKnownInt(node, 3);
    bool runTime = node.hasInput(3) && !length;
    // The window is as long as a frame.
    if (window) {
      int64_t size = Node::countOf(window);
      if (length && *length != size)
        return node.invalid("a window of " + Twine(size) + " points for frames of " + Twine(*length),
                            "a window is as long as a frame");
      length = size;
      if (runTime)
        requireInt(node, 3, size, "the frame's length");
      runTime = false;
    }
    if (!length && !runTime)
      length = Node::shapeOf(signal)[1];
    plan.length = length;
    if (length) {
      plan.outputs = oneSided ? *length / 2 + 1 : *length;
      return success();
    }
    std::optional<Extents> shape = needDeclaredShape(node, 4, "the frame's length");
    if (!shape)
      return failure();
    plan.outputs = (*shape)[2];
    Value given = toIndex(node, node.getInput(3));
    if (!oneSided) {
      plan.length = plan.outputs;
      requireInt(node, 3, plan.outputs, "the frame's length");
      return success();
    }
    plan.runTimeLength = given;
    Value half = node.div(given, node.scalar(node.getBuilder().getI64Type(), 2));
    node.require(isInt(node, half, plan.outputs - 1),
                 "the frame's length does not fit the shape that the model declares");
    return success();
  }

  LogicalResult readFrames() {
    std::optional<int64_t> step = getKnownInt(node, 1);
    if (step && *step < 1)
      return node.invalid("frames at a distance of " + Twine(*step), "'frame_step' is at least 1");
    if (step && plan.length) {
      frames = (Node::shapeOf(signal)[1] - *plan.length) / *step + 1;
      if (frames >= 1)
        return success();
      return node.invalid("frames of " + Twine(*plan.length) + " points of a signal of " +
                              Twine(Node::shapeOf(signal)[1]),
                          "a frame is not longer than the signal");
    }
    std::optional<Extents> shape = needDeclaredShape(node, 4, "the number of frames");
    if (!shape)
      return failure();
    frames = (*shape)[1];
    // The last frame lies within the signal and one more would not.
    OpBuilder &builder = node.getBuilder();
    auto number = [&](int64_t value) { return node.scalar(builder.getI64Type(), static_cast<double>(value)); };
    Value length = plan.length ? number(*plan.length) : plan.runTimeLength;
    Value distance = toIndex(node, node.getInput(1));
    Value count = node.add(node.div(node.sub(number(Node::shapeOf(signal)[1]), length), distance), number(1));
    node.require(isInt(node, count, frames), "the number of frames is not the one that the model declares");
    return success();
  }

  Node &node;
  Value signal, window;
  bool oneSided;
  Fourier plan;
  int64_t frames = 0;
};

} // namespace

LogicalResult importStft(Node &node) { return StftImporter(node).run(); }

} // namespace hgc::onnx
