//===- KernelTimes.cpp - measured time of each kernel ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelTimes.h"

#include <algorithm>
#include <chrono>
#include <ctime>

using namespace hgc;
using namespace hgc::driver;

namespace {
struct Recorder {
  ModelTimes times;
  std::map<std::string, std::vector<double>> samples;
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

static void record(void *user, const hgc_rt_kernel_timing *timing) {
  auto &recorder = *static_cast<Recorder *>(user);
  ModelTimes::Kernel &kernel = recorder.times.kernels[timing->name];
  auto ns = static_cast<double>(timing->end_ns - timing->begin_ns);
  if (recorder.usesThreadTime && ns > kLong)
    ns = std::min(ns, readThreadTime() - recorder.thread);
  recorder.samples[timing->name].push_back(ns);
  kernel.ops = timing->ops;
  ++kernel.launches;
  recorder.thread = readThreadTime();
}

/// Other work on the machine adds to a time. A thread's clock may also stand still
/// for a moment, when a virtual machine learns late of time that others took: the
/// very shortest times are not trusted.
static double pickShort(std::vector<double> &samples) {
  size_t rank = std::min(samples.size() - 1, std::max<size_t>(samples.size() / 50, 1));
  std::nth_element(samples.begin(), samples.begin() + static_cast<ptrdiff_t>(rank), samples.end());
  return samples[rank];
}

llvm::Expected<ModelTimes> hgc::driver::measureKernels(const ArgParser &parser, LoadFlags flags, double seconds) {
  Recorder recorder;
  ModelTimes &times = recorder.times;
  ModelLibrary::Options options;
  options.timing = record;
  options.timingUser = &recorder;
  llvm::Expected<LoadedCall> loaded = loadCall(parser, flags, options);
  if (!loaded)
    return loaded.takeError();
  times.threads = hgc_rt_model_get_threads(loaded->model.library->getModel());

  recorder.usesThreadTime = times.threads == 1;
  using Clock = std::chrono::steady_clock;
  Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  // The first calls fill caches and wake threads; the short times forget them.
  do {
    Clock::time_point start = Clock::now();
    recorder.thread = readThreadTime();
    if (llvm::Error error = loaded->call->run())
      return std::move(error);
    double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    times.callNs = times.calls ? std::min(times.callNs, ns) : ns;
    ++times.calls;
  } while (Clock::now() < end || times.calls < 3);
  for (auto &[name, samples] : recorder.samples)
    times.kernels[name].ns = pickShort(samples);
  return std::move(times);
}
