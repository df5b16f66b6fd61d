//===- CalibrateCommand.cpp - hgc calibrate -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Calibration.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/Support/raw_ostream.h"

using namespace hgc;
using namespace hgc::driver;

static constexpr llvm::StringLiteral kExamples = R"(  hgc calibrate -o here.json                # about a minute
  hgc compile model.mlir --target-table=here.json -o model.so
  hgc calibrate --check model.mlir --target-table=here.json
)";

static llvm::Error runCalibration(llvm::ArrayRef<const char *> args) {
  ArgParser parser("calibrate", "measure this machine and write its device table", "[-o TABLE.json | --check MODEL...]",
                   kExamples);
  std::vector<std::string> paths;
  std::string output = "-";
  LoadFlags load;
  CompileFlags &flags = load.compile;
  double seconds = 1, maxMedian = 0;
  bool check = false, kernels = false;
  parser.positional(paths);
  parser.value("o", "FILE", output, "file of the table; '-' is standard output (default)");
  parser.flag("check", check, "compare modelled and measured times of models instead, on one thread");
  parser.flag("kernels", kernels, "with --check: also print each kernel");
  parser.real("max-median", "PERCENT", maxMedian, "with --check: fail when the kernels' median error is above this");
  parser.list("input", "NAME=VALUE", load.inputs.inputs,
              "with --check: x=@x.npy, x=2xf32=1,2, or @all.npz for all; random otherwise");
  parser.real("seconds", "S", seconds, "how long each probe or model runs (default 1)");
  flags.addTo(parser);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (check) {
    if (paths.empty())
      return usageError("'--check' has no model to measure", "hgc calibrate --check model.mlir");
    if (output != "-")
      return usageError("'-o' has no effect with '--check': no table is made", "calibrate first, then check");
    if (flags.targetCpu.empty() && flags.targetTables.empty())
      flags.targetCpu = "native";
    return checkTable(parser, paths, load, seconds, maxMedian, kernels);
  }
  if (llvm::Error error = flags.rejectForLibrary("a calibration"))
    return error;
  if (kernels || maxMedian != 0 || !load.inputs.inputs.empty())
    return usageError("'--kernels', '--max-median' and '--input' have no effect without '--check'",
                      "add --check and a model");
  if (!paths.empty())
    return usageError("'hgc calibrate' takes no model", "add --check to compare the model's times");
  llvm::errs() << "measuring this machine; other work on it makes the table too slow\n";
  llvm::Expected<DeviceTable> table = calibrate(parser, seconds);
  if (!table)
    return table.takeError();
  return writeFile(output, printDeviceTable(*table));
}

int hgc::driver::runCalibrate(llvm::ArrayRef<const char *> args) { return report(runCalibration(args)); }
