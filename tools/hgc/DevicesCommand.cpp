//===- DevicesCommand.cpp - hgc devices -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceFlags.h"
#include "Driver.h"

#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"
#include "runtime/include/hgc_rt_cuda.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include <thread>

using namespace hgc;
using namespace hgc::driver;

static constexpr double kGiB = 1 << 30;

/// Why the GPU cannot be used, or "" if it can.
static std::string describeProblem(const hgc_rt_cuda_gpu &gpu) {
  if (gpu.prohibited)
    return "its compute mode forbids computing; set it with: nvidia-smi -c DEFAULT";
  if (!gpu.visible)
    return "hidden by HGC_VISIBLE_DEVICES";
  if (gpu.sm < kOldestSm)
    return "too old: hgc makes code for sm_75 and later";
  if (gpu.free_bytes < 0)
    return "no context can be made on it; another process may own it";
  return "";
}

/// What the driver sees, or why there is nothing to see.
static void printGpus() {
  auto info = std::make_unique<hgc_rt_cuda_info>();
  llvm::outs() << "\nGPUs:\n";
  if (hgc_rt_cuda_find("gpu", nullptr, info.get()) != HGC_RT_OK || info->n_gpus == 0) {
    auto [problem, hint] = llvm::StringRef(info->problem).rtrim().split("\nhint: ");
    llvm::outs() << "  none can be used: " << (problem.empty() ? "the driver sees none" : problem) << "\n";
    if (!hint.empty())
      llvm::outs() << "  hint: " << hint << "\n";
    return;
  }
  for (const hgc_rt_cuda_gpu &gpu : llvm::ArrayRef(info->gpus, info->n_gpus)) {
    llvm::outs() << llvm::formatv("  {0}: {1}, sm_{2}, {3} SMs, {4:F1} GiB", gpu.ordinal, gpu.name, gpu.sm,
                                  gpu.multiprocessors, static_cast<double>(gpu.total_bytes) / kGiB);
    if (gpu.free_bytes >= 0)
      llvm::outs() << llvm::formatv(" ({0:F1} free)", static_cast<double>(gpu.free_bytes) / kGiB);
    llvm::outs() << llvm::formatv(", driver for CUDA {0}.{1}", info->driver_version / 1000,
                                  info->driver_version % 1000 / 10);
    if (std::string problem = describeProblem(gpu); !problem.empty())
      llvm::outs() << "; cannot be used: " << problem;
    llvm::outs() << "\n";
  }
}

static void printEmulated() {
  llvm::Expected<std::string> emulator = findEmulator();
  llvm::outs() << "\nemulated GPUs, for --device=emulated:NAME (GPU code executed on the CPU, slowly):\n";
  if (!emulator) {
    llvm::outs() << "  none: " << llvm::StringRef(llvm::toString(emulator.takeError())).split('\n').first << "\n";
    return;
  }
  llvm::outs() << "  " << llvm::join(listGpus(), ", ") << "\n";
}

static void printTables() {
  llvm::outs() << "\ntables for --gpu (or sm_75 and later):\n";
  for (llvm::StringRef name : listGpus()) {
    GpuTable table = llvm::cantFail(lookupGpu(name));
    llvm::outs() << llvm::formatv("  {0,-18} sm_{1,-4} {2,6:F0} GFLOP/s  {3,5:F0} GB/s  {4} GiB\n", name, table.sm,
                                  table.rate(graph::FlopClass::F32) / 1e9, table.memoryBandwidth / 1e9,
                                  table.memoryBytes >> 30);
  }
  llvm::outs() << "\ntables for --target-cpu (f32 rate and caches of one core):\n";
  for (llvm::StringRef name : listCpus()) {
    const DeviceTable &table = *llvm::cantFail(lookupCpu(name));
    llvm::outs() << llvm::formatv("  {0,-18} {1,-8} {2,6:F0} GFLOP/s  L1 {3} KiB  L2 {4} KiB  L3 {5} KiB\n", name,
                                  llvm::StringRef(table.triple).split('-').first,
                                  table.rate(graph::FlopClass::F32) / 1e9, table.l1Bytes >> 10, table.l2Bytes >> 10,
                                  table.l3Bytes >> 10);
  }
}

int hgc::driver::runDevices(llvm::ArrayRef<const char *> args) {
  ArgParser parser("devices", "list the devices hgc knows and sees", "",
                   "  hgc devices\n  hgc compile model.mlir --target-cpu=znver3 --gpu=a100 -o model.so\n");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed)
    return report(parsed.takeError());
  if (!*parsed)
    return kDone;
  llvm::outs() << "this machine: " << llvm::sys::getHostCPUName() << ", " << std::thread::hardware_concurrency()
               << " threads\n";
  printGpus();
  printEmulated();
  printTables();
  return kDone;
}
