//===- IndexBuilder.h - index arithmetic and loops in few words -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_INDEXBUILDER_H
#define HGC_CODEGEN_COMMON_INDEXBUILDER_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace hgc::codegen {

/// Builds index values and loops. Constants fold on the way, so that emitters
/// need no special cases for strides of one or offsets of zero. Sums and
/// products never wrap: buffers are smaller than the address space.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Quotient and remainder of non-negative values by a positive constant.
  mlir::Value div(mlir::Value a, int64_t b);
  mlir::Value rem(mlir::Value a, int64_t b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value lessThan(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);

  /// Indices of `linear` in a row-major array of shape `extents`.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value linear, llvm::ArrayRef<int64_t> extents);

  /// for (i = lower; i < upper; i += step) body(i). A loop known to run at most
  /// once becomes straight code.
  void loop(mlir::Value lower, mlir::Value upper, int64_t step, llvm::function_ref<void(mlir::Value)> body);
  void loop(int64_t upper, llvm::function_ref<void(mlir::Value)> body) { loop(constant(0), constant(upper), 1, body); }
  /// The same with values carried from one iteration to the next.
  llvm::SmallVector<mlir::Value>
  loop(mlir::Value lower, mlir::Value upper, int64_t step, mlir::ValueRange init,
       llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);
  /// Runs `then` when `condition` holds; a constant condition leaves no branch.
  void ifThen(mlir::Value condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise = nullptr);
  /// Values of one of two branches.
  llvm::SmallVector<mlir::Value> select(mlir::Value condition, mlir::TypeRange types,
                                        llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
                                        llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The value of a constant index or i1, if it is one.
std::optional<int64_t> getConstant(mlir::Value value);

/// A power of two that surely divides an index; at least 1.
int64_t getKnownDivisor(mlir::Value index);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_INDEXBUILDER_H
