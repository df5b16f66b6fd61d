//===- TileCandidates.h - sizes of loops worth measuring --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_TILECANDIDATES_H
#define HGC_CODEGEN_CPU_TILECANDIDATES_H

#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/TileChoice.h"

#include <vector>

namespace hgc::cpu {

/// Register tiles worth measuring for a contraction of stage exec, the most promising
/// first. Neither the one it has nor two that make the same code; none for roots
/// whose loops have no such tile.
std::vector<TileChoice> listRegisterTiles(mlir::Operation *root, const DeviceTable &target);

/// The same for cache blocks around those that the op has with its choice.
std::vector<TileChoice> listBlocks(mlir::Operation *root, const DeviceTable &target);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_TILECANDIDATES_H
