//===- Node.h - one op of a program being imported --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_NODE_H
#define HGC_FRONTEND_STABLEHLO_NODE_H

#include "../Common/Values.h"

namespace hgc::stablehlo {

using namespace frontend;

class Importer;

/// An attribute of an op that MLIR does not know; null when there is none.
mlir::Attribute findAttribute(mlir::Operation *op, llvm::StringRef name);

/// What an op's import function sees: attributes, operands as values of the graph
/// dialect, declared types of results, and a builder at the op's place.
class Node : public Builder {
public:
  Node(Importer &importer, mlir::OpBuilder &builder, mlir::Operation *op);

  mlir::Operation *getOp() const { return op; }
  llvm::StringRef getName() const;

  // Attributes; nothing (reported) when one is missing or of another kind, unless `otherwise` is given.
  mlir::Attribute getAttribute(llvm::StringRef name) const { return findAttribute(op, name); }
  /// Numbers of an array, a tensor, or lists of them one after the other. `count` of them, if that is not negative.
  std::optional<Extents> getList(llvm::StringRef name, int64_t count, std::optional<int64_t> otherwise = std::nullopt);
  /// Distinct dims of a value of this rank; an absent list is empty.
  std::optional<Extents> getDims(llvm::StringRef name, int64_t rank);
  /// The same of a part of attribute `group`, or of the op itself where the pretty form has it.
  std::optional<Extents> getDims(llvm::StringRef group, llvm::StringRef name, int64_t rank);
  std::optional<int64_t> getInt(llvm::StringRef name, std::optional<int64_t> otherwise = std::nullopt);
  /// A word such as `LT`; empty when there is none.
  llvm::StringRef getWord(llvm::StringRef name) const;

  // Operands; a value is null when what makes it could not be imported.
  unsigned getNumOperands() const;
  mlir::Value getOperand(unsigned index) const;
  /// Whether there are `count` operands, all of them imported; reports another number.
  bool hasOperands(unsigned count);

  // Results.
  unsigned getNumResults() const;
  /// The declared type; null (reported once) for one hgc has no tensors of.
  mlir::RankedTensorType getResultType(unsigned index) const;
  Shape getResultShape(unsigned index = 0) const { return getResultType(index).getShape(); }
  void setResult(unsigned index, mlir::Value value);
  /// `setResult(0, value)`; fails when the value is null (which was reported).
  llvm::LogicalResult done(mlir::Value value);

  // Regions.
  /// The block of region `index` with that many arguments; null (reported) when the op has none such.
  mlir::Block *getBody(unsigned index, unsigned arguments);
  /// The ops of a block at the builder's place, with these values for its arguments; gives what it returns.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importBody(mlir::Block &block, mlir::ValueRange arguments);
  /// The same of a block that combines scalars, element by element of larger values.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importLanes(mlir::Block &block, mlir::ValueRange arguments);
  /// The results of function `callee`, inlined.
  llvm::LogicalResult importCall(llvm::StringRef callee);
  /// A tensor of the program: a parameter if it is large.
  mlir::Value addTensor(mlir::ElementsAttr value);

  // Graph ops with more than the builder knows.
  /// Repeats a value whose dim `i` is dim `dims[i]` of the result. Never evaluated, so that it can be undone.
  mlir::Value broadcastInDim(mlir::Value value, llvm::ArrayRef<int64_t> dims, Shape shape);
  mlir::Value reverse(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  /// The value before it was repeated, if ops that broadcast need no more.
  static mlir::Value withoutBroadcast(mlir::Value value);
  /// A constant number all elements of a value have.
  std::optional<double> getSplat(mlir::Value value);

  // Failure.
  /// hgc cannot import this op: collected, so that all such ops are listed.
  llvm::LogicalResult unsupported(const llvm::Twine &reason);
  /// The program breaks the specification.
  llvm::LogicalResult invalid(const llvm::Twine &problem, const llvm::Twine &hint);

protected:
  void refuse(const llvm::Twine &reason) override { (void)unsupported(reason); }

private:
  std::optional<Extents> readList(mlir::Attribute value, llvm::StringRef name, int64_t count);
  std::optional<Extents> checkDims(std::optional<Extents> dims, llvm::StringRef name, int64_t rank);

  Importer &importer;
  mlir::Operation *op;
};

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_NODE_H
