//===- Devices.cpp - on which device a value lives ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Devices.h"

#include "hgc/Analysis/Pricing.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

bool hgc::isInGpuPlan(func::FuncOp function) {
  auto plan = function->getAttrOfType<StringAttr>(kPlanAttr);
  return plan && plan == "gpu";
}

bool hgc::isPlacedToOverlap(func::FuncOp function) {
  auto certificate = function->getAttrOfType<DictionaryAttr>(kCertificateAttr);
  if (!certificate || !certificate.contains("makespan_ps"))
    return false;
  auto bound = certificate.getAs<IntegerAttr>("bound_ps");
  return bound && certificate.getAs<IntegerAttr>("serial_ps").getInt() > bound.getInt();
}

DeviceAttr hgc::getHost(MLIRContext *context) { return DeviceAttr::get(context, DeviceKind::CPU, 0); }

/// Residence is a promise of the GPU plan; the CPU plan has no device pointers.
static DeviceAttr orHost(DeviceAttr device, func::FuncOp function) {
  return device && isInGpuPlan(function) ? device : getHost(function.getContext());
}

DeviceAttr hgc::getArgumentDevice(func::FuncOp function, unsigned argument) {
  return orHost(function.getArgAttrOfType<DeviceAttr>(argument, HGCDialect::kDevice), function);
}

DeviceAttr hgc::getResultDevice(func::FuncOp function, unsigned result) {
  return orHost(function.getResultAttrOfType<DeviceAttr>(result, HGCDialect::kDevice), function);
}

bool hgc::isGpu(Attribute device) {
  auto attr = dyn_cast_if_present<DeviceAttr>(device);
  return attr && attr.getKind() == DeviceKind::GPU;
}

DeviceAttr hgc::getDevice(Operation *op) { return op->getAttrOfType<DeviceAttr>(HGCDialect::kDevice); }

DeviceAttr hgc::getDevice(Value value) {
  if (Operation *op = value.getDefiningOp())
    return getDevice(op);
  Operation *parent = value.getParentBlock()->getParentOp();
  if (auto function = dyn_cast<func::FuncOp>(parent))
    return getArgumentDevice(function, cast<BlockArgument>(value).getArgNumber());
  return getDevice(parent);
}

bool hgc::isPredicate(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<IfOp, CheckOp>(op))
    return true;
  auto loop = dyn_cast<WhileOp>(op->getParentOp());
  return isa<YieldOp>(op) && loop && op->getParentRegion() == &loop.getCondition();
}

DeviceAttr hgc::getRequiredDevice(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<func::ReturnOp>(op))
    return getResultDevice(cast<func::FuncOp>(op->getParentOp()), use.getOperandNumber());
  if (isPredicate(use))
    return getHost(op->getContext());
  if (isa<YieldOp>(op))
    return getDevice(op->getParentOp());
  if (auto transfer = dyn_cast<TransferOp>(op))
    return transfer.getFrom();
  return getDevice(op);
}

bool hgc::isPlaced(Operation *op) {
  return isa_and_present<HGCDialect>(op->getDialect()) && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<ParameterOp>(op);
}

int64_t hgc::multiplyByTrips(int64_t price, Operation *op) {
  // Hints may be absurd; the total of a model must not overflow.
  constexpr int64_t kMostTrips = int64_t(1) << 20, kMostPrice = int64_t(1) << 56;
  int64_t total;
  bool overflows = llvm::MulOverflow(price, std::min(getTripWeight(op), kMostTrips), total);
  return overflows ? kMostPrice : std::min(total, kMostPrice);
}

std::string hgc::describe(DeviceAttr device) {
  if (device.getKind() == DeviceKind::CPU)
    return "cpu";
  return (stringifyDeviceKind(device.getKind()) + ":" + Twine(device.getIndex())).str();
}

DeviceAttr hgc::parseDevice(StringRef text, MLIRContext *context) {
  if (text == "cpu")
    return getHost(context);
  unsigned index = 0;
  if (!text.consume_front("gpu") || (text.consume_front(":") ? text.getAsInteger(10, index) : !text.empty()))
    return {};
  return DeviceAttr::get(context, DeviceKind::GPU, index);
}
