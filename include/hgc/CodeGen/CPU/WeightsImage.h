//===- WeightsImage.h - the bytes of all blobs, never copied ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights can be hundreds of megabytes. They stay in the attributes they came
// in; this class knows their order and streams them, with the gaps between.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_WEIGHTSIMAGE_H
#define HGC_CODEGEN_CPU_WEIGHTSIMAGE_H

#include "dialects/Exec/ExecOps.h"

#include <string>
#include <vector>

namespace hgc::cpu {

/// What follows a model's weights, computed once per file.
struct WeightsFileInfo {
  /// Length word and JSON of the safetensors format; a multiple of a page.
  std::string header;
  /// hgc_rt_hash64 of the data and of the header.
  uint64_t dataHash = 0, headerHash = 0;
};

/// Layout of the read-only weights of a module: immutable blobs at their
/// planned offsets, then the initial values of mutable ones. Refers to the
/// module's attributes, which live as long as its context.
class WeightsImage {
public:
  /// Fails when a blob has no offset, overlaps another, or has no data.
  static mlir::FailureOr<WeightsImage> create(mlir::ModuleOp module);

  int64_t getByteSize() const { return size; }
  /// Where the initial value of mutable blob `name` lies; -1 when it is zero.
  int64_t getInitOffset(llvm::StringRef name) const;
  /// Hands all bytes in order to `sink`, in pieces of at most a megabyte.
  void stream(llvm::function_ref<void(llvm::ArrayRef<char>)> sink) const;
  /// Header and hashes of the file that holds the image beside a library.
  WeightsFileInfo describeFile() const;

  /// Bare name of that file.
  static std::string getFileName(llvm::StringRef modelName);

private:
  struct Chunk {
    /// Of the blob, and in the file.
    std::string name, tensor;
    mlir::MemRefType type;
    mlir::Attribute value;
    int64_t offset, bytes;
    bool initial;
  };
  mlir::LogicalResult add(exec::BlobOp blob, int64_t offset, bool initial);

  std::vector<Chunk> chunks;
  int64_t size = 0;
};

/// hgc_rt_hash64 for data that arrives in pieces.
class StreamHash {
public:
  explicit StreamHash(uint64_t totalBytes);
  void update(llvm::ArrayRef<char> data);
  uint64_t finish();

private:
  uint64_t lanes[4], total;
  unsigned char pending[32];
  size_t pendingBytes = 0;
};

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_WEIGHTSIMAGE_H
