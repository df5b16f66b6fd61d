//===- RefineShapes.cpp - static types by inferring again -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a function in program order, so that operands are refined before the ops
// that use them. Regions are entered once: loops carry values of fixed type.
//===----------------------------------------------------------------------===//

#include "RefineShapes.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

class ShapeRefiner {
public:
  explicit ShapeRefiner(const DimBinding &binding) : binding(binding) {}

  LogicalResult refineBlock(Block &block) {
    for (Operation &op : block)
      if (failed(refineOp(&op)))
        return failure();
    return success();
  }

private:
  LogicalResult refineOp(Operation *op) {
    bindShapeAttr(op);
    if (auto branch = dyn_cast<IfOp>(op))
      return refineIf(branch);
    if (auto loop = dyn_cast<WhileOp>(op))
      return refineWhile(loop);
    if (auto scan = dyn_cast<ScanOp>(op))
      return refineScan(scan);
    if (auto infer = dyn_cast<InferTypeOpInterface>(op))
      return refineInferred(infer);
    return success();
  }

  /// Replaces dim names in `shape` by their extents.
  void bindShapeAttr(Operation *op) {
    auto shape = op->getAttrOfType<ArrayAttr>("shape");
    if (!shape || !isa<HGCDialect>(op->getDialect()))
      return;
    Builder builder(op->getContext());
    SmallVector<Attribute> extents;
    for (Attribute entry : shape) {
      auto name = dyn_cast<StringAttr>(entry);
      auto found = name ? binding.find(name) : binding.end();
      extents.push_back(found == binding.end() ? entry : builder.getI64IntegerAttr(found->second));
    }
    op->setAttr("shape", builder.getArrayAttr(extents));
  }

  LogicalResult refineInferred(InferTypeOpInterface op) {
    SmallVector<Type> types;
    if (failed(op.inferReturnTypes(op->getContext(), op.getLoc(), op->getOperands(), op->getAttrDictionary(),
                                   op->getPropertiesStorage(), op->getRegions(), types)))
      return failure();
    return setResults(op, types);
  }

  LogicalResult setResults(Operation *op, TypeRange types) {
    for (auto [result, type] : llvm::zip(op->getResults(), types))
      if (failed(setType(op, result, type)))
        return failure();
    return success();
  }

  /// A declared static type is a promise of the model's writer: it must agree.
  LogicalResult setType(Operation *op, Value value, Type type) {
    if (!areCompatible({value.getType()}, {type})) {
      InFlightDiagnostic diag = op->emitError()
                                << "the declared type " << value.getType() << " does not fit the inferred " << type;
      diag.attachNote() << "hint: use '?' for extents that depend on a named dim";
      return diag;
    }
    value.setType(type);
    return success();
  }

  LogicalResult setArguments(Operation *op, Block &block, TypeRange types) {
    for (auto [argument, type] : llvm::zip(block.getArguments(), types))
      if (failed(setType(op, argument, type)))
        return failure();
    return success();
  }

  LogicalResult refineIf(IfOp op) {
    Block &thenBlock = op.getThenRegion().front();
    Block &elseBlock = op.getElseRegion().front();
    if (failed(refineBlock(thenBlock)) || failed(refineBlock(elseBlock)))
      return failure();
    TypeRange types = thenBlock.getTerminator()->getOperandTypes();
    if (failed(checkYield(op, elseBlock, types, "the other branch")))
      return failure();
    return setResults(op, types);
  }

  LogicalResult refineWhile(WhileOp op) {
    TypeRange types = op.getInits().getTypes();
    for (Region *region : {&op.getCondition(), &op.getBody()})
      if (failed(setArguments(op, region->front(), types)) || failed(refineBlock(region->front())))
        return failure();
    if (failed(checkYield(op, op.getBody().front(), types, "the initial values")))
      return failure();
    return setResults(op, types);
  }

  LogicalResult refineScan(ScanOp op) {
    Block &body = op.getBody().front();
    SmallVector<Type> types(op.getInits().getTypes());
    for (Type type : op.getSequences().getTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      types.push_back(RankedTensorType::get(tensor.getShape().drop_front(), tensor.getElementType()));
    }
    if (failed(setArguments(op, body, types)) || failed(refineBlock(body)))
      return failure();
    TypeRange inits = op.getInits().getTypes();
    if (failed(checkYield(op, body, inits, "the initial states")))
      return failure();

    int64_t trips = cast<RankedTensorType>(op.getSequences().front().getType()).getDimSize(0);
    SmallVector<Type> results(inits);
    for (Type type : TypeRange(body.getTerminator()->getOperandTypes()).drop_front(inits.size())) {
      auto tensor = cast<RankedTensorType>(type);
      SmallVector<int64_t> shape{trips};
      llvm::append_range(shape, tensor.getShape());
      results.push_back(RankedTensorType::get(shape, tensor.getElementType()));
    }
    return setResults(op, results);
  }

  /// The values a region yields have to keep the types `expected`.
  LogicalResult checkYield(Operation *op, Block &block, TypeRange expected, StringRef what) {
    Operation *yield = block.getTerminator();
    for (auto [index, type] : llvm::enumerate(expected)) {
      Type actual = yield->getOperand(index).getType();
      if (actual == type)
        continue;
      InFlightDiagnostic diag = yield->emitError() << "value " << index << " has type " << actual << ", but " << what
                                                   << " of '" << op->getName() << "' has " << type;
      diag.attachNote() << "hint: pad, slice or reshape the value so that its shape is always the same";
      return diag;
    }
    return success();
  }

  const DimBinding &binding;
};

} // namespace

LogicalResult hgc::refineShapes(func::FuncOp function, const DimBinding &binding) {
  Block &body = function.getBody().front();
  if (failed(ShapeRefiner(binding).refineBlock(body)))
    return failure();
  Operation *exit = body.getTerminator();
  // Values keep their static extents, so the declared results hold as well.
  function.setFunctionType(FunctionType::get(function.getContext(), body.getArgumentTypes(), exit->getOperandTypes()));
  return success();
}
