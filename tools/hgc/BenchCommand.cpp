//===- BenchCommand.cpp - hgc bench ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Loading.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <chrono>

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples = R"(  hgc bench model.so --dim batch=32
  hgc bench model.so --num-threads=1 --seconds=5
  hgc bench model.so --kernels              # time per kernel, slowest first
  hgc bench model.mlir --json               # for scripts
)";

/// Time spent in one kernel over all measured calls.
struct KernelTime {
  int64_t ns = 0, calls = 0, flops = 0, bytes = 0;
};
using KernelTimes = llvm::MapVector<llvm::StringRef, KernelTime>;

void addTiming(void *user, const hgc_rt_kernel_timing *timing) {
  KernelTime &time = (*static_cast<KernelTimes *>(user))[timing->name];
  time.ns += timing->end_ns - timing->begin_ns;
  ++time.calls;
  time.flops += timing->flops;
  time.bytes += timing->bytes;
}

double percentile(llvm::ArrayRef<double> sorted, double p) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(p * sorted.size()))];
}

/// Calls the entry until `seconds` have passed; returns sorted times in us.
llvm::Expected<std::vector<double>> measure(PreparedCall &call, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e6)));
  do {
    Clock::time_point start = Clock::now();
    if (llvm::Error error = call.run())
      return std::move(error);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  } while (Clock::now() < end && times.size() < 10'000'000);
  llvm::sort(times);
  return times;
}

void printKernels(const KernelTimes &kernels) {
  std::vector<std::pair<llvm::StringRef, KernelTime>> rows(kernels.begin(), kernels.end());
  llvm::sort(rows, [](const auto &a, const auto &b) { return a.second.ns > b.second.ns; });
  int64_t total = 0;
  for (const auto &row : rows)
    total += row.second.ns;
  llvm::outs() << "\n  us/call   share   GFLOP/s     GB/s  kernel\n";
  for (const auto &[name, time] : rows)
    llvm::outs() << llvm::formatv("{0,9:F2}  {1,5:F1}%  {2,8:F1} {3,8:F1}  {4}\n", time.ns / 1e3 / time.calls,
                                  100.0 * time.ns / std::max<int64_t>(total, 1),
                                  static_cast<double>(time.flops) / std::max<int64_t>(time.ns, 1),
                                  static_cast<double>(time.bytes) / std::max<int64_t>(time.ns, 1), name);
}

void printTimes(llvm::ArrayRef<double> times, const ModelLibrary &library, bool json) {
  int threads = hgc_rt_model_get_threads(library.getModel());
  std::string device = describeDevice(library);
  double min = times.front(), median = percentile(times, 0.5), p90 = percentile(times, 0.9),
         p99 = percentile(times, 0.99);
  if (json) {
    llvm::outs() << llvm::json::Value(llvm::json::Object{{"calls", static_cast<int64_t>(times.size())},
                                                         {"threads", threads},
                                                         {"device", device.empty() ? "cpu" : device},
                                                         {"min_us", min},
                                                         {"median_us", median},
                                                         {"p90_us", p90},
                                                         {"p99_us", p99}})
                 << "\n";
    return;
  }
  if (!device.empty())
    llvm::outs() << "device: " << device << "\n";
  llvm::outs() << llvm::formatv("{0} calls on {1} thread{2}: min {3:F2} us, median {4:F2} us, p90 {5:F2} us, "
                                "p99 {6:F2} us ({7:F0} calls/s)\n",
                                times.size(), threads, threads == 1 ? "" : "s", min, median, p90, p99, 1e6 / median);
}

llvm::Error bench(llvm::ArrayRef<const char *> args) {
  ArgParser parser("bench", "time a model: warm-up, percentiles, time per kernel", "MODEL.so|MODEL.mlir [options]",
                   kExamples);
  LoadFlags flags;
  double seconds = 1, warmup = 0.2;
  bool kernels = false, json = false;
  flags.addTo(parser);
  parser.real("seconds", "S", seconds, "how long to measure (default 1)");
  parser.real("warm-up", "S", warmup, "how long to run before measuring (default 0.2)");
  parser.flag("kernels", kernels, "also print the time of each kernel (adds a little to every call)");
  parser.flag("json", json, "print one line of JSON");
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();

  KernelTimes kernelTimes;
  ModelLibrary::Options options;
  if (kernels) {
    options.timing = addTiming;
    options.timingUser = &kernelTimes;
  }
  llvm::Expected<LoadedCall> loaded = loadCall(parser, flags, options);
  if (!loaded)
    return loaded.takeError();
  auto times = measure(*loaded->call, warmup);
  if (!times)
    return times.takeError();
  kernelTimes.clear();
  times = measure(*loaded->call, seconds);
  if (!times)
    return times.takeError();
  printTimes(*times, *loaded->model.library, json);
  if (kernels && !json)
    printKernels(kernelTimes);
  return llvm::Error::success();
}

} // namespace

int hgc::driver::runBench(llvm::ArrayRef<const char *> args) { return report(bench(args)); }
