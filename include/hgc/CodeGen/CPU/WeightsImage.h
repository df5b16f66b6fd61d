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

/// What a library must know of the file with its weights.
struct WeightsFileInfo {
  /// Length word and JSON of the safetensors format; a multiple of a page.
  std::string header;
  /// hgc_rt_hash64 of the data and of the header.
  uint64_t dataHash = 0, headerHash = 0;
};

/// Layout of the read-only weights of a module: immutable blobs and the initial
/// values of mutable ones, at their planned offsets. Refers to the module's
/// attributes, which live as long as its context.
class WeightsImage {
public:
  /// Fails when a blob has no offset, overlaps another, or has no data.
  static mlir::FailureOr<WeightsImage> create(mlir::ModuleOp module);

  int64_t getByteSize() const { return size; }
  /// Hands all bytes in order to `sink`, in pieces of at most a megabyte.
  void stream(llvm::function_ref<void(llvm::ArrayRef<char>)> sink) const;
  /// Header and hashes of the file that holds the image beside a library.
  WeightsFileInfo describeFile() const;

  /// Bare name of that file.
  static std::string getFileName(llvm::StringRef modelName);

private:
  struct Chunk {
    /// Name in the file.
    std::string tensor;
    mlir::MemRefType type;
    mlir::Attribute value;
    int64_t offset, bytes;
  };
  mlir::LogicalResult add(exec::BlobOp blob, int64_t offset);

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
