//===- Launch.cpp - cuLaunchKernel* ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "StreamRef.h"

#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// A launch as the client asks for it.
struct Request {
  hgc_cu_function function;
  unsigned grid[3], block[3];
  unsigned shared;
  hgc_cu_stream stream;
  void **params, **extra;
  bool unsupported; ///< Has attributes that are not emulated.
};

/// Whether the GPU and the kernel allow the geometry.
Result checkGeometry(const Request &request, const Function &function) {
  const Kernel &kernel = *function.kernel;
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (!request.grid[i] || request.grid[i] > Limits::grid[i] ||
        !request.block[i] || request.block[i] > Limits::block[i])
      return HGC_CU_ERROR_INVALID_VALUE;
    if (kernel.reqThreads[0] &&
        request.block[i] != std::max(kernel.reqThreads[i], 1u))
      return HGC_CU_ERROR_INVALID_VALUE;
    threads *= request.block[i];
  }
  if (threads > threadLimit(kernel))
    return HGC_CU_ERROR_INVALID_VALUE;
  if (request.shared > unsigned(function.maxDynamicShared))
    return HGC_CU_ERROR_INVALID_VALUE;
  const DeviceTable &table = *function.module->context->device->table;
  // An assembler needs between half and twice the registers counted here; only
  // what cannot fit by any count is refused.
  if (blocksPerMultiprocessor(table, unsigned(threads), registersOf(kernel) / 2,
                              kernel.staticShared + request.shared) == 0)
    return HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES;
  return HGC_CU_SUCCESS;
}

/// Arguments in one buffer, from `extra`.
Result packExtra(void **extra, const Kernel &kernel,
                 std::vector<uint8_t> &packed) {
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (void **at = extra; *at; at += 2) {
    uintptr_t key = reinterpret_cast<uintptr_t>(*at);
    if (key == cuda::paramBuffer)
      buffer = at[1];
    else if (key == cuda::paramBytes)
      bytes = *static_cast<size_t *>(at[1]);
    else
      return HGC_CU_ERROR_INVALID_VALUE;
  }
  if (kernel.paramBytes && (!buffer || bytes < kernel.paramBytes))
    return HGC_CU_ERROR_INVALID_VALUE;
  if (kernel.paramBytes)
    std::memcpy(packed.data(), buffer, kernel.paramBytes);
  return HGC_CU_SUCCESS;
}

/// The arguments are read now: the client may change them after the call.
Result packArguments(const Request &request, const Kernel &kernel,
                     std::vector<uint8_t> &packed) {
  packed.assign(kernel.paramBytes, 0);
  if (request.params && request.extra)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (request.extra)
    return packExtra(request.extra, kernel, packed);
  if (kernel.params.empty())
    return HGC_CU_SUCCESS;
  if (!request.params)
    return HGC_CU_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    if (!request.params[i])
      return HGC_CU_ERROR_INVALID_VALUE;
    std::memcpy(packed.data() + kernel.params[i].offset, request.params[i],
                kernel.params[i].bytes);
  }
  return HGC_CU_SUCCESS;
}

Result codeOf(Finding::Kind kind) {
  switch (kind) {
  case Finding::OutOfBounds:
  case Finding::UseAfterFree:
  case Finding::ReadOnlyWrite:
    return HGC_CU_ERROR_ILLEGAL_ADDRESS;
  case Finding::Misaligned:
    return HGC_CU_ERROR_MISALIGNED_ADDRESS;
  case Finding::InstructionLimit:
    return HGC_CU_ERROR_LAUNCH_TIMEOUT;
  case Finding::Unsupported:
    return HGC_CU_ERROR_ILLEGAL_INSTRUCTION;
  default:
    return HGC_CU_ERROR_LAUNCH_FAILED;
  }
}

/// Bytes of ranges that may overlap each other.
uint64_t uniqueBytes(const std::vector<Interval> &reads,
                     const std::vector<Interval> &writes) {
  std::vector<Interval> all(reads);
  all.insert(all.end(), writes.begin(), writes.end());
  std::sort(all.begin(), all.end(), [](const Interval &a, const Interval &b) {
    return a.begin < b.begin;
  });
  uint64_t total = 0, reached = 0;
  for (const Interval &interval : all) {
    uint64_t begin = std::max(interval.begin, reached);
    if (interval.end > begin)
      total += interval.end - begin;
    reached = std::max(reached, interval.end);
  }
  return total;
}

/// One launch, kept until it runs.
struct LaunchJob {
  std::shared_ptr<Function> function;
  hgc::emu::LaunchConfig config;
  std::vector<uint8_t> params;
  unsigned blocksAtOnce = 1;
};

void runLaunch(Op &op, LaunchJob &job) {
  Driver &driver = Driver::get();
  Device &device = *op.context->device;
  const Kernel &kernel = *job.function->kernel;
  job.config.params = job.params.data();
  job.config.paramBytes = job.params.size();
  Counters counters;
  LaunchResult result = launch(kernel, job.config, *device.memory, counters);
  for (const Finding &finding : result.findings)
    driver.fault(*op.context, codeOf(finding.kind), finding.message(), "");
  for (const Interval &range : result.reads)
    op.accesses.push_back({range.begin, range.end, false});
  for (const Interval &range : result.writes)
    op.accesses.push_back({range.begin, range.end, true});
  uint64_t unique =
      job.config.trackRanges
          ? uniqueBytes(result.reads, result.writes)
          : counters.globalBytesLoaded + counters.globalBytesStored;
  op.cost = kernelCost(*device.table, counters, job.blocksAtOnce, unique);
  driver.counters.addKernel(kernel.name, counters, unique, op.cost.seconds);
}

Result launchKernel(const char *name, const Request &request, bool perThread) {
  Call call(name, Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Function> function =
      call.driver.functions.find(request.function);
  StreamRef ref(call, request.stream, perThread);
  if (!function)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (!ref)
    return ref.error;
  if (function->module->context != call.context.get() ||
      ref.context != call.context)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (Result error = checkGeometry(request, *function))
    return error;
  if (request.unsupported)
    return HGC_CU_ERROR_NOT_SUPPORTED;
  auto job = std::make_shared<LaunchJob>();
  if (Result error = packArguments(request, *function->kernel, job->params))
    return error;

  const Config &settings = call.driver.config;
  const DeviceTable &table = *call.context->device->table;
  const Kernel &kernel = *function->kernel;
  job->function = function;
  std::copy_n(request.grid, 3, job->config.grid);
  std::copy_n(request.block, 3, job->config.block);
  job->config.dynamicShared = request.shared;
  job->config.maxShared = table.sharedOptin;
  job->config.multiprocessors = table.multiprocessors;
  job->config.sm = table.sm;
  job->config.checkRaces = settings.checkRaces;
  job->config.checkUninitialised = settings.checkInit;
  job->config.checkBlocks = settings.checkBlocks;
  job->config.approxSeed = settings.approxSeed;
  job->config.trackRanges = settings.checkOrder;
  job->config.threads = settings.threads;
  job->blocksAtOnce = blocksPerMultiprocessor(
      table, request.block[0] * request.block[1] * request.block[2],
      registersOf(kernel), kernel.staticShared + request.shared);

  auto op = std::make_shared<Op>();
  op->what = "kernel '" + kernel.name + "'";
  op->engine = EngineKind::Compute;
  op->hostCost = Latency::launch;
  op->latency = Latency::kernel;
  op->run = [job](Op &self) { runLaunch(self, *job); };
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  return HGC_CU_SUCCESS;
}

Result launchEx(const cuda::LaunchConfig *config, hgc_cu_function function,
                void **params, void **extra, bool perThread) {
  Request request = {};
  if (config) {
    for (unsigned i = 0; i < config->attributeCount; ++i)
      request.unsupported |=
          config->attributes[i].id != cuda::attributeIgnore &&
          config->attributes[i].id != cuda::attributePriority;
    std::copy_n(config->grid, 3, request.grid);
    std::copy_n(config->block, 3, request.block);
    request.shared = config->sharedBytes;
    request.stream = config->stream;
  }
  // Without a configuration the grid is empty, which is refused below.
  request.function = function;
  request.params = params;
  request.extra = extra;
  return launchKernel("cuLaunchKernelEx", request, perThread);
}

} // namespace

#define HGC_EMU_LAUNCH(name, perThread)                                        \
  HGC_EMU_API Result name(hgc_cu_function function, unsigned gx, unsigned gy,  \
                          unsigned gz, unsigned bx, unsigned by, unsigned bz,  \
                          unsigned shared, hgc_cu_stream stream,               \
                          void **params, void **extra) {                       \
    return launchKernel("cuLaunchKernel",                                      \
                        {function,                                             \
                         {gx, gy, gz},                                         \
                         {bx, by, bz},                                         \
                         shared,                                               \
                         stream,                                               \
                         params,                                               \
                         extra,                                                \
                         false},                                               \
                        perThread);                                            \
  }
HGC_EMU_LAUNCH(cuLaunchKernel, false)
HGC_EMU_LAUNCH(cuLaunchKernel_ptsz, true)

HGC_EMU_API Result cuLaunchKernelEx(const cuda::LaunchConfig *config,
                                    hgc_cu_function function, void **params,
                                    void **extra) {
  return launchEx(config, function, params, extra, false);
}
HGC_EMU_API Result cuLaunchKernelEx_ptsz(const cuda::LaunchConfig *config,
                                         hgc_cu_function function,
                                         void **params, void **extra) {
  return launchEx(config, function, params, extra, true);
}
