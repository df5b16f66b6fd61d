//===- MatrixPack.cpp - write panels of tiles at run time -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"
#include "MatrixRows.h"

#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Whether tiles hold f32 as they are, not in parts.
static bool isWhole(const TilePanel &panel) {
  return cast<MemRefType>(panel.target.getType()).getElementType().isF32();
}

/// Writes the 16 pairs of a step from row `depth` on, of which `valid` rows exist, for 16 columns.
static void packTile(IndexBuilder &index, const TilePanel &panel, Value depth, int64_t valid, int64_t columns,
                     Value to) {
  auto packPair = [&](Value pair, int64_t rows) {
    Value from = index.add(panel.from, index.mul(index.add(depth, index.mul(pair, 2)), panel.rowStride));
    Value first = emitLoadPart(index, panel.source, from, kSide, rows > 0 ? columns : 0);
    Value second = emitLoadPart(index, panel.source, index.add(from, panel.rowStride), kSide, rows > 1 ? columns : 0);
    Value at = index.add(to, index.mul(pair, 2 * kSide));
    if (!isWhole(panel))
      return emitPairs(index, first, second, panel.target, at, panel.width * 2 * kSide);
    emitStore(index, first, panel.target, at);
    emitStore(index, second, panel.target, index.add(at, kSide));
  };
  index.loop(valid / 2, [&](Value pair) { packPair(pair, 2); });
  if (valid % 2)
    packPair(index.constant(valid / 2), 1);
  index.loop(index.constant((valid + 1) / 2), index.constant(kSide), 1, [&](Value pair) { packPair(pair, 0); });
}

void cpu::emitTilePanel(IndexBuilder &index, const TilePanel &panel) {
  constexpr int64_t depth = 2 * kSide;
  int64_t step = (isWhole(panel) ? 1 : 3) * panel.width * depth, full = panel.depth / depth;
  auto packStep = [&](Value number, int64_t valid) {
    for (int64_t column = 0; column < panel.width; column += kSide) {
      TilePanel part = panel;
      part.from = index.add(panel.from, column);
      Value to = index.add(panel.to, index.add(index.mul(number, step), column * depth));
      packTile(index, part, index.mul(number, depth), valid, panel.columns - column, to);
    }
  };
  index.loop(full, [&](Value number) { packStep(number, depth); });
  if (panel.depth % depth)
    packStep(index.constant(full), panel.depth % depth);
}
