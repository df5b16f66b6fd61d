//===- ExplainCommand.cpp - hgc explain -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "ExplainMemory.h"
#include "PlanLoading.h"

#include "hgc/Report/Render.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples =
    R"(  hgc explain model.mlir --gpu a100                  # which op runs where, what it costs, and why
  hgc explain model.mlir --gpu t4 --dim batch=64     # the same question for another GPU and batch
  hgc explain model.mlir --gpu a100 --place 'cpu(embed.*)'   # what would it cost to pin these ops?
  hgc explain model.plan.json --all                  # a plan that 'hgc compile' wrote, every op
  hgc explain model.mlir --gpu a100 --report plan.html       # a page with the graph, to look at
  hgc explain model.mlir --gpu a100 --json | jq '.variants[0].plans[1].entries[0].transfers'
)";

struct Request {
  std::vector<std::string> paths;
  std::string entry, report;
  bool json = false, all = false, memoryCurve = false;
  CompileFlags flags;
};

/// An entry that is asked for must be there.
llvm::Error checkEntry(const plans::Plan &plan, llvm::StringRef wanted) {
  std::vector<std::string> names;
  for (const plans::VariantPlan &variant : plan.variants)
    for (const plans::DevicePlan &device : variant.plans)
      for (const plans::EntryPlan &entry : device.entries)
        if (!llvm::is_contained(names, entry.name))
          names.push_back(entry.name);
  if (wanted.empty() || llvm::is_contained(names, wanted.str()))
    return llvm::Error::success();
  return makeError("the plan has no entry '" + wanted + "'", "its entries are " + llvm::join(names, ", "));
}

llvm::Error explain(llvm::ArrayRef<const char *> args) {
  ArgParser parser("explain", "say which op runs where, what it costs, and why",
                   "MODEL.mlir|MODEL.plan.json|MODEL.so [options]", kExamples);
  Request request;
  parser.positional(request.paths);
  parser.value("entry", "NAME", request.entry, "show this entry only");
  parser.flag("all", request.all, "show every op, every copy and the CPU plan as well");
  parser.flag("json", request.json, "print the plan as JSON, as in model.plan.json");
  parser.flag("memory-curve", request.memoryCurve, "show modelled time against memory limits instead");
  parser.value("report", "FILE.html", request.report, "write a page with graph, tables, memory and timeline");
  request.flags.addTo(parser);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (request.paths.size() != 1)
    return usageError("expected one model or plan, got " + llvm::Twine(request.paths.size()),
                      "hgc explain model.mlir --gpu a100");
  if (request.memoryCurve)
    return explainMemory(parser, request.paths.front(), request.flags, request.json);
  llvm::Expected<LoadedPlan> loaded = loadPlan(parser, request.paths.front(), request.flags);
  if (!loaded)
    return loaded.takeError();
  if (llvm::Error error = checkEntry(loaded->plan, request.entry))
    return error;
  if (!request.report.empty())
    if (llvm::Error error = writeFile(request.report, plans::renderHtml(loaded->plan, loaded->title)))
      return error;
  if (request.json)
    llvm::outs() << plans::writeJson(loaded->plan);
  else if (request.report != "-")
    plans::printText(loaded->plan, {llvm::outs().has_colors(), request.all, request.entry}, llvm::outs());
  return llvm::Error::success();
}

} // namespace

int hgc::driver::runExplain(llvm::ArrayRef<const char *> args) { return report(explain(args)); }
