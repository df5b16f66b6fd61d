//===- Names.cpp - what arguments and results are called ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Names.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

/// A path in nested containers with dots: `params[0]['w']` is `params.0.w`.
static std::string withDots(StringRef path) {
  std::string name;
  bool isBreak = false;
  for (char c : path) {
    bool isNamed = llvm::isAlnum(c) || c == '_';
    if (isNamed && isBreak && !name.empty())
      name += '.';
    isBreak = !isNamed;
    if (isNamed)
      name += c;
  }
  return name;
}

static std::string makeUnique(std::string name, llvm::StringSet<> &taken) {
  while (!taken.insert(name).second)
    name += "_";
  return name;
}

std::vector<std::string> hgc::stablehlo::nameArguments(func::FuncOp function) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (BlockArgument argument : function.getArguments()) {
    auto named = dyn_cast<NameLoc>(argument.getLoc());
    std::string name = named ? withDots(named.getName()) : "";
    if (name.empty())
      name = "arg" + std::to_string(argument.getArgNumber());
    names.push_back(makeUnique(std::move(name), taken));
  }
  return names;
}

std::vector<std::string> hgc::stablehlo::nameResults(func::FuncOp function, const std::vector<std::string> &arguments) {
  std::vector<std::string> names;
  llvm::StringSet<> taken;
  for (const std::string &name : arguments)
    taken.insert(name);
  unsigned count = function.getNumResults();
  for (unsigned i = 0; i < count; ++i) {
    auto info = function.getResultAttrOfType<StringAttr>(i, "jax.result_info");
    std::string name = info ? withDots(info.getValue()) : "";
    // Earlier versions of JAX leave out the word, and name a lone result not at all.
    if (name.empty())
      name = count == 1 ? "result" : "result." + std::to_string(i);
    else if (llvm::isDigit(name.front()))
      name.insert(0, "result.");
    names.push_back(makeUnique(std::move(name), taken));
  }
  return names;
}
