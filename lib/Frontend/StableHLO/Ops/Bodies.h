//===- Bodies.h - what the body of a reduction computes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPS_BODIES_H
#define HGC_FRONTEND_STABLEHLO_OPS_BODIES_H

#include "../Node.h"

namespace hgc::stablehlo {

/// The op of a body that is one op of its two arguments, without its dialect: `add`. A body that returns its second
/// argument is `second`; others are empty.
llvm::StringRef getCombiner(mlir::Block &body);

/// The reduction of the graph dialect that combines so elements of this type.
std::optional<graph::ReduceKind> getReduceKind(llvm::StringRef combiner, mlir::Type element);

/// Whether combining with `value` changes nothing.
bool isIdentity(Node &node, mlir::Value value, graph::ReduceKind kind);

/// Whether a body is JAX's choice of the greatest (or least) value and its position.
std::optional<graph::ArgReduceKind> getArgReduceKind(mlir::Block &body);

/// All combinations of numbers below these extents, the last one changing fastest.
llvm::SmallVector<Extents> listOffsets(Shape extents);

/// Most elements of a window that is unrolled.
constexpr int64_t kMaxUnrolled = 256;

/// The inclusive sums (or what else the body combines to) of elements before each one along a dim; after each one with
/// `fromEnd`. Takes the logarithm of the extent in steps.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> buildPrefixes(Node &node, mlir::Block &body,
                                                              llvm::SmallVector<mlir::Value> inputs,
                                                              llvm::ArrayRef<mlir::Value> inits, int64_t dim,
                                                              bool fromEnd);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPS_BODIES_H
