//===- EvalMatmul.cpp - matmul and packing --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalContract.h"
#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Infer.h"
#include "dialects/Graph/Panels.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

namespace {
/// Where element (row, column) of matrix `batch` is in panel layout. Rows are runs that
/// are interleaved on their own.
struct PanelIndex {
  int64_t rows, run, columns, width, groups, interleave;
  int64_t perGroup = columns / groups;
  int64_t panels = llvm::divideCeil(perGroup, width);
  int64_t perRun = llvm::divideCeil(run, interleave);
  int64_t panelRows = countPanelRows(run ? rows / run : 0, run, interleave);

  int64_t matrixElements() const { return groups * panels * panelRows * width * interleave; }
  int64_t panelStart(int64_t batch, int64_t column) const {
    return ((batch * groups + column / perGroup) * panels + column % perGroup / width) * panelRows * width * interleave;
  }
  int64_t operator()(int64_t batch, int64_t row, int64_t column) const {
    int64_t line = countHeadRows(interleave) + row / run * perRun + row % run / interleave;
    return panelStart(batch, column) + (line * width + column % perGroup % width) * interleave + row % run % interleave;
  }
};
} // namespace

/// Copies between row-major matrices and panels, in the direction of `isPacking`.
static void movePanels(const PanelIndex &index, int64_t batches, const char *from, char *to, size_t bytes,
                       bool isPacking) {
  int64_t flat = 0;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t row = 0; row < index.rows; ++row)
      for (int64_t column = 0; column < index.columns; ++column, ++flat) {
        int64_t packed = index(batch, row, column);
        std::memcpy(to + (isPacking ? packed : flat) * bytes, from + (isPacking ? flat : packed) * bytes, bytes);
      }
}

/// Writes -128 times the sum of each column where its panel begins.
static void writeHeads(const PanelIndex &index, const HostTensor &input, HostTensor &result) {
  int64_t batches = result.getNumElements() / index.matrixElements();
  const auto *from = reinterpret_cast<const int8_t *>(input.data());
  char *to = result.mutableData();
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t column = 0; column < index.columns; ++column) {
      int32_t sum = 0;
      for (int64_t row = 0; row < index.rows; ++row)
        sum += from[(batch * index.rows + row) * index.columns + column];
      int64_t at = index.panelStart(batch, column) + column % index.perGroup % index.width * index.interleave;
      llvm::support::endian::write32le(to + at, static_cast<uint32_t>(-128 * sum));
    }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Calls `visit(flat, packed)` with the place of each element in a row-major matrix, and of its first part in tiled
/// panels.
static void forEachTiled(const PanelIndex &index, int64_t batches, bool isWhole,
                         llvm::function_ref<void(int64_t, int64_t)> visit) {
  int64_t depth = getTileDepth(index.interleave), perRun = llvm::divideCeil(index.run, depth), flat = 0;
  int64_t rowElements = index.width * index.interleave;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t row = 0; row < index.rows; ++row)
      for (int64_t column = 0; column < index.columns; ++column, ++flat) {
        int64_t line = row / index.run * perRun + row % index.run / depth;
        int64_t deep = row % index.run % depth, across = column % index.width;
        int64_t inRow =
            isWhole ? locateInWholeTiles(deep, across) : locateInTiles(deep, across, 0, index.width, index.interleave);
        visit(flat, index.panelStart(batch, column) + line * rowElements + inRow);
      }
}

static float widen(uint16_t half) { return llvm::bit_cast<float>(static_cast<uint32_t>(half) << 16); }

/// `value` as three addends of bf16, exact unless the last ones are denormal.
static std::array<uint16_t, 3> splitFloat(float value) {
  auto upper = [](float number) { return static_cast<uint16_t>(llvm::bit_cast<uint32_t>(number) >> 16); };
  constexpr uint16_t nan = 0x7fc0;
  if (!std::isfinite(value))
    return {std::isnan(value) ? nan : upper(value), nan, nan};
  uint16_t high = upper(value);
  float rest = value - widen(high);
  // To the nearest, away from zero where two are.
  uint16_t middle = static_cast<uint16_t>((llvm::bit_cast<uint32_t>(rest) + 0x8000) >> 16);
  return {high, middle, upper(rest - widen(middle))};
}

static float joinFloat(uint16_t high, uint16_t middle, uint16_t low) {
  float first = widen(high);
  return std::isfinite(first) ? first + (widen(middle) + widen(low)) : first;
}

/// Copies between row-major matrices and tiled panels, in the direction of `isPacking`.
static void moveTiles(const PanelIndex &index, const HostTensor &from, HostTensor &to, bool isPacking) {
  const HostTensor &packed = isPacking ? to : from;
  int64_t batches = packed.getNumElements() / index.matrixElements(), bytes = packed.getElementBytes();
  const char *source = from.data();
  char *target = to.mutableData();
  if (countParts(index.interleave) == 1)
    return forEachTiled(index, batches, packed.getElementType().isF32(), [&](int64_t flat, int64_t at) {
      std::memcpy(target + (isPacking ? at : flat) * bytes, source + (isPacking ? flat : at) * bytes, bytes);
    });
  using llvm::support::endian::read16le;
  int64_t part = locateInTiles(0, 0, 1, index.width, index.interleave) * bytes;
  forEachTiled(index, batches, /*isWhole=*/false, [&](int64_t flat, int64_t at) {
    if (isPacking) {
      float value = llvm::bit_cast<float>(llvm::support::endian::read32le(source + flat * 4));
      for (auto [i, half] : llvm::enumerate(splitFloat(value)))
        llvm::support::endian::write16le(target + at * bytes + i * part, half);
      return;
    }
    const char *parts = source + at * bytes;
    float value = joinFloat(read16le(parts), read16le(parts + part), read16le(parts + 2 * part));
    llvm::support::endian::write32le(target + flat * 4, llvm::bit_cast<uint32_t>(value));
  });
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

HostTensor hgc::graph::packPanels(const HostTensor &input, ArrayRef<int64_t> shape, int64_t rows, int64_t run,
                                  int64_t width, int64_t groups, int64_t interleave) {
  bool isSplit = isTiled(interleave) && countParts(interleave) > 1;
  Type element = input.getElementType();
  HostTensor result(isSplit ? BFloat16Type::get(element.getContext()) : element, shape);
  PanelIndex index{rows, run, input.getShape().back(), width, groups, interleave};
  if (input.getNumElements() == 0)
    return result;
  if (isTiled(interleave)) {
    moveTiles(index, input, result, /*isPacking=*/true);
    return result;
  }
  movePanels(index, result.getNumElements() / index.matrixElements(), input.data(), result.mutableData(),
             input.getElementBytes(), true);
  if (countHeadRows(interleave))
    writeHeads(index, input, result);
  return result;
}

HostTensor hgc::graph::unpackPanels(const HostTensor &packed, ArrayRef<int64_t> shape, int64_t width, int64_t groups,
                                    bool isFilter) {
  int64_t interleave = getInterleave(packed.getType(), width);
  Type element = packed.getElementType();
  HostTensor result(countParts(interleave) > 1 ? Float32Type::get(element.getContext()) : element, shape);
  int64_t rows = isFilter ? *hgc::countElements(shape.drop_back()) : shape[shape.size() - 2];
  int64_t run = isFilter ? getFilterRuns(shape, interleave).second : rows;
  PanelIndex index{rows, run, shape.back(), width, groups, interleave};
  if (result.getNumElements() > 0 && isTiled(interleave))
    moveTiles(index, packed, result, /*isPacking=*/false);
  else if (result.getNumElements() > 0)
    movePanels(index, packed.getNumElements() / index.matrixElements(), packed.data(), result.mutableData(),
               packed.getElementBytes(), false);
  return result;
}

static LogicalResult evalPack(PackOp op, Operands operands, EvalContext &, Results &results) {
  const HostTensor &input = operands[0];
  ArrayRef<int64_t> in = input.getShape();
  bool isFilter = op.getKind() == PackKind::ConvFilter;
  int64_t interleave = op.getInterleave(), width = op.getWidth();
  int64_t rows = isFilter ? *hgc::countElements(in.drop_back()) : in[in.size() - 2];
  int64_t run = isFilter ? getFilterRuns(in, interleave).second : rows;
  int64_t panels = llvm::divideCeil(in.back() / op.getGroups(), width);
  SmallVector<int64_t> shape;
  if (isFilter)
    shape.push_back(op.getGroups());
  else
    shape.append(in.begin(), in.end() - 2);
  shape.append({panels, countPanelRows(run ? rows / run : 0, run, interleave), width * interleave});
  results.push_back(packPanels(input, shape, rows, run, width, op.getGroups(), interleave));
  return success();
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

static HostTensor swapLastTwo(const HostTensor &tensor, bool doSwap) {
  if (!doSwap)
    return tensor;
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, tensor.getRank()));
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return transpose(tensor, order);
}

/// c += a * b for row-major matrices. Depth is blocked so that a block of b
/// stays in cache; each sum still runs in ascending order of k.
template <typename T> static void multiply(const T *a, const T *b, T *c, int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kBlock = 64;
  for (int64_t k0 = 0; k0 < k; k0 += kBlock)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t p = k0, end = std::min(k0 + kBlock, k); p < end; ++p) {
        T value = a[i * k + p];
        const T *row = b + p * n;
        T *sums = c + i * n;
        for (int64_t j = 0; j < n; ++j)
          sums[j] += value * row[j];
      }
}

/// Number of the matrix of `shape`'s batch dims that matrix `index` of the
/// broadcast batch dims `batch` reads.
static int64_t matrixIndex(int64_t index, ArrayRef<int64_t> batch, ArrayRef<int64_t> shape) {
  int64_t result = 0, stride = 1;
  for (size_t i = 0; i < batch.size(); ++i) {
    int64_t at = index % batch[batch.size() - 1 - i];
    index /= batch[batch.size() - 1 - i];
    if (i >= shape.size())
      break;
    int64_t extent = shape[shape.size() - 1 - i];
    result += extent == 1 ? 0 : at * stride;
    stride *= extent;
  }
  return result;
}

static LogicalResult evalMatmul(MatmulOp op, Operands operands, EvalContext &context, Results &results) {
  HostTensor lhs = swapLastTwo(operands[0], op.getTransposeLhs());
  HostTensor rhs = swapLastTwo(operands[1], op.getTransposeRhs());
  if (PackedAttr packed = op.getPackedAttr())
    rhs = unpackPanels(operands[1], packed.getShape(), packed.getWidth(), 1, /*isFilter=*/false);
  ArrayRef<int64_t> aBatch = lhs.getShape().drop_back(2), bBatch = rhs.getShape().drop_back(2);
  int64_t m = lhs.getDim(lhs.getRank() - 2), k = lhs.getShape().back(), n = rhs.getShape().back();
  if (rhs.getDim(rhs.getRank() - 2) != k)
    return context.error(op, "contracts depths " + Twine(k) + " and " + Twine(rhs.getDim(rhs.getRank() - 2)),
                         "lhs is [..., M, K], rhs is [..., K, N]");
  SmallVector<int64_t> batch(aBatch);
  if (failed(broadcastShapes(context.getReportLoc(op), batch, bBatch)))
    return failure();
  SmallVector<int64_t> shape(batch);
  shape.append({m, n});
  results.push_back(contract(getResultElement(op), shape, lhs, rhs, [&](auto a, auto b) {
    using T = typename decltype(a)::value_type;
    int64_t count = *hgc::countElements(batch);
    std::vector<T> out(count * m * n, T(0));
    for (int64_t i = 0; i < count; ++i)
      multiply(a.data() + matrixIndex(i, batch, aBatch) * m * k, b.data() + matrixIndex(i, batch, bBatch) * k * n,
               out.data() + i * m * n, m, n, k);
    return out;
  }));
  return success();
}

void hgc::graph::attachMatmulModels(MLIRContext *context) {
  attach<MatmulOp, evalMatmul>(context);
  attach<PackOp, evalPack>(context);
}
