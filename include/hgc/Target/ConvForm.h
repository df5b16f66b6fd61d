//===- ConvForm.h - how the CPU computes a convolution ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chosen before packing, which writes the filter as the form reads it; the cost model
// and code generation ask here what was chosen.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_CONVFORM_H
#define HGC_TARGET_CONVFORM_H

#include "dialects/Graph/GraphOps.h"

#include <optional>

namespace hgc {

/// * `Generic`: element by element, in any layout.
/// * `Depthwise`: one filter a channel, vectors along the channels.
/// * `Direct`: register tiles over neighbouring pixels of a row.
/// * `Gemm`: a product over all pixels, for windows of one pixel.
/// * `Winograd2`, `Winograd4`: squares of 2x2 and 4x4 results; see Winograd.h.
/// * `Winograd2Compact`, `Winograd4Compact`: the same with filters that are transformed at every call, and take no
///   more memory than they do in the other forms.
/// * `Matrix`: a product of all windows by the matrix unit; see MatrixUnit.h.
enum class ConvForm {
  Generic,
  Depthwise,
  Direct,
  Gemm,
  Winograd2,
  Winograd4,
  Matrix,
  Winograd2Compact,
  Winograd4Compact
};

/// Their names on the command line.
inline constexpr llvm::StringLiteral kConvFormNames[] = {"generic", "depthwise",         "direct",
                                                         "gemm",    "winograd2",         "winograd4",
                                                         "matrix",  "winograd2-compact", "winograd4-compact"};

llvm::StringRef stringify(ConvForm form);
std::optional<ConvForm> parseConvForm(llvm::StringRef name);

/// Attribute of a convolution with the name of a form that it does not have by its
/// shape and layout alone.
inline constexpr llvm::StringLiteral kConvFormAttr = "hgc.form";

/// Attribute of a function that computes gradients, whose convolutions stay exact.
inline constexpr llvm::StringLiteral kDifferentiatedAttr = "hgc.differentiated";

/// The form that the op has.
ConvForm getConvForm(graph::ConvOp op);

/// Side of the squares of results of that form; 0 for others than Winograd's.
int64_t getWinogradTile(ConvForm form);
inline int64_t getWinogradTile(graph::ConvOp op) { return getWinogradTile(getConvForm(op)); }

/// Whether that form transforms its filter at every call.
inline bool isCompact(ConvForm form) {
  return form == ConvForm::Winograd2Compact || form == ConvForm::Winograd4Compact;
}

/// Whether the op, not packed yet, can have the form. Winograd's needs a filter that
/// is known before a call, too, which is the caller's business.
bool canHaveForm(graph::ConvOp op, ConvForm form);

/// Whether `reader`, a depthwise convolution, can compute what it reads of the result of
/// `conv`, and of elementwise ops in between, itself: some rows at a time, in one kernel of
/// the CPU. `conv` looks at one pixel at a time and is packed.
bool canStage(graph::ConvOp conv, graph::ConvOp reader);

/// The same for a pool of images with rows and pixels, and a convolution in the direct form or
/// Winograd's, or at one pixel at a time.
bool canStage(graph::ConvOp conv, graph::PoolOp pool);

} // namespace hgc

#endif // HGC_TARGET_CONVFORM_H
