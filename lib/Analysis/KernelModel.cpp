//===- KernelModel.cpp - what a kernel does -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/KernelModel.h"
#include "hgc/Analysis/FusionForest.h"

#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/GraphOps.h"
#include "dialects/Graph/Panels.h"
#include "dialects/Graph/Winograd.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/MatrixUnit.h"
#include "hgc/Target/Panel.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static int64_t countElements(Value value) {
  int64_t count = 1;
  for (int64_t extent : typeOf(value).getShape())
    count *= ShapedType::isDynamic(extent) ? 1 : std::max<int64_t>(extent, 1);
  return count;
}

static FlopClass getContractionClass(Type element) {
  if (element.isF64())
    return FlopClass::F64;
  if (element.isF32())
    return FlopClass::F32;
  return isa<FloatType>(element) ? FlopClass::F16 : FlopClass::I8;
}

/// Elements of the dims from `dim` on.
static int64_t countInner(Value value, int64_t dim) {
  int64_t count = 1;
  for (int64_t extent : typeOf(value).getShape().drop_front(dim))
    count *= ShapedType::isDynamic(extent) ? 1 : std::max<int64_t>(extent, 1);
  return count;
}

/// The last dim with more than one element; -1 when there is none.
static int64_t getInnermostDim(Value value) {
  int64_t dim = typeOf(value).getRank() - 1;
  while (dim >= 0 && typeOf(value).getDimSize(dim) == 1)
    --dim;
  return dim;
}

/// Whether a permutation reads across lines. Lines that stay whole are copied like
/// any others.
static bool isStrided(TransposeOp transpose) {
  int64_t last = getInnermostDim(transpose.getResult());
  return last >= 0 && transpose.getPermutation()[last] != getInnermostDim(transpose.getInput());
}

/// Whether single elements of some input are spread over the result.
static bool isStrided(ConcatOp concat) {
  return llvm::any_of(concat.getInputs(), [&](Value input) {
    return countElements(input) > 1 && countInner(input, concat.getAxis()) == 1;
  });
}

/// Whether neighbours belong to different sums.
static bool hasColumns(ReduceOp reduce) {
  int64_t last = getInnermostDim(reduce.getInput());
  return last >= 0 && !reduce.getAxes().empty() && !llvm::is_contained(reduce.getAxes(), last);
}

static KernelFamily getFamily(Operation *op) {
  return llvm::TypeSwitch<Operation *, KernelFamily>(op)
      .Case<MatmulOp>([](auto) { return KernelFamily::Gemm; })
      .Case<ConvOp, ConvTransposeOp, ConvFilterGradOp>([](auto conv) {
        ConvShape shape = conv.getShape();
        bool isDepthwise = shape.groups > 1 && shape.groups == shape.inChannels;
        return isDepthwise ? KernelFamily::Depthwise : KernelFamily::Conv;
      })
      .Case([](ReduceOp reduce) { return hasColumns(reduce) ? KernelFamily::Columns : KernelFamily::Reduction; })
      .Case<ArgReduceOp>([](auto) { return KernelFamily::Reduction; })
      .Case<PadOp>([](auto) { return KernelFamily::Copy; })
      .Case([](ConcatOp concat) { return isStrided(concat) ? KernelFamily::Moving : KernelFamily::Copy; })
      .Case<SoftmaxOp, LogSoftmaxOp, LayerNormOp>([](auto) { return KernelFamily::Rows; })
      .Case<PoolOp>([](auto) { return KernelFamily::Pool; })
      .Case<ArgSortOp>([](auto) { return KernelFamily::Ordering; })
      .Case<ScatterOp>([](auto) { return KernelFamily::Scatter; })
      .Case<AttentionOp>([](auto) { return KernelFamily::Attention; })
      .Case([](TransposeOp transpose) { return isStrided(transpose) ? KernelFamily::Moving : KernelFamily::Pointwise; })
      .Case<GatherAlongOp>([](auto) { return KernelFamily::Moving; })
      .Default([](auto) { return KernelFamily::Pointwise; });
}

/// Rows, columns and depth of the product that a convolution's windows make; its
/// gradients are the same product with other roles.
static GemmDims getDims(const ConvShape &shape) {
  return {shape.groups, shape.batch * shape.outPixels(), shape.outChannels / std::max<int64_t>(shape.groups, 1),
          shape.depth()};
}

/// Extents of a contraction.
static GemmDims getDims(Operation *op) {
  GemmDims dims;
  if (auto conv = dyn_cast<ConvOp>(op)) {
    dims = getDims(conv.getShape());
  } else if (auto transposed = dyn_cast<ConvTransposeOp>(op)) {
    dims = getDims(transposed.getShape());
    std::swap(dims.columns, dims.depth);
  } else if (auto gradient = dyn_cast<ConvFilterGradOp>(op)) {
    dims = getDims(gradient.getShape());
    std::swap(dims.rows, dims.depth);
  } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
    ArrayRef<int64_t> shape = matmul.getType().getShape();
    int64_t lhsRank = matmul.getLhs().getType().getRank(), rhsRank = matmul.getRhsShape().size();
    size_t rank = shape.size();
    dims.columns = rhsRank > 1 && rank ? shape[--rank] : 1;
    dims.rows = lhsRank > 1 && rank ? shape[--rank] : 1;
    for (size_t i = 0; i < rank; ++i)
      dims.batch *= shape[i];
    // One matrix on the right: all rows are rows of one product.
    if (rhsRank <= 2)
      dims.rows *= std::exchange(dims.batch, 1);
    dims.depth = matmul.getDepth();
  }
  for (int64_t *extent : {&dims.batch, &dims.rows, &dims.columns, &dims.depth})
    *extent = std::max<int64_t>(*extent, 1);
  return dims;
}

/// A packed operand counts as the tensor it came from.
static int64_t getUnpackedBytes(OpOperand &operand) {
  auto packed = operand.getOwner()->getAttrOfType<PackedAttr>("packed");
  if (packed && operand.getOperandNumber() == 1)
    return ShapedType::getNumElements(packed.getShape()) *
           getElementBytes(getElementTypeOrSelf(operand.getOwner()->getOperand(0).getType()));
  return getBytesRead(operand);
}

/// Bytes that reach the op from memory: constants that become part of the code do
/// not.
static int64_t getBytesRead(Operation *op) {
  llvm::SmallPtrSet<Value, 4> seen;
  double bytes = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (seen.insert(operand.get()).second && !isCopiedIntoKernel(operand))
      bytes += static_cast<double>(getUnpackedBytes(operand));
  return static_cast<int64_t>(std::min(bytes, 9e18));
}

/// Bytes of the right operand of a product or of a convolution's filters, which
/// are weights as a rule: a stack of matrices on the right is not.
static int64_t getWeightBytes(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op); matmul && matmul.getRhsShape().size() > 2)
    return 0;
  return isa<MatmulOp, ConvOp, ConvTransposeOp>(op) ? getUnpackedBytes(op->getOpOperand(1)) : 0;
}

static int64_t getCallBytes(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto bytes = module ? module->getAttrOfType<IntegerAttr>(kCallBytesAttr) : IntegerAttr();
  return bytes ? bytes.getInt() : 0;
}

static int64_t countTensors(Operation *op) {
  llvm::SmallPtrSet<Value, 4> read;
  for (OpOperand &operand : op->getOpOperands())
    if (!isCopiedIntoKernel(operand))
      read.insert(operand.get());
  return static_cast<int64_t>(read.size() + op->getNumResults());
}

/// Rows that are reduced, pieces that are put together, or borders and interiors
/// of padded rows.
static int64_t countLines(Operation *op) {
  Value result = op->getResult(0);
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    int64_t lines = 0;
    for (Value input : concat.getInputs())
      lines += countElements(input) / countInner(input, concat.getAxis());
    return isStrided(concat) ? 0 : lines;
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    int64_t dim = typeOf(result).getRank() - 1;
    while (dim > 0 && pad.getLow()[dim] == 0 && pad.getHigh()[dim] == 0)
      --dim;
    return dim < 0 ? 0 : 3 * (countElements(result) / countInner(result, dim));
  }
  return getFamily(op) == KernelFamily::Reduction ? countElements(result) : 0;
}

/// Pixels side by side in the result: single ones that are seen alone make a line.
static int64_t getLineLength(const ConvShape &shape) {
  const WindowDim &dim = shape.spatial[2];
  bool isSingle =
      shape.rank >= 2 && dim.input == 1 && dim.output == 1 && dim.window == 1 && !dim.padLow && !dim.padHigh;
  return isSingle ? shape.spatial[1].output : dim.output;
}

/// Rows of tiles of a convolution by the matrix unit.
static int64_t countTileRows(const ConvShape &shape) {
  return shape.batch * shape.spatial[0].output * shape.spatial[1].output * countLineRows(shape);
}

KernelWork hgc::describeWork(Operation *op) {
  KernelWork work;
  work.family = getFamily(op);
  work.cost = computeCost(op);
  if (isa<MatmulOp, ConvOp, ConvTransposeOp, ConvFilterGradOp>(op)) {
    Type element = getElementTypeOrSelf(op->getOperand(0).getType());
    work.gemm = getDims(op);
    work.gemmClass = getContractionClass(element);
    work.gemmBytes = getElementBytes(element);
    work.weightBytes = getWeightBytes(op);
    work.callBytes = getCallBytes(op);
    if (usesMatrixUnit(op)) {
      auto conv = dyn_cast<ConvOp>(op);
      work.matrixParts = countParts(getTiledInterleave(element));
      work.matrixRun = conv ? conv.getShape().spatial[2].window * conv.getShape().inChannels : work.gemm.depth;
      if (!conv || isPixelProduct(conv.getShape()))
        work.matrixRest = countPlainDepth(work.gemm.depth, work.matrixParts);
      work.matrixRows = conv ? countTileRows(conv.getShape()) : work.gemm.rows;
    }
  }
  if (int64_t each = countDivisions(op))
    work.divisions = each * countElements(op->getResult(0));
  work.tensors = countTensors(op);
  work.lines = countLines(op);
  if (auto conv = dyn_cast<ConvOp>(op)) {
    work.lineLength = getLineLength(conv.getShape());
    work.channels = conv.getShape().inChannels;
    if (int64_t tile = getWinogradTile(conv)) {
      work.winogradTile = tile;
      work.winogradTiles = countWinogradTiles(conv.getShape(), tile);
      work.winogradCompact = isCompact(getConvForm(conv));
    }
  } else if (work.family == KernelFamily::Columns) {
    work.channels = typeOf(op->getOperand(0)).getDimSize(getInnermostDim(op->getOperand(0)));
  }
  if (work.family == KernelFamily::Reduction || work.family == KernelFamily::Columns)
    work.rowLength = std::max<int64_t>(1, countElements(op->getOperand(0)) / countElements(op->getResult(0)));
  else if (work.family == KernelFamily::Rows || work.family == KernelFamily::Ordering)
    work.rowLength =
        std::max<int64_t>(1, countElements(op->getOperand(0)) / std::max<int64_t>(work.cost.parallelWidth, 1));
  work.cost.bytesRead = getBytesRead(op);
  return work;
}

KernelWork hgc::joinWork(const KernelWork &producer, const KernelWork &consumer, int64_t written, int64_t read,
                         double repeats) {
  auto isPlain = [](const KernelWork &work) {
    return work.family == KernelFamily::Pointwise || work.family == KernelFamily::Moving ||
           work.family == KernelFamily::Copy;
  };
  // The root decides how the loops run; a map decides how they read.
  bool fromProducer =
      isPlain(consumer) && !(consumer.family == KernelFamily::Moving && producer.family == KernelFamily::Pointwise);
  KernelWork work = fromProducer ? producer : consumer;
  if (work.family == KernelFamily::Pointwise && consumer.family == KernelFamily::Copy)
    work.family = consumer.family;
  const OpCost &p = producer.cost, &c = consumer.cost;
  for (size_t i = 0; i < kFlopClasses; ++i)
    work.cost.flops[i] = static_cast<int64_t>(
        std::min(static_cast<double>(p.flops[i]) * repeats + static_cast<double>(c.flops[i]), 9e18));
  work.cost.bytesRead = p.bytesRead + std::max<int64_t>(c.bytesRead - read, 0);
  work.cost.bytesWritten = std::max<int64_t>(p.bytesWritten - written, 0) + c.bytesWritten;
  work.divisions = static_cast<int64_t>(
      std::min(static_cast<double>(producer.divisions) * repeats + static_cast<double>(consumer.divisions), 9e18));
  // One stores the value between them, the other loads it.
  work.tensors = std::max<int64_t>(producer.tensors + consumer.tensors - 2, 1);
  work.lines = std::max(producer.lines, consumer.lines);
  return work;
}
