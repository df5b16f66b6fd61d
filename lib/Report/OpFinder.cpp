//===- OpFinder.cpp - ops of a plan in later stages -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpFinder.h"

#include "hgc/Analysis/OpNames.h"

using namespace hgc;
using namespace hgc::plans;

OpFinder::OpFinder(const EntryPlan &entry) : entry(entry) {
  for (auto [i, op] : llvm::enumerate(entry.ops))
    ops[{op.name.substr(0, op.name.rfind('#')), op.op}].push_back(i);
}

std::string OpFinder::take(mlir::Operation *op, llvm::StringRef device) {
  auto found = ops.find({getOpName(op).str(), op->getName().stripDialect().str()});
  if (found == ops.end() || found->second.empty())
    return "";
  std::deque<size_t> &left = found->second;
  auto match = llvm::find_if(left, [&](size_t i) { return entry.ops[i].device == device; });
  // Otherwise it is computed a second time, or was moved across its copy.
  std::string name = entry.ops[match == left.end() ? left.front() : *match].name;
  // The last one stays, for what repeats it.
  if (match != left.end() && left.size() > 1)
    left.erase(match);
  return name;
}
