//===- DevicesCommand.cpp - hgc devices -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArgParser.h"
#include "Driver.h"

#include "hgc/Target/DeviceTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include <thread>

int hgc::driver::runDevices(llvm::ArrayRef<const char *> args) {
  ArgParser parser("devices", "list the devices hgc knows and sees", "",
                   "  hgc devices\n  hgc compile model.mlir --target-cpu=znver3 -o model.so\n");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed)
    return report(parsed.takeError());
  if (!*parsed)
    return kDone;
  llvm::outs() << "this machine: " << llvm::sys::getHostCPUName() << ", " << std::thread::hardware_concurrency()
               << " threads\n\n"
               << "tables for --target-cpu (f32 rate and caches of one core):\n";
  for (llvm::StringRef name : listCpus()) {
    const DeviceTable &table = *llvm::cantFail(lookupCpu(name));
    llvm::outs() << llvm::formatv("  {0,-18} {1,6:F0} GFLOP/s  L1 {2} KiB  L2 {3} KiB  L3 {4} KiB\n", name,
                                  table.rate(graph::FlopClass::F32) / 1e9, table.l1Bytes >> 10, table.l2Bytes >> 10,
                                  table.l3Bytes >> 10);
  }
  return kDone;
}
