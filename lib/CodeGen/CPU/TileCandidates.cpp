//===- TileCandidates.cpp - sizes of loops worth measuring ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/TileCandidates.h"

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/Target/MatrixUnit.h"

#include <set>

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// What the plan of a contraction has chosen, and between what.
struct TilePlan {
  /// All sizes, and what makes plans different.
  TileChoice sizes;
  std::string text;
  /// Rows that tiles cover, panels that they may cover, and vectors of a panel.
  int64_t rows = 1, panels = 1, vectors = 1;
};

std::optional<TilePlan> describe(const Matmul &problem, const DeviceTable &target) {
  GemmPlan plan = planGemm(problem.shape, target);
  if (plan.isDot)
    return std::nullopt;
  return TilePlan{{plan.rowTile, plan.panelTile, plan.rowBlock, plan.panelBlock, plan.depthBlock},
                  plan.describe(),
                  problem.shape.rows,
                  plan.panels,
                  plan.vectors};
}

std::optional<TilePlan> describe(Operation *root, const DeviceTable &target) {
  // The matrix unit's tiles have one size.
  if (usesMatrixUnit(root))
    return std::nullopt;
  if (auto matmul = dyn_cast<graph::MatmulOp>(root))
    return describe(Matmul(matmul), target);
  auto conv = dyn_cast<graph::ConvOp>(root);
  if (!conv)
    return std::nullopt;
  if (getConvForm(conv) == ConvForm::Gemm)
    if (std::optional<Matmul> product = Matmul::fromConv(conv))
      return describe(*product, target);
  ConvKind kind = chooseConvKind(ConvView(conv));
  if (kind == ConvKind::Winograd) {
    WinogradPlan plan(conv, target);
    return TilePlan{{plan.rowTile, 0, plan.tileBlock, plan.panelBlock, 0},
                    plan.describe(),
                    plan.tiles,
                    1,
                    static_cast<int64_t>(llvm::divideCeil(plan.width, plan.lanes))};
  }
  if (kind != ConvKind::Direct)
    return std::nullopt;
  ConvPlan plan(conv, target);
  return TilePlan{{plan.pixelTile, 0, plan.pixelBlocks > 1 ? 0 : plan.rowBlock, plan.panelBlock, 0},
                  plan.describe(),
                  plan.shape.spatial[2].output,
                  1,
                  static_cast<int64_t>(llvm::divideCeil(plan.width, plan.lanes))};
}

/// Steps that `extent` takes in tiles of `tile`, the last one shorter.
template <typename Cost> int64_t sumTiles(int64_t extent, int64_t tile, Cost cost) {
  return extent / tile * cost(tile) + (extent % tile ? cost(extent % tile) : 0);
}

/// Keeps the choices that make plans of their own.
class Collector {
public:
  Collector(Operation *root, const DeviceTable &target) : root(root), target(target), before(getTileChoice(root)) {
    seen.insert(describe(root, target)->text);
  }

  void add(const TileChoice &choice) {
    setTileChoice(root, choice);
    if (std::optional<TilePlan> plan = describe(root, target); plan && seen.insert(plan->text).second)
      choices.push_back(choice);
    setTileChoice(root, before);
  }

  std::vector<TileChoice> choices;

private:
  Operation *root;
  const DeviceTable &target;
  TileChoice before;
  std::set<std::string> seen;
};

} // namespace

std::vector<TileChoice> cpu::listRegisterTiles(Operation *root, const DeviceTable &target) {
  constexpr size_t most = 4;
  std::optional<TilePlan> plan = describe(root, target);
  if (!plan || plan->rows < 1 || plan->panels < 1)
    return {};
  // By the arithmetic of the tiles, then by the loads that a product takes.
  std::vector<std::tuple<int64_t, double, int64_t, int64_t>> tiles;
  for (int64_t rows = 1; rows <= std::min<int64_t>(plan->rows, target.vectorRegisters); ++rows)
    for (int64_t panels = 1; panels <= plan->panels; ++panels) {
      int64_t width = panels * plan->vectors;
      if (!fitsRegisters(rows, width, target))
        break;
      int64_t cost = sumTiles(plan->panels, panels, [&](int64_t panels) {
        return sumTiles(plan->rows, rows, [&](int64_t rows) { return estimateTile(rows, panels * plan->vectors); });
      });
      tiles.emplace_back(cost, static_cast<double>(rows + width) / static_cast<double>(rows * width), rows, panels);
    }
  llvm::sort(tiles);
  Collector collector(root, target);
  for (auto [cost, loads, rows, panels] : tiles) {
    // What computes a quarter more for nothing cannot win.
    if (collector.choices.size() == most || 4 * cost > 5 * std::get<0>(tiles.front()))
      break;
    collector.add({rows, plan->sizes.panels ? panels : 0});
  }
  return collector.choices;
}

std::vector<TileChoice> cpu::listBlocks(Operation *root, const DeviceTable &target) {
  std::optional<TilePlan> plan = describe(root, target);
  if (!plan)
    return {};
  Collector collector(root, target);
  for (int64_t TileChoice::*field : {&TileChoice::rowBlock, &TileChoice::depthBlock, &TileChoice::panelBlock})
    for (bool isLarger : {true, false}) {
      int64_t size = plan->sizes.*field;
      if (size == 0)
        continue;
      TileChoice choice = getTileChoice(root);
      // Halves are rounded up, so that two blocks are as long as one.
      choice.*field = isLarger ? 2 * size : (size + 1) / 2;
      collector.add(choice);
    }
  return collector.choices;
}
