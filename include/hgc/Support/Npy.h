//===- Npy.h - NumPy's .npy and .npz files ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy has no bfloat16: bf16 tensors are stored as uint16, and read back as
// ui16 unless the caller asks for bf16 (see convertLoaded).
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_NPY_H
#define HGC_SUPPORT_NPY_H

#include "dialects/Graph/Eval/HostTensor.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <utility>
#include <vector>

namespace hgc {

/// Opens a file without a terminator, mapped when that pays.
llvm::Expected<std::shared_ptr<llvm::MemoryBuffer>> openFile(llvm::StringRef path);

/// Decodes .npy bytes. Fortran order and big-endian data are converted; what
/// is malformed or truncated is an error. `owner` keeps `bytes` alive: the
/// tensor refers to them when no conversion is needed.
llvm::Expected<HostTensor> parseNpy(llvm::StringRef bytes, mlir::MLIRContext *context,
                                    std::shared_ptr<const void> owner = nullptr);

/// Reads a .npy file.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path, mlir::MLIRContext *context);

/// Encodes a tensor as .npy, version 1.0, data aligned to 64 bytes.
void printNpy(const HostTensor &tensor, llvm::raw_ostream &os);
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

/// Tensors by name, in the file's order.
using NamedTensors = std::vector<std::pair<std::string, HostTensor>>;

/// Reads every array of a .npz archive (stored or deflated).
llvm::Expected<NamedTensors> parseNpz(llvm::StringRef bytes, mlir::MLIRContext *context);
llvm::Expected<NamedTensors> readNpz(llvm::StringRef path, mlir::MLIRContext *context);
/// Writes an uncompressed .npz archive of at most 4 GiB.
llvm::Error writeNpz(llvm::StringRef path, const NamedTensors &tensors);

/// `tensor` as element type `expected`: unchanged if it has it, its bits if
/// bf16 is expected and uint16 found, otherwise an error that names both.
llvm::Expected<HostTensor> convertLoaded(HostTensor tensor, mlir::Type expected);

} // namespace hgc

#endif // HGC_SUPPORT_NPY_H
