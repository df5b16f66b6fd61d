//===- TrainParameters.cpp - parameters in and out of an instance ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelWatch.h"
#include "TrainState.h"

#include "hgc/Support/Error.h"

#include "llvm/ADT/StringSet.h"

using namespace hgc;
using namespace hgc::driver;

static llvm::Error checkFinite(llvm::StringRef name, const HostTensor &tensor) {
  if (findNonFinite(tensor).empty())
    return llvm::Error::success();
  return makeError("parameter '" + name + "' is no longer finite",
                   "lower the learning rate; --check-numerics says where it comes from");
}

/// Calls `fn` with number and description of each parameter that can change.
template <typename Fn> static llvm::Error forEachMutable(hgc_rt_model *model, Fn fn) {
  for (int32_t i = 0, n = hgc_rt_model_param_count(model); i < n; ++i) {
    const hgc_rt_param_info *info = hgc_rt_model_param_info(model, i);
    if (info->flags & HGC_RT_PARAM_MUTABLE)
      if (llvm::Error error = fn(i, *info))
        return error;
  }
  return llvm::Error::success();
}

static HostTensor makeTensor(const hgc_rt_param_info &info, mlir::MLIRContext *context) {
  return HostTensor(getRuntimeElementType(info.tensor.dtype, context),
                    llvm::ArrayRef(info.tensor.dims, info.tensor.rank));
}

llvm::Expected<NamedTensors> hgc::driver::readParameters(const ModelLibrary &library, mlir::MLIRContext *context,
                                                         bool mustBeFinite) {
  hgc_rt_model *model = library.getModel();
  NamedTensors parameters;
  llvm::Error error = forEachMutable(model, [&](int32_t number, const hgc_rt_param_info &info) -> llvm::Error {
    HostTensor tensor = makeTensor(info, context);
    if (hgc_rt_model_get_param(model, number, tensor.mutableData(), info.bytes) != HGC_RT_OK)
      return makeLibraryError(hgc_rt_model_last_error(model));
    parameters.emplace_back(info.tensor.name, tensor);
    return mustBeFinite ? checkFinite(info.tensor.name, tensor) : llvm::Error::success();
  });
  if (error)
    return std::move(error);
  return parameters;
}

llvm::Error hgc::driver::writeParameters(const ModelLibrary &library, const NamedTensors &parameters,
                                         mlir::MLIRContext *context, bool mayLack) {
  hgc_rt_model *model = library.getModel();
  llvm::StringMap<const HostTensor *> given;
  for (const auto &[name, tensor] : parameters)
    given[name] = &tensor;
  // All are checked before the first is set.
  for (bool isCheck : {true, false}) {
    llvm::Error error = forEachMutable(model, [&](int32_t number, const hgc_rt_param_info &info) -> llvm::Error {
      const HostTensor *tensor = given.lookup(info.tensor.name);
      if (!tensor && mayLack)
        return llvm::Error::success();
      if (!tensor)
        return makeError("it has no parameter '" + llvm::Twine(info.tensor.name) + "'", "it belongs to another model");
      HostTensor wanted = makeTensor(info, context);
      if (tensor->getType() != wanted.getType())
        return makeError("its parameter '" + llvm::Twine(info.tensor.name) + "' is " + tensor->str(0) +
                             ", the model has " + wanted.str(0),
                         "it belongs to another model");
      if (!isCheck && hgc_rt_model_set_param(model, number, tensor->data(), info.bytes) != HGC_RT_OK)
        return makeLibraryError(hgc_rt_model_last_error(model));
      return llvm::Error::success();
    });
    if (error)
      return error;
  }
  return llvm::Error::success();
}

NamedTensors hgc::driver::dropOptimizerState(const NamedTensors &parameters) {
  llvm::StringSet<> names;
  for (const auto &[name, tensor] : parameters)
    names.insert(name);
  NamedTensors kept;
  for (const auto &[name, tensor] : parameters)
    if (!names.contains(llvm::StringRef(name).rsplit('.').first) || !llvm::StringRef(name).contains('.'))
      kept.emplace_back(name, tensor);
  return kept;
}
