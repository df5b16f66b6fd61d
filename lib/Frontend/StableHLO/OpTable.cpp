//===- OpTable.cpp - which ops hgc imports, and by what -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpTable.h"

#include "hgc/Frontend/StableHLO.h"

using namespace hgc;
using namespace hgc::stablehlo;

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable result;
    for (auto add : {addElementwiseOps, addIntegerOps, addChloOps, addShapeOps, addDynamicOps, addContractionOps,
                     addConvolutionOps, addReductionOps, addNormalizationOps, addWindowOps, addGatherOps, addScatterOps,
                     addOrderingOps, addControlFlowOps, addRefusedOps})
      add(result);
    return result;
  }();
  return table;
}

const OpEntry *OpTable::lookup(llvm::StringRef op) const {
  auto found = entries.find(op);
  return found == entries.end() ? nullptr : &found->second;
}

std::vector<StableHloOpInfo> hgc::listStableHloOps() {
  std::vector<StableHloOpInfo> ops;
  for (const auto &entry : OpTable::get().getEntries())
    ops.push_back({entry.first().str(), entry.second.import != nullptr, entry.second.note.str()});
  llvm::sort(ops, [](const StableHloOpInfo &a, const StableHloOpInfo &b) { return a.name < b.name; });
  return ops;
}
