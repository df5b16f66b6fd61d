//===- DiffCommand.cpp - hgc diff -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "PlanLoading.h"

#include "hgc/Report/Compare.h"

using namespace hgc;
using namespace hgc::driver;

static constexpr llvm::StringLiteral kExamples =
    R"(  hgc diff old.plan.json new.plan.json      # what moved, what it does to time, copies and memory
  hgc diff release/model.so build/model.so  # the plans beside two libraries
  hgc diff a.plan.json b.plan.json > /dev/null && echo same
)";

int hgc::driver::runDiff(llvm::ArrayRef<const char *> args) {
  ArgParser parser("diff", "say what changed between two plans; exit code 0: nothing, 1: something",
                   "A.plan.json|A.so B.plan.json|B.so", kExamples);
  std::vector<std::string> paths;
  parser.positional(paths);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return report(parsed.takeError());
  if (paths.size() != 2)
    return report(
        usageError("expected two plans, got " + llvm::Twine(paths.size()), "hgc diff old.plan.json new.plan.json"));
  llvm::Expected<LoadedPlan> a = readPlan(paths[0]);
  // Like diff: trouble is another code than a difference.
  if (!a)
    return report(a.takeError()) ? kUsage : kDone;
  llvm::Expected<LoadedPlan> b = readPlan(paths[1]);
  if (!b)
    return report(b.takeError()) ? kUsage : kDone;
  return plans::printDiff(a->plan, b->plan, llvm::outs()) ? kUserError : kDone;
}
