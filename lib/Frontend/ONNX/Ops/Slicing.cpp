//===- Slicing.cpp - Slice, Split, Concat, CenterCropPad, Trilu, ... ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Indexing.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::ComparePredicate;

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

namespace {
/// The lists of a slice: attributes before opset 10, then inputs.
struct SliceLists {
  Value starts, ends, axes, steps;
};

/// Start, step and size of each dim.
struct SliceBox {
  Value starts, steps, sizes;
};
} // namespace

static std::optional<SliceLists> readSlice(Node &node, int64_t rank) {
  SliceLists lists;
  bool hasInputs = node.getOpset() >= 10;
  if (hasInputs && failed(checkInputs(node, 3)))
    return std::nullopt;
  lists.starts = hasInputs ? asList(node, node.getInput(1)) : node.ints(node.getIntList("starts"));
  lists.ends = hasInputs ? asList(node, node.getInput(2)) : node.ints(node.getIntList("ends"));
  int64_t count = Node::shapeOf(lists.starts)[0];
  if (count > rank) {
    (void)node.invalid("there are " + Twine(count) + " starts for " + Twine(rank) + " dims",
                       "give one entry a sliced dim in each list");
    return std::nullopt;
  }
  Extents all = llvm::to_vector(llvm::seq<int64_t>(0, count));
  if (hasInputs && node.hasInput(3))
    lists.axes = asList(node, node.getInput(3));
  else
    lists.axes = node.ints(hasInputs ? all : node.getIntList("axes", all));
  lists.steps = hasInputs && node.hasInput(4) ? asList(node, node.getInput(4)) : node.ints(Extents(count, 1));
  for (Value list : {lists.ends, lists.axes, lists.steps})
    if (Node::shapeOf(list)[0] != count) {
      (void)node.invalid("starts, ends, axes and steps have different lengths", "give one entry a sliced dim in each");
      return std::nullopt;
    }
  if (std::optional<Extents> axes = node.getInts(lists.axes); axes && !normalizeAxes(node, *axes, rank))
    return std::nullopt;
  return lists;
}

/// The box in a value of these extents, in index arithmetic: constants when all
/// lists are.
static SliceBox computeBox(Node &node, const SliceLists &lists, Value extents) {
  int64_t rank = Node::countOf(extents);
  Value zero = i64(node, 0), one = i64(node, 1);
  Value steps = byAxis(node, lists.axes, lists.steps, rank, one);
  Value isForward = node.compare(ComparePredicate::GT, steps, zero);
  Value last = node.select(isForward, extents, node.sub(extents, one));
  auto wrap = [&](Value index) {
    return node.select(node.compare(ComparePredicate::LT, index, zero), node.add(index, extents), index);
  };
  Value starts = clamp(node, wrap(byAxis(node, lists.axes, lists.starts, rank, zero)), zero, last);
  Value ends = clamp(node, wrap(byAxis(node, lists.axes, lists.ends, rank, extents)),
                     node.select(isForward, zero, i64(node, -1)), last);
  Value reach = node.add(node.sub(ends, starts), node.sub(steps, node.select(isForward, one, i64(node, -1))));
  return {starts, steps, node.max(zero, node.div(reach, steps))};
}

/// The largest sizes of a box, and which of them may be less at run time. `box` is
/// that of the largest input.
static Extents getLargestBox(Node &node, Value data, const SliceLists &lists, const SliceBox &box,
                             SmallVectorImpl<bool> &isOpen) {
  Extents largest(Node::shapeOf(data));
  std::optional<Extents> axes = node.getInts(lists.axes), starts = node.getInts(lists.starts),
                         ends = node.getInts(lists.ends), steps = node.getInts(lists.steps),
                         sizes = node.getInts(box.sizes);
  isOpen.assign(largest.size(), !axes);
  for (auto [i, axis] : llvm::enumerate(axes.value_or(Extents()))) {
    int64_t dim = *normalizeAxis(axis, largest.size());
    bool isKnown = starts && ends && steps && sizes;
    isOpen[dim] = !isKnown || node.getExtent(data, dim);
    // A box from the end to a place grows as the dim shrinks.
    bool grows = isKnown && ((*starts)[i] < 0) > ((*ends)[i] < 0);
    if (isKnown && (!isOpen[dim] || ((*steps)[i] > 0 && !grows)))
      largest[dim] = (*sizes)[dim];
  }
  return largest;
}

/// A box of constant size, or bounded by the input's extents. `box` is that of the
/// actual input, `largest` that of the largest one.
static Value sliceAtRunTime(Node &node, Value data, const SliceLists &lists, const SliceBox &box,
                            const SliceBox &largest) {
  int64_t rank = Node::rankOf(data);
  RankedTensorType type = node.getDeclaredType(0);
  std::optional<Extents> sizes = node.getInts(box.sizes), steps = node.getInts(box.steps);
  bool isDeclared = sizes || (type && type.getRank() == rank);
  SmallVector<bool> isOpen;
  Extents most = getLargestBox(node, data, lists, largest, isOpen);
  Extents result = sizes ? *sizes : isDeclared ? Extents(type.getShape()) : most;
  if (isDeclared && !sizes)
    requireInts(node, box.sizes, result, "starts and ends");
  auto isOne = [](int64_t step) { return step == 1; };
  if (isDeclared && steps && llvm::all_of(*steps, isOne))
    return node.create<graph::SliceOp>(data, box.starts, DenseI64ArrayAttr(),
                                       node.getBuilder().getDenseI64ArrayAttr(result), DenseI64ArrayAttr());
  Values coordinates;
  for (int64_t dim = 0; dim < rank; ++dim)
    coordinates.push_back(node.add(element(node, box.starts, dim),
                                   node.mul(count(node, result[dim], rank, dim), element(node, box.steps, dim))));
  Value sliced = pick(node, data, coordinates, result);
  if (!sliced || isDeclared)
    return sliced;
  // Dims that are not in the list of axes stay as they are.
  mapExtents(node, data, sliced, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  for (int64_t dim = 0; dim < rank; ++dim)
    if (isOpen[dim])
      node.setExtent(sliced, dim, element(node, box.sizes, dim));
  return sliced;
}

/// Whether constant lists take what lies in front of some place and from some place
/// on: then the starts do not depend on the actual extents.
static bool countsFromFront(Node &node, Value data, const SliceLists &lists) {
  Extents axes = *normalizeAxes(node, *node.getInts(lists.axes), Node::rankOf(data));
  Extents starts = *node.getInts(lists.starts), ends = *node.getInts(lists.ends), steps = *node.getInts(lists.steps);
  for (auto [i, axis] : llvm::enumerate(axes))
    if (node.getExtent(data, axis) && (starts[i] < 0 || ends[i] < 0 || steps[i] != 1))
      return false;
  return true;
}

/// Extents of a box of constant lists that counts from the front.
static void setSliceExtents(Node &node, Value data, Value result, const SliceLists &lists) {
  Extents axes = *normalizeAxes(node, *node.getInts(lists.axes), Node::rankOf(data));
  Extents starts = *node.getInts(lists.starts), ends = *node.getInts(lists.ends);
  mapExtents(node, data, result, llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(data))));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    Value extent = node.getExtent(data, axis);
    if (!extent)
      continue;
    Value size = node.sub(node.min(extent, i64(node, ends[i])), i64(node, starts[i]));
    node.setExtent(result, axis, node.max(size, i64(node, 0)));
  }
}

static LogicalResult importSlice(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  std::optional<SliceLists> lists = readSlice(node, shape.size());
  if (!lists || failed(refuseBounded(node, 1)))
    return failure();
  if (shape.empty() || Node::shapeOf(lists->starts)[0] == 0)
    return node.done(data);
  SliceBox box = computeBox(node, *lists, node.ints(shape));
  if (!box.sizes || !box.starts)
    return failure();
  std::optional<Extents> starts = node.getInts(box.starts), sizes = node.getInts(box.sizes),
                         steps = node.getInts(box.steps);
  if (steps && llvm::is_contained(*steps, 0))
    return node.invalid("a step is 0", "use 1 to take every element, -1 to walk backwards");
  bool isKnown = starts && sizes && steps;
  if (node.isBounded(data) && !(isKnown && countsFromFront(node, data, *lists))) {
    Values extents;
    for (int64_t dim = 0; dim < Node::rankOf(data); ++dim)
      extents.push_back(getActualExtent(node, data, dim));
    return node.done(sliceAtRunTime(node, data, *lists, computeBox(node, *lists, listOf(node, extents)), box));
  }
  if (!isKnown)
    return node.done(sliceAtRunTime(node, data, *lists, box, box));
  for (auto [start, size] : llvm::zip_equal(*starts, *sizes))
    start = size == 0 ? 0 : start;
  Value result = node.slice(data, *starts, *sizes, *steps);
  if (result && node.isBounded(data))
    setSliceExtents(node, data, result, *lists);
  return node.done(result);
}

//===----------------------------------------------------------------------===//
// Split, Concat
//===----------------------------------------------------------------------===//

/// Sizes of the parts: given, or as equal as possible with a smaller last one.
static std::optional<Extents> readParts(Node &node, int64_t axis, int64_t extent) {
  if (node.hasAttribute("split"))
    return node.getIntList("split");
  int64_t count = node.getNumOutputs();
  if (!node.hasInput(1)) {
    int64_t part = llvm::divideCeil(extent, count);
    Extents parts(count, part);
    parts.back() = extent - part * (count - 1);
    return parts;
  }
  if (std::optional<Extents> given = node.getInputInts(1))
    return given;
  Extents parts;
  for (int64_t i = 0; i < count; ++i) {
    RankedTensorType type = needType(node, i, Node::rankOf(node.getInput(0)));
    if (!type)
      return std::nullopt;
    parts.push_back(type.getDimSize(axis));
  }
  requireInts(node, node.getInput(1), parts, "split");
  return parts;
}

/// Parts as equal as possible of a dim whose extent is known only at run time.
static LogicalResult splitEvenly(Node &node, Value data, int64_t axis, ArrayRef<int64_t> otherDims) {
  int64_t most = Node::shapeOf(data)[axis], count = node.getNumOutputs(), largest = llvm::divideCeil(most, count);
  Value extent = node.getExtent(data, axis);
  Value part = node.div(node.add(extent, i64(node, count - 1)), i64(node, count));
  Value last = node.sub(extent, node.mul(part, i64(node, count - 1)));
  node.require(node.compare(ComparePredicate::GE, last, i64(node, 0)),
               "'" + node.getName() + "' splits a dim into more parts than it can");
  for (int64_t i = 0; i < count; ++i) {
    Value places = node.add(node.iota({largest}, 0, node.getBuilder().getI64Type()), node.mul(part, i64(node, i)));
    Value slice = node.gather(data, node.min(places, i64(node, std::max<int64_t>(most - 1, 0))), axis);
    mapExtents(node, data, slice, otherDims);
    setBoundedOutput(node, i, slice, axis, i + 1 < count ? part : last);
  }
  return success();
}

static LogicalResult importSplit(Node &node) {
  Value data = node.getInput(0);
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(data), 0);
  if (!axis || failed(refuseBounded(node, 1)))
    return failure();
  Extents dims = llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(data)));
  dims[*axis] = -1;
  Value actual = node.getExtent(data, *axis);
  if (actual && !node.hasAttribute("split") && !node.hasInput(1))
    return splitEvenly(node, data, *axis, dims);
  int64_t extent = Node::shapeOf(data)[*axis], start = 0;
  std::optional<Extents> parts = readParts(node, *axis, extent);
  if (!parts)
    return failure();
  int64_t total = 0;
  for (int64_t part : *parts)
    total = part < 0 || total < 0 ? -1 : total + part;
  bool isFine = actual ? total >= 0 && total <= extent : total == extent;
  if (!isFine || parts->size() != node.getNumOutputs())
    return node.invalid("the parts do not add up to extent " + Twine(extent) + " of dim " + Twine(*axis),
                        "give one size for each output");
  if (actual)
    node.require(node.compare(ComparePredicate::EQ, actual, i64(node, total)),
                 "the parts of '" + node.getName() + "' do not add up to the extent of dim " + Twine(*axis));
  for (auto [i, part] : llvm::enumerate(*parts)) {
    Value slice = node.sliceAxis(data, *axis, part ? start : 0, part);
    mapExtents(node, data, slice, dims);
    node.setOutput(i, slice);
    start += part;
  }
  return success();
}

static LogicalResult importConcat(Node &node) {
  Values values;
  for (unsigned i = 0; i < node.getNumInputs(); ++i)
    values.push_back(node.getInput(i));
  if (llvm::is_contained(values, Value()))
    return checkInputs(node, values.size());
  std::optional<int64_t> axis = node.getAxis(Node::rankOf(values.front()), 1);
  if (!axis)
    return failure();
  return node.done(concatActual(node, values, *axis));
}

//===----------------------------------------------------------------------===//
// CenterCropPad
//===----------------------------------------------------------------------===//

static LogicalResult importCenterCropPad(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  int64_t rank = shape.size();
  std::optional<Extents> axes =
      normalizeAxes(node, node.getIntList("axes", llvm::to_vector(llvm::seq<int64_t>(0, rank))), rank);
  if (!axes)
    return failure();
  Extents wanted;
  if (std::optional<Extents> given = node.getInputInts(1)) {
    wanted = *given;
  } else {
    RankedTensorType type = needType(node, 0, rank);
    if (!type)
      return failure();
    for (int64_t axis : *axes)
      wanted.push_back(type.getDimSize(axis));
    requireInts(node, node.getInput(1), wanted, "shape");
  }
  if (wanted.size() != axes->size())
    return node.invalid("'shape' does not have one extent for each of the axes", "give as many extents as axes");
  Extents low(rank, 0), high(rank, 0);
  for (auto [axis, extent] : llvm::zip_equal(*axes, wanted)) {
    int64_t change = extent - shape[axis];
    // Halves are rounded towards zero in both directions.
    low[axis] = change / 2;
    high[axis] = change - low[axis];
  }
  return node.done(node.pad(data, node.scalar(Node::elementOf(data), 0), low, high));
}

//===----------------------------------------------------------------------===//
// Blocks, triangles, sequences
//===----------------------------------------------------------------------===//

/// The data's shape, when it is [N, C, H, W] and `isFine`.
static LogicalResult checkBlocks(Node &node, bool isFine) {
  if (isFine)
    return success();
  return node.invalid("the block size does not divide the input's dims", "the input is [N, C, H, W]");
}

static LogicalResult importSpaceToDepth(Node &node) {
  Value data = node.getInput(0);
  Shape in = Node::shapeOf(data);
  int64_t block = node.getInt("blocksize", 1);
  if (failed(checkBlocks(node, in.size() == 4 && block > 0 && in[2] % block == 0 && in[3] % block == 0)))
    return failure();
  int64_t height = in[2] / block, width = in[3] / block;
  Value blocks = node.reshape(data, {in[0], in[1], height, block, width, block});
  return node.done(
      node.reshape(node.transpose(blocks, {0, 3, 5, 1, 2, 4}), {in[0], in[1] * block * block, height, width}));
}

static LogicalResult importDepthToSpace(Node &node) {
  Value data = node.getInput(0);
  Shape in = Node::shapeOf(data);
  int64_t block = node.getInt("blocksize", 1);
  if (failed(checkBlocks(node, in.size() == 4 && block > 0 && in[1] % (block * block) == 0)))
    return failure();
  int64_t depth = in[1] / (block * block);
  Value spread;
  if (node.getString("mode", "DCR") == "CRD")
    spread = node.transpose(node.reshape(data, {in[0], depth, block, block, in[2], in[3]}), {0, 1, 4, 2, 5, 3});
  else
    spread = node.transpose(node.reshape(data, {in[0], block, block, depth, in[2], in[3]}), {0, 3, 4, 1, 5, 2});
  return node.done(node.reshape(spread, {in[0], depth, in[2] * block, in[3] * block}));
}

static LogicalResult importTrilu(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  int64_t rank = shape.size();
  if (rank < 2)
    return node.invalid("the input has rank " + Twine(rank), "give matrices, in the last two dims");
  Value diagonal = node.hasInput(1) ? element(node, asList(node, node.getInput(1)), 0) : i64(node, 0);
  Value offset = node.sub(count(node, shape[rank - 1], 2, 1), count(node, shape[rank - 2], 2, 0));
  bool isUpper = node.getInt("upper", 1);
  Value isKept = node.compare(isUpper ? ComparePredicate::GE : ComparePredicate::LE, offset, diagonal);
  return doneKeeping(node, data, node.select(isKept, data, node.scalar(Node::elementOf(data), 0)));
}

static LogicalResult importReverseSequence(Node &node) {
  Value data = node.getInput(0);
  Shape shape = Node::shapeOf(data);
  int64_t rank = shape.size();
  std::optional<int64_t> batch = node.getAxis(rank, 1, "batch_axis"), time = node.getAxis(rank, 0, "time_axis");
  if (!batch || !time)
    return failure();
  Value lengths = along(node, asList(node, node.getInput(1)), rank, *batch);
  Value place = count(node, shape[*time], rank, *time);
  Value mirrored = node.sub(node.sub(lengths, i64(node, 1)), place);
  Value source = node.select(node.compare(ComparePredicate::LT, place, lengths), mirrored, place);
  return node.done(node.create<graph::GatherAlongOp>(data, node.broadcast(source, shape), *time));
}

void hgc::onnx::addSlicingOps(OpTable &table) {
  table.addBounded("Slice", withInputs<1, importSlice>);
  table.addBounded("Split", withInputs<1, importSplit>);
  table.addBounded("Concat", withInputs<1, importConcat>);
  table.add("CenterCropPad", withInputs<2, importCenterCropPad>);
  table.add("SpaceToDepth", withInputs<1, importSpaceToDepth>);
  table.add("DepthToSpace", withInputs<1, importDepthToSpace>);
  table.addBounded("Trilu", withInputs<1, importTrilu>);
  table.add("ReverseSequence", withInputs<2, importReverseSequence>);
}
