//===- Cost.h - device-independent work of an op ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_COST_H
#define HGC_GRAPH_COST_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace mlir {
class Operation;
class OpOperand;
} // namespace mlir

namespace hgc::graph {

/// Kinds of work that devices do at different rates.
enum class FlopClass { F64, F32, F16, I8, Int, Transcendental };
inline constexpr size_t kFlopClasses = 6;

/// Work of one execution of an op.
struct OpCost {
  std::array<int64_t, kFlopClasses> flops{};
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// Results that can be computed at the same time.
  int64_t parallelWidth = 1;

  int64_t &operator[](FlopClass c) { return flops[static_cast<size_t>(c)]; }
  int64_t operator[](FlopClass c) const { return flops[static_cast<size_t>(c)]; }
  int64_t totalFlops() const;
  OpCost &operator+=(const OpCost &other);
};

/// Cost of any graph op with static shapes; ops nested in control flow count
/// once per (expected) iteration.
OpCost computeCost(mlir::Operation *op);

/// Divisions and roots that make one element of the op's result; they have a slow
/// unit of their own.
int64_t countDivisions(mlir::Operation *op);

/// Bytes of `operand` that its op reads: gathers and slices pick some.
int64_t getBytesRead(mlir::OpOperand &operand);

} // namespace hgc::graph

#endif // HGC_GRAPH_COST_H
