//===- PreparedCall.h - a call that can be made again and again -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_PREPAREDCALL_H
#define HGC_TOOLS_PREPAREDCALL_H

#include "dialects/Graph/Eval/HostTensor.h"

#include "runtime/include/hgc_rt.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace hgc::driver {

/// A call of an entry with tensors in host memory. Where the plan that runs
/// expects an argument on a GPU it has device memory for it, and its data there.
class PreparedCall {
public:
  /// Inputs are copied to GPUs now. The tensors and the model must outlive it.
  static llvm::Expected<std::unique_ptr<PreparedCall>> create(hgc_rt_model *model, size_t entry,
                                                              llvm::ArrayRef<HostTensor> inputs,
                                                              llvm::MutableArrayRef<HostTensor> outputs);
  ~PreparedCall();
  PreparedCall(const PreparedCall &) = delete;
  PreparedCall &operator=(const PreparedCall &) = delete;

  /// Runs the entry once.
  llvm::Error run();
  /// Brings results that are on GPUs to the outputs.
  llvm::Error fetch();

private:
  /// Device memory of an argument.
  struct Mirror {
    int32_t gpu;
    void *device;
    char *host;
    int64_t bytes;
    bool isOutput;
  };

  PreparedCall(hgc_rt_model *model, size_t entry) : model(model), entry(static_cast<int32_t>(entry)) {}
  llvm::Error add(const HostTensor &tensor, char *data, bool isOutput);

  hgc_rt_model *model;
  int32_t entry;
  std::vector<hgc_rt_tensor> inputs, outputs;
  std::vector<Mirror> mirrors;
};

/// A failure the library reports: its text ends with a line `hint: ...`.
llvm::Error makeLibraryError(llvm::StringRef text);

} // namespace hgc::driver

#endif // HGC_TOOLS_PREPAREDCALL_H
