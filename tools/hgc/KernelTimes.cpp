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

/// Calls for about `seconds`; `prepare` runs before each call.
static llvm::Expected<ModelTimes> measureCalls(PreparedCall &call, hgc_rt_model *model, Recorder &recorder,
                                               double seconds, llvm::function_ref<void()> prepare) {
  recorder.times = ModelTimes();
  recorder.samples.clear();
  ModelTimes &times = recorder.times;
  times.threads = hgc_rt_model_get_threads(model);
  recorder.usesThreadTime = times.threads == 1;
  using Clock = std::chrono::steady_clock;
  Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  // The first calls fill caches and wake threads; the short times forget them.
  do {
    prepare();
    Clock::time_point start = Clock::now();
    recorder.thread = readThreadTime();
    if (llvm::Error error = call.run())
      return std::move(error);
    double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    times.callNs = times.calls ? std::min(times.callNs, ns) : ns;
    ++times.calls;
  } while (Clock::now() < end || times.calls < 3);
  for (auto &[name, samples] : recorder.samples)
    times.kernels[name].ns = pickShort(samples);
  return std::move(times);
}

llvm::Expected<ModelTimes> hgc::driver::measureKernels(const ArgParser &parser, LoadFlags flags, double seconds) {
  Recorder recorder;
  ModelLibrary::Options options;
  options.timing = record;
  options.timingUser = &recorder;
  llvm::Expected<LoadedCall> loaded = loadCall(parser, flags, options);
  if (!loaded)
    return loaded.takeError();
  return measureCalls(*loaded->call, loaded->model.library->getModel(), recorder, seconds, [] {});
}

double ModelTimes::getKernelNs() const {
  double ns = 0;
  for (const auto &entry : kernels)
    ns += entry.second.ns * static_cast<double>(entry.second.launches) / static_cast<double>(calls);
  return ns;
}

struct TimedCall::State {
  Recorder recorder;
  std::unique_ptr<ModelLibrary> library;
  std::vector<HostTensor> inputs, outputs;
  std::unique_ptr<PreparedCall> call;
  std::vector<char> others;
};

TimedCall::TimedCall(std::unique_ptr<State> state) : state(std::move(state)) {}
TimedCall::~TimedCall() = default;

llvm::Expected<std::unique_ptr<TimedCall>> TimedCall::open(llvm::StringRef path, int64_t threads,
                                                           mlir::MLIRContext *context, int64_t coldBytes) {
  auto state = std::make_unique<State>();
  ModelLibrary::Options options;
  options.threads = threads;
  options.device = "cpu";
  options.timing = record;
  options.timingUser = &state->recorder;
  auto library = ModelLibrary::open(path, options, context);
  if (!library)
    return library.takeError();
  state->library = std::move(*library);
  auto inputs = makeInputs(state->library->getEntries().front(), InputOptions(), context);
  if (!inputs)
    return inputs.takeError();
  state->inputs = std::move(*inputs);
  auto outputs = state->library->makeOutputs(0, state->inputs);
  if (!outputs)
    return outputs.takeError();
  state->outputs = std::move(*outputs);
  auto call = PreparedCall::create(state->library->getModel(), 0, state->inputs, state->outputs);
  if (!call)
    return call.takeError();
  state->call = std::move(*call);
  state->others.assign(coldBytes, 1);
  return std::unique_ptr<TimedCall>(new TimedCall(std::move(state)));
}

/// Loads every line of a range.
static void touch(const char *data, size_t bytes) {
  constexpr size_t line = 64;
  for (size_t i = 0; i < bytes; i += line)
    (void)*static_cast<const volatile char *>(data + i);
}

llvm::Expected<ModelTimes> TimedCall::measure(double seconds) {
  return measureCalls(*state->call, state->library->getModel(), state->recorder, seconds, [&] {
    touch(state->others.data(), state->others.size());
    for (const HostTensor &input : state->inputs)
      touch(input.data(), input.getNumBytes());
  });
}
