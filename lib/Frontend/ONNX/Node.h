//===- Node.h - one node of an ONNX graph being imported --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_NODE_H
#define HGC_FRONTEND_ONNX_NODE_H

#include "../Common/Values.h"

namespace onnx {
class AttributeProto;
class NodeProto;
} // namespace onnx

namespace hgc::onnx {

using namespace frontend;

class GraphImporter;

/// What an op's import function sees: attributes, inputs as values, and a builder
/// whose ops carry the node's name.
class Node : public Builder {
public:
  Node(GraphImporter &importer, const ::onnx::NodeProto &proto, mlir::Location loc);

  llvm::StringRef getOpType() const;
  llvm::StringRef getName() const;
  /// Version of the node's domain that the model imports.
  int64_t getOpset() const;
  /// Whether the model is imported to be trained.
  bool trains() const;

  // Attributes; an attribute of another kind than asked for is an error of the model.
  bool hasAttribute(llvm::StringRef name) const;
  int64_t getInt(llvm::StringRef name, int64_t otherwise) const;
  double getFloat(llvm::StringRef name, double otherwise) const;
  llvm::StringRef getString(llvm::StringRef name, llvm::StringRef otherwise) const;
  Extents getIntList(llvm::StringRef name, Extents otherwise = {}) const;
  llvm::SmallVector<double> getFloatList(llvm::StringRef name, llvm::SmallVector<double> otherwise = {}) const;
  llvm::SmallVector<std::string> getStringList(llvm::StringRef name) const;
  /// A tensor of the model as a value: a parameter called `name` if it is large.
  mlir::Value addTensor(llvm::StringRef name, const HostTensor &tensor);
  /// Name of output `index`; empty when nothing reads it.
  llvm::StringRef getOutputName(unsigned index) const;
  /// A null tensor when there is no such attribute, or it cannot be read (reported).
  HostTensor getTensor(llvm::StringRef name) const;
  /// The element type an attribute such as `to` or `dtype` names; null (reported)
  /// when hgc has none.
  mlir::Type getElementType(llvm::StringRef name, mlir::Type otherwise) const;

  // Inputs.
  unsigned getNumInputs() const;
  /// Whether input `index` is given: it exists and has a name.
  bool hasInput(unsigned index) const;
  /// Null when it is not given.
  mlir::Value getInput(unsigned index) const;
  /// Integers of input `index` if it is given and known at compile time.
  std::optional<Extents> getInputInts(unsigned index) {
    return hasInput(index) ? getInts(getInput(index)) : std::nullopt;
  }
  /// `axis` (attribute `name`) of a value of this rank, counted from the front;
  /// reports one that is out of range.
  std::optional<int64_t> getAxis(int64_t rank, int64_t otherwise, llvm::StringRef name = "axis");

  // Outputs.
  unsigned getNumOutputs() const;
  /// Whether something may read output `index`.
  bool hasOutput(unsigned index) const;
  void setOutput(unsigned index, mlir::Value value);
  /// `setOutput(0, value)`; fails when the value is null (which was reported).
  llvm::LogicalResult done(mlir::Value value);
  /// The static type the model declares for output `index`, if it declares one:
  /// tells shapes that depend on run-time inputs.
  mlir::RankedTensorType getDeclaredType(unsigned index) const;

  // Subgraphs.
  bool hasGraph(llvm::StringRef name) const;
  unsigned getNumGraphInputs(llvm::StringRef name) const;
  /// Imports the graph in attribute `name` at the builder's insertion point, with
  /// these values for its inputs; gives its outputs. Outer values are visible.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importGraph(llvm::StringRef name,
                                                              llvm::ArrayRef<mlir::Value> arguments);

  // Bounded dims: a value whose extent along some dim is known only at run time is
  // a tensor of the largest extent; elements beyond the actual one are anything.
  /// The extent of `dim` as a rank-0 i64 value, or null when it is the type's.
  mlir::Value getExtent(mlir::Value value, int64_t dim) const;
  void setExtent(mlir::Value value, int64_t dim, mlir::Value extent);
  bool isBounded(mlir::Value value) const;
  /// The largest value of a number that is an extent of some bounded value.
  std::optional<int64_t> getLargestExtent(mlir::Value extent) const;

  /// The call fails with `message` at run time unless `condition` (rank-0 i1) holds.
  void require(mlir::Value condition, const llvm::Twine &message);

  // Failure.
  /// hgc cannot import this node: collected, so that all such nodes are listed.
  llvm::LogicalResult unsupported(const llvm::Twine &reason);
  /// The model breaks the ONNX specification.
  llvm::LogicalResult invalid(const llvm::Twine &problem, const llvm::Twine &hint);

protected:
  void refuse(const llvm::Twine &reason) override { (void)unsupported(reason); }

private:
  /// The attribute `name` if it has the kind `type` of AttributeProto; reports one
  /// of another kind.
  const ::onnx::AttributeProto *find(llvm::StringRef name, int type) const;
  const ::onnx::AttributeProto *find(llvm::StringRef name) const;

  GraphImporter &importer;
  const ::onnx::NodeProto &proto;
};

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_NODE_H
