//===- Sampling.cpp - GridSample, AffineGrid, Col2Im ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Resample.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

namespace {
/// A neighbour along one dim: where it is, its weight (null: one) and whether it
/// is inside (null: always).
struct Tap {
  Value index, weight, isInside;
};

/// Samples [N, C, spatial...] at the points of a grid [N, result..., dims].
class GridSampler {
public:
  explicit GridSampler(Node &node)
      : node(node), data(node.getInput(0)), grid(node.getInput(1)), shape(Node::shapeOf(data)),
        aligns(node.getInt("align_corners", 0)), padding(node.getString("padding_mode", "zeros")) {}

  LogicalResult init();
  Value run();

private:
  int64_t getNumDims() const { return shape.size() - 2; }
  Value number(double value) { return node.scalar(Node::elementOf(grid), value); }
  Value reflect(Value x, int64_t extent);
  Value getCoordinate(int64_t dim);
  SmallVector<Tap> getTaps(int64_t dim);
  Tap placeTap(Value position, int64_t extent);
  Value sample(ArrayRef<Tap> corner);

  Node &node;
  Value data, grid;
  Extents shape;
  bool aligns;
  StringRef padding;
  Kernel kernel = Kernel::Linear;
  /// Of the data while it is weighed.
  Type type;
};
} // namespace

LogicalResult GridSampler::init() {
  StringRef name = node.getString("mode", node.getOpset() < 20 ? "bilinear" : "linear");
  auto known = llvm::StringSwitch<std::optional<Kernel>>(name)
                   .Case("nearest", Kernel::Nearest)
                   .Cases({"linear", "bilinear"}, Kernel::Linear)
                   .Cases({"cubic", "bicubic"}, Kernel::Cubic)
                   .Default(std::nullopt);
  if (!known || !llvm::is_contained({"zeros", "border", "reflection"}, padding))
    return node.invalid("mode '" + name + "' with padding '" + padding + "' is unknown",
                        "use nearest, linear or cubic with zeros, border or reflection");
  kernel = *known;
  Shape points = Node::shapeOf(grid);
  if (shape.size() < 3 || points.size() != shape.size() || points.back() != getNumDims() || points[0] != shape[0])
    return node.invalid("the grid does not fit the data",
                        "the data is [N, C, spatial...], the grid [N, result..., dims]");
  // Half precision is too coarse for coordinates.
  OpBuilder &builder = node.getBuilder();
  if (Node::elementOf(grid).getIntOrFloatBitWidth() < 32)
    grid = node.cast(grid, builder.getF32Type());
  type = Node::elementOf(data);
  if (kernel != Kernel::Nearest && (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() < 32))
    type = builder.getF32Type();
  return success();
}

/// Mirrors at the borders until it is inside.
Value GridSampler::reflect(Value x, int64_t extent) {
  double low = aligns ? 0 : -0.5, range = static_cast<double>(aligns ? extent - 1 : extent);
  if (range == 0)
    return node.mul(x, number(0));
  Value distance = node.create<graph::AbsOp>(node.sub(x, number(low)));
  Value phase = node.create<graph::RemOp>(distance, number(2 * range));
  Value back = node.create<graph::AbsOp>(node.sub(phase, number(range)));
  return node.sub(number(low + range), back);
}

/// Coordinates of dim `dim` in elements, [N, result...]; the grid has the dims in
/// reverse order, from -1 to 1.
Value GridSampler::getCoordinate(int64_t dim) {
  Shape points = Node::shapeOf(grid);
  int64_t extent = shape[dim + 2];
  Value unit = node.reshape(node.sliceAxis(grid, points.size() - 1, getNumDims() - 1 - dim, 1), points.drop_back());
  Value up = node.add(unit, number(1)), half = number(0.5);
  double size = static_cast<double>(extent);
  Value x = aligns ? node.mul(node.mul(up, half), number(size - 1))
                   : node.mul(node.sub(node.mul(up, number(size)), number(1)), half);
  if (kernel == Kernel::Nearest)
    x = node.create<graph::RoundOp>(x);
  if (padding == "zeros")
    return x;
  Value low = number(aligns ? 0 : -0.5), high = number(aligns ? size - 1 : size - 0.5);
  Value isOut =
      node.create<graph::OrOp>(node.compare(ComparePredicate::LT, x, low), node.compare(ComparePredicate::GT, x, high));
  Value moved = padding == "border" ? clamp(node, x, number(0), number(size - 1)) : reflect(x, extent);
  return node.select(isOut, moved, x);
}

Tap GridSampler::placeTap(Value position, int64_t extent) {
  Tap tap;
  if (padding == "reflection") {
    Value low = number(aligns ? 0 : -0.5), high = number(static_cast<double>(extent) - (aligns ? 1 : 0.5));
    Value isIn = node.create<graph::NotOp>(node.create<graph::OrOp>(
        node.compare(ComparePredicate::LT, position, low), node.compare(ComparePredicate::GT, position, high)));
    position = node.select(isIn, position, reflect(position, extent));
  }
  if (padding == "zeros")
    tap.isInside = inRange(node, position, number(0), number(static_cast<double>(extent)));
  tap.index = clamp(node, node.cast(position, node.getBuilder().getI64Type()), i64(node, 0), i64(node, extent - 1));
  return tap;
}

SmallVector<Tap> GridSampler::getTaps(int64_t dim) {
  int64_t extent = shape[dim + 2];
  Value x = getCoordinate(dim);
  if (kernel == Kernel::Nearest)
    return {placeTap(x, extent)};
  Value floor = node.create<graph::FloorOp>(x);
  SmallVector<Tap> taps;
  int64_t reach = kernel == Kernel::Linear ? 1 : 2;
  for (int64_t offset = 1 - reach; offset <= reach; ++offset) {
    Value position = node.add(floor, number(static_cast<double>(offset)));
    Tap tap = placeTap(position, extent);
    tap.weight = node.cast(weightAt(node, kernel, node.sub(position, x), -0.75), type);
    taps.push_back(tap);
  }
  return taps;
}

/// One neighbour of every point, weighed.
Value GridSampler::sample(ArrayRef<Tap> corner) {
  Extents result(shape.begin(), shape.begin() + 2);
  llvm::append_range(result, Node::shapeOf(grid).slice(1, getNumDims()));
  int64_t rank = result.size();
  Values coordinates = {count(node, shape[0], rank, 0), count(node, shape[1], rank, 1)};
  Value weight, isInside;
  for (const Tap &tap : corner) {
    coordinates.push_back(node.unsqueeze(tap.index, {1}));
    if (tap.weight)
      weight = weight ? node.mul(weight, tap.weight) : tap.weight;
    if (tap.isInside)
      isInside = isInside ? both(node, isInside, tap.isInside) : tap.isInside;
  }
  Value value = node.cast(pick(node, data, coordinates, result), type);
  if (weight)
    value = node.mul(value, node.unsqueeze(weight, {1}));
  return isInside ? node.select(node.unsqueeze(isInside, {1}), value, node.scalar(type, 0)) : value;
}

Value GridSampler::run() {
  SmallVector<SmallVector<Tap>> taps;
  int64_t corners = 1;
  for (int64_t dim = 0; dim < getNumDims(); ++dim) {
    taps.push_back(getTaps(dim));
    corners *= taps.back().size();
  }
  Value sum;
  for (int64_t number = 0; number < corners; ++number) {
    SmallVector<Tap> corner;
    int64_t rest = number;
    for (ArrayRef<Tap> choices : taps) {
      corner.push_back(choices[rest % choices.size()]);
      rest /= choices.size();
    }
    Value value = sample(corner);
    sum = sum ? node.add(sum, value) : value;
  }
  return node.cast(sum, Node::elementOf(data));
}

static LogicalResult importGridSample(Node &node) {
  GridSampler sampler(node);
  if (failed(sampler.init()))
    return failure();
  return node.done(sampler.run());
}

//===----------------------------------------------------------------------===//
// AffineGrid
//===----------------------------------------------------------------------===//

/// Extents of the grid: from the constant size [N, C, spatial...], or declared.
static std::optional<Extents> readGridExtents(Node &node, int64_t dims) {
  if (std::optional<Extents> size = node.getInputInts(1); size && static_cast<int64_t>(size->size()) == dims + 2)
    return Extents(Shape(*size).drop_front(2));
  RankedTensorType type = needType(node, 0, dims + 2);
  if (!type)
    return std::nullopt;
  Extents extents(type.getShape().slice(1, dims));
  Value size = asList(node, node.getInput(1));
  requireInts(node, node.sliceAxis(size, 0, 2, dims), extents, "size");
  return extents;
}

static LogicalResult importAffineGrid(Node &node) {
  Value theta = node.getInput(0);
  Shape shape = Node::shapeOf(theta);
  int64_t dims = shape.size() == 3 ? shape[1] : 0;
  if (dims == 0 || shape[2] != dims + 1 || Node::countOf(node.getInput(1)) != dims + 2)
    return node.invalid("'theta' and 'size' do not fit", "theta is [N, dims, dims + 1], size [N, C, spatial...]");
  std::optional<Extents> extents = readGridExtents(node, dims);
  if (!extents)
    return failure();
  Type element = Node::elementOf(theta);
  Type type = element.isF64() ? element : node.getBuilder().getF32Type();
  // Coordinates of the points from -1 to 1, the last dim first, then a one.
  Extents whole = *extents;
  whole.push_back(1);
  bool aligns = node.getInt("align_corners", 0);
  Values columns;
  for (int64_t dim = dims - 1; dim >= 0; --dim) {
    double extent = static_cast<double>((*extents)[dim]), spacing = aligns ? extent - 1 : extent;
    Value place = node.iota(whole, dim, type);
    Value twice = node.add(node.mul(place, node.scalar(type, 2)), node.scalar(type, (aligns ? 0 : 1) - spacing));
    columns.push_back(node.div(twice, node.scalar(type, spacing == 0 ? 1 : spacing)));
  }
  columns.push_back(node.splat(type, whole, 1));
  Value points = node.reshape(node.concat(columns, dims), {product(*extents), dims + 1});
  Extents result = {shape[0]};
  llvm::append_range(result, *extents);
  result.push_back(dims);
  Value moved = node.matmul(points, node.cast(theta, type), false, true);
  return node.done(node.cast(node.reshape(moved, result), element));
}

//===----------------------------------------------------------------------===//
// Col2Im
//===----------------------------------------------------------------------===//

/// For each place of the window (first dim) and each element of the image, where
/// among the columns it is; one past the end where it is nowhere.
static Value columnIndex(Node &node, Shape image, Value block, int64_t window, int64_t length) {
  int64_t dims = image.size();
  Extents ones(dims, 1), pads = node.getIntList("pads", Extents(2 * dims, 0));
  Extents strides = node.getIntList("strides", ones), dilations = node.getIntList("dilations", ones);
  Value place = count(node, window, dims + 1, 0), rest = place, isInside, column = i64(node, 0), inner = i64(node, 1);
  Value one = i64(node, 1), columns = one;
  for (int64_t dim = dims - 1; dim >= 0; --dim) {
    Value size = element(node, block, dim), stride = i64(node, strides[dim]), dilation = i64(node, dilations[dim]);
    Value offset = node.mul(node.create<graph::RemOp>(rest, size), dilation);
    rest = node.div(rest, size);
    Value start = node.sub(node.add(count(node, image[dim], dims + 1, dim + 1), i64(node, pads[dim])), offset);
    Value step = node.div(start, stride);
    Value room =
        node.sub(i64(node, image[dim] + pads[dim] + pads[dim + dims] - 1), node.mul(dilation, node.sub(size, one)));
    Value steps = node.add(node.div(room, stride), one);
    Value isHit = node.compare(ComparePredicate::EQ, node.mul(step, stride), start);
    Value isIn = both(node, isHit, inRange(node, step, i64(node, 0), steps));
    isInside = isInside ? both(node, isInside, isIn) : isIn;
    column = node.add(column, node.mul(step, inner));
    inner = node.mul(inner, steps);
    columns = inner;
  }
  requireInts(node, columns, {length}, "block_shape");
  Value index = node.add(node.mul(place, i64(node, length)), column);
  return node.select(isInside, index, i64(node, window * length));
}

static LogicalResult importCol2Im(Node &node) {
  Value data = node.getInput(0), block = asList(node, node.getInput(2));
  Shape shape = Node::shapeOf(data);
  int64_t dims = Node::countOf(node.getInput(1));
  if (shape.size() != 3 || dims == 0 || Node::shapeOf(block)[0] != dims)
    return node.invalid("the columns do not fit the image", "columns are [N, C * block, L]");
  std::optional<Extents> image = node.getInputInts(1), blocks = node.getInts(block);
  Extents result = {shape[0]};
  if (image && blocks) {
    result.push_back(shape[1] / std::max<int64_t>(1, product(*blocks)));
    llvm::append_range(result, *image);
  } else {
    RankedTensorType type = needType(node, 0, dims + 2);
    if (!type)
      return failure();
    result = Extents(type.getShape());
    requireInts(node, node.getInput(1), Shape(result).drop_front(2), "image_shape");
  }
  int64_t channels = std::max<int64_t>(result[1], 1), window = shape[1] / channels, length = shape[2];
  requireInts(node, node.reduce(graph::ReduceKind::Prod, block, {0}, false), {window}, "block_shape");
  Shape pixels = Shape(result).drop_front(2);
  Value columns = node.reshape(data, {shape[0] * channels, window * length});
  columns = node.pad(columns, node.scalar(Node::elementOf(data), 0), {0, 0}, {0, 1});
  Extents reads = {window};
  llvm::append_range(reads, pixels);
  Value index = node.broadcast(columnIndex(node, pixels, block, window, length), reads);
  Value terms = node.gather(columns, node.reshape(index, {window, product(pixels)}), 1);
  return node.done(node.reshape(node.reduce(graph::ReduceKind::Sum, terms, {1}, false), result));
}

void hgc::onnx::addSamplingOps(OpTable &table) {
  table.add("GridSample", withInputs<2, importGridSample>);
  table.add("AffineGrid", withInputs<2, importAffineGrid>);
  table.add("Col2Im", withInputs<3, importCol2Im>);
}
