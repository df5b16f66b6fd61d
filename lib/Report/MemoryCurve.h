//===- MemoryCurve.h - memory of a program over time ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_REPORT_MEMORYCURVE_H
#define HGC_LIB_REPORT_MEMORYCURVE_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Report/Plan.h"

namespace hgc::plans {

/// Adds what `program` needs to the devices in `memory`: programs of a plan share
/// their arena, so the largest counts.
void addMemory(exec::ProgramOp program, mlir::ModuleOp module, std::vector<MemoryPlan> &memory);

} // namespace hgc::plans

#endif // HGC_LIB_REPORT_MEMORYCURVE_H
