//===- Reader.cpp - from a file to protobuf messages ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Reader.h"

#include "hgc/Frontend/ONNX.h"
#include "hgc/Support/Error.h"
#include "onnx.pb.h"

#include "llvm/Support/Path.h"
#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

using namespace hgc;
using google::protobuf::Message;

/// Describes the first field of `message` or inside it that onnx.proto does not
/// have; empty if there is none. The parser has limited the depth.
static std::string findUnknownField(const Message &message) {
  const auto *reflection = message.GetReflection();
  const auto &unknown = reflection->GetUnknownFields(message);
  if (!unknown.empty())
    return message.GetTypeName() + " has field number " + std::to_string(unknown.field(0).number());
  std::vector<const google::protobuf::FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const auto *field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const Message &inner = field->is_repeated() ? reflection->GetRepeatedMessage(message, field, i)
                                                  : reflection->GetMessage(message, field);
      if (std::string found = findUnknownField(inner); !found.empty())
        return found;
    }
  }
  return "";
}

static llvm::Error checkVersions(const ::onnx::ModelProto &model) {
  if (!model.has_ir_version() || model.ir_version() < 1)
    return makeError("the ONNX model states no IR version", "the file is damaged: export it again");
  if (model.ir_version() > kNewestOnnxIr)
    return makeError("the ONNX model has IR version " + llvm::Twine(model.ir_version()) + ", the newest known is " +
                         llvm::Twine(kNewestOnnxIr),
                     "export it with an earlier IR version");
  if (!model.has_graph())
    return makeError("the ONNX model has no graph", "the file is damaged: export it again");
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<::onnx::ModelProto>> hgc::onnx::readModel(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  // What is wrong is said here, once and with a hint.
  google::protobuf::SetLogHandler(nullptr);
  llvm::StringRef bytes = buffer->getBuffer();
  if (bytes.size() > INT32_MAX)
    return makeError("'" + buffer->getBufferIdentifier() + "' is larger than the 2 GiB that protobuf reads",
                     "export the model with external data: the weights go to a file beside it");
  auto model = std::make_shared<::onnx::ModelProto>();
  if (bytes.empty() || !model->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return makeError("'" + buffer->getBufferIdentifier() +
                         "' is no ONNX model: it is cut off, damaged or nested too deep",
                     "compare its size with the original, or export it again");
  // The messages have copies of all data.
  buffer.reset();
  if (llvm::Error error = checkVersions(*model))
    return std::move(error);
  if (std::string unknown = findUnknownField(*model); !unknown.empty())
    return makeError("the ONNX model holds what hgc does not know: " + unknown,
                     "export it with IR version " + llvm::Twine(kNewestOnnxIr) + " or earlier");
  return model;
}

bool hgc::isOnnxModel(llvm::StringRef path, llvm::StringRef bytes) {
  if (llvm::sys::path::extension(path) == ".onnx")
    return true;
  // A model starts with its IR version: field 1, a small number.
  return bytes.size() > 2 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 0x20;
}
