//===- Reader.h - from a file to protobuf messages --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_READER_H
#define HGC_FRONTEND_ONNX_READER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace onnx {
class ModelProto;
} // namespace onnx

namespace hgc::onnx {

/// Parses a model and checks that its versions and fields are known, so that
/// nothing of it is lost silently.
llvm::Expected<std::shared_ptr<::onnx::ModelProto>> readModel(std::unique_ptr<llvm::MemoryBuffer> buffer);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_READER_H
