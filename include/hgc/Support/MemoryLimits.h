//===- MemoryLimits.h - bytes per device, as users write them ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_MEMORYLIMITS_H
#define HGC_SUPPORT_MEMORYLIMITS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace hgc {

/// `65536`, `64KiB`, `1.5GiB`.
llvm::Expected<int64_t> parseBytes(llvm::StringRef text);

/// Most bytes of each device, written `gpu=64MiB,gpu:1=32MiB,cpu=1GiB`. `gpu`
/// without a number is every GPU that has no entry of its own.
class MemoryLimits {
public:
  static llvm::Expected<MemoryLimits> parse(llvm::StringRef text);

  /// The limit of the host or of a GPU; nothing when it has none.
  std::optional<int64_t> getCpu() const { return cpu; }
  std::optional<int64_t> getGpu(unsigned number) const;

  bool empty() const { return !cpu && !allGpus && gpus.empty(); }
  bool hasGpu() const { return allGpus || !gpus.empty(); }

  void setCpu(int64_t bytes) { cpu = bytes; }
  void setGpu(unsigned number, int64_t bytes);

  /// In the form that `parse` reads, in bytes.
  std::string str() const;

private:
  std::optional<int64_t> cpu, allGpus;
  llvm::SmallVector<std::optional<int64_t>> gpus;
};

} // namespace hgc

#endif // HGC_SUPPORT_MEMORYLIMITS_H
