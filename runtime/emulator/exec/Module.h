//===- Module.h - a PTX module ready to run -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX text is parsed and verified as a whole: what the emulator does not know
// is an error with its line, never ignored. Module variables get their place
// in device memory at load time.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_MODULE_H
#define HGC_EMU_MODULE_H

#include "Memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hgc::emu {

struct Program; // decoded code, private to exec/

/// One parameter of a kernel in the packed parameter block.
struct KernelParam {
  std::string name;
  uint32_t offset = 0;
  uint32_t bytes = 0;
  uint32_t alignment = 0;
};

/// A kernel (`.entry`) of a module.
struct Kernel {
  std::string name;
  unsigned line = 0;
  std::vector<KernelParam> params;
  uint32_t paramBytes = 0;
  uint32_t maxThreads[3] = {0, 0, 0}; ///< .maxntid; 0: not given.
  uint32_t reqThreads[3] = {0, 0, 0}; ///< .reqntid; 0: not given.
  uint32_t minBlocks = 0;             ///< .minnctapersm
  uint32_t staticShared = 0;          ///< Bytes of static shared variables.
  uint32_t localBytes = 0;            ///< Per thread, calls included.
  uint32_t registers = 0; ///< 32-bit registers that are live at once.
  std::shared_ptr<const Program> program;
};

/// A module variable in `.global` or `.const` memory.
struct GlobalVariable {
  std::string name;
  uint64_t address = 0;
  uint64_t bytes = 0;
  bool readOnly = false;
};

/// A loaded module. Owns its variables in `memory`, which must outlive it.
class Module {
public:
  /// Parses, verifies and places `text`. Null on failure; `error` then says
  /// why: "line 12: unknown instruction 'foo.u32': foo.u32 %r1, %r2;".
  /// `outOfMemory` (may be null) is set when only memory was missing.
  static std::unique_ptr<Module> load(const char *text, size_t length,
                                      Memory &memory, std::string &error,
                                      bool *outOfMemory = nullptr);
  ~Module();

  /// Null when there is none of that name.
  const Kernel *kernel(const std::string &name) const;
  const GlobalVariable *global(const std::string &name) const;
  const std::vector<std::unique_ptr<Kernel>> &kernels() const {
    return entries;
  }
  /// `.target sm_80` is 80.
  unsigned targetSm() const { return sm; }
  /// `.version 7.0` is 70.
  unsigned ptxVersion() const { return version; }

private:
  Module() = default;
  friend class ModuleLoader;

  Memory *memory = nullptr;
  unsigned sm = 0;
  unsigned version = 0;
  std::vector<std::unique_ptr<Kernel>> entries;
  std::vector<GlobalVariable> globals;
};

} // namespace hgc::emu

#endif // HGC_EMU_MODULE_H
