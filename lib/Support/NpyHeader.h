//===- NpyHeader.h - the dictionary at the top of a .npy --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_NPYHEADER_H
#define HGC_SUPPORT_NPYHEADER_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace hgc {

/// What a .npy header says about the data after it.
struct NpyHeader {
  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
  bool fortranOrder = false;
  bool swapBytes = false;
  /// Where the data starts.
  size_t dataOffset = 0;
};

/// Decodes magic, version and dictionary; checks that the shape fits in memory.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, mlir::MLIRContext *context);

/// NumPy's name of an element type: `<f4`, `|b1`. bf16 gives `<u2`.
std::string getNpyDescr(mlir::Type element);

} // namespace hgc

#endif // HGC_SUPPORT_NPYHEADER_H
