//===- StreamRef.h - the stream a call names ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_STREAM_REF_H
#define HGC_EMU_STREAM_REF_H

#include "Driver.h"

namespace hgc::emu::driver {

/// A stream with its context, or the error of a call that names none.
struct StreamRef {
  /// `perThread`: the function is a _ptsz or _ptds form, for which NULL means
  /// the thread's own stream.
  StreamRef(Call &call, hgc_cu_stream handle, bool perThread) {
    stream = call.driver.stream(handle, *call.context, perThread);
    if (!stream) {
      error = HGC_CU_ERROR_INVALID_HANDLE;
      return;
    }
    context = call.driver.contextOf(*stream);
    error = context->sticky;
  }

  explicit operator bool() const { return error == HGC_CU_SUCCESS; }

  std::shared_ptr<Stream> stream;
  std::shared_ptr<Context> context;
  Result error = HGC_CU_SUCCESS;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_STREAM_REF_H
