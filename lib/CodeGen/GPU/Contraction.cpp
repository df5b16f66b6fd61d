//===- Contraction.cpp - products and convolutions as one form ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Contraction.h"

#include "hgc/CodeGen/Common/IterationSpace.h"

#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Joins digits of which the outer one goes on where the inner one ends.
static void joinDigits(SmallVectorImpl<MapDigit> &digits) {
  SmallVector<MapDigit> joined;
  for (const MapDigit &digit : digits) {
    if (digit.extent == 1)
      continue;
    MapDigit *outer = joined.empty() ? nullptr : &joined.back();
    if (outer && outer->position == digit.position && outer->stride == digit.stride * digit.extent &&
        outer->step == digit.step * digit.extent) {
      outer->extent *= digit.extent;
      outer->stride = digit.stride;
      outer->step = digit.step;
      continue;
    }
    joined.push_back(digit);
  }
  digits = std::move(joined);
}

void OperandMap::simplify() {
  // A position that stays inside of the data is nothing but an address.
  for (size_t i = positions.size(); i-- > 0;) {
    const MapPosition &position = positions[i];
    int64_t least = position.origin, most = position.origin;
    for (const SmallVector<MapDigit> *digits : {&rows, &depth})
      for (const MapDigit &digit : *digits)
        if (digit.position == static_cast<int>(i))
          (digit.step < 0 ? least : most) += digit.step * std::max<int64_t>(0, digit.extent - 1);
    if (position.divisor != 1 || position.origin != 0 || least < 0 || most >= position.extent)
      continue;
    for (SmallVector<MapDigit> *digits : {&rows, &depth})
      for (MapDigit &digit : *digits) {
        if (digit.position == static_cast<int>(i))
          digit = {digit.extent, digit.stride + digit.step * position.stride, -1, 0};
        else if (digit.position > static_cast<int>(i))
          --digit.position;
      }
    positions.erase(positions.begin() + i);
  }
  joinDigits(rows);
  joinDigits(depth);
}

int64_t OperandMap::getReach() const {
  // Tiles may start a little before the first and end a little after the last.
  constexpr int64_t slack = 4096;
  SmallVector<int64_t> reached;
  for (const MapPosition &position : positions)
    reached.push_back(std::abs(position.origin));
  int64_t address = elements, most = 0;
  for (const SmallVector<MapDigit> *digits : {&rows, &depth}) {
    int64_t count = 1;
    for (const MapDigit &digit : *digits) {
      count *= std::max<int64_t>(1, digit.extent);
      address += digit.extent * digit.stride;
      if (digit.position >= 0)
        reached[digit.position] += digit.extent * std::abs(digit.step);
    }
    most = std::max(most, count + slack);
  }
  for (auto [place, position] : llvm::zip_equal(reached, positions))
    address += place * position.stride;
  return std::max(most, address);
}

static bool endsInNeighbours(ArrayRef<MapDigit> digits) {
  return !digits.empty() && digits.back().position < 0 && digits.back().stride == 1;
}

bool OperandMap::runsAlongDepth() const { return endsInNeighbours(depth); }

bool OperandMap::runsAlongRows() const {
  if (rows.empty())
    return false;
  const MapDigit &last = rows.back();
  if (last.position < 0)
    return last.stride == 1;
  // With strides in between, lanes still share most of their memory sectors.
  const MapPosition &position = positions[last.position];
  return position.stride == 1 && last.step <= 2 && position.divisor <= 2;
}

/// Largest power of two up to `most` that divides the extent of the digits' end
/// and all other steps of the map.
static int64_t findAlignment(const OperandMap &map, ArrayRef<MapDigit> digits, int64_t most) {
  if (!endsInNeighbours(digits))
    return 1;
  int64_t common = std::gcd(most, digits.back().extent);
  for (int64_t stride : map.batchStrides)
    common = std::gcd(common, stride);
  for (const MapPosition &position : map.positions)
    common = std::gcd(common, position.stride);
  for (const SmallVector<MapDigit> *all : {&map.rows, &map.depth})
    for (const MapDigit &digit : *all)
      if (&digit != &digits.back())
        common = std::gcd(common, digit.stride);
  return common;
}

int64_t OperandMap::contiguousRows(int64_t most) const { return findAlignment(*this, rows, most); }
int64_t OperandMap::contiguousDepth(int64_t most) const { return findAlignment(*this, depth, most); }

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

/// Makes trailing batch dims that only the left operand has part of the rows.
static void moveBatchToRows(Contraction &problem) {
  while (!problem.batchExtents.empty() && problem.rhs.batchStrides.back() == 0) {
    int64_t extent = problem.batchExtents.pop_back_val();
    problem.rhs.batchStrides.pop_back();
    MapDigit digit{extent, problem.lhs.batchStrides.pop_back_val(), -1, 0};
    problem.lhs.rows.insert(problem.lhs.rows.begin(), digit);
    problem.rowDigits.insert(problem.rowDigits.begin(), problem.batchDigits.pop_back_val());
    problem.rows *= extent;
    problem.batch /= std::max<int64_t>(1, extent);
  }
}

Contraction::Contraction(graph::MatmulOp op) {
  auto left = cast<RankedTensorType>(op.getLhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  element = left.getElementType();
  accumulator = result.getElementType();
  resultShape = llvm::to_vector(result.getShape());
  SmallVector<int64_t> right = op.getRhsShape();
  size_t rank = resultShape.size();
  rows = resultShape[rank - 2];
  columns = resultShape[rank - 1];
  depth = op.getDepth();
  batchExtents.assign(resultShape.begin(), resultShape.end() - 2);
  batch = ShapedType::getNumElements(batchExtents);
  for (unsigned d = 0; d + 2 < rank; ++d)
    batchDigits.push_back({batchExtents[d], d, 1});
  rowDigits = {{rows, static_cast<unsigned>(rank - 2), 1}};
  columnDigits = {{columns, static_cast<unsigned>(rank - 1), 1}};
  lhs.rows = {{rows, op.getTransposeLhs() ? 1 : depth}};
  lhs.depth = {{depth, op.getTransposeLhs() ? rows : 1}};
  rhs.rows = {{columns, op.getTransposeRhs() ? depth : 1}};
  rhs.depth = {{depth, op.getTransposeRhs() ? 1 : columns}};
  lhs.batchStrides = codegen::getBatchStrides(left.getShape().drop_back(2), rank - 2, rows * depth);
  rhs.batchStrides = codegen::getBatchStrides(ArrayRef<int64_t>(right).drop_back(2), rank - 2, columns * depth);
  lhs.elements = left.getNumElements();
  rhs.elements = cast<RankedTensorType>(op.getRhs().getType()).getNumElements();
  moveBatchToRows(*this);
  lhs.simplify();
  rhs.simplify();
}

void Contraction::transpose() {
  std::swap(rows, columns);
  std::swap(lhs, rhs);
  std::swap(lhsOperand, rhsOperand);
  std::swap(rowDigits, columnDigits);
}

int64_t Contraction::contiguousColumns(int64_t most) const {
  if (columnDigits.empty() || columnDigits.back().dim + 1 != resultShape.size())
    return 1;
  // Groups start where the columns before them end.
  return std::gcd(most, columnDigits.back().extent);
}
