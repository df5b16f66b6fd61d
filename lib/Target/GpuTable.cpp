//===- GpuTable.cpp - loader of GPU tables --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/GpuTable.h"
#include "EmbeddedTables.h"
#include "ObjectReader.h"
#include "Roofline.h"

#include "mlir/IR/BuiltinOps.h"

using namespace llvm;
using namespace hgc;
using hgc::detail::makeTableError;
using hgc::detail::ObjectReader;

static const std::vector<GpuTable> &getTables() {
  static const std::vector<GpuTable> tables = [] {
    std::vector<GpuTable> result;
    for (size_t i = 0; i < hgc::detail::embeddedTableCount; ++i) {
      if (!hgc::detail::isGpuTable(hgc::detail::embeddedTables[i]))
        continue;
      Expected<GpuTable> parsed = parseGpuTable(hgc::detail::embeddedTables[i]);
      if (!parsed)
        report_fatal_error(parsed.takeError());
      result.push_back(std::move(*parsed));
    }
    return result;
  }();
  return tables;
}

/// Reads the objects inside a table.
static Error readRates(const json::Object *flops, const json::Object *tensor, const std::string &what,
                       GpuTable &table) {
  ObjectReader rates(*flops, "key 'flops' of " + what);
  const char *keys[graph::kFlopClasses] = {"f64", "f32", "f16", "i8", "int", "transcendental"};
  for (size_t i = 0; i < graph::kFlopClasses; ++i)
    rates.read(keys[i], table.flops[i]);
  if (Error error = rates.finish())
    return error;
  ObjectReader cores(*tensor, "key 'tensor_flops' of " + what);
  cores.read("tf32", table.tensorTf32);
  cores.read("f16", table.tensorF16);
  return cores.finish();
}

static Error readGemm(const json::Object &object, const std::string &what, GpuTable &table) {
  ObjectReader reader(object, what);
  std::pair<const char *, GemmFigures *> kinds[] = {
      {"f16", &table.gemmF16}, {"tf32", &table.gemmTf32}, {"simt", &table.gemmSimt}};
  const json::Object *objects[3];
  for (auto [i, kind] : enumerate(kinds))
    objects[i] = reader.readObject(kind.first);
  if (Error error = reader.finish())
    return error;
  for (auto [i, kind] : enumerate(kinds)) {
    ObjectReader figures(*objects[i], "key '" + std::string(kind.first) + "' of " + what);
    figures.read("latency_ps", kind.second->latencyPs, 0);
    figures.read("efficiency", kind.second->efficiency);
    figures.read("tile_overhead", kind.second->tileOverhead);
    if (Error error = figures.finish())
      return error;
  }
  return Error::success();
}

Expected<GpuTable> hgc::parseGpuTable(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return makeTableError("GPU table is not valid JSON: " + toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return makeTableError("GPU table must be a JSON object");
  GpuTable table;
  std::string kind, what = "GPU table";
  if (std::optional<StringRef> name = object->getString("name"))
    what += (" '" + *name + "'").str();
  ObjectReader reader(*object, what);
  reader.read("name", table.name);
  reader.read("kind", kind);
  reader.read("description", table.description);
  reader.read("sm", table.sm, kOldestSm);
  reader.read("sms", table.sms, 1);
  reader.read("clock_hz", table.clockHz, 1);
  const json::Object *flops = reader.readObject("flops");
  const json::Object *tensor = reader.readObject("tensor_flops");
  reader.read("memory_bandwidth", table.memoryBandwidth);
  reader.read("memory_bytes", table.memoryBytes, 1);
  reader.read("l2_bytes", table.l2Bytes, 1);
  reader.read("shared_bytes_per_block", table.sharedBytesPerBlock, 48 << 10);
  reader.read("shared_bytes_per_sm", table.sharedBytesPerSm, 48 << 10);
  reader.read("link_bandwidth", table.linkBandwidth);
  reader.read("link_latency_ps", table.linkLatencyPs, 0);
  reader.read("launch_ps", table.launchPs, 0);
  reader.read("unified_memory", table.unifiedMemory);
  const json::Object *gemm = reader.readObject("gemm");
  if (!kind.empty() && kind != "gpu")
    reader.fail("key 'kind' of " + what + " is '" + kind + "', expected 'gpu'");
  if (Error error = reader.finish())
    return error;
  if (Error error = readRates(flops, tensor, what, table))
    return error;
  if (Error error = readGemm(*gemm, "key 'gemm' of " + what, table))
    return error;
  return table;
}

std::vector<StringRef> hgc::listGpus() {
  std::vector<StringRef> names;
  for (const GpuTable &table : getTables())
    names.push_back(table.name);
  return names;
}

/// The newest table that is not newer than `sm`; the first of several.
static const GpuTable *findForSm(int64_t sm) {
  const GpuTable *best = nullptr;
  for (const GpuTable &table : getTables())
    if (table.sm <= sm && (!best || table.sm > best->sm))
      best = &table;
  return best;
}

Expected<GpuTable> hgc::lookupGpu(StringRef name) {
  for (const GpuTable &table : getTables())
    if (name == table.name)
      return table;
  int64_t sm = 0;
  StringRef number = name;
  bool isSm = number.consume_front("sm_") && !number.getAsInteger(10, sm);
  if (isSm && sm >= kOldestSm && sm <= 150) {
    GpuTable table = *findForSm(sm);
    table.name = name.str();
    table.sm = sm;
    return table;
  }
  return makeTableError("unknown GPU '" + name + "'; known: sm_75 and later, " + join(listGpus(), ", "));
}

Expected<std::vector<GpuTable>> hgc::lookupGpus(StringRef list) {
  std::vector<GpuTable> tables;
  SmallVector<StringRef> names;
  list.split(names, ',');
  for (StringRef name : names) {
    Expected<GpuTable> table = lookupGpu(name.trim());
    if (!table)
      return table.takeError();
    tables.push_back(std::move(*table));
  }
  sort(tables, [](const GpuTable &a, const GpuTable &b) { return std::tie(a.sm, a.name) < std::tie(b.sm, b.name); });
  return tables;
}

/// The table the module names, whatever it may use.
static GpuTable findTable(mlir::ModuleOp module) {
  if (auto text = module->getAttrOfType<mlir::StringAttr>(kTargetGpuTableAttr)) {
    Expected<GpuTable> table = parseGpuTable(text.getValue());
    if (table)
      return *table;
    consumeError(table.takeError());
  }
  if (auto list = module->getAttrOfType<mlir::StringAttr>(kTargetGpuAttr)) {
    Expected<std::vector<GpuTable>> tables = lookupGpus(list.getValue());
    if (tables)
      return tables->front();
    // hgc-verify-graph reports the unknown name; a query has no way to.
    consumeError(tables.takeError());
  }
  return getTables().front();
}

GpuTable hgc::getGpuTable(mlir::ModuleOp module) {
  GpuTable table = findTable(module);
  table.useTf32 = allowsTf32(module);
  return table;
}

int64_t hgc::getNewestSm(mlir::ModuleOp module) {
  int64_t newest = findTable(module).sm;
  auto list = module->getAttrOfType<mlir::StringAttr>(kTargetGpuAttr);
  Expected<std::vector<GpuTable>> tables = lookupGpus(list ? list.getValue() : "");
  if (!tables) {
    consumeError(tables.takeError());
    return newest;
  }
  // A table of the module's own stands for the first of them.
  for (const GpuTable &table : ArrayRef(*tables).drop_front(module->hasAttr(kTargetGpuTableAttr)))
    newest = std::max(newest, table.sm);
  return newest;
}

int64_t hgc::estimatePs(const GpuTable &table, const graph::OpCost &cost) {
  return detail::estimateRoofline(table.flops, table.memoryBandwidth, cost);
}

bool hgc::allowsTf32(mlir::ModuleOp module) { return module && module->hasAttr(kAllowTf32Attr); }
