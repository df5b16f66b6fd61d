//===- Differentiate.cpp - entries of gradients ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include "hgc/Autodiff/Gradients.h"
#include "hgc/Autodiff/Passes.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace hgc {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "hgc/Autodiff/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using graph::HGCDialect;

namespace {

/// A name that C accepts: parameters have dots in theirs.
std::string toIdentifier(StringRef name) {
  std::string text = name.str();
  for (char &c : text)
    c = llvm::isAlnum(c) ? c : '_';
  return text;
}

/// What an entry can be differentiated by: its arguments, then its parameters.
llvm::MapVector<StringAttr, Value> findVariables(func::FuncOp entry) {
  llvm::MapVector<StringAttr, Value> variables;
  for (BlockArgument argument : entry.getArguments()) {
    auto name = entry.getArgAttrOfType<StringAttr>(argument.getArgNumber(), HGCDialect::kName);
    variables.insert(
        {name ? name : StringAttr::get(entry.getContext(), "arg" + Twine(argument.getArgNumber())), argument});
  }
  for (auto &[name, value] : gatherReads(entry))
    variables.insert({name, value});
  return variables;
}

LogicalResult reportName(func::FuncOp entry, StringRef name, const llvm::MapVector<StringAttr, Value> &variables) {
  std::string known;
  for (auto &[other, value] : variables)
    if (isDifferentiable(value.getType()))
      known += (known.empty() ? "" : ", ") + other.str();
  return graph::emitWithHint(entry.getLoc(), "'hgc.grad' names '" + name + "', which is no float the entry reads",
                             known.empty() ? Twine("this entry reads no floats") : "it reads " + Twine(known));
}

struct Differentiate final : hgc::impl::DifferentiateBase<Differentiate> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(HGCDialect::kGrad))
        entries.push_back(function);
    for (func::FuncOp entry : entries)
      if (failed(addGradients(entry, symbols)))
        return signalPassFailure();
  }

private:
  /// `@f_batch8`, a variant of `@f`, gives `@f_grad_batch8`.
  static LogicalResult rename(func::FuncOp entry, func::FuncOp clone, SymbolTable &symbols) {
    StringRef name = entry.getName(), stem = name;
    if (auto of = entry->getAttrOfType<StringAttr>(HGCDialect::kVariantOf)) {
      stem = of.getValue();
      clone->setAttr(HGCDialect::kVariantOf, StringAttr::get(entry.getContext(), stem + "_grad"));
    }
    std::string wanted = (stem + "_grad" + name.drop_front(stem.size())).str();
    if (symbols.lookup(wanted)) {
      clone.erase();
      return graph::emitWithHint(entry.getLoc(), "the name '" + Twine(wanted) + "' of the gradients is taken",
                                 "rename the function of that name");
    }
    clone.setName(wanted);
    symbols.insert(clone, std::next(entry->getIterator()));
    return success();
  }

  static LogicalResult chooseValues(func::FuncOp clone, Attribute wanted, SmallVectorImpl<StringAttr> &names,
                                    SmallVectorImpl<Value> &values) {
    llvm::MapVector<StringAttr, Value> variables = findVariables(clone);
    if (auto list = dyn_cast<ArrayAttr>(wanted)) {
      for (auto name : list.getAsRange<StringAttr>()) {
        Value value = variables.lookup(name);
        if (!value || !isDifferentiable(value.getType()) || llvm::is_contained(names, name))
          return reportName(clone, name, variables);
        names.push_back(name);
        values.push_back(value);
      }
      return success();
    }
    for (auto &[name, value] : variables) {
      if (!isDifferentiable(value.getType()))
        continue;
      names.push_back(name);
      values.push_back(value);
    }
    return success();
  }

  LogicalResult addGradients(func::FuncOp entry, SymbolTable &symbols) {
    Attribute wanted = entry->removeAttr(HGCDialect::kGrad);
    if (entry.getNumResults() == 0)
      return graph::emitWithHint(entry.getLoc(), "entry '" + entry.getName() + "' has no result to differentiate",
                                 "return the loss first");
    func::FuncOp clone = entry.clone();
    if (failed(rename(entry, clone, symbols)))
      return failure();
    // The gradient of a step that is not taken: state stays as it is.
    clone.walk([](graph::AssignOp op) { op.erase(); });
    SmallVector<StringAttr> names;
    SmallVector<Value> values;
    if (failed(chooseValues(clone, wanted, names, values)))
      return failure();
    Operation *end = clone.front().getTerminator();
    OpBuilder builder(end);
    FailureOr<SmallVector<Value>> gradients = buildGradients(builder, end->getOperand(0), values);
    if (failed(gradients))
      return failure();
    end->insertOperands(end->getNumOperands(), *gradients);
    eraseDeadOps(clone.front());
    for (auto [name, gradient] : llvm::zip_equal(names, *gradients)) {
      auto attrs = builder.getDictionaryAttr(
          builder.getNamedAttr(HGCDialect::kName, builder.getStringAttr("grad_" + toIdentifier(name))));
      if (failed(clone.insertResult(clone.getNumResults(), gradient.getType(), attrs)))
        return failure();
    }
    return success();
  }
};

} // namespace
