//===- Text.cpp - a plan as tables for a terminal -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TextTable.h"

#include "hgc/Report/Compare.h"
#include "hgc/Report/Render.h"
#include "hgc/Report/Units.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace hgc;
using namespace hgc::plans;
using llvm::StringRef;

namespace {

/// Ops shown unless all are asked for.
constexpr size_t kMaxRows = 50;
/// Reasons told in words, and copies listed.
constexpr size_t kTop = 5;

bool isOnGpu(StringRef device) { return device.starts_with("gpu"); }
Style styleOf(StringRef device) { return isOnGpu(device) ? Style::Gpu : Style::Cpu; }

std::string timeOf(const OpPlan &op, const char *device) {
  auto cost = op.costPs.find(device);
  return cost == op.costPs.end() ? "-" : formatTime(cost->second);
}

/// The op and how it is computed, if there was a choice.
std::string describeKind(const OpPlan &op) { return op.form.empty() ? op.op : op.op + " " + op.form; }

/// What the op costs where it is.
int64_t costOf(const OpPlan &op) {
  auto cost = op.costPs.find(isOnGpu(op.device) ? "gpu" : "cpu");
  return cost == op.costPs.end() ? 0 : cost->second;
}

std::string plural(int64_t count, StringRef noun, StringRef nouns) {
  return (llvm::Twine(count) + " " + (count == 1 ? noun : nouns)).str();
}

bool hasPins(const EntryPlan &entry) {
  return llvm::any_of(entry.ops, [](const OpPlan &op) { return !op.pin.empty(); });
}

/// Prints one plan of one entry.
class EntryPrinter {
public:
  EntryPrinter(const DevicePlan &plan, const EntryPlan &entry, const TextOptions &options, llvm::raw_ostream &os)
      : plan(plan), entry(entry), options(options), os(os) {}

  void run(StringRef dims) {
    std::string title = entry.name + (dims.empty() ? "" : " (" + dims.str() + ")");
    os << "\n" << paint(title, Style::Bold, options.hasColors) << ", " << plan.name << " plan: " << countOps() << "\n";
    printOps();
    printTotals();
    printCopies();
    printMemory();
    printTuned();
    printReasons();
  }

private:
  /// `12 ops on gpu:0, 3 on cpu`.
  std::string countOps() {
    std::map<std::string, int64_t> counts;
    for (const OpPlan &op : entry.ops)
      ++counts[op.device];
    std::string text;
    for (auto &[device, count] : counts)
      text += (text.empty() ? plural(count, "op", "ops") : ", " + std::to_string(count)) + " on " + device;
    return text + ", " + plural(entry.kernels.size(), "kernel", "kernels");
  }

  /// The dearest ops, in the order of the program.
  std::vector<size_t> chooseOps() {
    std::vector<size_t> order;
    for (size_t i = 0; i < entry.ops.size(); ++i)
      if (options.showsAll || !entry.ops[i].costPs.empty())
        order.push_back(i);
    if (options.showsAll || order.size() <= kMaxRows)
      return order;
    auto weight = [&](size_t i) { return std::max(costOf(entry.ops[i]), entry.ops[i].switchPricePs.value_or(0)); };
    llvm::sort(order, [&](size_t a, size_t b) { return std::pair(-weight(a), a) < std::pair(-weight(b), b); });
    order.resize(kMaxRows);
    llvm::sort(order);
    return order;
  }

  void printOps() {
    std::vector<size_t> shown = chooseOps();
    std::vector<OpCopies> copies = countCopies(entry);
    bool hasChoice = llvm::any_of(entry.ops, [](const OpPlan &op) { return op.switchPricePs.has_value(); });
    bool hasGpu = plan.name == "gpu";
    std::vector<TextTable::Column> columns = {{"op", 24}, {"kind", 22}, {"on", 6}, {"cpu", 9, true}};
    if (hasGpu) {
      columns.push_back({"gpu", 9, true});
      columns.push_back({"copies", 7, true});
    }
    if (hasChoice)
      columns.push_back({"if switched", 11, true});
    columns.push_back({hasChoice ? "why" : "kernel", kTextColumns});
    TextTable table(columns);
    for (size_t i : shown) {
      const OpPlan &op = entry.ops[i];
      std::vector<Cell> row = {{op.name}, {describeKind(op)}, {op.device, styleOf(op.device)}, {timeOf(op, "cpu")}};
      if (hasGpu) {
        row.push_back({timeOf(op, "gpu")});
        row.push_back({llvm::formatv("+{0} -{1}", copies[i].caused, copies[i].saved).str(), Style::Dim});
      }
      if (hasChoice)
        row.push_back({op.switchPricePs ? (*op.switchPricePs < 0 ? "" : "+") + formatTime(*op.switchPricePs) : "-"});
      row.push_back({hasChoice ? describeReason(op) : op.kernel, Style::Dim});
      table.add(std::move(row));
    }
    table.print(os, 2, options.hasColors);
    if (size_t hidden = entry.ops.size() - shown.size()) {
      std::string text =
          "  " + plural(hidden, "cheaper or free op is", "cheaper or free ops are") + " not shown; --all shows ";
      os << paint(text + (hidden == 1 ? "it" : "them"), Style::Dim, options.hasColors) << "\n";
    }
  }

  static std::string describeReason(const OpPlan &op) {
    // A pin is all the reason there is.
    if (!op.pin.empty())
      return "pinned to " + op.pin;
    return op.reason + (op.alsoOn.empty() ? "" : " (computed on " + op.alsoOn + " as well)");
  }

  void printLine(StringRef name, const llvm::Twine &text) {
    os << "  " << paint(pad(name, 12), Style::Dim, options.hasColors) << " " << text << "\n";
  }

  /// A bar of one to thirty blocks.
  std::string drawBar(int64_t value, int64_t most, Style style) {
    int64_t length = most > 0 ? std::max<int64_t>(1, static_cast<int64_t>(30.0 * value / most + 0.5)) : 0;
    return paint(std::string(length, '#'), style, options.hasColors);
  }

  void printTotals() {
    os << "\n";
    if (!entry.serialCostPs)
      return;
    int64_t cost = *entry.serialCostPs;
    std::string text = formatTime(cost) + " without overlap";
    // Bounds are of placements that keep the pins.
    StringRef any = hasPins(entry) ? "no placement with these pins" : "no placement";
    if (entry.boundPs && *entry.boundPs == cost)
      text += llvm::formatv("; proven: {0} costs less", any);
    else if (entry.boundPs)
      text += llvm::formatv("; {0} costs less than {1}, the gap is {2}", any, formatTime(*entry.boundPs),
                            formatTime(cost - *entry.boundPs));
    printLine("cost", text);
    if (entry.isUncertified)
      printLine("certified", "no: the kernels cost something else than placement had certified");
    if (entry.makespanPs) {
      // A dearer sum is worth it when devices work side by side.
      bool isWhy = entry.boundPs && cost > *entry.boundPs && *entry.makespanPs < *entry.boundPs;
      printLine("makespan", formatTime(*entry.makespanPs) + " with overlap, simulated" +
                                (isWhy ? "; less than any placement without overlap" : ""));
    }
    auto others = listAlternatives(entry);
    if (others.empty())
      return;
    int64_t most = std::max(cost, entry.makespanPs.value_or(0));
    for (auto &[name, time] : others)
      most = std::max(most, time);
    auto print = [&](StringRef name, int64_t time, Style style) {
      double factor = cost > 0 ? static_cast<double>(time) / cost : 1;
      printLine(name, pad(formatTime(time), 9, /*isRight=*/true) + llvm::formatv("{0,8:F2}x  ", factor).str() +
                          drawBar(time, most, style));
    };
    print("this plan", cost, Style::Good);
    if (entry.makespanPs && *entry.makespanPs != cost)
      print("  overlapped", *entry.makespanPs, Style::Good);
    for (auto &[name, time] : others)
      print(name, time, Style::Dim);
  }

  void printResidents() {
    for (bool isOutput : {false, true}) {
      std::vector<std::string> names;
      for (const ResidentPlan &resident : entry.residents)
        if (resident.isOutput == isOutput)
          names.push_back(resident.name + " on " + resident.device);
      if (!names.empty())
        printLine(isOutput ? "results" : "arguments",
                  cut(llvm::join(names, ", "), kTextColumns - 50) + " in device memory of the caller");
    }
  }

  void printCopies() {
    printResidents();
    TransferTotals totals = countTransfers(entry);
    if (totals.calls + totals.loads == 0)
      return;
    printLine("copies", plural(totals.calls, "copy", "copies") + " (" + formatBytes(totals.callBytes) +
                            ") in every call, " + std::to_string(totals.loads) + " (" + formatBytes(totals.loadBytes) +
                            ") when the model is loaded");
    size_t shown = 0;
    for (const TransferPlan &transfer : entry.transfers) {
      if (transfer.isAtLoad)
        continue;
      if (++shown > kTop && !options.showsAll)
        continue;
      std::string text = cut(transfer.value, 24) + ": " + transfer.from + " to " + transfer.to + ", " +
                         formatBytes(transfer.bytes) +
                         (transfer.times == 1 ? "" : ", " + std::to_string(transfer.times) + " times") +
                         (transfer.reason.empty() ? "" : "; " + transfer.reason);
      printLine("", cut(text, kTextColumns - 15));
    }
    if (shown > kTop && !options.showsAll)
      printLine(
          "", paint("and " + std::to_string(shown - kTop) + " more; --all shows them", Style::Dim, options.hasColors));
  }

  void printMemory() {
    for (const MemoryPlan &memory : plan.memory) {
      std::string text = formatBytes(memory.getPeak()) + ": arena " + formatBytes(memory.arenaBytes) + ", weights " +
                         formatBytes(memory.weightsBytes);
      if (memory.stateBytes)
        text += ", state " + formatBytes(memory.stateBytes);
      if (memory.scratchBytes)
        text += ", scratch " + formatBytes(memory.scratchBytes);
      if (memory.limit)
        text += "; the limit is " + formatBytes(*memory.limit);
      printLine("on " + memory.device, text);
      if (memory.boundPs && memory.gapPs)
        printLine("", llvm::formatv("no plan within the limit costs less than {0}, the gap is {1}",
                                    formatTime(*memory.boundPs), formatTime(*memory.gapPs))
                          .str());
    }
  }

  /// Kernels whose times were measured, the longest first.
  void printTuned() {
    std::vector<const KernelPlan *> tuned;
    llvm::StringSet<> names;
    for (const KernelPlan &kernel : entry.kernels)
      if (kernel.tuned && names.insert(kernel.name).second)
        tuned.push_back(&kernel);
    if (tuned.empty())
      return;
    // They lie in one list: equal times stay in its order.
    llvm::sort(tuned, [](auto *a, auto *b) {
      return std::pair(-a->tuned->measuredPs, a) < std::pair(-b->tuned->measuredPs, b);
    });
    size_t shown = options.showsAll ? tuned.size() : std::min(tuned.size(), kMaxRows);
    os << "\n  " << paint("measured on the machine that compiled", Style::Bold, options.hasColors) << "\n";
    TextTable table({{"kernel", 24},
                     {"measured", 9, true},
                     {"untuned", 9, true},
                     {"modelled", 9, true},
                     {"schedule", kTextColumns}});
    for (const KernelPlan *kernel : llvm::ArrayRef(tuned).take_front(shown))
      table.add({{kernel->name},
                 {formatTime(kernel->tuned->measuredPs)},
                 {formatTime(kernel->tuned->untunedPs)},
                 {formatTime(kernel->tuned->modelledPs)},
                 {kernel->schedule, Style::Dim}});
    table.print(os, 2, options.hasColors);
    if (shown < tuned.size())
      printLine("", paint("and " + std::to_string(tuned.size() - shown) + " more; --all shows them", Style::Dim,
                          options.hasColors));
  }

  /// What the user would ask about: the ops whose place matters most.
  void printReasons() {
    std::vector<const OpPlan *> ops;
    for (const OpPlan &op : entry.ops)
      if (op.switchPricePs.value_or(0) > 0)
        ops.push_back(&op);
    // They lie in one list: equal prices stay in its order.
    llvm::sort(ops,
               [](auto *a, auto *b) { return std::pair(-*a->switchPricePs, a) < std::pair(-*b->switchPricePs, b); });
    if (ops.empty())
      return;
    os << "\n  " << paint("what matters most", Style::Bold, options.hasColors) << "\n";
    for (const OpPlan *op : llvm::ArrayRef(ops).take_front(kTop)) {
      std::string text = op->name + " is on " + op->device + ": on the other side the plan would cost " +
                         formatTime(*op->switchPricePs) + " more";
      if (std::string reason = describeReason(*op); !reason.empty())
        text += "; " + reason;
      for (auto [i, line] : llvm::enumerate(wrap(text, kTextColumns - 4)))
        os << (i == 0 ? "  - " : "    ") << line << "\n";
    }
  }

  const DevicePlan &plan;
  const EntryPlan &entry;
  const TextOptions &options;
  llvm::raw_ostream &os;
};

} // namespace

std::vector<std::pair<std::string, int64_t>> hgc::plans::listAlternatives(const EntryPlan &entry) {
  // Every way to place keeps the pins: with some, not all is on one device.
  bool isRest = hasPins(entry);
  const std::pair<StringRef, StringRef> known[] = {{"all_cpu", isRest ? "rest on cpu" : "all on cpu"},
                                                   {"all_gpu", isRest ? "rest on gpu" : "all on gpu"},
                                                   {"greedy", "greedy"},
                                                   {"heft", "HEFT"},
                                                   {"m_etf", "m-ETF"},
                                                   {"m_sct", "m-SCT"}};
  std::vector<std::pair<std::string, int64_t>> result;
  std::map<std::string, int64_t> left = entry.alternatives;
  for (auto [key, name] : known)
    if (auto found = left.find(key.str()); found != left.end()) {
      result.emplace_back(name.str(), found->second);
      left.erase(found);
    }
  for (auto &[key, cost] : left)
    result.emplace_back(key, cost);
  return result;
}

void hgc::plans::printText(const Plan &plan, const TextOptions &options, llvm::raw_ostream &os) {
  os << "model " << plan.modelHash << " for " << plan.cpu
     << (plan.gpus.empty() ? "" : " and " + llvm::join(plan.gpus, ", ")) << "; modelled times\n";
  for (const VariantPlan &variant : plan.variants)
    for (const DevicePlan &device : variant.plans)
      for (const EntryPlan &entry : device.entries)
        if ((options.entry.empty() || entry.name == options.entry) &&
            (options.showsAll || &device == &variant.getPreferred()))
          EntryPrinter(device, entry, options, os).run(variant.describeDims());
}
