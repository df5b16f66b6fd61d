//===- Flatten.h - a kernel and its calls as one sequence -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_FLATTEN_H
#define HGC_EMU_FLATTEN_H

#include "Decoder.h"
#include "Module.h"

#include <deque>

namespace hgc::emu {

/// Decodes a kernel with all functions it calls in their places.
class Flattener {
public:
  Flattener(const ptx::Module &module, Decoder &decoder, Program &program)
      : module(module), decoder(decoder), program(program) {}
  /// Fills decoder.drafts, whose targets are pcs, and the parameters of
  /// `kernel`. False with decoder.error set.
  bool run(const ptx::Function &function, Kernel &kernel);
  /// Decodes a function no kernel calls, only to find what is wrong with it.
  bool verify(const ptx::Function &function);

private:
  bool fail(unsigned line, const std::string &what);
  bool layOutParams(const ptx::Function &function, Frame &frame,
                    Kernel &kernel);
  bool enter(const ptx::Function &function, Frame &frame);
  bool body(uint32_t index);
  bool call(const ptx::Instruction &inst, uint32_t index);
  bool bindArguments(const ptx::Instruction &inst, const Operand *list,
                     const std::vector<int32_t> &formals,
                     const ptx::Function &callee, Frame &caller, Frame &frame);
  const ptx::Function *find(std::string_view name) const;

  const ptx::Module &module;
  Decoder &decoder;
  Program &program;
  std::deque<Frame> frames;
  std::vector<const ptx::Function *> stack;
  uint32_t localTop = 0;
};

} // namespace hgc::emu

#endif // HGC_EMU_FLATTEN_H
