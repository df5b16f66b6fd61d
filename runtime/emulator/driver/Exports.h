//===- Exports.h - every function by name and version ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_EXPORTS_H
#define HGC_EMU_EXPORTS_H

namespace hgc::emu::driver {

/// What `name` means to a client of that CUDA version, or null; `known` says
/// whether any version has the name.
void *findExport(const char *name, int version, bool perThread, bool &known);

} // namespace hgc::emu::driver

#endif // HGC_EMU_EXPORTS_H
