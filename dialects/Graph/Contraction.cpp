//===- Contraction.cpp - matmul, convolution, packing ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"
#include "dialects/Graph/Panels.h"
#include "dialects/Graph/Winograd.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc::graph;

/// Widest panel of a packed operand.
static constexpr int64_t kMaxPanel = 1024;

/// `a` / `b` rounded up; dynamic if `a` is.
static int64_t ceilDiv(int64_t a, int64_t b) { return ShapedType::isDynamic(a) ? a : llvm::divideCeil(a, b); }

bool hgc::graph::differ(int64_t a, int64_t b) {
  return a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b);
}

/// Checks an operand that `hgc.pack` is said to have written.
static LogicalResult checkPacked(MaybeLoc loc, ArrayRef<int64_t> actual, ArrayRef<int64_t> expected) {
  if (succeeded(verifyCompatibleShape(actual, expected)))
    return success();
  return emitWithHint(
      loc, "packed operand has shape " + shapeToString(actual) + ", but 'packed' says " + shapeToString(expected),
      "the operand must be the result of hgc.pack with the same width and shape");
}

static LogicalResult checkPackedAttr(MaybeLoc loc, PackedAttr packed, size_t least) {
  if (packed.getWidth() < 1 || packed.getWidth() > kMaxPanel)
    return emitWithHint(loc, "panel width " + Twine(packed.getWidth()) + " is out of range",
                        "use a width from 1 to " + Twine(kMaxPanel));
  if (packed.getShape().size() < least)
    return emitWithHint(loc, "'packed' has a logical shape of rank " + Twine(packed.getShape().size()),
                        "give the shape of the operand before packing");
  for (int64_t extent : packed.getShape())
    if (extent < 0 || extent > kMaxTensorBytes)
      return emitWithHint(loc, "'packed' holds the extent " + Twine(extent), "use extents from 0 to 2^40");
  return success();
}

//===----------------------------------------------------------------------===//
// Pack
//===----------------------------------------------------------------------===//

int64_t hgc::graph::countPanelRows(int64_t runs, int64_t run, int64_t interleave) {
  if (interleave == 1)
    return countElements({runs, run});
  int64_t depth = isTiled(interleave) ? getTileDepth(interleave) : interleave;
  return countElements({runs, ceilDiv(run, depth)}) + countHeadRows(interleave);
}

/// Whether panels made of elements of that type can be interleaved so.
static bool canInterleave(Type element, int64_t interleave) {
  return (element.isInteger(8) && (interleave == 2 || interleave == 4)) ||
         (interleave > 1 && getTiledInterleave(element) == interleave) ||
         (element.isF32() && interleave == kWholeInterleave);
}

int64_t hgc::graph::getInterleave(Type packed, int64_t width) {
  auto type = cast<ShapedType>(packed);
  if (!type.hasStaticShape() || type.getRank() == 0 || width < 1 || type.getShape().back() % width != 0)
    return 1;
  int64_t interleave = type.getShape().back() / width;
  Type f32 = Float32Type::get(type.getContext()), element = type.getElementType();
  bool isSplit = element.isBF16() && canInterleave(f32, interleave);
  return isSplit || canInterleave(element, interleave) ? interleave : 1;
}

int64_t hgc::graph::getTiledInterleave(Type element) {
  return element.isF32() ? 96 : element.isBF16() ? 32 : element.isSignlessInteger(8) ? 64 : 0;
}

std::pair<int64_t, int64_t> hgc::graph::getFilterRuns(ArrayRef<int64_t> hwio, int64_t interleave) {
  int64_t side = isTiled(interleave) ? hwio[hwio.size() - 3] : 1, run = countElements({side, hwio[hwio.size() - 2]});
  return {countElements(hwio.drop_back(isTiled(interleave) ? 3 : 2)), run};
}

static SmallVector<int64_t> packMatmul(ArrayRef<int64_t> shape, int64_t width, int64_t interleave) {
  SmallVector<int64_t> packed(shape.drop_back(2));
  int64_t depth = shape[shape.size() - 2];
  packed.append({ceilDiv(shape.back(), width), countPanelRows(1, depth, interleave), width * interleave});
  return packed;
}

static SmallVector<int64_t> packFilter(ArrayRef<int64_t> hwio, int64_t groups, int64_t width, int64_t interleave) {
  int64_t out = hwio.back();
  int64_t perGroup = ShapedType::isDynamic(out) ? out : out / groups;
  auto [runs, run] = getFilterRuns(hwio, interleave);
  int64_t rows = countPanelRows(runs, run, interleave);
  return {groups, ceilDiv(perGroup, width), rows, width * interleave};
}

LogicalResult hgc::graph::checkGroups(MaybeLoc loc, int64_t groups, int64_t outputs) {
  if (groups < 1)
    return emitWithHint(loc, "'groups' is " + Twine(groups), "use 1 for an ungrouped convolution");
  if (!ShapedType::isDynamic(outputs) && outputs % groups != 0)
    return emitWithHint(loc, Twine(outputs) + " output channels do not divide into " + Twine(groups) + " groups",
                        "choose 'groups' so that it divides both channel counts");
  return success();
}

LogicalResult PackOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t width = adaptor.getWidth(), groups = adaptor.getGroups();
  bool isFilter = adaptor.getKind() == PackKind::ConvFilter;
  if (width < 1 || width > kMaxPanel)
    return emitWithHint(loc, "panel width " + Twine(width) + " is out of range",
                        "use a width from 1 to " + Twine(kMaxPanel));
  if (isFilter ? input.getRank() < 3 || input.getRank() > 5 : input.getRank() < 2)
    return emitWithHint(loc, "operand of rank " + Twine(input.getRank()) + " cannot be packed",
                        isFilter ? "a filter has rank 3 to 5 in hwio order" : "a matrix has rank two or more");
  if (!isFilter && groups != 1)
    return emitWithHint(loc, "'groups' is " + Twine(groups) + " for a matrix", "drop 'groups'");
  if (isFilter && failed(checkGroups(loc, groups, input.getShape().back())))
    return failure();
  int64_t interleave = adaptor.getInterleave();
  if (interleave != 1 && (!canInterleave(input.getElementType(), interleave) || !input.hasStaticShape()))
    return emitWithHint(loc, "'interleave' is " + Twine(interleave),
                        "use 2, 4 or 64 for i8, 32 for bf16, 32 or 96 for f32, with static shapes, or drop it");
  if (isTiled(interleave) && (groups != 1 || width % kTileSide != 0))
    return emitWithHint(loc, "tiled panels of width " + Twine(width) + " in " + Twine(groups) + " groups",
                        "use a multiple of 16 and one group, or drop 'interleave'");
  SmallVector<int64_t> shape = isFilter ? packFilter(input.getShape(), groups, width, interleave)
                                        : packMatmul(input.getShape(), width, interleave);
  bool isSplit = countParts(interleave) > 1;
  types.push_back(
      RankedTensorType::get(shape, isSplit ? BFloat16Type::get(input.getContext()) : input.getElementType()));
  return success();
}

/// The type whose elements the operand holds, whole or as parts.
static Type getPackedElement(RankedTensorType type, PackedAttr packed) {
  bool isSplit = packed && packed.getWidth() > 0 && countParts(getInterleave(type, packed.getWidth())) > 1;
  return isSplit ? Float32Type::get(type.getContext()) : type.getElementType();
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

/// `shape` with its last two dims swapped if `swap`.
static SmallVector<int64_t> orient(ArrayRef<int64_t> shape, bool swap) {
  SmallVector<int64_t> result(shape);
  if (swap)
    std::swap(result[result.size() - 1], result[result.size() - 2]);
  return result;
}

static LogicalResult checkMatrices(MaybeLoc loc, RankedTensorType lhs, RankedTensorType rhs, bool transposeRhs,
                                   PackedAttr packed) {
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return emitWithHint(loc,
                        "matmul of operands of rank " + Twine(lhs.getRank()) + " and " + Twine(rhs.getRank()) +
                            ", expected two or more",
                        "give a vector a dim of extent 1 with hgc.reshape");
  if (failed(checkElements(loc, lhs, getPackedElement(rhs, packed))))
    return failure();
  if (!packed)
    return success();
  if (transposeRhs)
    return emitWithHint(loc, "'transpose_rhs' on a packed operand", "transpose the operand before it is packed");
  if (failed(checkPackedAttr(loc, packed, 2)))
    return failure();
  return checkPacked(loc, rhs.getShape(),
                     packMatmul(packed.getShape(), packed.getWidth(), getInterleave(rhs, packed.getWidth())));
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  PackedAttr packed = adaptor.getPackedAttr();
  if (failed(checkMatrices(loc, lhs, rhs, adaptor.getTransposeRhs(), packed)))
    return failure();
  SmallVector<int64_t> a = orient(lhs.getShape(), adaptor.getTransposeLhs());
  SmallVector<int64_t> b = orient(packed ? packed.getShape() : rhs.getShape(), adaptor.getTransposeRhs());
  int64_t rows = a[a.size() - 2], columns = b.back();
  if (differ(a.back(), b[b.size() - 2]))
    return emitWithHint(
        loc, "contraction depths differ: lhs has " + Twine(a.back()) + ", rhs has " + Twine(b[b.size() - 2]),
        "lhs is [..., M, K], rhs is [..., K, N]; transpose_lhs and transpose_rhs swap the last two dims");
  SmallVector<int64_t> shape(ArrayRef<int64_t>(a).drop_back(2));
  if (failed(broadcastShapes(loc, shape, ArrayRef<int64_t>(b).drop_back(2))))
    return failure();
  shape.append({rows, columns});
  types.push_back(RankedTensorType::get(shape, getAccumulatorType(lhs.getElementType())));
  return success();
}

SmallVector<int64_t> MatmulOp::getRhsShape() {
  return orient(getPacked() ? getPackedAttr().getShape() : getRhs().getType().getShape(), getTransposeRhs());
}

int64_t MatmulOp::getDepth() {
  SmallVector<int64_t> lhs = orient(getLhs().getType().getShape(), getTransposeLhs());
  SmallVector<int64_t> rhs = getRhsShape();
  return ShapedType::isDynamic(lhs.back()) ? rhs[rhs.size() - 2] : lhs.back();
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

SmallVector<int64_t> hgc::graph::toHwio(ArrayRef<int64_t> shape, FilterLayout layout) {
  if (layout == FilterLayout::HWIO)
    return SmallVector<int64_t>(shape);
  SmallVector<int64_t> result(shape.drop_front(2));
  result.append({shape[1], shape[0]});
  return result;
}

LogicalResult hgc::graph::checkConvRanks(MaybeLoc loc, RankedTensorType input, RankedTensorType filter) {
  if (input.getRank() < 3 || input.getRank() > 5)
    return emitWithHint(loc, "convolution of data of rank " + Twine(input.getRank()) + ", expected 3 to 5",
                        "data has a batch dim, one to three spatial dims and a channel dim");
  if (input.getRank() == filter.getRank())
    return success();
  return emitWithHint(loc, "filter has rank " + Twine(filter.getRank()) + ", data has rank " + Twine(input.getRank()),
                      "a filter has as many dims as the data: spatial, input channels, output channels");
}

FailureOr<SmallVector<int64_t>> hgc::graph::inferPackedFilter(MaybeLoc loc, PackedAttr packed, FilterLayout layout,
                                                              int64_t groups, RankedTensorType input,
                                                              RankedTensorType filter) {
  auto logical = RankedTensorType::get(packed.getShape(), filter.getElementType());
  if (failed(checkPackedAttr(loc, packed, 3)) || failed(checkConvRanks(loc, input, logical)))
    return failure();
  if (layout != FilterLayout::HWIO)
    return emitWithHint(loc, "packed filter in layout 'oihw'", "a packed filter is 'hwio'");
  int64_t width = packed.getWidth(), interleave = getInterleave(filter, width);
  if (failed(checkGroups(loc, groups, packed.getShape().back())) ||
      failed(checkPacked(loc, filter.getShape(), packFilter(packed.getShape(), groups, width, interleave))))
    return failure();
  return SmallVector<int64_t>(packed.getShape());
}

/// The filter's logical extents in hwio order.
static FailureOr<SmallVector<int64_t>> inferFilter(MaybeLoc loc, ConvOp::Adaptor adaptor, RankedTensorType input) {
  auto filter = cast<RankedTensorType>(adaptor.getFilter().getType());
  if (PackedAttr packed = adaptor.getPackedAttr()) {
    // Panels of a transformed filter hold the transform's elements, not the window's.
    SmallVector<int64_t> held(packed.getShape());
    if (int64_t tile = getPackedTile(packed, filter))
      held[0] = held[1] = tile + 2;
    auto stored = PackedAttr::get(packed.getContext(), packed.getWidth(), held);
    if (failed(inferPackedFilter(loc, stored, adaptor.getFilterLayout(), adaptor.getGroups(), input, filter)))
      return failure();
    return SmallVector<int64_t>(packed.getShape());
  }
  if (failed(checkConvRanks(loc, input, filter)))
    return failure();
  return toHwio(filter.getShape(), adaptor.getFilterLayout());
}

static LogicalResult checkChannels(MaybeLoc loc, int64_t data, int64_t filter, int64_t outputs, int64_t groups) {
  if (failed(checkGroups(loc, groups, outputs)))
    return failure();
  if (ShapedType::isDynamic(data) || ShapedType::isDynamic(filter))
    return success();
  int64_t product;
  if (!llvm::MulOverflow(filter, groups, product) && product == data)
    return success();
  return emitWithHint(loc,
                      "data has " + Twine(data) + " channels, but the filter takes " + Twine(filter) + " in each of " +
                          Twine(groups) + " groups",
                      "check 'groups' and the layouts (channels_last or channels_first, hwio or oihw)");
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto held = cast<RankedTensorType>(adaptor.getFilter().getType());
  if (failed(checkElements(loc, input, getPackedElement(held, adaptor.getPackedAttr()))))
    return failure();
  FailureOr<SmallVector<int64_t>> filter = inferFilter(loc, adaptor, input);
  if (failed(filter))
    return failure();
  DataDims dims(adaptor.getLayout(), input.getRank());
  int64_t count = input.getRank() - 2, outputs = filter->back();
  if (failed(checkChannels(loc, input.getDimSize(dims.channel), (*filter)[count], outputs, adaptor.getGroups())))
    return failure();
  ArrayRef<int64_t> window = ArrayRef<int64_t>(*filter).take_front(count);
  if (ShapedType::isDynamicShape(window))
    return emitWithHint(loc, "filter has a dynamic spatial extent",
                        "only batch, image and channel extents may be dynamic");
  WindowAttrs attrs{window, adaptor.getStrides(), adaptor.getPads(), adaptor.getDilations()};
  FailureOr<SmallVector<int64_t>> spatial = inferWindow(loc, input.getShape().slice(dims.spatial, count), attrs);
  if (failed(spatial))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  shape[dims.channel] = outputs;
  llvm::copy(*spatial, shape.begin() + dims.spatial);
  types.push_back(RankedTensorType::get(shape, getAccumulatorType(input.getElementType())));
  return success();
}

ConvShape ConvOp::getShape() {
  SmallVector<int64_t> filter = getPacked() ? SmallVector<int64_t>(getPackedAttr().getShape())
                                            : toHwio(getFilter().getType().getShape(), getFilterLayout());
  WindowAttrs attrs{ArrayRef<int64_t>(filter).drop_back(2), getStrides(), getPads(), getDilations()};
  ConvShape shape = makeWindowShape(getInput().getType(), getType(), getLayout(), attrs);
  shape.groups = getGroups();
  return shape;
}
