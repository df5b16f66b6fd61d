//===- DeviceTable.cpp - loader of device tables, roofline ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table is read strictly: a misspelt key would otherwise leave a default in
// place and quietly change every decision of the compiler.
//===----------------------------------------------------------------------===//

#include "hgc/Target/DeviceTable.h"
#include "EmbeddedTables.h"
#include "ObjectReader.h"
#include "Roofline.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

using namespace llvm;
using namespace hgc;
using hgc::detail::makeTableError;
using hgc::detail::ObjectReader;

namespace {

constexpr const char *kFlopKeys[graph::kFlopClasses] = {"f64", "f32", "f16", "i8", "int", "transcendental"};

Error readRates(const json::Object &object, StringRef what, DeviceTable &table) {
  ObjectReader reader(object, what);
  for (size_t i = 0; i < graph::kFlopClasses; ++i)
    reader.read(kFlopKeys[i], table.flops[i]);
  reader.read("division", table.divisionRate);
  return reader.finish();
}

Error readEfficiency(const json::Object &object, StringRef what, DeviceTable &table) {
  ObjectReader reader(object, what);
  for (size_t i = 0; i < kKernelFamilies; ++i)
    reader.read(kKernelFamilyNames[i], table.efficiency[i]);
  return reader.finish();
}

Error readCaches(const json::Object &object, StringRef what, DeviceTable &table) {
  ObjectReader reader(object, what);
  reader.read("l1", table.l1Bandwidth);
  reader.read("l2", table.l2Bandwidth);
  reader.read("l3", table.l3Bandwidth);
  return reader.finish();
}

/// All tables, parsed once; aliases follow the table they copy.
const std::vector<DeviceTable> &getTables() {
  static const std::vector<DeviceTable> tables = [] {
    std::vector<DeviceTable> result;
    for (size_t i = 0; i < hgc::detail::embeddedTableCount; ++i) {
      if (hgc::detail::isGpuTable(hgc::detail::embeddedTables[i]))
        continue;
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
    return makeTableError("device table is not valid JSON: " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return makeTableError("device table must be a JSON object");

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
  reader.read("vector_pipe_bytes", table.vectorPipeBytes, 4);
  reader.read("vector_registers", table.vectorRegisters, 8);
  reader.read("l1_bytes", table.l1Bytes, 1);
  reader.read("l2_bytes", table.l2Bytes, 1);
  reader.read("l3_bytes", table.l3Bytes, 1);
  reader.read("stream_lines", table.streamLines, 0);
  reader.read("cores", table.cores, 1);
  const json::Object *rates = reader.readObject("flops");
  reader.readRate("matrix_flops", table.matrixFlops);
  reader.read("memory_bandwidth", table.memoryBandwidth);
  reader.read("core_bandwidth", table.coreBandwidth);
  const json::Object *caches = reader.readObject("cache_bandwidth");
  const json::Object *efficiency = reader.readObject("efficiency");
  reader.read("launch_ps", table.launchPs, 0);
  reader.read("tensor_ps", table.tensorPs, 0);
  reader.read("line_ps", table.linePs, 0);
  reader.read("fork_ps", table.forkPs, 0);
  if (!kind.empty() && kind != "cpu")
    reader.fail("key 'kind' of " + what + " is '" + kind + "', expected 'cpu'");
  if (Error error = reader.finish())
    return error;
  if (Error error = readRates(*rates, "key 'flops' of " + what, table))
    return error;
  if (Error error = readCaches(*caches, "key 'cache_bandwidth' of " + what, table))
    return error;
  if (Error error = readEfficiency(*efficiency, "key 'efficiency' of " + what, table))
    return error;
  return table;
}

std::string hgc::printDeviceTable(const DeviceTable &table) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, 2);
  // Rates to the byte would only pretend; what is read back must be what is written.
  auto rate = [&](StringRef key, double value) { json.attribute(key, static_cast<int64_t>(std::llround(value))); };
  json.object([&] {
    json.attribute("name", table.name);
    json.attribute("kind", "cpu");
    json.attribute("llvm_cpu", table.llvmCpu);
    json.attribute("llvm_features", table.llvmFeatures);
    json.attributeArray("aliases", [&] {
      for (const std::string &alias : table.aliases)
        json.value(alias);
    });
    json.attribute("triple", table.triple);
    json.attribute("vector_bytes", table.vectorBytes);
    json.attribute("vector_pipe_bytes", table.vectorPipeBytes);
    json.attribute("vector_registers", table.vectorRegisters);
    json.attribute("l1_bytes", table.l1Bytes);
    json.attribute("l2_bytes", table.l2Bytes);
    json.attribute("l3_bytes", table.l3Bytes);
    json.attribute("stream_lines", table.streamLines);
    json.attribute("cores", table.cores);
    json.attributeObject("flops", [&] {
      for (size_t i = 0; i < graph::kFlopClasses; ++i)
        rate(kFlopKeys[i], table.flops[i]);
      rate("division", table.divisionRate);
    });
    rate("matrix_flops", table.matrixFlops);
    rate("memory_bandwidth", table.memoryBandwidth);
    rate("core_bandwidth", table.coreBandwidth);
    json.attributeObject("cache_bandwidth", [&] {
      rate("l1", table.l1Bandwidth);
      rate("l2", table.l2Bandwidth);
      rate("l3", table.l3Bandwidth);
    });
    json.attributeObject("efficiency", [&] {
      for (size_t i = 0; i < kKernelFamilies; ++i) {
        json.attributeBegin(kKernelFamilyNames[i]);
        json.rawValue(formatv("{0:F3}", table.efficiency[i]).str());
        json.attributeEnd();
      }
    });
    json.attribute("launch_ps", table.launchPs);
    json.attribute("tensor_ps", table.tensorPs);
    json.attribute("line_ps", table.linePs);
    json.attribute("fork_ps", table.forkPs);
  });
  os << "\n";
  return text;
}

Expected<const DeviceTable *> hgc::lookupCpu(StringRef cpu) {
  for (const DeviceTable &table : getTables())
    if (cpu == table.name)
      return &table;
  return makeTableError("unknown target cpu '" + cpu + "'; known: " + join(listCpus(), ", "));
}

/// The table of a JSON text, parsed once a process; null when it is none.
static const DeviceTable *findParsed(StringRef text) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<DeviceTable>, std::less<>> tables;
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] = tables.try_emplace(text.str());
  if (isNew) {
    Expected<DeviceTable> parsed = parseDeviceTable(text);
    if (parsed)
      place->second = std::make_unique<DeviceTable>(std::move(*parsed));
    else
      consumeError(parsed.takeError());
  }
  return place->second.get();
}

const DeviceTable &hgc::getCpuTable(mlir::ModuleOp module) {
  if (auto text = module->getAttrOfType<mlir::StringAttr>(kTargetCpuTableAttr))
    if (const DeviceTable *table = findParsed(text.getValue()))
      return *table;
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
  return detail::estimateRoofline(table.flops, table.memoryBandwidth, cost);
}
