//===- InputShapes.h - a static shape for every input -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_INPUTSHAPES_H
#define HGC_FRONTEND_ONNX_INPUTSHAPES_H

#include "NameMap.h"

#include "hgc/Frontend/ONNX.h"

#include "mlir/IR/BuiltinTypes.h"

namespace onnx {
class GraphProto;
class ValueInfoProto;
} // namespace onnx

namespace hgc::onnx {

/// One extent of an input: a number, or the name of a dim.
struct InputDim {
  int64_t extent = -1;
  /// A C identifier; empty for a number.
  std::string name;
};

struct InputInfo {
  std::string name;
  mlir::Type element;
  llvm::SmallVector<InputDim> dims;
};

/// The inputs of a graph that no initialiser gives, with the shapes that the model
/// and the command line say.
class InputShapes {
public:
  static llvm::Expected<InputShapes> create(const ::onnx::GraphProto &graph, const OnnxOptions &options,
                                            mlir::MLIRContext *context);

  llvm::ArrayRef<InputInfo> getInputs() const { return inputs; }
  /// One binding a variant; a single empty one when no dim has a name.
  std::vector<DimBinding> getBindings() const;
  /// The type of an input in a variant.
  llvm::Expected<mlir::RankedTensorType> getType(const InputInfo &input, const DimBinding &binding) const;

private:
  /// What the command line says about an input.
  using ShapeTable = NameMap<llvm::SmallVector<int64_t>>;

  llvm::Error parseDims(llvm::ArrayRef<std::string> options);
  llvm::Error parseShapes(llvm::ArrayRef<std::string> options);
  llvm::Error addInput(const ::onnx::ValueInfoProto &info, mlir::MLIRContext *context);
  llvm::Expected<InputDim> addDim(llvm::StringRef input, size_t dim, int64_t value, llvm::StringRef param,
                                  std::optional<int64_t> given);
  llvm::Expected<InputDim> addNamedDim(llvm::StringRef input, llvm::StringRef param);
  llvm::Error bindFromShapes(const ::onnx::GraphProto &graph);
  llvm::Error checkUnbound() const;
  llvm::Error checkUnused() const;

  std::vector<InputInfo> inputs;
  /// Extents of dims by the name the model has for them.
  ShapeTable dims;
  ShapeTable shapes;
  /// Extents that named dims have because of a `--shape`.
  NameMap<int64_t> fixed;
  /// Identifiers by the model's names, and the names that occur in some input.
  NameMap<std::string> identifiers;
  /// Dims without an extent and the inputs they occur in.
  NameMap<std::vector<std::string>> unbound;
  /// Inputs that need a `--shape`, and an example of one.
  NameMap<std::string> shapeless;
};

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_INPUTSHAPES_H
