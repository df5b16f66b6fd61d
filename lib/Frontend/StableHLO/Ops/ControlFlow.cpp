//===- ControlFlow.cpp - calls, choices, loops ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "../OpTable.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ComparePredicate;

namespace {

LogicalResult importCall(Node &node) {
  auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(node.getOp()->getAttr("callee"));
  if (!callee)
    return node.invalid("has no function to call", "name it as attribute 'callee'");
  return node.importCall(callee.getValue());
}

/// What a composite stands for is a function of the program.
LogicalResult importComposite(Node &node) {
  auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(node.getAttribute("decomposition"));
  if (!callee)
    return node.invalid("has no function to call", "name it as attribute 'decomposition'");
  return node.importCall(callee.getValue());
}

/// Targets that are for other compilers pass their operand on.
LogicalResult importCustomCall(Node &node) {
  StringRef target = node.getWord("call_target_name");
  if (target == "Sharding" && node.hasOperands(1))
    return node.done(node.getOperand(0));
  return node.unsupported("hgc has no function '" + target + "'");
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Runs the ops of `build` in a block of their own and hands its values out.
template <typename Build> LogicalResult fillRegion(Node &node, Region &region, Build build) {
  OpBuilder &builder = node.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  if (region.empty())
    region.emplaceBlock();
  builder.setInsertionPointToEnd(&region.front());
  FailureOr<SmallVector<Value>> values = build();
  if (failed(values) || llvm::is_contained(*values, Value()))
    return failure();
  graph::YieldOp::create(builder, node.getLoc(), *values);
  return success();
}

/// The branch whose number `index` (i32, rank 0) is; the last one for any other.
FailureOr<SmallVector<Value>> buildBranches(Node &node, Value index, ArrayRef<Block *> branches, int64_t first) {
  auto import = [&](Block *branch) -> FailureOr<SmallVector<Value>> {
    FailureOr<SmallVector<Value>> values = node.importBody(*branch, {});
    if (succeeded(values) && values->size() != node.getNumResults())
      return node.invalid("a branch gives another number of values", "the program is damaged: export it again");
    return values;
  };
  if (branches.size() == 1)
    return import(branches.front());
  OpBuilder &builder = node.getBuilder();
  Value isFirst = node.compare(ComparePredicate::EQ, index, node.scalar(Node::elementOf(index), first));
  if (!isFirst)
    return failure();
  auto op = graph::IfOp::create(builder, node.getLoc(), node.getOp()->getResultTypes(), isFirst);
  if (failed(fillRegion(node, op.getThenRegion(), [&] { return import(branches.front()); })) ||
      failed(fillRegion(node, op.getElseRegion(),
                        [&] { return buildBranches(node, index, branches.drop_front(), first + 1); }))) {
    op.erase();
    return failure();
  }
  return SmallVector<Value>(op.getResults());
}

LogicalResult importBranches(Node &node, Value index, ArrayRef<Block *> branches) {
  if (Node::rankOf(index) != 0)
    return node.invalid("the condition is no scalar", "the program is damaged: export it again");
  // Each choice nests in the one before it.
  if (branches.size() > 64)
    return node.unsupported("more than 64 branches");
  FailureOr<SmallVector<Value>> results = buildBranches(node, index, branches, 0);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    node.setResult(i, result);
  return success();
}

LogicalResult importCase(Node &node) {
  SmallVector<Block *> branches;
  if (!node.hasOperands(1))
    return failure();
  for (unsigned i = 0; i < std::max(1u, node.getOp()->getNumRegions()); ++i) {
    branches.push_back(node.getBody(i, 0));
    if (!branches.back())
      return failure();
  }
  return importBranches(node, node.getOperand(0), branches);
}

/// The first region is for true.
LogicalResult importIf(Node &node) {
  if (!node.hasOperands(1))
    return failure();
  Block *thenBlock = node.getBody(0, 0), *elseBlock = node.getBody(1, 0);
  if (!thenBlock || !elseBlock)
    return failure();
  return importBranches(node, node.cast(node.getOperand(0), node.getBuilder().getI32Type()), {elseBlock, thenBlock});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What the condition compares with, if it is a constant: how often a loop that counts from zero runs.
int64_t guessTrips(Block &condition) {
  constexpr int64_t kUnknown = 10;
  Operation *compare =
      condition.back().getNumOperands() == 1 ? condition.back().getOperand(0).getDefiningOp() : nullptr;
  if (!compare || compare->getName().getStringRef() != "stablehlo.compare" || compare->getNumOperands() != 2)
    return kUnknown;
  Operation *limit = compare->getOperand(1).getDefiningOp();
  auto value = limit ? dyn_cast_or_null<DenseIntElementsAttr>(findAttribute(limit, "value")) : DenseIntElementsAttr();
  if (!value || !value.isSplat())
    return kUnknown;
  APInt number = value.getSplatValue<APInt>();
  return number.getSignificantBits() < 32 && number.isStrictlyPositive() ? number.getSExtValue() : kUnknown;
}

class LoopImporter {
public:
  LoopImporter(Node &node, Block &condition, Block &body) : node(node), condition(condition), body(body) {}

  LogicalResult import();

private:
  bool isCarried(unsigned index) const { return llvm::is_contained(carried, index); }
  /// Arguments of a block of the program: those of the loop's block for what changes, the operands for the rest.
  SmallVector<Value> getArguments(Block &block) {
    SmallVector<Value> arguments;
    for (unsigned i = 0, next = 0; i < node.getNumOperands(); ++i)
      arguments.push_back(isCarried(i) ? Value(block.getArgument(next++)) : node.getOperand(i));
    return arguments;
  }

  Node &node;
  Block &condition, &body;
  SmallVector<unsigned> carried;
};

LogicalResult LoopImporter::import() {
  // Values that pass through the loop unchanged, such as weights, are not carried: nothing copies them.
  SmallVector<Value> inits;
  for (unsigned i = 0; i < node.getNumOperands(); ++i)
    if (body.back().getOperand(i) != body.getArgument(i)) {
      carried.push_back(i);
      inits.push_back(node.getOperand(i));
    }
  OpBuilder &builder = node.getBuilder();
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = graph::WhileOp::create(builder, node.getLoc(), types, inits, guessTrips(condition));
  SmallVector<Location> locs(types.size(), node.getLoc());
  for (Region *region : {&loop.getCondition(), &loop.getBody()})
    region->emplaceBlock().addArguments(types, locs);
  auto importCondition = [&] { return node.importBody(condition, getArguments(loop.getCondition().front())); };
  auto importBody = [&]() -> FailureOr<SmallVector<Value>> {
    FailureOr<SmallVector<Value>> values = node.importBody(body, getArguments(loop.getBody().front()));
    if (failed(values))
      return failure();
    SmallVector<Value> next;
    for (unsigned i : carried)
      next.push_back((*values)[i]);
    return next;
  };
  if (failed(fillRegion(node, loop.getCondition(), importCondition)) ||
      failed(fillRegion(node, loop.getBody(), importBody))) {
    loop.erase();
    return failure();
  }
  for (unsigned i = 0, next = 0; i < node.getNumOperands(); ++i)
    node.setResult(i, isCarried(i) ? loop.getResult(next++) : node.getOperand(i));
  return success();
}

LogicalResult importWhile(Node &node) {
  unsigned count = node.getNumResults();
  if (!node.hasOperands(count))
    return failure();
  Block *condition = node.getBody(0, count), *body = node.getBody(1, count);
  if (!condition || !body)
    return failure();
  if (body->empty() || body->back().getNumOperands() != count || condition->empty() ||
      condition->back().getNumOperands() != 1)
    return node.invalid("a region gives another number of values", "the program is damaged: export it again");
  return LoopImporter(node, *condition, *body).import();
}

} // namespace

void addControlFlowOps(OpTable &table) {
  table.add("func.call", importCall, "functions are inlined");
  table.add("stablehlo.composite", importComposite, "by the function it stands for");
  table.add("stablehlo.custom_call", importCustomCall, "@Sharding only, which passes its operand on");
  table.add("stablehlo.if", importIf);
  table.add("stablehlo.case", importCase, "up to 64 branches");
  table.add("stablehlo.while", importWhile);
}

} // namespace hgc::stablehlo
