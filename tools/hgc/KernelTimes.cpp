//===- KernelTimes.cpp - measured time of each kernel ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelTimes.h"

#include <chrono>
#include <ctime>

using namespace hgc;
using namespace hgc::driver;

namespace {
struct Recorder {
  ModelTimes times;
  /// Time the calling thread has run, at the end of the kernel before.
  double thread = 0;
  /// A kernel on one thread takes no longer than that thread runs: what the system
  /// gives to other processes meanwhile does not count.
  bool usesThreadTime = false;
};
} // namespace

/// Nanoseconds from which on the thread's own clock is exact enough.
static constexpr double kLong = 5e4;

static double readThreadTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

static void keepShortest(void *user, const hgc_rt_kernel_timing *timing) {
  auto &recorder = *static_cast<Recorder *>(user);
  ModelTimes::Kernel &kernel = recorder.times.kernels[timing->name];
  auto ns = static_cast<double>(timing->end_ns - timing->begin_ns);
  if (recorder.usesThreadTime && ns > kLong)
    ns = std::min(ns, readThreadTime() - recorder.thread);
  kernel.ns = kernel.launches ? std::min(kernel.ns, ns) : ns;
  kernel.ops = timing->ops;
  ++kernel.launches;
  recorder.thread = readThreadTime();
}

llvm::Expected<ModelTimes> hgc::driver::measureKernels(const ArgParser &parser, LoadFlags flags, double seconds) {
  Recorder recorder;
  ModelTimes &times = recorder.times;
  ModelLibrary::Options options;
  options.timing = keepShortest;
  options.timingUser = &recorder;
  llvm::Expected<LoadedCall> loaded = loadCall(parser, flags, options);
  if (!loaded)
    return loaded.takeError();
  times.threads = hgc_rt_model_get_threads(loaded->model.library->getModel());

  recorder.usesThreadTime = times.threads == 1;
  using Clock = std::chrono::steady_clock;
  Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  // The first calls fill caches and wake threads; the shortest time forgets them.
  do {
    Clock::time_point start = Clock::now();
    recorder.thread = readThreadTime();
    if (llvm::Error error = loaded->call->run())
      return std::move(error);
    double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    times.callNs = times.calls ? std::min(times.callNs, ns) : ns;
    ++times.calls;
  } while (Clock::now() < end || times.calls < 3);
  return times;
}
