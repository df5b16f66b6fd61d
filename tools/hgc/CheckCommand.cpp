//===- CheckCommand.cpp - hgc check ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "PlanLoading.h"

#include "hgc/Report/Compare.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/MemoryLimits.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples =
    R"(  hgc check model.plan.json --max-transfers 2                  # one copy in, one out, in every call
  hgc check model.so --max-peak gpu=32MiB --max-peak cpu=64MiB # what an instance needs there
  hgc check model.mlir --gpu a100 --require-device 'gpu(encoder.*)' --max-serial-us 250
  hgc check model.plan.json --max-transfer-bytes 1MiB || exit 1   # in a CI: 1 and a sentence if broken
)";

struct Request {
  std::vector<std::string> paths, peaks;
  std::string transferBytes;
  int64_t transfers = -1;
  double serialUs = -1, makespanUs = -1;
  plans::Gates gates;
  CompileFlags flags;

  void addTo(ArgParser &parser) {
    parser.positional(paths);
    parser.number("max-transfers", "N", transfers, "most copies between devices in one call of an entry");
    parser.value("max-transfer-bytes", "SIZE", transferBytes, "most bytes they copy, as 1MiB");
    parser.list("max-peak", "DEVICE=SIZE", peaks, "most memory on a device, as gpu=32MiB; may be repeated");
    parser.real("max-serial-us", "US", serialUs, "longest modelled time of a call without overlap");
    parser.real("max-makespan-us", "US", makespanUs, "longest simulated time of a call with overlap");
    parser.list("require-device", "RULE", gates.requireDevice,
                "ops must be there, as 'gpu(encoder.*)' or 'cpu(=probs)'; may be repeated");
    flags.addTo(parser);
  }

  /// Copies the flags into `gates`, checked.
  llvm::Error finish();
};

llvm::Error Request::finish() {
  constexpr double kPsPerUs = 1e6;
  if (transfers >= 0)
    gates.maxTransfers = transfers;
  if (serialUs >= 0)
    gates.maxSerialPs = static_cast<int64_t>(std::min(serialUs * kPsPerUs, 9e18));
  if (makespanUs >= 0)
    gates.maxMakespanPs = static_cast<int64_t>(std::min(makespanUs * kPsPerUs, 9e18));
  if (!transferBytes.empty()) {
    llvm::Expected<int64_t> bytes = parseBytes(transferBytes);
    if (!bytes)
      return addContext("'--max-transfer-bytes'", bytes.takeError());
    gates.maxTransferBytes = *bytes;
  }
  for (llvm::StringRef peak : peaks) {
    auto [device, size] = peak.split('=');
    llvm::Expected<int64_t> bytes = parseBytes(size);
    if (!bytes)
      return addContext("'--max-peak=" + peak + "'", bytes.takeError());
    if (device != "cpu" && device != "pinned" && !device.starts_with("gpu"))
      return usageError("'--max-peak' does not know the device '" + device + "'",
                        "write gpu=32MiB, gpu:1=1GiB or cpu=64MiB");
    gates.maxPeak[device.str()] = *bytes;
  }
  if (!gates.isEmpty())
    return llvm::Error::success();
  return usageError("nothing to check",
                    "add --max-transfers=2, --max-peak=gpu=32MiB or another limit of 'hgc check --help'");
}

llvm::Error check(llvm::ArrayRef<const char *> args) {
  ArgParser parser("check", "fail when a plan exceeds a limit: a gate for a CI",
                   "MODEL.plan.json|MODEL.so|MODEL.mlir LIMIT... [options]", kExamples);
  Request request;
  request.addTo(parser);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (request.paths.size() != 1)
    return usageError("expected one model or plan, got " + llvm::Twine(request.paths.size()),
                      "hgc check model.plan.json --max-transfers=2");
  if (llvm::Error error = request.finish())
    return error;
  llvm::Expected<LoadedPlan> loaded = loadPlan(parser, request.paths.front(), request.flags);
  if (!loaded)
    return loaded.takeError();
  llvm::Expected<std::vector<std::string>> violations = plans::findViolations(loaded->plan, request.gates);
  if (!violations)
    return violations.takeError();
  for (const std::string &violation : *violations)
    llvm::outs() << violation << "\n";
  llvm::outs().flush();
  if (violations->empty())
    return llvm::Error::success();
  return makeError("the plan breaks " + llvm::Twine(violations->size()) +
                       (violations->size() == 1 ? " limit" : " limits"),
                   "'hgc explain " + request.paths.front() + "' says why it is as it is; 'hgc diff' what changed");
}

} // namespace

int hgc::driver::runCheck(llvm::ArrayRef<const char *> args) { return report(check(args)); }
