//===- Outputs.cpp - what run and eval do with results --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Outputs.h"

#include "Driver.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/Npy.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace hgc;
using namespace hgc::driver;

namespace {

/// Splits `name=@file` and finds the output it means; a lone `@file` means the
/// only output.
struct Target {
  size_t index;
  llvm::StringRef path;
};

llvm::Expected<Target> parseTarget(const EntrySignature &entry, llvm::StringRef text, llvm::StringRef option) {
  llvm::StringRef name, path = text;
  if (text.contains('='))
    std::tie(name, path) = text.split('=');
  path.consume_front("@");
  std::vector<std::string> names;
  for (auto [i, output] : llvm::enumerate(entry.outputs))
    if (!entry.isShape(i))
      names.push_back(output.name);
  for (auto [i, output] : llvm::enumerate(entry.outputs))
    if (output.name == name || (name.empty() && names.size() == 1 && !entry.isShape(i)))
      return Target{i, path};
  std::string all = llvm::join(names, ", ");
  if (name.empty())
    return usageError("'--" + option + " " + text + "' does not say which output is meant",
                      "write --" + option + " name=" + path + " with one of " + all);
  return makeError("entry '" + entry.name + "' has no output '" + name + "'", "its outputs are " + all);
}

/// Whether integers are equal; doubles could not tell large ones apart.
bool sameInteger(const HostTensor &a, const HostTensor &b, int64_t i) {
  return a.getElementType().isUnsignedInteger() ? a.getUInt(i) == b.getUInt(i) : a.getInt(i) == b.getInt(i);
}

/// NumPy's rule: |a - b| <= atol + rtol * |b|, NaN equal to NaN.
llvm::Error compareWith(llvm::StringRef name, const HostTensor &actual, const HostTensor &expected,
                        const OutputOptions &options) {
  if (actual.getType() != expected.getType())
    return makeError("output '" + name + "' is " + actual.str(0) + ", expected " + expected.str(0),
                     "the expected file belongs to another model, entry or batch");
  int64_t bad = 0, first = -1;
  double worst = 0;
  for (int64_t i = 0, n = actual.getNumElements(); i < n; ++i) {
    double a = actual.getDouble(i), b = expected.getDouble(i);
    if (actual.isFloat() ? a == b || (std::isnan(a) && std::isnan(b)) : sameInteger(actual, expected, i))
      continue;
    double difference = std::fabs(a - b);
    if (actual.isFloat() && difference <= options.atol + options.rtol * std::fabs(b))
      continue;
    first = bad++ ? first : i;
    worst = std::isnan(difference) ? difference : std::max(worst, difference);
  }
  if (!bad) {
    llvm::outs() << name << ": " << actual.getNumElements() << " elements agree\n";
    return llvm::Error::success();
  }
  return makeError(llvm::formatv("output '{0}' differs in {1} of {2} elements, first at {3}: {4}, expected {5}; "
                                 "largest difference {6}",
                                 name, bad, actual.getNumElements(), first, spell(actual.getDouble(first)),
                                 spell(expected.getDouble(first)), spell(worst)),
                   "raise --rtol or --atol if this is rounding; 'hgc compile --verify' finds the first wrong op");
}

} // namespace

std::string hgc::driver::spell(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

void OutputOptions::addTo(ArgParser &parser) {
  parser.list("output", "NAME=@FILE", outputs, "write a result to a .npy file (repeat for several)");
  parser.list("expect", "NAME=@FILE", expects, "compare a result with a .npy file; exit code 1 when it differs");
  parser.real("rtol", "R", rtol, "relative tolerance of --expect (default 1e-5)");
  parser.real("atol", "A", atol, "absolute tolerance of --expect (default 1e-6)");
}

llvm::Error hgc::driver::trimOutputs(const EntrySignature &entry, llvm::MutableArrayRef<HostTensor> results) {
  for (auto [signature, result] : llvm::zip_equal(entry.outputs, results)) {
    if (signature.shapeOutput < 0)
      continue;
    std::vector<int64_t> shape = results[signature.shapeOutput].toInts();
    for (auto [extent, most] : llvm::zip_equal(shape, result.getShape()))
      if (extent < 0 || extent > most)
        return makeError("output '" + signature.name + "' has extent " + llvm::Twine(extent) + ", expected 0 to " +
                             llvm::Twine(most),
                         "the model computes a wrong '" + entry.outputs[signature.shapeOutput].name + "'");
    result = result.gatherStrided(shape, HostTensor(result.getElementType(), shape).getStrides());
  }
  return llvm::Error::success();
}

llvm::Error hgc::driver::handleOutputs(const EntrySignature &entry, llvm::MutableArrayRef<HostTensor> results,
                                       const OutputOptions &options, mlir::MLIRContext *context) {
  if (llvm::Error error = trimOutputs(entry, results))
    return error;
  std::vector<bool> handled(results.size(), false);
  for (llvm::StringRef text : options.outputs) {
    llvm::Expected<Target> target = parseTarget(entry, text, "output");
    if (!target)
      return target.takeError();
    if (llvm::Error error = writeNpy(target->path, results[target->index]))
      return error;
    handled[target->index] = true;
  }
  llvm::Error failures = llvm::Error::success();
  for (llvm::StringRef text : options.expects) {
    llvm::Expected<Target> target = parseTarget(entry, text, "expect");
    if (!target)
      return llvm::joinErrors(std::move(failures), target.takeError());
    llvm::Expected<HostTensor> expected = readNpy(target->path, context);
    if (expected)
      expected = convertLoaded(*expected, entry.outputs[target->index].element);
    if (!expected)
      return llvm::joinErrors(std::move(failures), expected.takeError());
    failures = llvm::joinErrors(std::move(failures), compareWith(entry.outputs[target->index].name,
                                                                 results[target->index], *expected, options));
    handled[target->index] = true;
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (!handled[i] && !entry.isShape(i))
      llvm::outs() << entry.outputs[i].name << ": " << results[i].str(32) << "\n";
  return failures;
}
