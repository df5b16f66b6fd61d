//===- CheckedRanges.cpp - integers that calls accept ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check of indices is the conjunction of comparisons of an argument with
// constants. Anything else is not understood and leaves the argument free.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/CheckedRanges.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

void IntegerRange::intersect(const IntegerRange &other) {
  least = std::max(least, other.least);
  end = std::min(end, other.end);
}

/// Behind ops that only put elements elsewhere, or give them a wider type.
static Value skipViews(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto cast = dyn_cast<CastOp>(op);
    bool isWidening = cast && isa<IntegerType>(getElementTypeOrSelf(cast.getInput().getType())) &&
                      getElementTypeOrSelf(cast.getInput().getType()).getIntOrFloatBitWidth() <=
                          getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth();
    if (!isWidening && !isa<ReshapeOp, TransposeOp, BroadcastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The range of `x` in `x predicate number`.
static IntegerRange rangeOf(ComparePredicate predicate, int64_t number) {
  IntegerRange range;
  switch (predicate) {
  case ComparePredicate::EQ:
    range = {number, number + 1};
    break;
  case ComparePredicate::GE:
    range.least = number;
    break;
  case ComparePredicate::GT:
    range.least = number + 1;
    break;
  case ComparePredicate::LE:
    range.end = number + 1;
    break;
  case ComparePredicate::LT:
    range.end = number;
    break;
  case ComparePredicate::NE:
    break;
  }
  return range;
}

namespace {
class RangeFinder {
public:
  explicit RangeFinder(func::FuncOp entry) : entry(entry), ranges(entry.getNumArguments()) {}

  SmallVector<std::optional<IntegerRange>> run() {
    entry.walk([&](CheckOp check) { visit(check.getCondition()); });
    return std::move(ranges);
  }

private:
  /// `condition` holds for all its elements.
  void visit(Value condition) {
    Operation *op = skipViews(condition).getDefiningOp();
    if (auto reduce = dyn_cast_if_present<ReduceOp>(op); reduce && reduce.getKind() == ReduceKind::All)
      return visit(reduce.getInput());
    if (isa_and_present<AndOp>(op)) {
      visit(op->getOperand(0));
      visit(op->getOperand(1));
    } else if (auto compare = dyn_cast_if_present<CompareOp>(op)) {
      restrict(compare);
    }
  }

  void restrict(CompareOp compare) {
    auto argument = dyn_cast<BlockArgument>(skipViews(compare.getLhs()));
    auto constant = skipViews(compare.getRhs()).getDefiningOp<ConstantOp>();
    auto numbers = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : DenseIntElementsAttr();
    if (!numbers || !argument || argument.getOwner()->getParentOp() != entry)
      return;
    std::optional<IntegerRange> &range = ranges[argument.getArgNumber()];
    if (!range)
      range.emplace();
    bool isUnsigned = numbers.getElementType().isUnsignedInteger();
    for (const APInt &number : numbers)
      // Numbers near the ends of i64 restrict nothing, and have no neighbours.
      if ((isUnsigned ? number.getActiveBits() + 1 : number.getSignificantBits()) < 64)
        range->intersect(rangeOf(compare.getPredicate(), isUnsigned ? number.getZExtValue() : number.getSExtValue()));
  }

  func::FuncOp entry;
  SmallVector<std::optional<IntegerRange>> ranges;
};
} // namespace

SmallVector<std::optional<IntegerRange>> hgc::findCheckedRanges(func::FuncOp entry) { return RangeFinder(entry).run(); }
