//===- Contraction.h - products and convolutions as one form ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every contraction is C[row, column] = sum over depth of L[row, depth] *
// R[column, depth], many times over (batch). What differs is where an element
// lies: an index is cut into digits, and each digit moves the address or a
// position that may fall outside of the data. A new form of convolution is a new
// map, never a new kernel.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_CONTRACTION_H
#define HGC_CODEGEN_GPU_CONTRACTION_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::gpu {

/// One digit of a row or depth index. A step moves the address by `stride`
/// elements or, when `position` is set, that position by `step`.
struct MapDigit {
  int64_t extent = 1;
  int64_t stride = 0;
  int position = -1;
  int64_t step = 0;
};

/// A place along a dim of the data that digits of rows and depth reach together.
/// Outside of [0, extent), and between multiples of `divisor`, the data is zero.
struct MapPosition {
  int64_t origin = 0;
  int64_t extent = 1;
  int64_t divisor = 1;
  /// Elements from one place to the next.
  int64_t stride = 1;
};

/// Where an operand's element (row, depth) of one batch lies.
struct OperandMap {
  /// Most significant digit first.
  llvm::SmallVector<MapDigit> rows, depth;
  llvm::SmallVector<MapPosition> positions;
  /// Steps along the contraction's batch dims.
  llvm::SmallVector<int64_t> batchStrides;
  /// Elements of the operand.
  int64_t elements = 0;

  /// Joins digits that count as one.
  void simplify();
  /// Largest number that cutting indices and computing addresses can meet, also
  /// of elements that do not exist.
  int64_t getReach() const;
  /// Elements that lie side by side from every multiple of the result on, at
  /// most `most`: along the rows, or along the depth. 1 when none do.
  int64_t contiguousRows(int64_t most) const;
  int64_t contiguousDepth(int64_t most) const;
  /// Whether neighbours along the rows (the depth) are neighbours in memory,
  /// perhaps not aligned.
  bool runsAlongRows() const;
  bool runsAlongDepth() const;
  /// Whether every element exists.
  bool isTotal() const { return positions.empty(); }
  /// Whether addresses are worth computing in 32 bits: cut into digits and checked
  /// they cost half then. Plain ones are left to the loop optimiser.
  bool isNarrow() const { return !isMatrix() && getReach() < (int64_t(1) << 31); }
  /// Steps of a plain matrix: one digit each and no positions.
  bool isMatrix() const { return isTotal() && rows.size() <= 1 && depth.size() <= 1; }
};

/// A digit of a batch, row or column index and the dim of the result it counts.
struct ResultDigit {
  int64_t extent = 1;
  unsigned dim = 0;
  int64_t step = 1;
};

/// A batch of products and how they relate to the tensors.
struct Contraction {
  explicit Contraction(graph::MatmulOp op);
  explicit Contraction(graph::ConvOp op);
  explicit Contraction(graph::ConvTransposeOp op);
  explicit Contraction(graph::ConvFilterGradOp op);

  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
  llvm::SmallVector<int64_t> batchExtents;
  OperandMap lhs, rhs;
  /// Which operand of the op is `lhs`; the other one is `rhs`.
  unsigned lhsOperand = 0, rhsOperand = 1;
  llvm::SmallVector<ResultDigit> batchDigits, rowDigits, columnDigits;
  /// Shape of the op's result.
  llvm::SmallVector<int64_t> resultShape;
  /// Element types of the operands and of sums.
  mlir::Type element, accumulator;

  /// Whether f32 operands may be rounded to tf32.
  bool allowsTf32 = false;
  bool isTf32() const { return allowsTf32 && element.isF32() && accumulator.isF32(); }

  /// Exchanges rows and columns.
  void transpose();
  /// Columns that lie side by side in the result from every multiple on.
  int64_t contiguousColumns(int64_t most) const;
};

/// The part of an address that rows (or the depth) decide, of the map's type.
struct MapPart {
  mlir::Value offset;
  /// One per position of the map.
  llvm::SmallVector<mlir::Value> positions;
};

/// An element's address (an index; 0 for one that does not exist), and whether it
/// exists: null when it always does.
struct MapElement {
  mlir::Value offset, exists;
};

/// A depth as kernels count it: `inTile` (below `tile`) past `start`, which all
/// threads share. May lie before 0; elements there do not exist.
struct MapDepth {
  mlir::Value start, inTile;
  int64_t tile = 1;
  bool mayBeNegative = false;
};

/// The rows' part of addresses at `row`; `base` is added.
MapPart emitRowPart(codegen::IndexBuilder &index, const OperandMap &map, mlir::Value row, mlir::Value base);
/// The element of a row at some depth.
MapElement emitElement(codegen::IndexBuilder &index, const OperandMap &map, const MapPart &row, const MapDepth &depth);

/// Steps along batch dims at batch number `batch`.
mlir::Value emitBatchOffset(codegen::IndexBuilder &index, llvm::ArrayRef<int64_t> extents,
                            llvm::ArrayRef<int64_t> strides, mlir::Value batch);

/// Quotient and remainder of an index that is below `bound`; narrow division is
/// several times cheaper than that of 64 bits.
std::pair<mlir::Value, mlir::Value> emitDivRem(codegen::IndexBuilder &index, mlir::Value value, int64_t divisor,
                                               int64_t bound);

/// Index in the result of one of its elements.
llvm::SmallVector<mlir::Value> emitResultIndex(codegen::IndexBuilder &index, const Contraction &problem,
                                               mlir::Value batch, mlir::Value row, mlir::Value column);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_CONTRACTION_H
