//===- LoadFunction.cpp - what runs when an instance is created -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoadFunction.h"

#include "hgc/Placement/Devices.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

OpBuilder &LoadFunction::getBuilder() {
  if (function)
    return builder;
  for (auto other : module.getOps<func::FuncOp>())
    if (other->hasAttr(kLoadAttr))
      function = other;
  if (!function) {
    function = func::FuncOp::create(builder, module.getLoc(), "load", builder.getFunctionType({}, {}));
    function->setAttr(HGCDialect::kEntry, builder.getUnitAttr());
    function->setAttr(HGCDialect::kVariantOf, builder.getStringAttr("load"));
    function->setAttr(kPlanAttr, builder.getStringAttr("gpu"));
    function->setAttr(kLoadAttr, builder.getUnitAttr());
    symbols.insert(function);
    builder.setInsertionPointToStart(function.addEntryBlock());
    func::ReturnOp::create(builder, module.getLoc());
  }
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  return builder;
}

ParameterOp LoadFunction::addParameter(Location loc, StringRef stem, StringRef suffix, RankedTensorType type) {
  OpBuilder outside(module.getContext());
  auto parameter = ParameterOp::create(outside, loc, outside.getStringAttr(stem + suffix), TypeAttr::get(type),
                                       InitAttr::get(module.getContext(), InitKind::Zeros));
  parameter->setAttr(kLoadedAttr, outside.getUnitAttr());
  symbols.insert(parameter, module.getBody()->begin());
  return parameter;
}

void LoadFunction::assign(ParameterOp parameter, Value value, DeviceAttr device) {
  auto op =
      AssignOp::create(getBuilder(), parameter.getLoc(), FlatSymbolRefAttr::get(parameter.getSymNameAttr()), value);
  op->setAttr(HGCDialect::kDevice, device);
}

Value LoadFunction::copyToHost(Operation *op) {
  IRMapping copies;
  return copyToHost(op, copies);
}

Value LoadFunction::copyToHost(Operation *op, IRMapping &copies) {
  if (Value copy = copies.lookupOrNull(op->getResult(0)))
    return copy;
  for (Value operand : op->getOperands())
    copyToHost(operand.getDefiningOp(), copies);
  Operation *copy = getBuilder().clone(*op, copies);
  copy->setAttr(HGCDialect::kDevice, getHost(module.getContext()));
  return copy->getResult(0);
}

std::string hgc::getSourceName(Operation *op) {
  while (!isa<ReadOp>(op) && op->getNumOperands())
    op = op->getOperand(0).getDefiningOp();
  auto read = dyn_cast<ReadOp>(op);
  return read ? read.getParameter().str() : "constant";
}
