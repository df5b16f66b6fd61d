//===- PackContractions.cpp - weights in panels ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packed operand is read with unit stride and without a copy per call. What is
// made from parameters only is worth packing: once at compile time, or once per
// call when an entry changes the parameter and enough rows use it. Of large operands
// that are known at run time all threads share one copy.
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "dialects/Graph/Panels.h"
#include "dialects/Graph/Winograd.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/MatrixUnit.h"
#include "hgc/Target/Panel.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace hgc {
#define GEN_PASS_DEF_PACKCONTRACTIONS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Rows below which packing at every call costs more than it saves.
constexpr int64_t kMinRows = 4;

/// Rows that share a large matrix enough to be worth a kernel that copies it for all threads.
constexpr int64_t kManyRows = 256;

struct PackContractions final : hgc::impl::PackContractionsBase<PackContractions> {
  void runOnOperation() override {
    const DeviceTable &table = getCpuTable(getOperation());
    const auto &invariance = getAnalysis<Invariance>();
    mostRows.clear();
    getOperation().walk([&](MatmulOp op) { mostRows[op.getRhs()] = std::max(mostRows[op.getRhs()], countRows(op)); });
    getOperation().walk([&](Operation *op) {
      // Panels are the CPU's; GPU kernels read the canonical form.
      if (isGpu(getDevice(op)))
        return;
      if (auto matmul = dyn_cast<MatmulOp>(op))
        packMatmul(matmul, table, invariance);
      else if (auto conv = dyn_cast<ConvOp>(op))
        packConv(conv, table, invariance);
      else if (auto transposed = dyn_cast<ConvTransposeOp>(op))
        packConvTranspose(transposed, table, invariance);
    });
    auto unit = UnitAttr::get(&getContext());
    getOperation().walk([&](Operation *op) {
      auto function = op->getParentOfType<func::FuncOp>();
      if (!isPlaced(op) || !function || !function->hasAttr(kCertificateAttr))
        return;
      // What packing adds is part of the contraction's price; an op that it takes
      // in was priced on its own.
      if (!getDevice(op))
        op->setAttr(kPackingAttr, unit);
      else if (isOpTriviallyDead(op))
        function->setAttr(kRefinedAttr, unit);
    });
    inheritDevices(getOperation());
  }

private:
  /// Rows that each matrix of a matmul's right operand meets.
  static int64_t countRows(MatmulOp op) {
    SmallVector<int64_t> shape = op.getRhsShape();
    int64_t results = op.getType().hasStaticShape() ? op.getType().getNumElements() : 0;
    int64_t columns = ShapedType::getNumElements(shape) / std::max<int64_t>(1, shape[shape.size() - 2]);
    return columns > 0 ? results / columns : 0;
  }

  /// Whether `weight` may be packed for an op that computes `rows` rows with it.
  static bool isWorthIt(Value weight, int64_t rows, const Invariance &invariance) {
    if (invariance.isInvariant(weight))
      return true;
    Operation *producer = weight.getDefiningOp();
    return invariance.isLoadTime(weight) && rows >= kMinRows && isa<func::FuncOp>(producer->getParentOp());
  }

  /// Whether each thread would copy a matrix that is too large for caches of its own.
  static bool isLarge(ArrayRef<int64_t> shape, int64_t rows, Type element, const DeviceTable &table) {
    int64_t matrix = shape.back() * shape[shape.size() - 2];
    int64_t count = matrix ? ShapedType::getNumElements(shape) / matrix : 1;
    return matrix * getElementBytes(element) > table.l2Bytes && rows >= kManyRows * count;
  }

  void packMatmul(MatmulOp op, const DeviceTable &table, const Invariance &invariance) {
    if (op.getPacked())
      return;
    SmallVector<int64_t> shape = op.getRhsShape();
    int64_t columns = shape.back();
    int64_t rows = columns ? cast<ShapedType>(op.getType()).getNumElements() / columns : 0;
    int64_t width = getPanelWidth(table, getElementTypeOrSelf(op.getRhs().getType()));
    // A panel that is mostly padding multiplies the bytes to read.
    bool isWanted = isWorthIt(op.getRhs(), rows, invariance) || usesMatrixUnit(op) ||
                    isLarge(shape, rows, getElementTypeOrSelf(op.getRhs().getType()), table);
    if (columns * 4 <= width || !isWanted)
      return;
    if (!invariance.isInvariant(op.getRhs()) && !usesMatrixUnit(op) && !op.getTransposeRhs() &&
        readsInPlace(table, rows, columns * getElementBytes(getElementTypeOrSelf(op.getRhs().getType()))))
      return;

    OpBuilder builder(op);
    builder.setInsertionPointAfterValue(op.getRhs());
    Value rhs = op.getRhs();
    if (op.getTransposeRhs()) {
      auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
      std::swap(permutation.back(), permutation[permutation.size() - 2]);
      rhs = permute(builder, op.getLoc(), rhs, permutation);
      op.setTransposeRhs(false);
    }
    int64_t interleave = 1, matrix = columns * shape[shape.size() - 2];
    // Only compile time interleaves bytes.
    if ((invariance.isInvariant(op.getRhs()) || usesMatrixUnit(op)) && !op.getTransposeLhs())
      interleave = chooseInterleave(op, table, getElementTypeOrSelf(rhs.getType()), matrix, columns,
                                    mostRows.lookup(op.getRhs()));
    Value packed = PackOp::create(builder, op.getLoc(), PackKind::MatmulRhs, rhs, width, 1, interleave);
    op.getRhsMutable().assign(packed);
    op.setPackedAttr(PackedAttr::get(op.getContext(), width, shape));
  }

  /// How panels of `elements` weights in so many columns that `rows` rows share are interleaved.
  static int64_t chooseInterleave(Operation *op, const DeviceTable &table, Type element, int64_t elements,
                                  int64_t columns, int64_t rows) {
    if (!usesMatrixUnit(op) || !hasMatrixUnit(table, element))
      return hgc::chooseInterleave(table, element);
    return element.isF32() && keepsWhole(table, elements, columns, rows) ? kWholeInterleave
                                                                         : getTiledInterleave(element);
  }

  /// Rows of the product that has the most, by its right operand: all of them share panels.
  DenseMap<Value, int64_t> mostRows;

  /// `value` with its dims permuted. A transpose that others read, too, keeps the maker it shares a kernel with:
  /// a second reader would part them.
  static Value permute(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> permutation) {
    auto inner = value.getDefiningOp<TransposeOp>();
    Operation *maker = inner ? inner.getInput().getDefiningOp() : nullptr;
    if (maker && !inner->hasOneUse() && maker->hasOneUse() && isComputing(maker))
      return TransposeOp::create(builder, loc, value, permutation);
    return makeTranspose(builder, loc, value, permutation);
  }

  /// Squares of 3x3 taps as the squares that are multiplied with transformed data.
  static Value transformFilter(OpBuilder &builder, ConvOp op, int64_t tile) {
    Location loc = op.getLoc();
    Winograd form(tile);
    SmallVector<int64_t> hwio(cast<ShapedType>(op.getFilter().getType()).getShape());
    int64_t points = form.extent() * form.extent(), each = hwio[2] * hwio[3];
    auto values = llvm::map_to_vector(squareTransform(form.filter, 3), [](double v) { return static_cast<float>(v); });
    auto type = RankedTensorType::get({points, 9}, builder.getF32Type());
    Value matrix = ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(values)));
    Value taps = makeReshape(builder, loc, op.getFilter(), {9, each});
    Value squares = MatmulOp::create(builder, loc, matrix, taps, false, false, PackedAttr());
    hwio[0] = hwio[1] = form.extent();
    return makeReshape(builder, loc, squares, hwio);
  }

  static void packConv(ConvOp op, const DeviceTable &table, const Invariance &invariance) {
    ConvShape shape = op.getShape();
    int64_t tile = getWinogradTile(op);
    bool hasTiles = tile || llvm::is_contained({ConvForm::Direct, ConvForm::Gemm, ConvForm::Matrix}, getConvForm(op));
    if (op.getPacked() || !hasTiles || !(tile || wantsPackedFilter(shape)))
      return;
    if (!isWorthIt(op.getFilter(), shape.batch * shape.outPixels(), invariance))
      return;
    auto type = cast<ShapedType>(op.getFilter().getType());
    int64_t width = getPanelWidth(table, type.getElementType());
    OpBuilder builder(op);
    builder.setInsertionPointAfterValue(op.getFilter());
    bool isTransformed = tile && !isCompact(getConvForm(op));
    Value filter = isTransformed ? transformFilter(builder, op, tile) : op.getFilter();
    int64_t interleave = 1;
    if (!tile && invariance.isInvariant(op.getFilter()))
      interleave = chooseInterleave(op, table, type.getElementType(), type.getNumElements(), shape.outChannels,
                                    shape.spatial[1].output * shape.spatial[2].output);
    Value packed =
        PackOp::create(builder, op.getLoc(), PackKind::ConvFilter, filter, width, op.getGroups(), interleave);
    op.getFilterMutable().assign(packed);
    op.setPackedAttr(PackedAttr::get(op.getContext(), width, type.getShape()));
  }

  /// A filter in hwio order with its channels exchanged in every group.
  static Value exchangeChannels(OpBuilder &builder, ConvTransposeOp op, const ConvShape &shape) {
    Location loc = op.getLoc();
    Value filter = op.getFilter();
    ArrayRef<int64_t> hwio = cast<ShapedType>(filter.getType()).getShape();
    int64_t rank = hwio.size(), groups = shape.groups;
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, groups == 1 ? rank : rank + 1));
    std::swap(permutation[rank - 2], permutation.back());
    if (groups == 1)
      return permute(builder, loc, filter, permutation);
    // (spatial..., I, groups, O) to (spatial..., O, groups, I).
    SmallVector<int64_t> split(hwio), joined(hwio);
    split.back() /= groups;
    split.insert(split.end() - 1, groups);
    joined[rank - 2] = shape.outChannels / groups;
    joined[rank - 1] = shape.inChannels;
    filter = makeTranspose(builder, loc, makeReshape(builder, loc, filter, split), permutation);
    return makeReshape(builder, loc, filter, joined);
  }

  /// Panels run along the result's channels, which the filter has outside of the
  /// data's.
  static void packConvTranspose(ConvTransposeOp op, const DeviceTable &table, const Invariance &invariance) {
    ConvShape shape = op.getShape();
    if (op.getPacked() || op.getFilterLayout() != FilterLayout::HWIO || !wantsPackedFilter(shape))
      return;
    // A product reads the filter in place. All other forms would go element by
    // element without panels, whatever those cost.
    if (isPixelProduct(shape) && !isWorthIt(op.getFilter(), shape.batch * shape.inPixels(), invariance))
      return;
    int64_t width = getPanelWidth(table, getElementTypeOrSelf(op.getFilter().getType()));
    OpBuilder builder(op);
    builder.setInsertionPointAfterValue(op.getFilter());
    Value filter = exchangeChannels(builder, op, shape);
    ArrayRef<int64_t> logical = cast<ShapedType>(filter.getType()).getShape();
    Value packed = PackOp::create(builder, op.getLoc(), PackKind::ConvFilter, filter, width, op.getGroups(), 1);
    op.getFilterMutable().assign(packed);
    op.setPackedAttr(PackedAttr::get(op.getContext(), width, logical));
  }
};

} // namespace
