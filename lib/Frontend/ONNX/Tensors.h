//===- Tensors.h - data in an ONNX model and beside it ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_TENSORS_H
#define HGC_FRONTEND_ONNX_TENSORS_H

#include "dialects/Graph/Eval/HostTensor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace onnx {
class TensorProto;
} // namespace onnx

namespace hgc::onnx {

/// Reads tensors. Data is not copied where it has hgc's form already: tensors share
/// the memory of the model and of the files beside it.
class TensorReader {
public:
  /// `owner` keeps all tensors that are read alive.
  TensorReader(std::string baseDir, std::shared_ptr<const void> owner, mlir::MLIRContext *context)
      : baseDir(std::move(baseDir)), owner(std::move(owner)), context(context) {}

  llvm::Expected<HostTensor> read(const ::onnx::TensorProto &tensor);
  /// Takes the data out of the message, so that it lives no longer than what was
  /// read from it.
  void takeData(::onnx::TensorProto &tensor);

private:
  llvm::Expected<HostTensor> readExternal(const ::onnx::TensorProto &tensor, mlir::Type element);
  llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> open(llvm::StringRef location);

  std::string baseDir;
  std::shared_ptr<const void> owner;
  mlir::MLIRContext *context;
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> files;
  llvm::DenseMap<const ::onnx::TensorProto *, std::shared_ptr<const std::string>> taken;
};

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_TENSORS_H
