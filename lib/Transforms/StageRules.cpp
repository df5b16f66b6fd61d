//===- StageRules.cpp - rules several stage verifiers share ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StageRules.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Placement/Devices.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

LogicalResult hgc::failWithHint(Operation *op, const Twine &message, const Twine &hint) {
  InFlightDiagnostic diag = op->emitError() << message;
  diag.attachNote() << "hint: " << hint;
  return diag;
}

LogicalResult hgc::checkEntries(ModuleOp module) {
  bool any = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(HGCDialect::kEntry))
      return failWithHint(function, "function '" + function.getName() + "' is neither an entry nor inlined",
                          "add the attribute hgc.entry, or make the function private");
    if (!function->hasAttr(HGCDialect::kVariantOf))
      return failWithHint(function, "entry '" + function.getName() + "' has unbound dims", "run hgc-bind-dims first");
    any = true;
  }
  if (!any)
    return failWithHint(module, "the module has no entry", "add the attribute hgc.entry to a function");
  return success();
}

/// The first value of `op` (results, then block arguments) with a dynamic shape.
static Value findDynamic(Operation *op) {
  auto isDynamic = [](Value value) {
    auto shaped = dyn_cast<ShapedType>(value.getType());
    return shaped && !shaped.hasStaticShape();
  };
  for (Value result : op->getResults())
    if (isDynamic(result))
      return result;
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      if (isDynamic(argument))
        return argument;
  return {};
}

LogicalResult hgc::checkOps(func::FuncOp entry) {
  WalkResult walk = entry.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (!isa_and_present<HGCDialect>(op->getDialect()) && !isa<func::FuncOp, func::ReturnOp>(op))
      return failWithHint(op, "'" + op->getName().getStringRef() + "' cannot be compiled in an entry",
                          "an entry holds ops of the hgc dialect only");
    if (Value value = findDynamic(op)) {
      std::string type;
      llvm::raw_string_ostream(type) << value.getType();
      return failWithHint(op, "a value of type " + type + " is left with a dynamic shape",
                          "name the dim in hgc.shape of the argument it comes from");
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult hgc::checkAssigns(func::FuncOp entry) {
  llvm::DenseMap<StringAttr, AssignOp> first;
  WalkResult walk = entry.walk([&](AssignOp assign) -> WalkResult {
    StringAttr name = assign.getParameterAttr().getAttr();
    auto [other, fresh] = first.try_emplace(name, assign);
    if (fresh)
      return WalkResult::advance();
    InFlightDiagnostic diag = assign.emitError() << "parameter '" << name.getValue() << "' is assigned twice";
    diag.attachNote(other->second.getLoc()) << "the first assignment is here";
    diag.attachNote() << "hint: keep the last one; an assignment takes effect at the end of the call";
    return diag;
  });
  return failure(walk.wasInterrupted());
}

LogicalResult hgc::checkOperandDevices(func::FuncOp entry) {
  WalkResult walk = entry.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    for (OpOperand &use : op->getOpOperands()) {
      DeviceAttr device = getDevice(use.get()), required = getRequiredDevice(use);
      if (device == required)
        continue;
      return failWithHint(op,
                          "operand #" + Twine(use.getOperandNumber()) + " of '" + op->getName().getStringRef() +
                              "' is on '" + (device ? describe(device) : "no device") + "', expected '" +
                              (required ? describe(required) : "no device") + "'",
                          "run hgc-materialize-transfers, or copy it with hgc.transfer");
    }
    // Ops in a kernel are where the kernel is.
    return isa<KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
