//===- TuneChoice.cpp - from measured times to choices --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TuneTasks.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Target/ConvForm.h"

#include "mlir/IR/Builders.h"
#include <set>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::tuning;

namespace {
/// A contraction and what was measured for it.
struct Measured {
  Operation *op;
  const Task *task;
  const Record *record;
};
} // namespace

/// The fastest candidate of a form; the form's plain one unless another is clearly faster.
static const Candidate *findFastest(const Record &record, StringRef form) {
  const Candidate *best = nullptr;
  double least = 0;
  for (const Candidate &candidate : record) {
    if (candidate.form != form)
      continue;
    double ps = static_cast<double>(candidate.ps);
    if (!best || ps < least)
      best = &candidate, least = candidate.tile.str().empty() ? kLeastGain * ps : ps;
  }
  return best;
}

/// Parameters that a value is made from.
static void collectParameters(Value value, std::set<std::string> &names, llvm::DenseSet<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return;
  if (auto read = dyn_cast<ReadOp>(op))
    names.insert(read.getParameter().str());
  for (Value operand : op->getOperands())
    collectParameters(operand, names, seen);
}

/// The form with which the contractions of one weight take least time together.
static std::string chooseForm(ArrayRef<Measured> users) {
  std::string chosen = users.front().record->front().form;
  double least = 0;
  for (const auto &[i, form] : llvm::enumerate(users.front().task->forms)) {
    double sum = 0;
    bool isComplete = true;
    for (const Measured &user : users) {
      const Candidate *fastest = findFastest(*user.record, form);
      isComplete &= fastest && llvm::is_contained(user.task->forms, form);
      if (fastest)
        sum += static_cast<double>(fastest->ps) * static_cast<double>(getTripWeight(user.op));
    }
    if (isComplete && (i == 0 || sum < least))
      chosen = form, least = i == 0 ? kLeastGain * sum : sum;
  }
  return chosen;
}

/// Writes the choice and its times to the op.
static void note(const Measured &measured, StringRef form) {
  const Candidate *fastest = findFastest(*measured.record, form);
  if (!fastest)
    return;
  Operation *op = measured.op;
  Builder builder(op->getContext());
  op->removeAttr(kConvFormAttr);
  auto conv = dyn_cast<ConvOp>(op);
  if (conv ? stringify(getConvForm(conv)) != form : !form.empty())
    op->setAttr(kConvFormAttr, builder.getStringAttr(form));
  setTileChoice(op, fastest->tile);
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  op->setAttr(kTunedAttr, builder.getDictionaryAttr(
                              {number("candidates", static_cast<int64_t>(measured.record->size())),
                               number("measured_ps", fastest->ps), number("modelled_ps", measured.task->modelledPs),
                               number("untuned_ps", measured.record->front().ps)}));
}

void hgc::tuning::applyRecords(ArrayRef<Task> tasks, const TuneCache &cache) {
  // Weights that were not measured with all their users keep their form.
  std::map<std::set<std::string>, std::vector<Measured>> byWeight;
  std::set<std::set<std::string>> incomplete;
  for (const Task &task : tasks) {
    const Record *record = cache.find(task.key);
    for (Operation *op : task.ops) {
      std::set<std::string> names;
      llvm::DenseSet<Operation *> seen;
      collectParameters(op->getOperand(1), names, seen);
      if (record)
        byWeight[names].push_back({op, &task, record});
      else
        incomplete.insert(names);
    }
  }
  for (const auto &[names, users] : byWeight) {
    // What is no parameter is nobody else's.
    bool isShared = !names.empty() && users.size() > 1;
    bool keepsForm = incomplete.count(names) > 0;
    std::string common = isShared ? chooseForm(users) : "";
    for (const Measured &user : users)
      note(user, keepsForm ? user.task->forms.front() : isShared ? common : chooseForm(user));
  }
}
