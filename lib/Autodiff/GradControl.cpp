//===- GradControl.cpp - gradients of control flow ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions of the gradient compute what they need of the forward values again.
// A scan also keeps its states: from them each step can be computed alone, in the
// opposite order.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Values of enclosing regions that the regions of `op` use, in order of use.
static SmallVector<Value> getCaptured(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured.takeVector();
}

/// The operands of `op`, then what its regions capture.
static SmallVector<Value> getAllInputs(Operation *op) {
  SmallVector<Value> inputs(op->getOperands());
  llvm::append_range(inputs, getCaptured(op));
  return inputs;
}

/// Clones the ops of `source` but its terminator to the builder, and gives the
/// clones of what that yields.
static SmallVector<Value> cloneBody(OpBuilder &builder, Block &source, IRMapping &mapping) {
  for (Operation &op : source.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(source.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

namespace {

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

struct IfGrad final : GradOp::ExternalModel<IfGrad, IfOp> {
  SmallVector<Value> getGradInputs(Operation *op) const { return getAllInputs(op); }

  LogicalResult buildGradients(Operation *op, OpBuilder &builder, ArrayRef<Value> seeds, ArrayRef<bool> needed,
                               SmallVectorImpl<Value> &gradients) const {
    Location loc = getGradLoc(op);
    SmallVector<Value> inputs = getAllInputs(op), wrt;
    for (auto [input, isNeeded] : llvm::zip_equal(inputs, needed))
      if (isNeeded)
        wrt.push_back(input);
    auto branch = IfOp::create(builder, loc, TypeRange(ValueRange(wrt)), cast<IfOp>(op).getCondition());
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), branch->getRegions())) {
      builder.setInsertionPointToStart(&to.emplaceBlock());
      IRMapping mapping;
      SmallVector<Value> outputs = cloneBody(builder, from.front(), mapping);
      FailureOr<SmallVector<Value>> found = differentiate(builder, outputs, seeds, wrt);
      if (failed(found))
        return failure();
      for (auto [gradient, value] : llvm::zip_equal(*found, wrt))
        if (!gradient)
          gradient = GradBuilder(builder, loc).zeros(value.getType());
      YieldOp::create(builder, loc, *found);
    }
    size_t next = 0;
    for (auto [gradient, isNeeded] : llvm::zip_equal(gradients, needed))
      if (isNeeded)
        gradient = branch.getResult(next++);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// Builds the scan in the opposite direction. It carries the gradients by the
/// states and sums those by captured values; it stacks those by the slices.
class ScanReverser {
public:
  ScanReverser(ScanOp op, OpBuilder &builder, ArrayRef<Value> seeds, ArrayRef<bool> needed, ArrayRef<Value> captured)
      : op(op), builder(builder), loc(getGradLoc(op)), seeds(seeds), needed(needed), captured(captured),
        states(op.getInits().size()), slices(op.getSequences().size()) {}

  LogicalResult build(SmallVectorImpl<Value> &gradients);

private:
  void findCarried();
  Value getSeed(size_t result);
  LogicalResult buildBody(Block &body);
  void keepStates(ArrayRef<unsigned> kept);
  ScanOp createScan(Region &region);

  ScanOp op;
  OpBuilder &builder;
  Location loc;
  ArrayRef<Value> seeds;
  ArrayRef<bool> needed;
  ArrayRef<Value> captured;
  size_t states, slices;
  /// States with a gradient, captured values and sequences it is asked by.
  SmallVector<unsigned> carried, summed, wanted;
  /// What the new scan starts from and walks over.
  SmallVector<Value> inits, sequences;
};

struct ScanGrad final : GradOp::ExternalModel<ScanGrad, ScanOp> {
  SmallVector<Value> getGradInputs(Operation *op) const { return getAllInputs(op); }

  LogicalResult buildGradients(Operation *op, OpBuilder &builder, ArrayRef<Value> seeds, ArrayRef<bool> needed,
                               SmallVectorImpl<Value> &gradients) const {
    return ScanReverser(cast<ScanOp>(op), builder, seeds, needed, getCaptured(op)).build(gradients);
  }
};

} // namespace

/// A state is carried back if its initial value is asked for, or anything that the
/// body makes it from.
void ScanReverser::findCarried() {
  Block &body = op.getBody().front();
  llvm::DenseSet<Value> active;
  for (size_t i = 0; i < slices; ++i)
    if (needed[states + i]) {
      wanted.push_back(i);
      active.insert(body.getArgument(states + i));
    }
  for (size_t i = 0; i < captured.size(); ++i)
    if (needed[states + slices + i]) {
      summed.push_back(i);
      active.insert(captured[i]);
    }
  for (size_t i = 0; i < states; ++i)
    if (needed[i])
      active.insert(body.getArgument(i));
  SmallVector<Operation *> ops = llvm::map_to_vector(body, [](Operation &inner) { return &inner; });
  for (bool changed = true; changed;) {
    changed = false;
    findActive(ops, active);
    for (size_t i = 0; i < states; ++i)
      if (active.contains(body.getTerminator()->getOperand(i)))
        changed |= active.insert(body.getArgument(i)).second;
  }
  for (size_t i = 0; i < states; ++i)
    if (active.contains(body.getArgument(i)))
      carried.push_back(i);
}

/// Gradient by a result, zeros where that is null.
Value ScanReverser::getSeed(size_t result) {
  if (seeds[result])
    return seeds[result];
  return GradBuilder(builder, loc).zeros(op.getResult(result).getType());
}

/// The body's arguments are the gradients by the carried states, the sums, a slice
/// of each sequence, the states at the beginning of the step, and a slice of each
/// gradient by a stacked result.
LogicalResult ScanReverser::buildBody(Block &body) {
  Block &source = op.getBody().front();
  auto add = [&](Type type) -> Value { return body.addArgument(type, loc); };
  SmallVector<Value> stateGrads(states), outputSeeds(op.getNumResults()), sums;
  for (unsigned i : carried)
    outputSeeds[i] = add(op.getInits()[i].getType());
  for (unsigned i : summed)
    sums.push_back(add(captured[i].getType()));
  IRMapping mapping;
  for (size_t i = 0; i < slices; ++i)
    mapping.map(source.getArgument(states + i), add(source.getArgument(states + i).getType()));
  for (size_t i = 0; i < states; ++i)
    mapping.map(source.getArgument(i), add(source.getArgument(i).getType()));
  for (size_t i = states; i < op.getNumResults(); ++i)
    if (seeds[i])
      outputSeeds[i] = add(source.getTerminator()->getOperand(i).getType());

  builder.setInsertionPointToStart(&body);
  SmallVector<Value> outputs = cloneBody(builder, source, mapping), wrt;
  for (unsigned i : carried)
    wrt.push_back(mapping.lookup(source.getArgument(i)));
  for (unsigned i : summed)
    wrt.push_back(captured[i]);
  for (unsigned i : wanted)
    wrt.push_back(mapping.lookup(source.getArgument(states + i)));
  FailureOr<SmallVector<Value>> found = differentiate(builder, outputs, outputSeeds, wrt);
  if (failed(found))
    return failure();
  GradBuilder b(builder, loc);
  for (auto [i, gradient] : llvm::enumerate(*found)) {
    bool isSum = i >= carried.size() && i < carried.size() + summed.size();
    if (isSum)
      gradient = gradient ? b.add(sums[i - carried.size()], gradient) : sums[i - carried.size()];
    else if (!gradient)
      gradient = b.zeros(wrt[i].getType());
  }
  YieldOp::create(builder, loc, *found);
  eraseDeadOps(body);
  return success();
}

/// Gives the scan a twin that also stacks these states, as they are at the beginning
/// of each step.
void ScanReverser::keepStates(ArrayRef<unsigned> kept) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  SmallVector<Type> types(op.getResultTypes());
  int64_t trips = op.getTripCount();
  for (unsigned i : kept) {
    auto type = cast<RankedTensorType>(op.getInits()[i].getType());
    SmallVector<int64_t> shape{trips};
    llvm::append_range(shape, type.getShape());
    types.push_back(RankedTensorType::get(shape, type.getElementType()));
  }
  auto twin = ScanOp::create(builder, op.getLoc(), types, op.getInits(), op.getSequences(), op.getReverse());
  twin->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  IRMapping mapping;
  op.getBody().cloneInto(&twin.getBody(), mapping);
  Block &body = twin.getBody().front();
  for (unsigned i : kept)
    body.getTerminator()->insertOperands(body.getTerminator()->getNumOperands(), body.getArgument(i));
  op->replaceAllUsesWith(twin.getResults().take_front(op.getNumResults()));
  for (auto [i, state] : llvm::enumerate(kept))
    sequences[slices + state] = twin.getResult(op.getNumResults() + i);
}

/// Creates the op around its body and drops the sequences that this does not use.
ScanOp ScanReverser::createScan(Region &region) {
  Block &body = region.front();
  size_t first = carried.size() + summed.size();
  SmallVector<unsigned> kept;
  for (size_t i = 0; i < states; ++i)
    if (!body.getArgument(first + slices + i).use_empty())
      kept.push_back(i);
  if (!kept.empty())
    keepStates(kept);
  SmallVector<Value> used;
  llvm::BitVector unused(body.getNumArguments());
  for (auto [i, sequence] : llvm::enumerate(sequences)) {
    bool isLast = i + 1 == sequences.size() && used.empty();
    // States that are not kept have no sequence; one is needed for the trip count.
    if (!sequence || (body.getArgument(first + i).use_empty() && !isLast))
      unused.set(first + i);
    else
      used.push_back(sequence);
  }
  if (used.empty()) {
    used.push_back(sequences.front());
    unused.reset(first);
  }
  body.eraseArguments(unused);
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  for (unsigned i : wanted)
    types.push_back(op.getSequences()[i].getType());
  auto scan = ScanOp::create(builder, loc, types, inits, used, !op.getReverse());
  scan.getBody().takeBody(region);
  return scan;
}

LogicalResult ScanReverser::build(SmallVectorImpl<Value> &gradients) {
  findCarried();
  for (unsigned i : carried)
    inits.push_back(getSeed(i));
  for (unsigned i : summed)
    inits.push_back(GradBuilder(builder, loc).zeros(captured[i].getType()));
  sequences.assign(op.getSequences().begin(), op.getSequences().end());
  sequences.resize(slices + states);
  for (size_t i = states; i < op.getNumResults(); ++i)
    if (seeds[i])
      sequences.push_back(seeds[i]);
  // Which sequences the body needs is known when it is done; until then this op has it.
  auto host = ScanOp::create(builder, loc, TypeRange(), ValueRange(), op.getSequences(), op.getReverse());
  {
    OpBuilder::InsertionGuard guard(builder);
    if (failed(buildBody(host.getBody().emplaceBlock())))
      return failure();
  }
  ScanOp scan = createScan(host.getBody());
  host.erase();
  for (auto [i, state] : llvm::enumerate(carried))
    if (needed[state])
      gradients[state] = scan.getResult(i);
  for (auto [i, number] : llvm::enumerate(summed))
    gradients[states + slices + number] = scan.getResult(carried.size() + i);
  for (auto [i, number] : llvm::enumerate(wanted))
    gradients[states + number] = scan.getResult(inits.size() + i);
  return success();
}

void hgc::attachControlRules(MLIRContext *context) {
  IfOp::attachInterface<IfGrad>(*context);
  ScanOp::attachInterface<ScanGrad>(*context);
}
