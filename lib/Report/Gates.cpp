//===- Gates.cpp - limits that a plan must keep ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Devices.h"
#include "hgc/Placement/PlaceRules.h"
#include "hgc/Report/Compare.h"
#include "hgc/Report/Units.h"

using namespace hgc;
using namespace hgc::plans;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Collects sentences about one plan.
class Checker {
public:
  Checker(const Gates &gates, std::vector<std::string> &violations) : gates(gates), violations(violations) {}

  void checkEntry(const VariantPlan &variant, const EntryPlan &entry) {
    std::string dims = variant.describeDims();
    std::string what = "entry '" + entry.name + "'" + (dims.empty() ? "" : " with " + dims);
    TransferTotals totals = countTransfers(entry);
    if (gates.maxTransfers && totals.calls > *gates.maxTransfers)
      add(what + " makes " + Twine(totals.calls) + " transfers a call, allowed are " + Twine(*gates.maxTransfers) +
          listTransfers(entry));
    if (gates.maxTransferBytes && totals.callBytes > *gates.maxTransferBytes)
      add(what + " transfers " + formatBytes(totals.callBytes) + " a call, allowed are " +
          formatBytes(*gates.maxTransferBytes) + listTransfers(entry));
    checkTime(what, "serial cost", entry.serialCostPs, gates.maxSerialPs);
    checkTime(what, "makespan", entry.makespanPs, gates.maxMakespanPs);
  }

  void checkMemory(const VariantPlan &variant, const DevicePlan &plan) {
    for (const MemoryPlan &memory : plan.memory)
      for (const auto &[device, limit] : gates.maxPeak) {
        bool isMeant = memory.device == device || StringRef(memory.device).starts_with(device + ":");
        if (!isMeant || memory.getPeak() <= limit)
          continue;
        std::string dims = variant.describeDims();
        add("the " + plan.name + " plan" + (dims.empty() ? "" : " for " + dims) + " needs " +
            formatBytes(memory.getPeak()) + " on " + memory.device + ", allowed are " + formatBytes(limit));
      }
  }

private:
  void add(const Twine &text) { violations.push_back(text.str()); }

  void checkTime(const std::string &what, StringRef name, std::optional<int64_t> time, std::optional<int64_t> limit) {
    if (!limit)
      return;
    if (!time)
      add(what + " has no " + name + " in its plan");
    else if (*time > *limit)
      add(what + " has a " + name + " of " + formatTime(*time) + ", allowed are " + formatTime(*limit));
  }

  /// The largest ones, for people to act on.
  static std::string listTransfers(const EntryPlan &entry) {
    std::vector<const TransferPlan *> calls;
    for (const TransferPlan &transfer : entry.transfers)
      if (!transfer.isAtLoad)
        calls.push_back(&transfer);
    // They lie in one list: equal sizes stay in its order.
    llvm::sort(calls, [](auto *a, auto *b) { return std::pair(-a->bytes, a) < std::pair(-b->bytes, b); });
    std::string text;
    for (const TransferPlan *transfer : llvm::ArrayRef(calls).take_front(3))
      text += (text.empty() ? ": " : ", ") + transfer->value + " to " + transfer->to + " (" +
              formatBytes(transfer->bytes) + ")";
    return text + (calls.size() > 3 ? ", ..." : "");
  }

  const Gates &gates;
  std::vector<std::string> &violations;
};

/// Checks one `--require-device`.
llvm::Error checkRule(const Plan &plan, const std::string &rule, std::vector<std::string> &violations) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<graph::HGCDialect>();
  llvm::Expected<PlaceRules> rules = PlaceRules::parse(rule, &context);
  if (!rules)
    return rules.takeError();
  bool isUsed = false;
  for (const VariantPlan &variant : plan.variants)
    for (const EntryPlan &entry : variant.getPreferred().entries)
      for (const OpPlan &op : entry.ops) {
        // Views are where their source is, whoever asks.
        if (op.costPs.empty())
          continue;
        // Parts of one op are named alike.
        graph::DeviceAttr wanted = rules->find(StringRef(op.name).split('#').first);
        isUsed |= static_cast<bool>(wanted);
        if (!wanted || describe(wanted) == op.device)
          continue;
        std::string dims = variant.describeDims();
        violations.push_back("op '" + op.name + "' of entry '" + entry.name + "'" +
                             (dims.empty() ? "" : " with " + dims) + " is on " + op.device + ", '" + rule +
                             "' asks for " + describe(wanted));
      }
  if (!isUsed)
    violations.push_back("'" + rule + "' matches no op of the model");
  return llvm::Error::success();
}

} // namespace

bool Gates::isEmpty() const {
  return !maxTransfers && !maxTransferBytes && !maxSerialPs && !maxMakespanPs && maxPeak.empty() &&
         requireDevice.empty();
}

llvm::Expected<std::vector<std::string>> hgc::plans::findViolations(const Plan &plan, const Gates &gates) {
  std::vector<std::string> violations;
  Checker checker(gates, violations);
  for (const VariantPlan &variant : plan.variants) {
    for (const EntryPlan &entry : variant.getPreferred().entries)
      checker.checkEntry(variant, entry);
    for (const DevicePlan &device : variant.plans)
      checker.checkMemory(variant, device);
  }
  for (const std::string &rule : gates.requireDevice)
    if (llvm::Error error = checkRule(plan, rule, violations))
      return std::move(error);
  return violations;
}
