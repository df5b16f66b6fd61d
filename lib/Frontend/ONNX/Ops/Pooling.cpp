//===- Pooling.cpp - pools, global pools, MaxUnpool -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "Windows.h"

#include "dialects/Graph/ElementTypes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// hgc.pool with a window that lies in the padding allowed, unless the kind is an
/// average.
static Value pool(Node &node, graph::PoolKind kind, Value data, const SlidingWindow &window, bool countPadding) {
  auto list = [&](ArrayRef<int64_t> values) { return node.getBuilder().getDenseI64ArrayAttr(values); };
  Extents pads = window.getCoveringPads();
  bool hasEmpty =
      llvm::any_of(llvm::seq<int64_t>(0, window.getRank()), [&](int64_t dim) { return window.hasEmptyWindow(dim); });
  if (hasEmpty && kind != graph::PoolKind::Avg) {
    Extents low{0, 0}, high{0, 0};
    low.append(pads.begin(), pads.begin() + window.getRank());
    high.append(pads.begin() + window.getRank(), pads.end());
    Type element = Node::elementOf(data);
    data = node.pad(data, kind == graph::PoolKind::Max ? lowest(node, element) : node.scalar(element, 0), low, high);
    pads.assign(pads.size(), 0);
  }
  return node.create<graph::PoolOp>(kind, data, window.kernel, list(window.strides), list(pads), list(window.dilations),
                                    countPadding, graph::DataLayout::ChannelsFirst);
}

//===----------------------------------------------------------------------===//
// MaxPool
//===----------------------------------------------------------------------===//

namespace {

/// What each window reads, as tables of [windows, window elements].
struct WindowTable {
  /// Offset of the element in its image; that of the window's first element inside
  /// for those in the padding.
  std::vector<int64_t> offsets;
  std::vector<int64_t> isInside;
  int64_t windows = 1, taps = 1;
};

} // namespace

/// Splits `index` into one coordinate per extent.
static Extents unravel(int64_t index, Shape extents) {
  Extents coordinates(extents.size());
  for (int64_t i = extents.size() - 1; i >= 0; --i) {
    coordinates[i] = index % extents[i];
    index /= extents[i];
  }
  return coordinates;
}

static WindowTable tabulate(const SlidingWindow &window) {
  WindowTable table;
  table.windows = product(window.output);
  table.taps = product(window.kernel);
  for (int64_t place = 0; place < table.windows; ++place) {
    Extents output = unravel(place, window.output);
    int64_t first = -1;
    size_t begin = table.offsets.size();
    for (int64_t tap = 0; tap < table.taps; ++tap) {
      Extents element = unravel(tap, window.kernel);
      int64_t offset = 0;
      bool isInside = true;
      for (int64_t i = 0; i < window.getRank(); ++i) {
        int64_t index = output[i] * window.strides[i] - window.low[i] + element[i] * window.dilations[i];
        isInside &= index >= 0 && index < window.input[i];
        offset = offset * window.input[i] + index;
      }
      if (isInside && first < 0)
        first = offset;
      table.offsets.push_back(isInside ? offset : -1);
      table.isInside.push_back(isInside);
    }
    for (int64_t &offset : llvm::drop_begin(table.offsets, begin))
      offset = offset < 0 ? std::max<int64_t>(first, 0) : offset;
  }
  return table;
}

/// Offsets in column-major order of the spatial dims.
static int64_t toColumnMajor(int64_t offset, Shape extents) {
  Extents coordinates = unravel(offset, extents);
  int64_t result = 0;
  for (int64_t i = extents.size() - 1; i >= 0; --i)
    result = result * extents[i] + coordinates[i];
  return result;
}

/// Most elements of a table of what windows read.
static constexpr double kMaxTable = 1 << 24;

/// Positions of the maxima in the flattened input.
static Value findMaxima(Node &node, Value data, const SlidingWindow &window, bool isColumnMajor) {
  WindowTable table = tabulate(window);
  Type i64 = node.getBuilder().getI64Type();
  Shape shape = Node::shapeOf(data);
  int64_t images = shape[0] * shape[1], pixels = product(window.input);
  Value offsets = node.constant(HostTensor::fromInts(i64, {table.windows, table.taps}, table.offsets));
  Value isInside =
      node.constant(HostTensor::fromInts(node.getBuilder().getI1Type(), {table.windows, table.taps}, table.isInside));
  Value read = node.gather(node.reshape(data, {images, pixels}), offsets, 1);
  read = node.select(isInside, read, lowest(node, Node::elementOf(data)));
  Value tap = node.create<graph::ArgReduceOp>(graph::ArgReduceKind::Max, read, uint64_t(2), false);
  if (isColumnMajor)
    for (int64_t &offset : table.offsets)
      offset = toColumnMajor(offset, window.input);
  Value positions = node.constant(HostTensor::fromInts(i64, {table.windows * table.taps}, table.offsets));
  auto number = [&](int64_t value) { return node.scalar(i64, static_cast<double>(value)); };
  Value row = node.mul(node.iota({1, table.windows}, 1, i64), number(table.taps));
  Value inImage = node.gather(positions, node.add(row, tap), 0);
  Value image = node.mul(node.iota({images, 1}, 0, i64), number(pixels));
  Extents result{shape[0], shape[1]};
  result.append(window.output);
  return node.reshape(node.add(inImage, image), result);
}

static LogicalResult importMaxPool(Node &node) {
  FailureOr<SlidingWindow> window = getPoolWindow(node, node.getInput(0));
  if (failed(window))
    return failure();
  Value data = node.getInput(0);
  if (node.hasOutput(1)) {
    if (node.isBounded(data))
      return node.unsupported("an extent of its input is known only at run time");
    double size = 1;
    for (int64_t i = 0; i < window->getRank(); ++i)
      size *= static_cast<double>(window->output[i]) * static_cast<double>(window->kernel[i]);
    if (size > kMaxTable)
      return node.unsupported("indices of so many and large windows");
    Value positions = findMaxima(node, data, *window, node.getInt("storage_order", 0) != 0);
    if (!positions)
      return failure();
    node.setOutput(1, positions);
  }
  return doneBatched(node, pool(node, graph::PoolKind::Max, data, *window, false));
}

/// The result's shape without `output_shape`, or failure.
static FailureOr<Extents> getUnpooledShape(Node &node) {
  Value data = node.getInput(0);
  FailureOr<Extents> spatial = getSpatialExtents(node, data);
  if (failed(spatial))
    return failure();
  int64_t count = spatial->size();
  FailureOr<Extents> kernel = getWindowList(node, "kernel_shape", count, 1);
  FailureOr<Extents> strides = getWindowList(node, "strides", count, 1);
  FailureOr<Extents> pads = getWindowList(node, "pads", 2 * count, 0);
  if (failed(kernel) || failed(strides) || failed(pads))
    return failure();
  Extents shape{Node::shapeOf(data)[0], Node::shapeOf(data)[1]};
  for (int64_t i = 0; i < count; ++i)
    shape.push_back(((*spatial)[i] - 1) * (*strides)[i] + (*kernel)[i] - (*pads)[i] - (*pads)[count + i]);
  return shape;
}

static LogicalResult importMaxUnpool(Node &node) {
  Value data = node.getInput(0), indices = node.getInput(1);
  FailureOr<Extents> shape = getUnpooledShape(node);
  if (failed(shape))
    return failure();
  Extents wanted(*shape);
  if (node.hasInput(2)) {
    if (std::optional<Extents> known = node.getInputInts(2)) {
      wanted = *known;
    } else {
      RankedTensorType declared = needType(node, 0, shape->size());
      if (!declared)
        return failure();
      wanted.assign(declared.getShape().begin(), declared.getShape().end());
      requireInts(node, node.getInput(2), wanted, "output_shape");
    }
  }
  bool isFit = wanted.size() == shape->size() && Node::shapeOf(data) == Node::shapeOf(indices) &&
               llvm::all_of(*shape, [](int64_t extent) { return extent >= 0; });
  if (!isFit)
    return node.invalid("shape of the indices or of the output does not fit the input",
                        "the indices have the input's shape, the output shape has its rank");
  Type element = Node::elementOf(data);
  Value zeros = node.splat(element, {product(*shape)}, 0);
  Value flat = node.create<graph::ScatterOp>(graph::ScatterKind::Set, zeros, node.flatten(indices), node.flatten(data),
                                             uint64_t(0), false);
  Extents low(wanted.size(), 0), high;
  for (auto [to, from] : llvm::zip(wanted, *shape))
    high.push_back(to - from);
  return node.done(node.pad(node.reshape(flat, *shape), node.scalar(element, 0), low, high));
}

//===----------------------------------------------------------------------===//
// AveragePool, LpPool
//===----------------------------------------------------------------------===//

/// Elements of each window that are not beyond the pads: `ceil_mode` lets the last
/// ones hang over.
static Value countElements(Node &node, const SlidingWindow &window, Type element) {
  Value product = node.scalar(element, 1);
  for (int64_t i = 0; i < window.getRank(); ++i) {
    std::vector<double> counts;
    for (int64_t place = 0; place < window.output[i]; ++place) {
      int64_t room = window.input[i] + window.low[i] + window.high[i] - place * window.strides[i];
      counts.push_back(std::min(window.kernel[i], (room - 1) / window.dilations[i] + 1));
    }
    Value line = node.constant(HostTensor::fromDoubles(element, {window.output[i]}, counts));
    product = node.mul(product, along(node, line, window.getRank(), i));
  }
  return product;
}

static LogicalResult importAveragePool(Node &node) {
  FailureOr<SlidingWindow> window = getPoolWindow(node, node.getInput(0));
  if (failed(window))
    return failure();
  Value data = node.getInput(0);
  bool countPadding = node.getInt("count_include_pad", 0) != 0;
  if (!countPadding || window->getCoveringPads() == window->getPads())
    return doneBatched(node, pool(node, graph::PoolKind::Avg, data, *window, countPadding));
  Type element = Node::elementOf(data), wide = graph::getComputeType(element);
  Value sum = pool(node, graph::PoolKind::Sum, node.cast(data, wide), *window, false);
  return doneBatched(node, node.cast(node.div(sum, countElements(node, *window, wide)), element));
}

/// The p-th power of the absolute value.
static Value raise(Node &node, Value value, double power) {
  if (!value)
    return {};
  if (power == 2)
    return node.mul(value, value);
  Value magnitude = node.create<graph::AbsOp>(value);
  return power == 1 ? magnitude : node.create<graph::PowOp>(magnitude, node.scalar(Node::elementOf(value), power));
}

/// The p-th root.
static Value extractRoot(Node &node, Value value, double power) {
  if (!value || power == 1)
    return value;
  if (power == 2)
    return node.create<graph::SqrtOp>(value);
  return node.create<graph::PowOp>(value, node.scalar(Node::elementOf(value), 1 / power));
}

/// The attribute `p`, a float in opset 1.
static double getPower(Node &node) {
  return node.getOpset() < 2 ? node.getFloat("p", 2) : static_cast<double>(node.getInt("p", 2));
}

static LogicalResult importLpPool(Node &node) {
  FailureOr<SlidingWindow> window = getPoolWindow(node, node.getInput(0));
  if (failed(window))
    return failure();
  Value data = node.getInput(0);
  Type element = Node::elementOf(data);
  Value powers = raise(node, node.cast(data, graph::getComputeType(element)), getPower(node));
  if (!powers)
    return failure();
  Value sum = pool(node, graph::PoolKind::Sum, powers, *window, false);
  return doneBatched(node, node.cast(extractRoot(node, sum, getPower(node)), element));
}

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

/// All dims but batch and channels.
static Extents getSpatialAxes(Value data) { return llvm::to_vector(llvm::seq<int64_t>(2, Node::rankOf(data))); }

template <graph::ReduceKind kind> static LogicalResult importGlobalPool(Node &node) {
  Value data = node.getInput(0);
  if (failed(checkChannels(node, data)))
    return failure();
  return doneBatched(node, node.reduce(kind, data, getSpatialAxes(data), true));
}

static LogicalResult importGlobalLpPool(Node &node) {
  Value data = node.getInput(0);
  if (failed(checkChannels(node, data)))
    return failure();
  Type element = Node::elementOf(data);
  Value powers = raise(node, node.cast(data, graph::getComputeType(element)), getPower(node));
  Value sum = node.reduce(graph::ReduceKind::Sum, powers, getSpatialAxes(data), true);
  return doneBatched(node, node.cast(extractRoot(node, sum, getPower(node)), element));
}

void hgc::onnx::addPoolingOps(OpTable &table) {
  table.addBounded("MaxPool", withInputs<1, importMaxPool>);
  table.add("MaxUnpool", withInputs<2, importMaxUnpool>, 9);
  table.addBounded("AveragePool", withInputs<1, importAveragePool>);
  table.addBounded("LpPool", withInputs<1, importLpPool>);
  table.addBounded("GlobalAveragePool", withInputs<1, importGlobalPool<graph::ReduceKind::Mean>>);
  table.addBounded("GlobalMaxPool", withInputs<1, importGlobalPool<graph::ReduceKind::Max>>);
  table.addBounded("GlobalLpPool", withInputs<1, importGlobalLpPool>);
}
