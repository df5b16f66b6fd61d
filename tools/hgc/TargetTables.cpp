//===- TargetTables.cpp - device tables from files ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TargetTables.h"
#include "Driver.h"
#include "Session.h"

#include "hgc/Support/Error.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"
#include "hgc/Target/NativeCpu.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Threading.h"
#include <cstdlib>

using namespace hgc;
using namespace hgc::driver;

/// Adds where a table's mistake is, and what to do.
static llvm::Error explain(llvm::StringRef path, llvm::Error error) {
  return makeError("'" + path + "': " + llvm::toString(std::move(error)),
                   "a table of 'hgc calibrate' shows all keys; docs/cost-model.md says what they mean");
}

/// Sorted and without spaces: how a file was laid out is no input.
static std::string compact(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static llvm::Error readCpu(llvm::StringRef path, std::string text, bool hasTargetCpu, CompileOptions &options) {
  llvm::Expected<DeviceTable> table = parseDeviceTable(text);
  if (!table)
    return explain(path, table.takeError());
  if (hasTargetCpu)
    return usageError("'--target-table' and '--target-cpu' both name the CPU", "drop --target-cpu");
  if (!options.cpuTable.empty())
    return usageError("'--target-table' names two tables of kind 'cpu'", "give one for the CPU and one for the GPU");
  options.targetCpu = table->name;
  options.cpuTable = std::move(text);
  return llvm::Error::success();
}

static llvm::Error readGpu(llvm::StringRef path, std::string text, CompileOptions &options) {
  llvm::Expected<GpuTable> table = parseGpuTable(text);
  if (!table)
    return explain(path, table.takeError());
  if (!options.gpuTable.empty())
    return usageError("'--target-table' names two tables of kind 'gpu'", "give one for the CPU and one for the GPU");
  if (!options.gpu.empty())
    return usageError("'--target-table' and '--gpu' both name the GPU", "drop --gpu: the table says which sm it is");
  options.gpu = "sm_" + std::to_string(table->sm);
  options.gpuTable = std::move(text);
  return llvm::Error::success();
}

llvm::Error hgc::driver::readTargetTables(llvm::ArrayRef<std::string> files, bool hasTargetCpu,
                                          CompileOptions &options) {
  for (llvm::StringRef path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    if (!buffer)
      return makeError("cannot read the table '" + path + "': " + buffer.getError().message(), "check the path");
    llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
    if (!value)
      return explain(path, value.takeError());
    std::string text = compact(*value);
    const llvm::json::Object *object = value->getAsObject();
    bool isGpu = object && object->getString("kind") == llvm::StringRef("gpu");
    if (llvm::Error error =
            isGpu ? readGpu(path, std::move(text), options) : readCpu(path, std::move(text), hasTargetCpu, options))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> hgc::driver::findNativeCpu() {
  HostCpu host = describeHost();
  if (std::optional<std::string> name = chooseNativeCpu(host))
    return *name;
  return makeError("hgc has no table for this machine's CPU '" + host.name + "'",
                   "name one of 'hgc devices' with --target-cpu");
}

llvm::Error hgc::driver::useNativeCpu(CompileOptions &options) {
  llvm::Expected<std::string> cpu = findNativeCpu();
  if (!cpu)
    return cpu.takeError();
  llvm::Expected<const DeviceTable *> known = lookupCpu(*cpu);
  if (!known)
    return known.takeError();
  int64_t cores = llvm::get_physical_cores();
  if (cores <= 0)
    cores = llvm::hardware_concurrency().compute_thread_count();
  DeviceTable table = adaptToHost(**known, cores, readLastCacheBytes());
  options.targetCpu = *cpu;
  options.cpuTable = compact(llvm::cantFail(llvm::json::parse(printDeviceTable(table))));
  return llvm::Error::success();
}

llvm::Expected<std::string> hgc::driver::findPtxas() {
  if (const char *home = std::getenv("CUDA_HOME")) {
    llvm::SmallString<128> path(home);
    llvm::sys::path::append(path, "bin", "ptxas");
    if (llvm::sys::fs::can_execute(path))
      return std::string(path);
  }
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  return makeError("'--cubin' finds no ptxas in CUDA_HOME/bin and PATH",
                   "install the CUDA toolkit, or drop --cubin: PTX serves all GPUs");
}
