//===- Calibration.cpp - a device table from measurements -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each probe is a model of one kernel. The rates come first, then the caches,
// then what the families reach of the roofline these make. All is measured in
// several rounds and the shortest time of each probe counts: a machine that is
// slower for some seconds would otherwise make rates and families disagree.
//===----------------------------------------------------------------------===//

#include "Calibration.h"

#include "hgc/Analysis/KernelModel.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Support/Error.h"
#include "hgc/Target/NativeCpu.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <unistd.h>

using namespace mlir;
using namespace hgc;
using namespace hgc::driver;
using graph::FlopClass;

namespace {

std::string shapeOf(std::initializer_list<int64_t> extents, StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

class Calibrator {
public:
  /// Each probe runs for `seconds` in all.
  Calibrator(const ArgParser &parser, double seconds) : parser(parser), seconds(seconds) {}

  llvm::Error run() {
    llvm::Expected<std::string> cpu = findNativeCpu();
    if (!cpu)
      return cpu.takeError();
    table = *llvm::cantFail(lookupCpu(*cpu));
    table.name = "calibrated";
    table.aliases.clear();
    auto folder = TempFolder::create();
    if (!folder)
      return folder.takeError();
    probeFile = (*folder)->path("probe.mlir");
    for (int64_t round = 1; round <= kRounds; ++round) {
      llvm::errs() << "round " << round << " of " << kRounds << "\n";
      if (llvm::Error error = runRound())
        return error;
    }
    return llvm::Error::success();
  }

  DeviceTable table;

private:
  static constexpr int64_t kRounds = 2;

  llvm::Error runRound() {
    table.efficiency.fill(1);
    readCacheSizes();
    for (auto step : {&Calibrator::measureProducts, &Calibrator::measureLaunch, &Calibrator::measureBandwidths,
                      &Calibrator::measureLines, &Calibrator::measureFunctions, &Calibrator::measureDivisions,
                      &Calibrator::measureFamilies, &Calibrator::measureThreads})
      if (llvm::Error error = (this->*step)())
        return error;
    return llvm::Error::success();
  }

  void readCacheSizes() {
    auto read = [](int name, int64_t &bytes) {
      if (long size = sysconf(name); size > 0)
        bytes = size;
    };
    read(_SC_LEVEL1_DCACHE_SIZE, table.l1Bytes);
    read(_SC_LEVEL2_CACHE_SIZE, table.l2Bytes);
    read(_SC_LEVEL3_CACHE_SIZE, table.l3Bytes);
    // Some versions of libc multiply the last cache by the cores that share it.
    table.l3Bytes = std::min(table.l3Bytes, readLastCacheBytes().value_or(table.l3Bytes));
  }

  /// A model of `layers` times `body`, which makes %r of %x. `weight` is the type of
  /// parameter %w, one a layer, or empty.
  static std::string makeModel(StringRef arguments, StringRef body, StringRef result, StringRef weight = "",
                               int64_t layers = 1) {
    std::string parameters, text;
    auto rename = [](std::string &line, StringRef from, const std::string &to) {
      for (size_t at = 0; (at = line.find(from.str(), at)) != std::string::npos; at += to.size())
        line.replace(at, from.size(), to);
    };
    for (int64_t i = 0; i < layers; ++i) {
      std::string layer = body.str(), w = "w" + std::to_string(i);
      if (!weight.empty()) {
        StringRef start = weight.contains("xi") ? "ones" : "uniform, seed = 1";
        parameters += ("  hgc.parameter @" + w + " : " + weight + " = #hgc.init<" + start + ">\n").str();
        text += ("    %" + w + " = hgc.read @" + w + " : " + weight + "\n").str();
      }
      rename(layer, "%w", "%" + w);
      if (i > 0)
        rename(layer, "%x", "%v" + std::to_string(i - 1));
      if (i + 1 < layers)
        rename(layer, "%r", "%v" + std::to_string(i));
      text += layer + "\n";
    }
    return ("module @probe {\n" + Twine(parameters) + "  func.func @f(" + arguments + ") -> " + result +
            " attributes {hgc.entry} {\n" + text + "    return %r : " + result + "\n  }\n}\n")
        .str();
  }

  /// Nanoseconds of the kernels of a model together, or of the shortest alone.
  llvm::Expected<double> measure(StringRef what, const std::string &model, int64_t threads = 1, bool shortest = false,
                                 StringRef matrixUnit = "never") {
    llvm::errs() << llvm::formatv("  {0,-44}", what);
    std::error_code code;
    llvm::raw_fd_ostream(probeFile, code) << model;
    LoadFlags flags;
    flags.paths = {probeFile};
    flags.compile.targetCpu = "native";
    flags.compile.options.numThreads = threads;
    // Contractions are priced by what the plain form reaches.
    flags.compile.options.exactConv = true;
    flags.compile.options.matrixUnit = matrixUnit;
    llvm::Expected<ModelTimes> times = measureKernels(parser, flags, seconds / kRounds);
    if (!times)
      return times.takeError();
    usedThreads = times->threads;
    double ns = times->getKernelNs();
    if (shortest)
      for (const auto &entry : times->kernels)
        ns = std::min(ns, entry.second.ns);
    llvm::errs() << llvm::formatv("{0,12:F2} us\n", ns / 1e3);
    double &best = shortestTimes.try_emplace({matrixUnit.str() + model, threads}, ns).first->second;
    best = std::max(std::min(best, ns), 1.0);
    return best;
  }

  llvm::Error measureProducts() {
    struct {
      const char *element, *result;
      FlopClass type;
    } kinds[] = {{"f32", "f32", FlopClass::F32},
                 {"f64", "f64", FlopClass::F64},
                 {"f16", "f32", FlopClass::F16},
                 {"i8", "i32", FlopClass::I8}};
    constexpr int64_t n = 384;
    for (const auto &kind : kinds) {
      std::string in = shapeOf({n, n}, kind.element), out = shapeOf({n, n}, kind.result);
      auto ns =
          measure(("matrix product of " + StringRef(kind.element)).str(),
                  makeModel("%x: " + in, "    %r = hgc.matmul %x, %w : (" + in + ", " + in + ") -> " + out, out, in));
      if (!ns)
        return ns.takeError();
      table.flops[static_cast<size_t>(kind.type)] = 2.0 * n * n * n / *ns * 1e9;
    }
    return table.matrixFlops > 0 ? measureMatrixUnit() : llvm::Error::success();
  }

  /// Products of f32: how rows become parts of tiles is priced apart, and small for so many columns.
  llvm::Error measureMatrixUnit() {
    constexpr int64_t rows = 256, depth = 256, columns = 512, products = 6;
    std::string in = shapeOf({rows, depth}, "f32"), weights = shapeOf({depth, columns}, "f32"),
                out = shapeOf({rows, columns}, "f32");
    auto ns = measure(
        "matrix product by the matrix unit",
        makeModel("%x: " + in, "    %r = hgc.matmul %x, %w : (" + in + ", " + weights + ") -> " + out, out, weights), 1,
        /*shortest=*/false, "always");
    if (!ns)
      return ns.takeError();
    table.matrixFlops = 2.0 * products * rows * depth * columns / *ns * 1e9;
    return llvm::Error::success();
  }

  /// Nanoseconds of a kernel that adds up `inputs` small tensors. As in a model, a
  /// larger kernel runs between two of them.
  llvm::Expected<double> measureSum(StringRef what, int64_t inputs) {
    std::string type = shapeOf({8, 1}, "f32"), large = shapeOf({8192, 8}, "f32"), out = shapeOf({8192, 1}, "f32");
    std::string arguments = "%x: " + large + ", %s0: " + type;
    std::string body = llvm::formatv("    %t0 = hgc.neg %s0 : {0}\n", type);
    for (int64_t i = 1; i < inputs; ++i) {
      arguments += llvm::formatv(", %s{0}: {1}", i, type);
      body += llvm::formatv("    %t{0} = hgc.add %t{1}, %s{0} : ({2}, {2}) -> {2}\n", i, i - 1, type);
    }
    body += llvm::formatv("    %r = hgc.matmul %x, %t{0} : ({1}, {2}) -> {3}", inputs - 1, large, type, out);
    return measure(what, makeModel(arguments, body, out), 1, /*shortest=*/true);
  }

  llvm::Error measureLaunch() {
    constexpr int64_t inputs = 24;
    auto few = measureSum("launch", 1);
    if (!few)
      return few.takeError();
    auto many = measureSum("launch with many tensors", inputs);
    if (!many)
      return many.takeError();
    double each = std::max(*many - *few, 0.0) / static_cast<double>(inputs - 1);
    table.tensorPs = static_cast<int64_t>(each * 1e3);
    table.launchPs = static_cast<int64_t>(std::max(*few - 2 * each, 1.0) * 1e3);
    return llvm::Error::success();
  }

  /// Nanoseconds of `ns` that are not the launch of a kernel with these tensors.
  double getNet(double ns, int64_t tensors, int64_t kernels = 1) const {
    return std::max(ns - static_cast<double>(kernels * getFixedPs(table, tensors)) * 1e-3, ns * 0.1);
  }

  /// Bytes a second of an addition whose three tensors take `bytes`.
  llvm::Expected<double> measureAddition(StringRef what, int64_t bytes, int64_t threads = 1) {
    int64_t elements = std::max<int64_t>(bytes / 12 / 64, 1) * 64;
    std::string type = shapeOf({elements}, "f32");
    auto ns = measure(what,
                      makeModel("%x: " + type + ", %y: " + type,
                                "    %r = hgc.add %x, %y : (" + type + ", " + type + ") -> " + type, type),
                      threads);
    if (!ns)
      return ns.takeError();
    double net = getNet(*ns, 3);
    // As the model weighs two tensors that are read and one that is written.
    return 18.0 * static_cast<double>(elements) / net * 1e9;
  }

  llvm::Error measureBandwidths() {
    std::tuple<const char *, int64_t, int64_t, double *> sizes[] = {
        {"bandwidth of the first-level cache", table.l1Bytes / 3, 1, &table.l1Bandwidth},
        {"bandwidth of the second-level cache", table.l2Bytes * 2 / 3, 1, &table.l2Bandwidth},
        {"bandwidth of the last cache", std::min(table.l3Bytes / 4, 4 * table.l2Bytes), 1, &table.l3Bandwidth},
        {"bandwidth of memory, one core", std::min<int64_t>(table.l3Bytes * 4, 400 << 20), 1, &table.coreBandwidth},
        {"bandwidth of memory, all cores", std::min<int64_t>(table.l3Bytes * 4, 400 << 20), 0, &table.memoryBandwidth}};
    for (auto &[what, bytes, threads, rate] : sizes) {
      llvm::Expected<double> measured = measureAddition(what, bytes, threads);
      if (!measured)
        return measured.takeError();
      *rate = *measured;
    }
    table.cores = usedThreads;
    table.memoryBandwidth = std::max(table.memoryBandwidth, table.coreBandwidth);
    return measureLastCache();
  }

  /// The last cache is shared with other programs: its size is what is left for one.
  llvm::Error measureLastCache() {
    while (table.l3Bytes / 4 > 4 * table.l2Bytes) {
      llvm::Expected<double> rate = measureAddition("size of the last cache", table.l3Bytes / 2);
      if (!rate)
        return rate.takeError();
      if (*rate > std::sqrt(table.l3Bandwidth * table.coreBandwidth))
        break;
      table.l3Bytes /= 2;
    }
    return llvm::Error::success();
  }

  llvm::Error measureLines() {
    constexpr int64_t rows = 512;
    std::string in = shapeOf({rows, 8}, "f32"), out = shapeOf({rows}, "f32");
    auto ns = measure("short rows",
                      makeModel("%x: " + in, "    %r = hgc.reduce sum %x axes = [1] : (" + in + ") -> " + out, out));
    if (!ns)
      return ns.takeError();
    table.linePs = static_cast<int64_t>(getNet(*ns, 2) * 1e3 / rows);
    return llvm::Error::success();
  }

  llvm::Error measureFunctions() {
    constexpr int64_t n = 1 << 14;
    std::string type = shapeOf({n}, "f32"), integer = shapeOf({n}, "i32");
    auto exp = measure("exponential", makeModel("%x: " + type, "    %r = hgc.exp %x : " + type, type));
    if (!exp)
      return exp.takeError();
    table.flops[static_cast<size_t>(FlopClass::Transcendental)] = n / *exp * 1e9;
    std::string body = "    %v0 = hgc.mul %x, %y : (" + integer + ", " + integer + ") -> " + integer + "\n";
    constexpr int64_t ops = 16;
    for (int64_t i = 1; i < ops; ++i)
      body += llvm::formatv("    %{0} = hgc.{1} %v{2}, %y : ({3}, {3}) -> {3}\n",
                            i + 1 == ops ? "r" : "v" + std::to_string(i), i % 2 ? "sub" : "mul", i - 1, integer);
    auto ints = measure("integers", makeModel("%x: " + integer + ", %y: " + integer, body, integer));
    if (!ints)
      return ints.takeError();
    table.flops[static_cast<size_t>(FlopClass::Int)] = ops * n / *ints * 1e9;
    return llvm::Error::success();
  }

  llvm::Error measureDivisions() {
    constexpr int64_t n = 1 << 14;
    std::string type = shapeOf({n}, "f32");
    std::string model = makeModel("%x: " + type + ", %y: " + type,
                                  "    %r = hgc.div %x, %y : (" + type + ", " + type + ") -> " + type, type);
    auto ns = measure("divisions", model);
    if (!ns)
      return ns.takeError();
    // Half of what the rest takes has nothing to hide behind.
    table.divisionRate = 1e18;
    auto rest = predict(model, 3);
    if (!rest)
      return rest.takeError();
    double net = getNet(*ns, 3);
    table.divisionRate = n / std::max(net - *rest / 2, net / 2) * 1e9;
    return llvm::Error::success();
  }

  /// What the table, as far as it is known, says about a probe without the launches.
  llvm::Expected<double> predict(const std::string &model, int64_t tensors, int64_t kernels = 1) {
    Session session(parser);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model, &session.getContext());
    if (!module)
      return alreadyReported();
    DeviceTable single = table;
    single.cores = 1;
    Pricing pricing(single, getGpuTable(*module));
    auto host = graph::DeviceAttr::get(&session.getContext(), graph::DeviceKind::CPU, 0);
    auto entry = *module->getOps<func::FuncOp>().begin();
    return static_cast<double>(pricing.priceBody(entry, host) - kernels * getFixedPs(table, tensors)) * 1e-3;
  }

  llvm::Error measureFamilies();
  llvm::Error measureThreads();

  const ArgParser &parser;
  double seconds;
  std::string probeFile;
  /// Of each probe and number of threads, in nanoseconds.
  std::map<std::pair<std::string, int64_t>, double> shortestTimes;
  int64_t usedThreads = 1;
};

} // namespace

llvm::Error Calibrator::measureFamilies() {
  // Geometric means: a family is as often slower as faster than its figure.
  std::array<double, kKernelFamilies> logs{}, counts{};
  for (const FamilyProbe &probe : getFamilyProbes()) {
    std::string model = makeModel(probe.arguments, probe.body, probe.result, probe.weight, probe.layers);
    auto ns = measure(probe.what, model);
    if (!ns)
      return ns.takeError();
    auto tensors = static_cast<int64_t>(StringRef(probe.arguments).count('%') + (*probe.weight ? 2 : 1));
    auto ideal = predict(model, tensors, probe.layers);
    if (!ideal)
      return ideal.takeError();
    double net = getNet(*ns, tensors, probe.layers);
    logs[static_cast<size_t>(probe.family)] += std::log(std::max(*ideal, 1e-3) / net);
    ++counts[static_cast<size_t>(probe.family)];
  }
  for (size_t i = 0; i < kKernelFamilies; ++i)
    if (counts[i] > 0)
      table.efficiency[i] = std::clamp(std::exp(logs[i] / counts[i]), 0.001, 4.0);
  // On the CPU attention is made of products and softmax.
  table.efficiency[static_cast<size_t>(KernelFamily::Attention)] =
      table.efficiency[static_cast<size_t>(KernelFamily::Rows)];
  return llvm::Error::success();
}

llvm::Error Calibrator::measureThreads() {
  if (table.cores == 1)
    return llvm::Error::success();
  constexpr int64_t n = 1 << 16;
  std::string type = shapeOf({n}, "f32");
  std::string model = makeModel("%x: " + type, "    %r = hgc.exp %x : " + type, type);
  auto one = measure("one thread", model, 1);
  if (!one)
    return one.takeError();
  auto all = measure("all threads", model, 0);
  if (!all)
    return all.takeError();
  // Less than a microsecond to another core and back has not been seen.
  double fork = std::max(*all - *one / static_cast<double>(table.cores), 1000.0);
  table.forkPs = static_cast<int64_t>(fork * 1e3);
  return llvm::Error::success();
}

llvm::Expected<DeviceTable> hgc::driver::calibrate(const ArgParser &parser, double seconds) {
  Calibrator calibrator(parser, seconds);
  if (llvm::Error error = calibrator.run())
    return std::move(error);
  return calibrator.table;
}
