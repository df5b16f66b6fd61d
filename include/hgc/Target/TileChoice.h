//===- TileChoice.h - sizes of loops that were measured ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of contractions compute their sizes from extents and the target's table.
// An attribute of the op can say otherwise, sizes that a machine was seen to be
// faster with. Plans still bound them: no text makes code that is wrong.
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_TILECHOICE_H
#define HGC_TARGET_TILECHOICE_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace hgc {

/// Sizes of the loops of a product or convolution on the CPU; 0: the plan's own.
/// Rows are pixels of a row or squares of results in a convolution's register tile,
/// and rows of the result or squares in its blocks.
struct TileChoice {
  /// Register tile.
  int64_t rows = 0, panels = 0;
  /// Cache blocks.
  int64_t rowBlock = 0, panelBlock = 0, depthBlock = 0;

  bool isEmpty() const { return !(rows || panels || rowBlock || panelBlock || depthBlock); }

  /// `rows=6,row_block=48`: what is chosen, empty for nothing.
  std::string str() const;
  /// Reads what `str` writes; nothing for any other text.
  static std::optional<TileChoice> parse(llvm::StringRef text);
};

/// Attribute of a contraction with the text of its choice.
inline constexpr llvm::StringLiteral kTileAttr = "hgc.tile";

/// Attribute of a contraction that was measured: `measured_ps` of its kernel,
/// `untuned_ps` of the same kernel as the cost model would have it, `modelled_ps`,
/// and how many `candidates` were measured.
inline constexpr llvm::StringLiteral kTunedAttr = "hgc.tuned";

/// The op's choice. A text that is none counts as nothing chosen.
TileChoice getTileChoice(mlir::Operation *op);
/// Sets or removes the attribute.
void setTileChoice(mlir::Operation *op, const TileChoice &choice);

} // namespace hgc

#endif // HGC_TARGET_TILECHOICE_H
