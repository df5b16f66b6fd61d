//===- Control.h - instructions that move lanes ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_CONTROL_H
#define HGC_EMU_CONTROL_H

#include "Machine.h"

namespace hgc::emu {

/// Active lanes whose guard holds.
inline uint32_t guardMask(const Warp &w, const Inst &inst) {
  if (inst.guard < 0)
    return w.active;
  uint32_t p = w.predicates[inst.guard];
  return w.active & (inst.guardNegated ? ~p : p);
}

bool runExit(Warp &w, const Inst &inst);
bool runBranch(Warp &w, const Inst &inst);
bool runIndexedBranch(Warp &w, const Inst &inst);

/// For `.sync` instructions: whether all living lanes of `members` are here.
/// Otherwise the active lanes are set aside until the others come.
bool gather(Warp &w, uint32_t members);

/// Gives the waiting lanes of bar.red their result.
void finishReduction(Block &block, unsigned barrier);

} // namespace hgc::emu

#endif // HGC_EMU_CONTROL_H
