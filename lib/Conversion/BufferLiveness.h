//===- BufferLiveness.h - when the views of a program are in use -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_BUFFERLIVENESS_H
#define HGC_LIB_CONVERSION_BUFFERLIVENESS_H

#include "StreamClock.h"
#include "hgc/Conversion/MemoryPlanner.h"

#include "llvm/ADT/SmallVector.h"

namespace hgc {

/// A view and the time it is in use.
struct LiveView {
  exec::ViewOp view;
  BufferInterval interval;
  /// What was over when it was first used, and what must be over before its
  /// bytes may serve another view.
  StreamClock known, used;

  /// Whether another view's first use waits for all uses of this one, which
  /// come before in program order.
  bool endsBefore(const LiveView &later) const { return later.known.covers(used); }
};

/// The views of `program` in program order. Time counts its ops; the two sides
/// of a branch follow each other in time, so they may share memory. A view that
/// is declared outside a loop and used inside lives through the whole loop; one
/// that is declared inside is free between iterations. Views used in a parallel
/// op live as long as it does.
llvm::SmallVector<LiveView> computeLiveViews(exec::ProgramOp program);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_BUFFERLIVENESS_H
