//===- Scans.cpp - loops that count as scans ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scans.h"

#include "../Common/Values.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Most steps of a loop that has no rows and is made a scan.
constexpr int64_t kMaxCounted = 4096;

/// `factor * counter + offset`
struct Affine {
  int64_t factor, offset;
};

/// The number all elements of a constant of integers have.
std::optional<int64_t> getNumber(Value value) {
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat() || elements.getElementType().isInteger(1))
    return std::nullopt;
  APInt number = elements.getSplatValue<APInt>();
  // Extents and counters are far from where arithmetic would overflow.
  return number.getSignificantBits() <= 40 ? std::optional(number.getSExtValue()) : std::nullopt;
}

class LoopConverter {
public:
  explicit LoopConverter(WhileOp loop) : loop(loop), body(&loop.getBody().front()), yield(body->getTerminator()) {}

  bool convert();

private:
  bool findCounter();
  /// A value of the body as a function of the counter, if it is one.
  std::optional<Affine> evaluate(Value value) const;
  std::optional<Affine> evaluateChoice(SelectOp select) const;
  /// Whether an index names the row of each step; the first one decides in which direction.
  bool isRow(std::optional<Affine> index);
  void findSequences();
  void findStacks();
  Value dropRow(OpBuilder &builder, Value value);
  void addArguments(OpBuilder &builder, Block *block);
  void addYield(Block *block);
  void replaceResults(ScanOp scan);

  struct Stack {
    unsigned index;
    ScatterOp scatter;
  };

  WhileOp loop;
  Block *body;
  Operation *yield;
  unsigned counter = 0;
  int64_t trips = 0;
  std::optional<bool> isReversed;
  SmallVector<SliceOp> slices;
  SmallVector<Stack> stacks;
  SmallVector<unsigned> states;
};

} // namespace

bool LoopConverter::findCounter() {
  Block &condition = loop.getCondition().front();
  auto compare = condition.getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
  if (!compare || compare.getPredicate() != ComparePredicate::LT)
    return false;
  auto argument = dyn_cast<BlockArgument>(compare.getLhs());
  std::optional<int64_t> limit = getNumber(compare.getRhs());
  if (!argument || argument.getOwner() != &condition || !limit || *limit < 1)
    return false;
  counter = argument.getArgNumber();
  trips = *limit;
  Value init = loop.getInits()[counter];
  auto next = yield->getOperand(counter).getDefiningOp<AddOp>();
  if (getNumber(init) != 0 || frontend::Builder::rankOf(init) != 0 || !next)
    return false;
  Value self = body->getArgument(counter);
  return (next.getLhs() == self && getNumber(next.getRhs()) == 1) ||
         (next.getRhs() == self && getNumber(next.getLhs()) == 1);
}

std::optional<Affine> LoopConverter::evaluateChoice(SelectOp select) const {
  // Indices from the end are counted from the front, whether there are any or not.
  auto compare = select.getCondition().getDefiningOp<CompareOp>();
  if (!compare || compare.getPredicate() != ComparePredicate::LT)
    return std::nullopt;
  std::optional<Affine> index = evaluate(compare.getLhs());
  std::optional<int64_t> limit = getNumber(compare.getRhs());
  if (!index || !limit)
    return std::nullopt;
  int64_t first = index->offset, last = index->factor * (trips - 1) + index->offset;
  if (std::min(first, last) >= *limit)
    return evaluate(select.getOnFalse());
  return std::max(first, last) < *limit ? evaluate(select.getOnTrue()) : std::nullopt;
}

std::optional<Affine> LoopConverter::evaluate(Value value) const {
  if (value == body->getArgument(counter))
    return Affine{1, 0};
  if (std::optional<int64_t> number = getNumber(value))
    return Affine{0, *number};
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != body)
    return std::nullopt;
  if (isa<CastOp, ReshapeOp, BroadcastOp>(op))
    return isa<IntegerType>(frontend::Builder::elementOf(value)) ? evaluate(op->getOperand(0)) : std::nullopt;
  if (auto select = dyn_cast<SelectOp>(op))
    return evaluateChoice(select);
  if (!isa<AddOp, SubOp, MaxOp, MinOp>(op))
    return std::nullopt;
  std::optional<Affine> a = evaluate(op->getOperand(0)), b = evaluate(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  if (isa<AddOp>(op))
    return Affine{a->factor + b->factor, a->offset + b->offset};
  Affine difference{a->factor - b->factor, a->offset - b->offset};
  if (isa<SubOp>(op))
    return difference;
  int64_t first = difference.offset, last = difference.factor * (trips - 1) + difference.offset;
  if (std::min(first, last) >= 0)
    return isa<MaxOp>(op) ? a : b;
  if (std::max(first, last) <= 0)
    return isa<MaxOp>(op) ? b : a;
  return std::nullopt;
}

bool LoopConverter::isRow(std::optional<Affine> index) {
  bool isForward = index && index->factor == 1 && index->offset == 0;
  bool isBackward = index && index->factor == -1 && index->offset == trips - 1;
  if (!isForward && !isBackward)
    return false;
  isReversed = isReversed.value_or(isBackward);
  return *isReversed == isBackward;
}

/// Rows of values from outside of the loop.
void LoopConverter::findSequences() {
  for (auto slice : body->getOps<SliceOp>()) {
    RankedTensorType type = cast<RankedTensorType>(slice.getInput().getType());
    Region *owner = slice.getInput().getParentRegion();
    if (!slice.getOffsets() || slice.getStrides() || owner == body->getParent() || type.getRank() == 0 ||
        type.getDimSize(0) != trips || slice.getSizes().front() != 1 ||
        slice.getSizes().drop_front() != type.getShape().drop_front())
      continue;
    // Along dims that are taken whole any start is the first element.
    Value offset = slice.getOffsets();
    if (auto list = offset.getDefiningOp<ConcatOp>())
      offset = list.getInputs().front();
    if (frontend::Builder::countOf(offset) == 1 && isRow(evaluate(offset)))
      slices.push_back(slice);
  }
}

/// Carried values that each step replaces one row of, and that nothing else looks at.
void LoopConverter::findStacks() {
  for (unsigned i = 0; i < body->getNumArguments(); ++i) {
    auto scatter = yield->getOperand(i).getDefiningOp<ScatterOp>();
    BlockArgument argument = body->getArgument(i);
    auto isOneRow = [&] {
      auto type = cast<RankedTensorType>(argument.getType());
      return scatter.getSlices() && scatter.getAxis() == 0 && type.getDimSize(0) == trips &&
             frontend::Builder::countOf(scatter.getIndices()) == 1 &&
             cast<RankedTensorType>(scatter.getUpdates().getType()).getRank() == type.getRank();
    };
    if (scatter && scatter->getBlock() == body && scatter.getKind() == ScatterKind::Set &&
        scatter.getInput() == argument && argument.hasOneUse() && scatter->hasOneUse() && isOneRow() &&
        isRow(evaluate(scatter.getIndices())))
      stacks.push_back({i, scatter});
    else if (i != counter)
      states.push_back(i);
  }
}

/// A value of one row as that row.
Value LoopConverter::dropRow(OpBuilder &builder, Value value) {
  frontend::Builder b(builder, loop.getLoc());
  return b.reshape(value, frontend::Builder::shapeOf(value).drop_front());
}

/// Gives the scan's block its arguments, in place of what the loop's body had.
void LoopConverter::addArguments(OpBuilder &builder, Block *block) {
  builder.setInsertionPointToStart(block);
  frontend::Builder b(builder, loop.getLoc());
  for (unsigned i : states)
    body->getArgument(i).replaceAllUsesWith(block->addArgument(body->getArgument(i).getType(), loop.getLoc()));
  for (SliceOp slice : slices) {
    auto type = cast<RankedTensorType>(slice.getType());
    auto row = RankedTensorType::get(type.getShape().drop_front(), type.getElementType());
    slice.replaceAllUsesWith(b.reshape(block->addArgument(row, loop.getLoc()), type.getShape()));
    slice.erase();
  }
  BlockArgument self = body->getArgument(counter);
  self.replaceAllUsesWith(block->addArgument(self.getType(), loop.getLoc()));
}

void LoopConverter::addYield(Block *block) {
  OpBuilder builder(yield);
  SmallVector<Value> values;
  for (unsigned i : states)
    values.push_back(yield->getOperand(i));
  for (Stack &stack : stacks)
    values.push_back(dropRow(builder, stack.scatter.getUpdates()));
  yield->setOperands(values);
  for (Stack &stack : stacks)
    stack.scatter->erase();
}

void LoopConverter::replaceResults(ScanOp scan) {
  OpBuilder builder(loop);
  frontend::Builder b(builder, loop.getLoc());
  for (auto [place, i] : llvm::enumerate(states))
    loop.getResult(i).replaceAllUsesWith(scan.getResult(place));
  for (auto [place, stack] : llvm::enumerate(stacks))
    loop.getResult(stack.index).replaceAllUsesWith(scan.getResult(states.size() + place));
  Value total = b.scalar(frontend::Builder::elementOf(loop.getResult(counter)), static_cast<double>(trips));
  loop.getResult(counter).replaceAllUsesWith(total);
}

bool LoopConverter::convert() {
  if (!findCounter())
    return false;
  findSequences();
  findStacks();
  // The counter alone as a sequence would cost its memory.
  if (slices.empty() && stacks.empty() && trips > kMaxCounted)
    return false;
  OpBuilder builder(loop);
  frontend::Builder b(builder, loop.getLoc());
  SmallVector<Value> inits, sequences;
  SmallVector<Type> types;
  for (unsigned i : states) {
    inits.push_back(loop.getInits()[i]);
    types.push_back(inits.back().getType());
  }
  for (const Stack &stack : stacks)
    types.push_back(loop.getResult(stack.index).getType());
  for (SliceOp slice : slices)
    sequences.push_back(slice.getInput());
  // The counter is a sequence, too: a step may look at it for other reasons.
  Type number = frontend::Builder::elementOf(loop.getInits()[counter]);
  Value count = b.iota({trips}, 0, number);
  if (isReversed.value_or(false))
    count = b.sub(b.scalar(number, static_cast<double>(trips - 1)), count);
  if (!count)
    return false;
  sequences.push_back(count);
  auto scan = ScanOp::create(builder, loop.getLoc(), types, inits, sequences, isReversed.value_or(false));
  Block *block = &scan.getBody().emplaceBlock();
  block->getOperations().splice(block->end(), body->getOperations());
  addArguments(builder, block);
  addYield(block);
  replaceResults(scan);
  loop.erase();
  return true;
}

void hgc::stablehlo::makeScans(ModuleOp module) {
  // Inner loops come first: what they read at the counter of an outer one is an op of its body by then.
  SmallVector<WhileOp> loops;
  module.walk<WalkOrder::PostOrder>([&](WhileOp loop) { loops.push_back(loop); });
  for (WhileOp loop : loops)
    LoopConverter(loop).convert();
}
