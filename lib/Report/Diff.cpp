//===- Diff.cpp - what changed between two plans --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TextTable.h"

#include "hgc/Report/Compare.h"
#include "hgc/Report/Units.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace hgc;
using namespace hgc::plans;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Prints the title of a part before its first line.
class Differ {
public:
  explicit Differ(llvm::raw_ostream &os) : os(os) {}

  void compareHeads(const Plan &a, const Plan &b) {
    begin("plan");
    change("hgc", a.hgcVersion, b.hgcVersion);
    change("model", a.modelHash, b.modelHash);
    change("cpu", a.cpu, b.cpu);
    change("gpus", llvm::join(a.gpus, ","), llvm::join(b.gpus, ","));
    change("device tables", a.tableHash, b.tableHash);
  }

  void comparePlans(const VariantPlan &variant, const DevicePlan &a, const DevicePlan &b) {
    for (const EntryPlan &entry : a.entries)
      if (const EntryPlan *other = find(b.entries, entry.name))
        compareEntries(variant, a.name, entry, *other);
      else
        only("entry", entry.name, "first", variant);
    for (const EntryPlan &entry : b.entries)
      if (!find(a.entries, entry.name))
        only("entry", entry.name, "second", variant);
    begin(title(variant, "memory", a.name));
    std::map<std::string, std::pair<int64_t, int64_t>> peaks, limits;
    for (const MemoryPlan &memory : a.memory) {
      peaks[memory.device].first = memory.getPeak();
      limits[memory.device].first = memory.limit.value_or(0);
    }
    for (const MemoryPlan &memory : b.memory) {
      peaks[memory.device].second = memory.getPeak();
      limits[memory.device].second = memory.limit.value_or(0);
    }
    for (auto &[device, bytes] : peaks)
      change(device + " peak", bytes.first, bytes.second, formatBytes);
    for (auto &[device, bytes] : limits)
      change(device + " limit", bytes.first, bytes.second, formatBytes);
  }

  void only(StringRef kind, StringRef name, StringRef which, const VariantPlan &variant) {
    std::string dims = variant.describeDims();
    begin("plan");
    line(kind + " " + name + (dims.empty() ? "" : " (" + dims + ")") + " is in the " + which + " plan only");
  }

  bool differs = false;

  void begin(std::string text) {
    heading = std::move(text);
    isOpen = false;
  }

  void line(const Twine &text) {
    differs = true;
    if (!isOpen)
      os << heading << "\n";
    isOpen = true;
    os << "  " << text << "\n";
  }

private:
  static std::string title(const VariantPlan &variant, StringRef what, StringRef plan) {
    std::string dims = variant.describeDims();
    return (what + (dims.empty() ? "" : " (" + dims + ")") + ", " + plan + " plan").str();
  }

  template <typename T> static const T *find(const std::vector<T> &list, StringRef name) {
    for (const T &item : list)
      if (item.name == name)
        return &item;
    return nullptr;
  }

  void change(StringRef what, StringRef a, StringRef b) {
    if (a != b)
      line(pad(what, 14) + " " + (a.empty() ? "none" : a) + " -> " + (b.empty() ? "none" : b));
  }

  void change(StringRef what, int64_t a, int64_t b, std::string (*format)(int64_t)) {
    if (a == b)
      return;
    // Values that round to the same text differ by what they show.
    std::string text = format(a) + " -> " + format(b) + " (" + (b > a ? "+" : "-") + format(std::abs(b - a));
    if (a != 0)
      text += llvm::formatv(", {0}{1:F1} %", b > a ? "+" : "", 100.0 * (b - a) / a);
    line(pad(what, 14) + " " + text + ")");
  }

  void change(StringRef what, std::optional<int64_t> a, std::optional<int64_t> b) {
    if (a && b)
      change(what, *a, *b, formatTime);
    else if (a || b)
      change(what, a ? formatTime(*a) : "", b ? formatTime(*b) : "");
  }

  static std::string describeCost(const OpPlan &op) {
    auto cost = op.costPs.find(StringRef(op.device).split(':').first.str());
    return cost == op.costPs.end() ? "" : " (" + formatTime(cost->second) + ")";
  }

  void compareOps(const EntryPlan &a, const EntryPlan &b) {
    llvm::StringMap<const OpPlan *> before, after;
    for (const OpPlan &op : a.ops)
      before[op.name] = &op;
    for (const OpPlan &op : b.ops)
      after[op.name] = &op;
    for (const OpPlan &op : a.ops) {
      const OpPlan *other = after.lookup(op.name);
      if (!other)
        line("gone    " + op.name + " (" + op.op + " on " + op.device + ")");
      else if (op.device != other->device)
        line("moved   " + pad(op.name, 24) + " " + op.device + describeCost(op) + " -> " + other->device +
             describeCost(*other));
      else if (op.pin != other->pin)
        line("pin of  " + pad(op.name, 24) + " " + (op.pin.empty() ? "none" : op.pin) + " -> " +
             (other->pin.empty() ? "none" : other->pin));
    }
    for (const OpPlan &op : b.ops)
      if (!before.lookup(op.name))
        line("new     " + op.name + " (" + op.op + " on " + op.device + ")");
  }

  void compareResidents(const EntryPlan &a, const EntryPlan &b) {
    std::map<std::string, std::pair<std::string, std::string>> devices;
    for (const ResidentPlan &resident : a.residents)
      devices[resident.name].first = resident.device;
    for (const ResidentPlan &resident : b.residents)
      devices[resident.name].second = resident.device;
    auto spell = [](const std::string &device) { return device.empty() ? std::string("the host") : device; };
    for (auto &[name, pair] : devices)
      if (pair.first != pair.second)
        line("caller  " + pad(name, 24) + " " + spell(pair.first) + " -> " + spell(pair.second));
  }

  void compareEntries(const VariantPlan &variant, StringRef plan, const EntryPlan &a, const EntryPlan &b) {
    begin(title(variant, a.name, plan));
    compareOps(a, b);
    compareResidents(a, b);
    TransferTotals before = countTransfers(a), after = countTransfers(b);
    auto count = [](int64_t number) { return std::to_string(number); };
    change("copies a call", before.calls, after.calls, count);
    change("  their bytes", before.callBytes, after.callBytes, formatBytes);
    change("copies at load", before.loads, after.loads, count);
    change("  their bytes", before.loadBytes, after.loadBytes, formatBytes);
    change("kernels", a.kernels.size(), b.kernels.size(), count);
    change("serial cost", a.serialCostPs, b.serialCostPs);
    change("bound", a.boundPs, b.boundPs);
    change("makespan", a.makespanPs, b.makespanPs);
  }

  llvm::raw_ostream &os;
  std::string heading;
  bool isOpen = false;
};

const VariantPlan *findVariant(const Plan &plan, const VariantPlan &wanted) {
  for (const VariantPlan &variant : plan.variants)
    if (variant.dims == wanted.dims)
      return &variant;
  return nullptr;
}

const DevicePlan *findPlan(const VariantPlan &variant, StringRef name) {
  for (const DevicePlan &plan : variant.plans)
    if (plan.name == name)
      return &plan;
  return nullptr;
}

} // namespace

bool hgc::plans::printDiff(const Plan &a, const Plan &b, llvm::raw_ostream &os) {
  if (writeJson(a) == writeJson(b))
    return false;
  Differ differ(os);
  differ.compareHeads(a, b);
  for (const VariantPlan &variant : a.variants) {
    const VariantPlan *other = findVariant(b, variant);
    if (!other) {
      differ.only("variant", variant.describeDims(), "first", {});
      continue;
    }
    for (const DevicePlan &plan : variant.plans)
      if (const DevicePlan *match = findPlan(*other, plan.name))
        differ.comparePlans(variant, plan, *match);
      else
        differ.only("the plan", plan.name, "first", variant);
    for (const DevicePlan &plan : other->plans)
      if (!findPlan(variant, plan.name))
        differ.only("the plan", plan.name, "second", variant);
  }
  for (const VariantPlan &variant : b.variants)
    if (!findVariant(a, variant))
      differ.only("variant", variant.describeDims(), "second", {});
  if (!differ.differs) {
    differ.begin("plan");
    differ.line("same devices, copies, memory and costs; reasons, prices or schedules differ");
  }
  return true;
}
