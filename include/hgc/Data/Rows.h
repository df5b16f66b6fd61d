//===- Rows.h - rows of arrays as a model wants them ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_DATA_ROWS_H
#define HGC_DATA_ROWS_H

#include "dialects/Graph/Eval/HostTensor.h"

namespace hgc {

/// Refuses a conversion that would change values: integers out of range, floats
/// that are not whole, numbers that become infinite. Floats may be rounded.
llvm::Error checkConversion(const HostTensor &array, mlir::Type element);

/// Whether rows of one shape are rows of the other: the same extents but for
/// those that are 1, or all in one dim.
bool isSameRow(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// Copies rows of `from` to the first rows of `to`, converted to its element
/// type. The rest of `to` gets the first of these rows again. Rows of both have
/// equally many elements; checkConversion has allowed the types.
void gatherRows(const HostTensor &from, llvm::ArrayRef<int64_t> rows, HostTensor &to);

} // namespace hgc

#endif // HGC_DATA_ROWS_H
