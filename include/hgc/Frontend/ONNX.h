//===- ONNX.h - models in ONNX's file format --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_H
#define HGC_FRONTEND_ONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>
#include <vector>

namespace hgc {

/// What a model's file does not say.
struct OnnxOptions {
  /// Name of the module.
  std::string name = "model";
  /// Folder that external data is relative to.
  std::string baseDir = ".";
  /// Extents of named dims, `batch=1,8`.
  std::vector<std::string> dims;
  /// Shapes of inputs, `x=1x3x224x224`.
  std::vector<std::string> shapes;
  /// Small float initialisers are parameters, too: they are to be trained.
  bool trains = false;
};

/// Newest versions of the format that are read.
constexpr int64_t kNewestOnnxIr = 13, kNewestOnnxOpset = 27;

/// Whether `bytes`, read from `path`, are to be read as an ONNX model.
bool isOnnxModel(llvm::StringRef path, llvm::StringRef bytes);

/// Imports a model as a module with the entry `run`, or `predict` if it is to be trained. Problems with the file and with
/// the options are errors. Those of a node are diagnostics; the module is null then.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importOnnx(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                             const OnnxOptions &options, mlir::MLIRContext &context);

} // namespace hgc

#endif // HGC_FRONTEND_ONNX_H
