//===- Panel.h - the packed layout of contraction weights -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packing pass writes panels and code generation reads them; both ask here.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_PANEL_H
#define HGC_TARGET_PANEL_H

#include "dialects/Graph/Window.h"
#include "hgc/Target/DeviceTable.h"

#include "mlir/IR/Types.h"

namespace hgc {

/// Rows of the tallest register tile of a product on any CPU: what is decided before products are planned counts on
/// no more of them at a time.
inline constexpr int64_t kMostTileRows = 12;

/// Whether LLVM's CPU of the table, an x86, has the feature.
bool hasX86Feature(const DeviceTable &table, llvm::StringRef feature);

/// Columns of a panel for operands of type `element`: two vectors of the
/// accumulator type.
int64_t getPanelWidth(const DeviceTable &table, mlir::Type element);

/// Elements of the depth that panels of type `element` hold side by side: as many as an
/// instruction of the target multiplies and sums exactly. 4 for i8 where bytes have dot
/// products (AVX-512 VNNI, AVX-VNNI), 2 on other x86, else 1.
int64_t chooseInterleave(const DeviceTable &table, mlir::Type element);

/// Whether a product of `rows` rows reads a right operand whose rows have `rowBytes`
/// bytes in place as fast as from panels that are made for this product alone.
bool readsInPlace(const DeviceTable &table, int64_t rows, int64_t rowBytes);

/// Whether rows of `rowBytes` bytes that lie apart are fetched as fast one by one as all
/// of them are copied side by side.
bool readsRowsApart(int64_t rowBytes);

/// Whether `count` lines `stride` bytes apart compete for few sets of the first-level
/// cache: all are in use at a time, beside what streams through.
bool linesCollide(const DeviceTable &table, int64_t count, int64_t stride);

/// Whether a convolution gains from a packed filter. Depthwise filters do not:
/// their natural layout is already contiguous along the channels.
bool wantsPackedFilter(const graph::ConvShape &shape);

/// Whether a convolution or its gradient is a product over all pixels: it looks at
/// one pixel at a time, and its channels lie side by side.
bool isPixelProduct(const graph::ConvShape &shape);

} // namespace hgc

#endif // HGC_TARGET_PANEL_H
