//===- Importer.cpp - functions of a program as entries -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "../Common/Entries.h"
#include "Names.h"
#include "OpTable.h"
#include "Scans.h"

#include "hgc/Frontend/Model.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::stablehlo;
using graph::emitWithHint;
using graph::HGCDialect;

namespace {

/// Most ops of a program, functions inlined.
constexpr int64_t kMaxOps = 200000;
/// Functions that call each other nest on the stack.
constexpr size_t kMaxCallDepth = 100;

bool isReturn(Operation &op) {
  StringRef name = op.getName().getStringRef();
  return name == "func.return" || name == "stablehlo.return";
}

} // namespace

bool hgc::stablehlo::isTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
    return false;
  Type element = tensor.getElementType();
  if (element.isF32() || element.isF64() || element.isF16() || element.isBF16() || element.isInteger(1))
    return true;
  auto integer = dyn_cast<IntegerType>(element);
  return integer && !integer.isSigned() && llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// What the import function made must be what the program declares.
LogicalResult Importer::checkResults(Node &node, bool lanes) {
  for (unsigned i = 0; i < node.getNumResults(); ++i) {
    Value value = lookup(node.getOp()->getResult(i));
    RankedTensorType declared = node.getResultType(i);
    if (!value || Node::elementOf(value) != declared.getElementType() ||
        (!lanes && Node::shapeOf(value) != declared.getShape()))
      return node.invalid("result " + Twine(i) + " does not follow from the operands",
                          "the program is damaged: export it again");
  }
  return success();
}

LogicalResult Importer::importOp(Operation *op, OpBuilder &builder, bool lanes) {
  Node node(*this, builder, op);
  if (++opCount > kMaxOps)
    return emitWithHint(op->getLoc(), "the program has more than " + Twine(kMaxOps) + " ops after calls are inlined",
                        "split the program");
  int64_t refusedBefore = refusedCount;
  const OpEntry *entry = OpTable::get().lookup(node.getName());
  auto otherType = llvm::find_if_not(op->getResultTypes(), isTensor);
  bool isKnown = llvm::all_of(op->getOperands(), [&](Value operand) { return lookup(operand); });
  LogicalResult result = failure();
  if (otherType != op->getResultTypes().end()) {
    std::string type;
    llvm::raw_string_ostream(type) << *otherType;
    result = node.unsupported("hgc has no values of type " + type);
  } else if (!entry || !entry->import) {
    result = node.unsupported(entry ? entry->note : StringRef("the op is not known"));
  } else if (lanes && !entry->isPointwise) {
    result = node.unsupported("an op that is not elementwise in the body of a reduction");
  } else if (isKnown) {
    result = entry->import(node);
    if (succeeded(result))
      return checkResults(node, lanes);
  }
  if (isKnown && refusedCount == refusedBefore)
    return failure();
  // The import goes on, to list all that is not supported.
  for (OpResult value : op->getResults())
    if (isTensor(value.getType()))
      set(value, node.splat(Node::elementOf(value), cast<RankedTensorType>(value.getType()).getShape(), 0));
  return success();
}

FailureOr<SmallVector<Value>> Importer::importBlock(Block &block, ValueRange arguments, OpBuilder &builder,
                                                    bool lanes) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments)) {
    if (!lanes && value && value.getType() != argument.getType())
      return emitWithHint(argument.getLoc(),
                          "argument " + Twine(argument.getArgNumber()) + " of a region or function is " +
                              "declared with another type than it is given",
                          "the program is damaged: export it again");
    set(argument, value);
  }
  if (block.empty() || !isReturn(block.back()))
    return emitWithHint(block.getParentOp()->getLoc(), "a region or function does not end with a return",
                        "branches between blocks are not part of StableHLO");
  for (Operation &op : llvm::drop_end(block))
    if (failed(importOp(&op, builder, lanes)))
      return failure();
  SmallVector<Value> results;
  for (Value value : block.back().getOperands())
    results.push_back(lookup(value));
  return results;
}

FailureOr<SmallVector<Value>> Importer::importCall(Node &node, StringRef callee, ValueRange arguments) {
  auto function = functions.lookup<func::FuncOp>(callee);
  if (!function || function.isDeclaration() || !function.getBody().hasOneBlock() ||
      function.getNumArguments() != arguments.size() || function.getNumResults() != node.getNumResults())
    return node.invalid("there is no function '" + callee + "' of one block for these operands and results",
                        "the program is damaged: export it again");
  if (calls.size() >= kMaxCallDepth || llvm::is_contained(calls, function))
    return node.invalid("calls of '" + callee + "' are nested or recursive",
                        "call functions no more than " + Twine(kMaxCallDepth) + " deep");
  calls.push_back(function);
  FailureOr<SmallVector<Value>> results = importBlock(function.front(), arguments, node.getBuilder(), /*lanes=*/false);
  calls.pop_back();
  if (succeeded(results) && results->size() != node.getNumResults())
    return node.invalid("'" + callee + "' returns another number of values", "the program is damaged: export it again");
  return results;
}

Value Importer::addTensor(OpBuilder &builder, Location loc, ElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getShapedType());
  int64_t bytes = type.getNumElements() * std::max(1u, type.getElementTypeBitWidth() / 8);
  bool isLearnt = options.trains && isa<FloatType>(type.getElementType()) && type.getRank() > 0;
  if (value.isSplat() || (bytes <= kMaxConstantBytes && !isLearnt))
    return graph::ConstantOp::create(builder, loc, value);
  StringAttr &name = parameters[value];
  if (!name) {
    OpBuilder outer(module->getBodyRegion());
    auto parameter = graph::ParameterOp::create(outer, loc, "constant", type, value);
    name = symbols->insert(parameter, module->getBody()->begin());
  }
  return graph::ReadOp::create(builder, loc, type, name.getValue());
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

void Importer::addUnsupported(Operation *op, const Twine &reason) {
  std::string what = (op->getName().getStringRef() + ": " + reason).str();
  ++refusedCount;
  unsupported.try_emplace(what, Refusal{op->getLoc(), {}}).first->second.ops.insert(op);
}

LogicalResult Importer::reportUnsupported() {
  size_t count = 0;
  for (const auto &item : unsupported)
    count += item.second.ops.size();
  InFlightDiagnostic diag = mlir::emitError(program.getLoc())
                            << count << (count == 1 ? " op" : " ops") << " of the program cannot be imported";
  for (const auto &[what, refusal] : unsupported) {
    Diagnostic &note = diag.attachNote(refusal.loc) << what;
    if (refusal.ops.size() > 1)
      note << " (" << refusal.ops.size() << " times)";
  }
  diag.attachNote() << "hint: docs/stablehlo.md says which ops there are";
  return diag;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

LogicalResult Importer::importEntry(func::FuncOp function) {
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(), function.getResultTypes()))
    if (!isTensor(type))
      return emitWithHint(function.getLoc(),
                          "function '" + function.getName() +
                              "' has a value that is no tensor of a static shape of numbers",
                          "lower it for fixed shapes, and for real numbers of 8 to 64 bits");
  if (!function.getBody().hasOneBlock())
    return emitWithHint(function.getLoc(), "function '" + function.getName() + "' has more than one block",
                        "branches between blocks are not part of StableHLO");
  OpBuilder builder(module->getBodyRegion());
  builder.setInsertionPointToEnd(module->getBody());
  StringRef name = function.getName();
  if (name == "main")
    name = options.trains ? kTrainedEntryName : kEntryName;
  auto entry = func::FuncOp::create(builder, function.getLoc(), name, function.getFunctionType());
  symbols->insert(entry, module->getBody()->end());
  entry->setAttr(HGCDialect::kEntry, builder.getUnitAttr());
  std::vector<std::string> arguments = nameArguments(function), results = nameResults(function, arguments);
  for (auto [i, argument] : llvm::enumerate(arguments))
    entry.setArgAttr(i, HGCDialect::kName, builder.getStringAttr(argument));
  for (auto [i, result] : llvm::enumerate(results))
    entry.setResultAttr(i, HGCDialect::kName, builder.getStringAttr(result));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  calls.assign({function});
  FailureOr<SmallVector<Value>> values = importBlock(function.front(), entry.getArguments(), builder, /*lanes=*/false);
  if (failed(values) || !unsupported.empty())
    return failure();
  func::ReturnOp::create(builder, function.getLoc(), *values);
  return success();
}

OwningOpRef<ModuleOp> Importer::run() {
  module = ModuleOp::create(program.getLoc(), toIdentifier(options.name));
  symbols.emplace(*module);
  bool hasEntry = false;
  for (auto function : program.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    hasEntry = true;
    if (failed(importEntry(function))) {
      if (!unsupported.empty())
        (void)reportUnsupported();
      return {};
    }
  }
  if (!hasEntry) {
    (void)emitWithHint(program.getLoc(), "the program has no public function", "name its function 'main'");
    return {};
  }
  makeScans(*module);
  frontend::dropUnused(*module, *symbols);
  if (failed(verify(*module)))
    return {};
  return std::move(module);
}
