//===- StreamClock.h - what an action may rely on ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_STREAMCLOCK_H
#define HGC_LIB_CONVERSION_STREAMCLOCK_H

#include "dialects/Exec/ExecOps.h"

#include "llvm/ADT/DenseMap.h"

namespace hgc {

/// How many actions of each stream are known to be over (a vector clock).
class StreamClock {
public:
  int64_t get(int64_t stream) const { return counts.lookup(stream); }
  void set(int64_t stream, int64_t count) { counts[stream] = count; }
  /// Whether all that `other` counts is over.
  bool covers(const StreamClock &other) const {
    return llvm::all_of(other.counts, [&](const auto &entry) { return get(entry.first) >= entry.second; });
  }
  /// Also knows what `other` knows.
  void join(const StreamClock &other) {
    for (auto [stream, count] : other.counts)
      counts[stream] = std::max(counts[stream], count);
  }
  /// Knows no more than `other` does.
  void meet(const StreamClock &other) {
    for (auto &[stream, count] : counts)
      count = std::min(count, other.get(stream));
  }

private:
  llvm::SmallDenseMap<int64_t, int64_t, 4> counts;
};

/// Stream of an action, or `kHost`.
inline constexpr int64_t kHost = -1;
int64_t getStream(mlir::Operation *op);

/// The stream that suits an action: kernels and fills on the compute stream of
/// their GPU, copies on the stream of their direction. `kHost` for the host's.
int64_t chooseStream(mlir::Operation *op);

/// An action, as other streams see it.
struct StreamAction {
  int64_t stream = kHost;
  /// Number of actions on its stream up to and including it.
  int64_t position = 0;
  /// What was over when it began.
  StreamClock clock;
};

/// Follows a program in the order in which it is issued.
class StreamTracker {
public:
  /// `op` is issued now; handles record, wait and sync, too.
  StreamAction issue(mlir::Operation *op);

  /// What an action issued now on `stream` may rely on.
  StreamClock getKnown(int64_t stream) const;
  /// Lets `stream` wait for `action`.
  void wait(int64_t stream, const StreamAction &action);
  /// Lets the host wait for all that was issued on `stream`.
  void sync(int64_t stream);
  /// Streams with actions that the host has not waited for, in order.
  llvm::SmallVector<int64_t> getPending() const;
  /// Either this or `other` happened: keeps what holds in both cases.
  void joinBranch(const StreamTracker &other);

private:
  /// Renumbers the last action of each stream to `counts`, where that is later.
  void advance(const llvm::DenseMap<int64_t, int64_t> &counts);

  llvm::DenseMap<int64_t, int64_t> issued;
  /// By stream; the host's own is at kHost.
  llvm::DenseMap<int64_t, StreamClock> known;
  llvm::DenseMap<int64_t, StreamClock> events;
};

/// Identity of the memory `buffer` is part of: copies of a blob on two devices
/// are two.
using MemoryRoot = std::pair<const void *, std::optional<unsigned>>;
MemoryRoot findMemory(mlir::Value buffer);

/// Buffers an action reads and writes itself, nested ops aside.
void getAccesses(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Value> &reads,
                 llvm::SmallVectorImpl<mlir::Value> &writes);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_STREAMCLOCK_H
