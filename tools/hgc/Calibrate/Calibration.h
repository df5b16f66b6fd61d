//===- Calibration.h - a device table from measurements ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_CALIBRATION_H
#define HGC_TOOLS_CALIBRATION_H

#include "KernelTimes.h"

#include "hgc/Target/DeviceTable.h"

namespace hgc::driver {

/// Measures this machine with small models, each compiled by hgc; `seconds` is
/// what each runs for. Says on stderr what it does.
llvm::Expected<DeviceTable> calibrate(const ArgParser &parser, double seconds);

/// Compares what the table says with what is measured, for each kernel and each
/// of `models`, loaded with `flags`; the median error of the kernels must not
/// exceed `maxMedian` percent, if that is above 0.
llvm::Error checkTable(const ArgParser &parser, llvm::ArrayRef<std::string> models, const LoadFlags &flags,
                       double seconds, double maxMedian, bool verbose);

/// A model whose kernel stands for its family.
struct FamilyProbe {
  KernelFamily family;
  const char *what, *arguments, *body, *result, *weight = "";
  int64_t layers = 1;
};
llvm::ArrayRef<FamilyProbe> getFamilyProbes();

} // namespace hgc::driver

#endif // HGC_TOOLS_CALIBRATION_H
