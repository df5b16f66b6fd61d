//===- Copy.h - copies between host and devices ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_COPY_H
#define HGC_EMU_COPY_H

#include "StreamRef.h"

namespace hgc::emu::driver {

/// One side of a copy: rows of `width` bytes, `pitch` bytes apart.
struct Side {
  Device *device = nullptr; ///< Null: host memory.
  uint64_t address = 0;
  uint64_t pitch = 0;
};

/// A copy of `height` rows of `width` bytes.
struct CopyJob {
  const char *name = nullptr; ///< Of the function, for messages.
  Side dst, src;
  uint64_t width = 0, height = 1;
  bool hostWaits = false; ///< The function returns when the copy has run.
  /// Further operations the copy comes after.
  std::vector<OpPtr> after;

  uint64_t bytes() const { return width * height; }
};

/// Validates a copy and puts it on a stream. `op` (may be null) gets the
/// operation.
Result issueCopy(Call &call, const StreamRef &ref, CopyJob job,
                 OpPtr *op = nullptr);

} // namespace hgc::emu::driver

#endif // HGC_EMU_COPY_H
