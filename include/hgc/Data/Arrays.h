//===- Arrays.h - arrays in files of many formats ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data sets come as IDX, .npy, .npz or CSV files, each of them plain or
// compressed by gzip. The contents decide, the ending only marks CSV. What
// needs no conversion refers to the mapped file.
//===----------------------------------------------------------------------===//

#ifndef HGC_DATA_ARRAYS_H
#define HGC_DATA_ARRAYS_H

#include "hgc/Support/Npy.h"

namespace hgc {

/// Bytes that something keeps alive.
struct OwnedBytes {
  llvm::StringRef bytes;
  std::shared_ptr<const void> owner;
};

/// The contents of a file, decompressed when it is a gzip file. A cut or
/// damaged one is an error.
llvm::Expected<OwnedBytes> readPlainBytes(llvm::StringRef path);

/// Whether the bytes start as those of an IDX file.
bool isIdx(llvm::StringRef bytes);
/// Decodes IDX: two zero bytes, element type, rank, extents, elements; all of
/// it big-endian.
llvm::Expected<HostTensor> parseIdx(const OwnedBytes &file, mlir::MLIRContext *context);

/// A name and where its array is: `FILE`, `FILE.npz:array`, or
/// `FILE.csv:columns`.
struct ArraySource {
  std::string name, spec;
};

/// Reads one array for each source; each file is opened once. A .npz without
/// an array's name means its array of the source's name, or its only one. A
/// CSV file without columns means all columns no other source takes from it.
llvm::Expected<NamedTensors> readArrays(llvm::ArrayRef<ArraySource> sources, mlir::MLIRContext *context);

} // namespace hgc

#endif // HGC_DATA_ARRAYS_H
