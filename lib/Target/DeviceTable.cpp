//===- DeviceTable.cpp - loader of device tables, roofline ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table is read strictly: a misspelt key would otherwise leave a default in
// place and quietly change every decision of the compiler.
//===----------------------------------------------------------------------===//

#include "hgc/Target/DeviceTable.h"
#include "EmbeddedTables.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace hgc;

namespace {

Error makeError(const Twine &message) { return createStringError(inconvertibleErrorCode(), message); }

/// Takes the keys of one JSON object; remembers the first mistake.
class ObjectReader {
public:
  ObjectReader(const json::Object &object, StringRef what) : object(object), what(what.str()) {}

  void read(StringRef key, std::string &into) {
    const json::Value *value = take(key);
    if (!value)
      return;
    if (std::optional<StringRef> text = value->getAsString())
      into = text->str();
    else
      fail("key '" + key + "' of " + what + " must be a string");
  }

  void read(StringRef key, int64_t &into, int64_t least) {
    const json::Value *value = take(key);
    if (!value)
      return;
    std::optional<int64_t> number = value->getAsInteger();
    if (number && *number >= least)
      into = *number;
    else
      fail("key '" + key + "' of " + what + " must be an integer of at least " + Twine(least));
  }

  void read(StringRef key, double &into) {
    const json::Value *value = take(key);
    if (!value)
      return;
    std::optional<double> number = value->getAsNumber();
    if (number && *number > 0)
      into = *number;
    else
      fail("key '" + key + "' of " + what + " must be a number above 0");
  }

  void read(StringRef key, std::vector<std::string> &into) {
    const json::Value *value = take(key);
    if (!value)
      return;
    const json::Array *list = value->getAsArray();
    if (!list)
      return fail("key '" + key + "' of " + what + " must be a list of strings");
    for (const json::Value &entry : *list) {
      std::optional<StringRef> text = entry.getAsString();
      if (!text)
        return fail("key '" + key + "' of " + what + " must be a list of strings");
      into.push_back(text->str());
    }
  }

  const json::Object *readObject(StringRef key) {
    const json::Value *value = take(key);
    if (!value)
      return nullptr;
    const json::Object *inner = value->getAsObject();
    if (!inner)
      fail("key '" + key + "' of " + what + " must be an object");
    return inner;
  }

  void fail(const Twine &message) {
    if (problem.empty())
      problem = message.str();
  }

  /// Success when every key was known and well formed.
  Error finish() {
    // json::Object is a hash map: sort, so that the message is stable.
    std::vector<StringRef> unknown;
    for (const auto &entry : object)
      if (!is_contained(taken, StringRef(entry.first)))
        unknown.push_back(entry.first);
    sort(unknown);
    if (problem.empty() && !unknown.empty())
      problem = ("unknown key '" + unknown.front() + "' in " + what + "; known keys: " + join(taken, ", ")).str();
    return problem.empty() ? Error::success() : makeError(problem);
  }

private:
  const json::Value *take(StringRef key) {
    taken.push_back(key);
    const json::Value *value = object.get(key);
    if (!value)
      fail("missing key '" + key + "' in " + what);
    return value;
  }

  const json::Object &object;
  std::string what, problem;
  std::vector<StringRef> taken;
};

Error readRates(const json::Object &object, StringRef what, DeviceTable &table) {
  ObjectReader reader(object, what);
  const char *keys[graph::kFlopClasses] = {"f64", "f32", "f16", "i8", "int", "transcendental"};
  for (size_t i = 0; i < graph::kFlopClasses; ++i)
    reader.read(keys[i], table.flops[i]);
  return reader.finish();
}

/// All tables, parsed once; aliases follow the table they copy.
const std::vector<DeviceTable> &getTables() {
  static const std::vector<DeviceTable> tables = [] {
    std::vector<DeviceTable> result;
    for (size_t i = 0; i < hgc::detail::embeddedTableCount; ++i) {
      Expected<DeviceTable> parsed = parseDeviceTable(hgc::detail::embeddedTables[i]);
      if (!parsed)
        report_fatal_error(parsed.takeError());
      result.push_back(*parsed);
      for (const std::string &alias : parsed->aliases) {
        DeviceTable copy = *parsed;
        copy.name = copy.llvmCpu = alias;
        copy.aliases.clear();
        result.push_back(std::move(copy));
      }
    }
    return result;
  }();
  return tables;
}

} // namespace

Expected<DeviceTable> hgc::parseDeviceTable(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return makeError("device table is not valid JSON: " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return makeError("device table must be a JSON object");

  DeviceTable table;
  std::string kind;
  std::string what = "device table";
  if (std::optional<StringRef> name = object->getString("name"))
    what += (" '" + *name + "'").str();
  ObjectReader reader(*object, what);
  reader.read("name", table.name);
  reader.read("kind", kind);
  reader.read("triple", table.triple);
  reader.read("llvm_cpu", table.llvmCpu);
  reader.read("llvm_features", table.llvmFeatures);
  reader.read("aliases", table.aliases);
  reader.read("vector_bytes", table.vectorBytes, 4);
  reader.read("vector_registers", table.vectorRegisters, 8);
  reader.read("l1_bytes", table.l1Bytes, 1);
  reader.read("l2_bytes", table.l2Bytes, 1);
  reader.read("l3_bytes", table.l3Bytes, 1);
  reader.read("cores", table.cores, 1);
  const json::Object *rates = reader.readObject("flops");
  reader.read("memory_bandwidth", table.memoryBandwidth);
  reader.read("launch_ps", table.launchPs, 0);
  reader.read("fork_ps", table.forkPs, 0);
  if (!kind.empty() && kind != "cpu")
    reader.fail("key 'kind' of " + what + " is '" + kind + "', expected 'cpu'");
  if (Error error = reader.finish())
    return error;
  if (Error error = readRates(*rates, "key 'flops' of " + what, table))
    return error;
  return table;
}

Expected<const DeviceTable *> hgc::lookupCpu(StringRef cpu) {
  for (const DeviceTable &table : getTables())
    if (cpu == table.name || cpu == table.llvmCpu)
      return &table;
  return makeError("unknown target cpu '" + cpu + "'; known: " + join(listCpus(), ", "));
}

const DeviceTable &hgc::getCpuTable(mlir::ModuleOp module) {
  if (auto name = module->getAttrOfType<mlir::StringAttr>(kTargetCpuAttr)) {
    Expected<const DeviceTable *> table = lookupCpu(name.getValue());
    if (table)
      return **table;
    // hgc-verify-graph reports the unknown name; a query has no way to.
    consumeError(table.takeError());
  }
  return getTables().front();
}

std::vector<StringRef> hgc::listCpus() {
  std::vector<StringRef> names;
  for (const DeviceTable &table : getTables())
    names.push_back(table.name);
  return names;
}

int64_t hgc::estimatePs(const DeviceTable &table, const graph::OpCost &cost) {
  double compute = 0;
  for (size_t i = 0; i < graph::kFlopClasses; ++i)
    if (cost.flops[i] > 0)
      compute += static_cast<double>(cost.flops[i]) / table.flops[i];
  double bytes = static_cast<double>(cost.bytesRead) + static_cast<double>(cost.bytesWritten);
  double picoseconds = std::ceil(std::max(compute, bytes / table.memoryBandwidth) * 1e12);
  constexpr double most = 9.2e18; // just below the largest int64
  return static_cast<int64_t>(std::min(picoseconds, most));
}
