//===- IndexBuilder.cpp - index arithmetic and loops in few words ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/IndexBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace hgc::codegen;

/// Canonicalisation may assume that index sums stay in range.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw;

std::optional<int64_t> hgc::codegen::getConstant(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return value.getType().isInteger(1) ? int64_t(constant.getZExtValue()) : constant.getSExtValue();
  return std::nullopt;
}

int64_t hgc::codegen::getKnownDivisor(Value index) {
  // Nothing needs to know of more than this.
  constexpr int64_t most = 4096;
  if (auto constant = getConstant(index))
    return *constant == 0 ? most : std::min(most, *constant & -*constant);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return 1;
    return std::min(getKnownDivisor(loop.getLowerBound()), getKnownDivisor(loop.getStep()));
  }
  Operation *op = index.getDefiningOp();
  if (isa<arith::MulIOp>(op))
    return std::min(most, getKnownDivisor(op->getOperand(0)) * getKnownDivisor(op->getOperand(1)));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return std::min(getKnownDivisor(op->getOperand(0)), getKnownDivisor(op->getOperand(1)));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return std::min(getKnownDivisor(choice.getTrueValue()), getKnownDivisor(choice.getFalseValue()));
  return 1;
}

Value IndexBuilder::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

Value IndexBuilder::add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b, kNoWrap); }

Value IndexBuilder::add(Value a, int64_t b) { return b == 0 ? a : add(a, constant(b)); }

Value IndexBuilder::sub(Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b, kNoWrap); }

Value IndexBuilder::mul(Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b, kNoWrap); }

Value IndexBuilder::mul(Value a, int64_t b) { return b == 1 ? a : mul(a, constant(b)); }

Value IndexBuilder::div(Value a, int64_t b) {
  return b == 1 ? a : builder.createOrFold<arith::DivUIOp>(loc, a, constant(b));
}

Value IndexBuilder::rem(Value a, int64_t b) {
  return b == 1 ? constant(0) : builder.createOrFold<arith::RemUIOp>(loc, a, constant(b));
}

Value IndexBuilder::min(Value a, Value b) { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }

Value IndexBuilder::max(Value a, Value b) { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); }

Value IndexBuilder::lessThan(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, a, b);
}

Value IndexBuilder::equal(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, a, b);
}

Value IndexBuilder::both(Value a, Value b) { return builder.createOrFold<arith::AndIOp>(loc, a, b); }

SmallVector<Value> IndexBuilder::delinearize(Value linear, ArrayRef<int64_t> extents) {
  // All that is outside of the first dim longer than one is at its start.
  size_t first = llvm::find_if(extents, [](int64_t extent) { return extent > 1; }) - extents.begin();
  SmallVector<Value> indices(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    int64_t extent = std::max<int64_t>(1, extents[i]);
    indices[i] = i == first ? linear : i < first ? constant(0) : rem(linear, extent);
    if (i > first)
      linear = div(linear, extent);
  }
  return indices;
}

void IndexBuilder::loop(Value lower, Value upper, int64_t step, function_ref<void(Value)> body) {
  loop(lower, upper, step, ValueRange{}, [&](Value i, ValueRange) -> SmallVector<Value> {
    body(i);
    return {};
  });
}

SmallVector<Value> IndexBuilder::loop(Value lower, Value upper, int64_t step, ValueRange init,
                                      function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto low = getConstant(lower), high = getConstant(upper);
  if (low && high && *low >= *high)
    return SmallVector<Value>(init);
  if (low && high && *low + step >= *high)
    return body(lower, init);
  auto forOp = scf::ForOp::create(builder, loc, lower, upper, constant(step), init);
  OpBuilder::InsertionGuard guard(builder);
  // The builder makes the terminator itself when nothing is carried.
  if (init.empty())
    builder.setInsertionPoint(forOp.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(forOp.getBody());
  SmallVector<Value> next = body(forOp.getInductionVar(), forOp.getRegionIterArgs());
  if (!init.empty())
    scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(forOp.getResults());
}

void IndexBuilder::ifThen(Value condition, function_ref<void()> then, function_ref<void()> otherwise) {
  if (auto known = getConstant(condition)) {
    if (*known)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto ifOp = scf::IfOp::create(builder, loc, condition, static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
  then();
  if (otherwise) {
    builder.setInsertionPoint(ifOp.elseBlock()->getTerminator());
    otherwise();
  }
}

SmallVector<Value> IndexBuilder::select(Value condition, TypeRange types, function_ref<SmallVector<Value>()> then,
                                        function_ref<SmallVector<Value>()> otherwise) {
  if (auto known = getConstant(condition))
    return *known ? then() : otherwise();
  if (types.empty()) {
    ifThen(
        condition, [&] { then(); }, [&] { otherwise(); });
    return {};
  }
  auto ifOp = scf::IfOp::create(builder, loc, types, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, then());
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise());
  return SmallVector<Value>(ifOp.getResults());
}
