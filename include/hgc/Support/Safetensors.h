//===- Safetensors.h - files of named tensors -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_SAFETENSORS_H
#define HGC_SUPPORT_SAFETENSORS_H

#include "hgc/Support/Npy.h"

#include "llvm/ADT/StringMap.h"
#include <map>

namespace hgc {

/// An open safetensors file. Tensors refer to the mapped file and keep it open.
class SafetensorsFile {
public:
  /// Maps and validates a file: header size, JSON, dtypes, shapes, bounds,
  /// overlaps.
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path, mlir::MLIRContext *context);
  /// The same for bytes in memory.
  static llvm::Expected<SafetensorsFile> parse(std::shared_ptr<llvm::MemoryBuffer> buffer, mlir::MLIRContext *context);

  /// Names in order of their data.
  llvm::ArrayRef<std::string> getNames() const { return names; }
  /// Texts beside the tensors, by name.
  const std::map<std::string, std::string> &getMetadata() const { return metadata; }
  bool contains(llvm::StringRef name) const { return entries.contains(name); }
  /// The tensor called `name`, or an error that suggests what is there.
  llvm::Expected<HostTensor> get(llvm::StringRef name) const;

private:
  struct Entry {
    mlir::Type element;
    llvm::SmallVector<int64_t> shape;
    uint64_t begin = 0, end = 0;
  };
  friend struct SafetensorsReader;

  std::shared_ptr<llvm::MemoryBuffer> buffer;
  uint64_t dataOffset = 0;
  std::vector<std::string> names;
  llvm::StringMap<Entry> entries;
  std::map<std::string, std::string> metadata;
};

/// What else a safetensors file may be asked to be.
struct SafetensorsOptions {
  /// Texts beside the tensors.
  std::map<std::string, std::string> metadata;
  /// On the disk before it replaces an older file.
  bool durable = false;
};

/// Writes tensors in the given order; every tensor is aligned to its element.
llvm::Error writeSafetensors(llvm::StringRef path, const NamedTensors &tensors, const SafetensorsOptions &options = {});

} // namespace hgc

#endif // HGC_SUPPORT_SAFETENSORS_H
