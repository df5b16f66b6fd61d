//===- PlanLoading.cpp - from a path on the command line to a plan --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanLoading.h"

#include "Driver.h"
#include "ModelLibrary.h"

#include "hgc/Pipeline/Artifacts.h"
#include "hgc/Support/Error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace hgc;
using namespace hgc::driver;

/// `model` for `folder/model.plan.json` and `folder/model.so`.
static std::string getTitle(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  if (!name.consume_back(".plan.json"))
    name = llvm::sys::path::stem(name);
  return name.str();
}

llvm::Expected<LoadedPlan> hgc::driver::readPlan(llvm::StringRef path) {
  std::string file = path.str();
  if (!path.ends_with(".json") && ModelLibrary::isLibrary(path)) {
    file = getPlanPath(path);
    if (!llvm::sys::fs::exists(file))
      return makeError("the library '" + path + "' has no plan '" + file + "' beside it",
                       "keep the file that 'hgc compile' wrote with the library, or name the model");
  }
  llvm::Expected<plans::Plan> plan = plans::readPlanFile(file);
  if (!plan)
    return plan.takeError();
  return LoadedPlan{std::move(*plan), getTitle(path)};
}

llvm::Expected<LoadedPlan> hgc::driver::loadPlan(const ArgParser &parser, llvm::StringRef path, CompileFlags &flags) {
  bool isPlan = path.ends_with(".json");
  if (isPlan || ModelLibrary::isLibrary(path)) {
    if (llvm::Error error =
            flags.rejectForLibrary(isPlan ? "a plan that is made already" : "a library that is compiled already"))
      return std::move(error);
    return readPlan(path);
  }
  if (llvm::Error error = flags.finish())
    return std::move(error);
  Session session(parser);
  if (flags.remarks)
    session.enableRemarks();
  session.showProgress(parser, flags.options);
  auto module = session.read(path, flags);
  if (!module)
    return module.takeError();
  flags.options.baseDir = session.getBaseDir().str();
  llvm::Expected<plans::Plan> plan = makePlan(**module, Stage::Source, flags.options);
  // It refers to this session.
  flags.options.progress = nullptr;
  if (!plan)
    return plan.takeError();
  return LoadedPlan{std::move(*plan), (*module)->getSymName().value_or("model").str()};
}
