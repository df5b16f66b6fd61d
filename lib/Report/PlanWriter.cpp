//===- PlanWriter.cpp - a plan as JSON ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys are written in alphabetical order, by hand: what is not written here is
// not in the file.
//===----------------------------------------------------------------------===//

#include "hgc/Report/Plan.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace hgc;
using namespace hgc::plans;
using llvm::StringRef;
using llvm::json::OStream;

namespace {

/// Names may come from models with any bytes in them.
void writeText(OStream &json, StringRef key, StringRef text) {
  json.attribute(key, llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text));
}

void writeIfAny(OStream &json, StringRef key, StringRef text) {
  if (!text.empty())
    writeText(json, key, text);
}

void writeIfAny(OStream &json, StringRef key, std::optional<int64_t> number) {
  if (number)
    json.attribute(key, *number);
}

void writeMap(OStream &json, StringRef key, const std::map<std::string, int64_t> &map) {
  json.attributeObject(key, [&] {
    for (auto &[name, number] : map)
      json.attribute(name, number);
  });
}

void writeList(OStream &json, StringRef key, llvm::ArrayRef<std::string> list) {
  json.attributeArray(key, [&] {
    for (const std::string &text : list)
      json.value(llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text));
  });
}

template <typename T, typename Write> void writeObjects(OStream &json, StringRef key, const T &list, Write write) {
  json.attributeArray(key, [&] {
    for (const auto &item : list)
      json.object([&] { write(json, item); });
  });
}

void writeOp(OStream &json, const OpPlan &op) {
  writeIfAny(json, "also_on", op.alsoOn);
  json.attribute("bytes", op.bytes);
  writeMap(json, "cost_ps", op.costPs);
  json.attribute("device", op.device);
  writeIfAny(json, "form", op.form);
  writeList(json, "inputs", op.inputs);
  writeIfAny(json, "kernel", op.kernel);
  writeText(json, "name", op.name);
  json.attribute("op", op.op);
  writeIfAny(json, "pin", op.pin);
  writeIfAny(json, "reason", op.reason);
  writeIfAny(json, "switch_price_ps", op.switchPricePs);
}

void writeTransfer(OStream &json, const TransferPlan &transfer) {
  json.attribute("bytes", transfer.bytes);
  json.attribute("from", transfer.from);
  writeIfAny(json, "reason", transfer.reason);
  json.attribute("times", transfer.times);
  json.attribute("to", transfer.to);
  writeText(json, "value", transfer.value);
  json.attribute("when", transfer.isAtLoad ? "load" : "call");
}

void writeKernel(OStream &json, const KernelPlan &kernel) {
  json.attribute("device", kernel.device);
  json.attribute("launches", kernel.launches);
  writeText(json, "name", kernel.name);
  writeList(json, "ops", kernel.ops);
  json.attribute("schedule", kernel.schedule);
  json.attribute("scratch_bytes", kernel.scratchBytes);
  if (kernel.tuned)
    json.attributeObject("tuned", [&] {
      json.attribute("candidates", kernel.tuned->candidates);
      json.attribute("measured_ps", kernel.tuned->measuredPs);
      json.attribute("modelled_ps", kernel.tuned->modelledPs);
      writeIfAny(json, "tile", kernel.tuned->tile);
      json.attribute("untuned_ps", kernel.tuned->untunedPs);
    });
}

void writeResident(OStream &json, const ResidentPlan &resident) {
  json.attribute("device", resident.device);
  writeText(json, "name", resident.name);
  json.attribute("role", resident.isOutput ? "output" : "input");
  writeText(json, "value", resident.value);
}

void writeTimeline(OStream &json, const TimelineItem &item) {
  json.attribute("end", item.endPs);
  writeText(json, "name", item.name);
  json.attribute("resource", item.resource);
  json.attribute("start", item.startPs);
}

void writeEntry(OStream &json, const EntryPlan &entry, bool forPictures) {
  writeMap(json, "alternatives", entry.alternatives);
  writeIfAny(json, "bound_ps", entry.boundPs);
  if (entry.boundPs || entry.isUncertified)
    json.attribute("certified", !entry.isUncertified);
  if (entry.serialCostPs && entry.boundPs)
    json.attribute("gap_ps", *entry.serialCostPs - *entry.boundPs);
  writeObjects(json, "kernels", entry.kernels, writeKernel);
  writeIfAny(json, "makespan_ps", entry.makespanPs);
  writeText(json, "name", entry.name);
  writeObjects(json, "ops", entry.ops, writeOp);
  writeList(json, "outputs", entry.outputs);
  if (!entry.residents.empty())
    writeObjects(json, "residents", entry.residents, writeResident);
  writeIfAny(json, "serial_cost_ps", entry.serialCostPs);
  if (forPictures)
    writeObjects(json, "timeline", entry.timeline, writeTimeline);
  writeObjects(json, "transfers", entry.transfers, writeTransfer);
}

void writeMemory(OStream &json, const MemoryPlan &memory, bool forPictures) {
  json.attribute("arena_bytes", memory.arenaBytes);
  writeIfAny(json, "bound_ps", memory.boundPs);
  if (forPictures) {
    json.attribute("curve", llvm::json::Array(memory.curve));
    writeList(json, "curve_names", memory.curveNames);
  }
  json.attribute("device", memory.device);
  writeIfAny(json, "gap_ps", memory.gapPs);
  writeIfAny(json, "limit", memory.limit);
  json.attribute("lower_bound", memory.lowerBound);
  json.attribute("scratch_bytes", memory.scratchBytes);
  json.attribute("state_bytes", memory.stateBytes);
  json.attribute("weights_bytes", memory.weightsBytes);
}

} // namespace

std::string hgc::plans::writeJson(const Plan &plan, bool forPictures) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os, /*IndentSize=*/forPictures ? 0 : 1);
  auto writePlan = [&](OStream &json, const DevicePlan &plan) {
    writeObjects(json, "entries", plan.entries,
                 [&](OStream &json, const EntryPlan &entry) { writeEntry(json, entry, forPictures); });
    writeObjects(json, "memory", plan.memory,
                 [&](OStream &json, const MemoryPlan &memory) { writeMemory(json, memory, forPictures); });
    json.attribute("name", plan.name);
  };
  json.object([&] {
    json.attribute("hgc_version", plan.hgcVersion);
    json.attribute("model_hash", plan.modelHash);
    json.attribute("schema", kPlanSchema);
    json.attributeObject("target", [&] {
      json.attribute("cpu", plan.cpu);
      writeList(json, "gpus", plan.gpus);
      json.attribute("table_hash", plan.tableHash);
    });
    writeObjects(json, "variants", plan.variants, [&](OStream &json, const VariantPlan &variant) {
      writeMap(json, "dims", variant.dims);
      writeObjects(json, "plans", variant.plans, writePlan);
    });
  });
  os << "\n";
  return text;
}

std::string VariantPlan::describeDims() const {
  std::string text;
  for (auto &[name, extent] : dims)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(extent);
  return text;
}
