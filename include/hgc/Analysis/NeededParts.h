//===- NeededParts.h - which part of a tensor is read -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_NEEDEDPARTS_H
#define HGC_ANALYSIS_NEEDEDPARTS_H

#include "dialects/Graph/Window.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace hgc {

/// Evenly spaced positions along a dim, in ascending order; `step` is 1 if there is only one.
struct Run {
  int64_t start = 0, count = 0, step = 1;

  int64_t last() const { return start + (count - 1) * step; }
  bool operator==(const Run &other) const { return start == other.start && count == other.count && step == other.step; }
  bool operator!=(const Run &other) const { return !(*this == other); }
};

/// A box of a tensor: of each dim the positions that belong to it. One with an empty run has no elements.
using Part = llvm::SmallVector<Run>;

/// All positions of a dim.
inline Run makeWhole(int64_t extent) { return {0, extent, 1}; }

/// All of a tensor of static shape.
Part makeWhole(llvm::ArrayRef<int64_t> shape);

/// Number of positions in each dim.
llvm::SmallVector<int64_t> getExtents(const Part &part);

/// The shortest run that holds both.
Run unite(Run a, Run b);

/// `part` as positions within `whole`, which holds it.
Part locate(const Part &part, const Part &whole);

/// The parts of row-major tensors of two shapes with the same elements: widens `part`
/// of `to` until there is one of `from` that has just its elements in the same order,
/// and gives that one.
Part reshapePart(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to, Part &part);

/// What `run` of a window's output reads, less than the input perhaps for all of it; gives the
/// padding that is left. Widens the run until its positions follow each other, and to all of them
/// where it would read padding alone.
Run slideWindow(const graph::WindowDim &dim, Run &run, int64_t &low, int64_t &high);

/// What an op computes, and what it reads for that.
struct PartRule {
  Part result;
  /// Of each operand.
  llvm::SmallVector<Part> operands;
  /// Of windows and pads, the padding of the part: that before each dim, then that behind each.
  llvm::SmallVector<int64_t> pads = {};
};

/// Whether parts of `type` are asked for: its shape is static, and it has elements.
bool hasParts(mlir::Type type);

/// Whether `op` is a slice or gather of known positions.
bool takesPart(mlir::Operation *op);

/// The positions that a gather of known indices picks for `part` of the indices, in row-major order.
llvm::SmallVector<int64_t> pickIndices(mlir::Operation *gather, const Part &part);

/// How `op` computes `part` of its result, or a larger one, from parts of its operands.
/// None if it has to compute all of it.
std::optional<PartRule> findPartRule(mlir::Operation *op, const Part &part);

/// The part of each tensor that something reads: smallest boxes that hold all that the readers
/// need, if those compute no more than is read of them in turn.
class NeededParts {
public:
  explicit NeededParts(mlir::ModuleOp module);

  /// For the result of an op what it computes then. Null for a tensor that has no parts, or that nothing needs.
  const Part *get(mlir::Value value) const;

  /// Whether all of `value` is needed.
  bool isWhole(mlir::Value value) const;

private:
  void visit(mlir::Operation *op);
  void need(mlir::Value value, const Part &part);
  bool isNeeded(mlir::Operation *op) const;

  /// Of tensors without parts empty boxes.
  llvm::DenseMap<mlir::Value, Part> parts;
};

} // namespace hgc

#endif // HGC_ANALYSIS_NEEDEDPARTS_H
