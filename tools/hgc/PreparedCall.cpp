//===- PreparedCall.cpp - a call that can be made again and again ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PreparedCall.h"

#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/Support/Error.h"

using namespace hgc;
using namespace hgc::driver;

llvm::Error hgc::driver::makeLibraryError(llvm::StringRef text) {
  auto [message, hint] = text.rsplit("\nhint: ");
  return makeError(message, hint.rtrim());
}

llvm::Expected<std::unique_ptr<PreparedCall>> PreparedCall::create(hgc_rt_model *model, size_t entry,
                                                                   llvm::ArrayRef<HostTensor> inputs,
                                                                   llvm::MutableArrayRef<HostTensor> outputs) {
  std::unique_ptr<PreparedCall> call(new PreparedCall(model, entry));
  for (const HostTensor &tensor : inputs)
    if (llvm::Error error = call->add(tensor, const_cast<char *>(tensor.data()), /*isOutput=*/false))
      return std::move(error);
  for (HostTensor &tensor : outputs)
    if (llvm::Error error = call->add(tensor, tensor.mutableData(), /*isOutput=*/true))
      return std::move(error);
  return call;
}

llvm::Error PreparedCall::add(const HostTensor &tensor, char *data, bool isOutput) {
  int32_t gpu = hgc_rt_model_argument_gpu(model, entry, static_cast<int32_t>(inputs.size() + outputs.size()));
  void *place = data;
  if (gpu >= 0) {
    int64_t bytes = tensor.getNumBytes();
    if (hgc_rt_model_device_alloc(model, gpu, bytes, &place) != HGC_RT_OK)
      return makeLibraryError(hgc_rt_model_last_error(model));
    mirrors.push_back({gpu, place, data, bytes, isOutput});
    if (!isOutput && hgc_rt_model_copy_to_device(model, gpu, place, data, bytes) != HGC_RT_OK)
      return makeLibraryError(hgc_rt_model_last_error(model));
  }
  (isOutput ? outputs : inputs)
      .push_back({place, tensor.getShape().data(), nullptr, cpu::getRuntimeDtype(tensor.getElementType()),
                  static_cast<int32_t>(tensor.getRank())});
  return llvm::Error::success();
}

PreparedCall::~PreparedCall() {
  for (const Mirror &mirror : mirrors)
    hgc_rt_model_device_free(model, mirror.gpu, mirror.device);
}

llvm::Error PreparedCall::run() {
  hgc_rt_status status = hgc_rt_model_call(model, entry, inputs.data(), static_cast<int32_t>(inputs.size()),
                                           outputs.data(), static_cast<int32_t>(outputs.size()));
  return status == HGC_RT_OK ? llvm::Error::success() : makeLibraryError(hgc_rt_model_last_error(model));
}

llvm::Error PreparedCall::fetch() {
  for (const Mirror &mirror : mirrors)
    if (mirror.isOutput && hgc_rt_model_copy_to_host(model, mirror.gpu, mirror.host, mirror.device, mirror.bytes))
      return makeLibraryError(hgc_rt_model_last_error(model));
  return llvm::Error::success();
}
