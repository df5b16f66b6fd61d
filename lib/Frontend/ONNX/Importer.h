//===- Importer.h - graphs of an ONNX model in the graph dialect -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_IMPORTER_H
#define HGC_FRONTEND_ONNX_IMPORTER_H

#include "../Common/Builder.h"
#include "NameMap.h"
#include "Tensors.h"

#include "hgc/Frontend/ONNX.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace onnx {
class AttributeProto;
class FunctionProto;
class GraphProto;
class ModelProto;
class NodeProto;
class TensorProto;
class TypeProto;
class ValueInfoProto;
} // namespace onnx

namespace hgc::onnx {

using namespace frontend;

class GraphImporter;
class InputShapes;
class Node;
struct OpEntry;

/// What the graphs of a model share.
class ModelImporter {
public:
  ModelImporter(std::shared_ptr<::onnx::ModelProto> model, const OnnxOptions &options, mlir::MLIRContext &context);

  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> run();

  mlir::MLIRContext &getContext() { return context; }
  TensorReader &getTensors() { return tensors; }
  /// Whether the model is to be trained: layers that differ then are kept.
  bool trains() const { return options.trains; }
  const ::onnx::FunctionProto *findFunction(const ::onnx::NodeProto &node) const;

  /// A tensor of the model as a value at the builder's place: a parameter if it
  /// is a large one of weights, else a constant.
  mlir::Value addTensor(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, const HostTensor &tensor);
  mlir::FailureOr<mlir::Value> addInitializer(mlir::OpBuilder &builder, const ::onnx::TensorProto &tensor);

  /// Nodes that cannot be imported, with the reason; listed together at the end.
  void addUnsupported(const ::onnx::NodeProto &node, llvm::StringRef name, const llvm::Twine &reason);
  bool hasUnsupported() const { return unsupportedCount != 0; }
  /// How often something was found to be unsupported.
  size_t countUnsupported() const { return unsupportedCount; }

  /// Counts a node against the limit that ends a model of nested functions which
  /// would never come to an end.
  llvm::LogicalResult countNode(mlir::Location loc);

  /// Extents of bounded dims, by value; null entries are the type's own.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> extents;
  /// The largest value of each of those extents.
  llvm::DenseMap<mlir::Value, int64_t> largestExtents;
  /// Functions being inlined, outermost first.
  llvm::SmallVector<const ::onnx::FunctionProto *> callStack;

private:
  llvm::StringRef getEntryName() const;
  llvm::Error checkOpsets();
  llvm::LogicalResult importVariant(const InputShapes &shapes, const DimBinding &binding, llvm::StringRef symbol);
  void addResults(mlir::func::FuncOp function, const GraphImporter &importer, llvm::ArrayRef<mlir::Value> outputs);
  llvm::LogicalResult reportUnsupported();

  std::shared_ptr<::onnx::ModelProto> model;
  const OnnxOptions &options;
  mlir::MLIRContext &context;
  TensorReader tensors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<mlir::SymbolTable> symbols;
  llvm::StringMap<const ::onnx::FunctionProto *> functions;
  /// Data of initialisers that some variant has read.
  llvm::DenseMap<const ::onnx::TensorProto *, HostTensor> initializers;
  /// Parameters by the data they hold, for variants that share them.
  llvm::DenseMap<const char *, graph::ParameterOp> parameters;
  /// Names of nodes by `op: reason`.
  NameMap<std::vector<std::string>> unsupported;
  size_t unsupportedCount = 0;
  int64_t nodeCount = 0;
};

/// Imports one graph: a scope of names inside that of the graph around it.
class GraphImporter {
public:
  using OpsetTable = llvm::StringMap<int64_t>;
  using AttributeTable = llvm::StringMap<const ::onnx::AttributeProto *>;

  /// A graph of the model or the body of a function.
  GraphImporter(ModelImporter &model, mlir::OpBuilder &builder, OpsetTable opsets, std::string prefix = "");
  /// A graph inside of another one.
  explicit GraphImporter(GraphImporter &outer);

  ModelImporter &getModel() { return model; }
  mlir::OpBuilder &getBuilder() { return builder; }
  /// What `attribute` stands for: in a function it may name one of the call's. Null
  /// when the call does not give it.
  const ::onnx::AttributeProto *resolve(const ::onnx::AttributeProto &attribute) const;

  /// Version of a domain; 0 when the model does not import it.
  int64_t getOpset(llvm::StringRef domain) const;
  llvm::StringRef getPrefix() const { return prefix; }

  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importGraph(const ::onnx::GraphProto &graph,
                                                              llvm::ArrayRef<mlir::Value> arguments);
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> importFunction(const ::onnx::FunctionProto &function,
                                                                 llvm::ArrayRef<mlir::Value> arguments);

  /// A value of this graph or of one around it; null when it has none. A name that
  /// exists without a value belongs to a node that was not imported.
  mlir::Value lookup(llvm::StringRef name) const;
  bool isDefined(llvm::StringRef name) const;
  /// Whether the call of this function leaves the input `name` out.
  bool isAbsent(llvm::StringRef name) const { return absent.contains(name) || (outer && outer->isAbsent(name)); }
  llvm::LogicalResult define(mlir::Location loc, llvm::StringRef name, mlir::Value value);
  mlir::RankedTensorType getDeclaredType(llvm::StringRef name) const;
  /// A type of the shape that the value must have if it is not declared but that of
  /// an elementwise op after it is; looks at `budget` nodes at most. The element
  /// type may be another one.
  mlir::RankedTensorType inferType(llvm::StringRef name, unsigned &budget) const;

private:
  using NodeList = llvm::ArrayRef<const ::onnx::NodeProto *>;

  llvm::LogicalResult addInitializers(const ::onnx::GraphProto &graph);
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> getOutputs(llvm::ArrayRef<llvm::StringRef> names);
  llvm::LogicalResult importNodes(NodeList nodes);
  /// Notes which nodes read which values, for `inferType`.
  void addReaders(NodeList nodes);
  llvm::LogicalResult importNode(const ::onnx::NodeProto &proto, unsigned index);
  llvm::LogicalResult importOp(Node &node, const ::onnx::NodeProto &proto, mlir::Location loc);
  llvm::LogicalResult call(const ::onnx::FunctionProto &function, const ::onnx::NodeProto &node, mlir::Location loc);
  llvm::LogicalResult checkInputs(const ::onnx::NodeProto &proto, mlir::Location loc, bool &isComplete);
  /// Gives the outputs of a node that was not imported a value of the declared type,
  /// so that the nodes after it are still looked at.
  llvm::LogicalResult skip(const ::onnx::NodeProto &proto, mlir::Location loc);

  ModelImporter &model;
  mlir::OpBuilder &builder;
  GraphImporter *outer = nullptr;
  OpsetTable opsets;
  AttributeTable attributes;
  std::string prefix;
  llvm::StringMap<mlir::Value> values;
  /// Inputs that the call of a function leaves out.
  llvm::StringSet<> absent;
  llvm::StringMap<const ::onnx::TypeProto *> declared;
  /// Elementwise nodes by the names of their inputs.
  llvm::StringMap<llvm::SmallVector<const ::onnx::NodeProto *, 1>> readers;
};

/// `nodes` in an order in which each comes after those whose outputs it or a graph
/// inside it reads; the model's order where that is one. Reports a cycle.
llvm::FailureOr<std::vector<const ::onnx::NodeProto *>> sortNodes(llvm::ArrayRef<const ::onnx::NodeProto *> nodes,
                                                                  mlir::MLIRContext &context);

/// Inputs that a node of this op cannot leave out.
unsigned getNumRequiredInputs(llvm::StringRef domain, llvm::StringRef op, int64_t opset);

/// `ai.onnx` has two spellings.
llvm::StringRef normalizeDomain(llvm::StringRef domain);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_IMPORTER_H
