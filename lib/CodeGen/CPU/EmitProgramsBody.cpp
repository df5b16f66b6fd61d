//===- EmitProgramsBody.cpp - actions of a program as LLVM ops ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitProgramsBody.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "runtime/include/hgc_rt_abi.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

ProgramEmitter::ProgramEmitter(exec::ProgramOp program, ConstantBuilder &constants,
                               const llvm::StringMap<std::string> &kernelDescs)
    : program(program), constants(constants), kernelDescs(kernelDescs), builder(program.getContext()),
      loc(program.getLoc()) {}

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

Value ProgramEmitter::constant(int64_t value, unsigned bits) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(bits), value);
}

Value ProgramEmitter::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, constants.pointerType(), builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value ProgramEmitter::advance(Value pointer, int64_t bytes) {
  return bytes == 0 ? pointer : advance(pointer, constant(bytes));
}

Value ProgramEmitter::loadContext(unsigned index) {
  Value field = advance(context, static_cast<int64_t>(index * sizeof(void *)));
  return LLVM::LoadOp::create(builder, loc, constants.pointerType(), field);
}

Value ProgramEmitter::loadFlag(Value buffer) {
  Value byte = LLVM::LoadOp::create(builder, loc, builder.getI8Type(), values.lookup(buffer));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, byte, constant(0, 8));
}

Value ProgramEmitter::call(StringRef name, Type result, ValueRange arguments) {
  LLVM::LLVMFuncOp callee = constants.declare(name, result, SmallVector<Type>(arguments.getTypes()));
  auto op = LLVM::CallOp::create(builder, loc, callee, arguments);
  return op.getNumResults() ? op.getResult() : Value();
}

Block *ProgramEmitter::addBlock() {
  OpBuilder::InsertionGuard guard(builder);
  return builder.createBlock(&function.getBody(), function.getBody().end());
}

void ProgramEmitter::returnFailureIf(Value failed, StringRef message, int status) {
  Block *failure = addBlock(), *next = addBlock();
  LLVM::CondBrOp::create(builder, loc, failed, failure, next);
  builder.setInsertionPointToEnd(failure);
  Value text = LLVM::AddressOfOp::create(builder, loc, constants.pointerType(), constants.text(message));
  Value result = call("hgc_rt_fail", builder.getI32Type(), {context, constant(status, 32), text});
  LLVM::ReturnOp::create(builder, loc, result);
  builder.setInsertionPointToEnd(next);
}

void ProgramEmitter::storeArguments(OperandRange buffers, Value array) {
  if (!array)
    array = argumentArray;
  for (auto [i, buffer] : llvm::enumerate(buffers))
    LLVM::StoreOp::create(builder, loc, values.lookup(buffer),
                          advance(array, static_cast<int64_t>(i * sizeof(void *))));
}

/// Bytes of a constant element as they lie in memory.
static std::string getPattern(TypedAttr value) {
  APInt bits =
      isa<FloatAttr>(value) ? cast<FloatAttr>(value).getValue().bitcastToAPInt() : cast<IntegerAttr>(value).getValue();
  int64_t size = graph::getElementBytes(value.getType());
  bits = bits.zextOrTrunc(size * 8);
  std::string bytes;
  for (int64_t i = 0; i < size; ++i)
    bytes.push_back(static_cast<char>(bits.extractBitsAsZExtValue(8, i * 8)));
  return bytes;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult ProgramEmitter::emitView(exec::ViewOp op) {
  std::optional<unsigned> gpu = exec::getGpu(op.getType());
  if (gpu && (op.getSlot() || op.getOffset()))
    return emitGpuView(op, *gpu), success();
  if (op.getSlot()) {
    Value slot = constant(*op.getSlot());
    values.map(op.getResult(), call("hgc_rt_guarded", constants.pointerType(), {context, slot}));
    return success();
  }
  if (!op.getOffset()) {
    InFlightDiagnostic diag = op.emitOpError("has neither an offset nor a slot");
    diag.attachNote() << "hint: run hgc-plan-memory first";
    return diag;
  }
  values.map(op.getResult(), advance(loadContext(kArena), *op.getOffset()));
  return success();
}

LogicalResult ProgramEmitter::emitWeight(exec::WeightOp op) {
  auto blob = SymbolTable::lookupNearestSymbolFrom<exec::BlobOp>(op, op.getBlobAttr());
  if (!blob.getOffsetIn(cast<MemRefType>(op.getType()).getMemorySpace())) {
    InFlightDiagnostic diag = op.emitOpError() << "uses blob '" << op.getBlob() << "', which has no place yet";
    diag.attachNote() << "hint: run hgc-plan-memory first";
    return diag;
  }
  if (std::optional<unsigned> gpu = exec::getGpu(op.getType()))
    return emitGpuWeight(op, blob, *gpu), success();
  Value base = loadContext(blob.getIsMutable() ? kState : kWeights);
  values.map(op.getResult(), advance(base, *blob.getOffset()));
  return success();
}

LogicalResult ProgramEmitter::emitAlias(exec::AliasOp op) {
  Value pointer = advance(values.lookup(op.getSource()), op.getOffset());
  if (op.getIndex()) {
    Value bytes = LLVM::MulOp::create(builder, loc, values.lookup(op.getIndex()), constant(*op.getStride()));
    pointer = advance(pointer, bytes);
  }
  values.map(op.getResult(), pointer);
  return success();
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

LogicalResult ProgramEmitter::emitLaunch(exec::LaunchOp op) {
  if (exec::getActionGpu(op))
    return emitGpuLaunch(op), success();
  auto kernel = SymbolTable::lookupNearestSymbolFrom<exec::KernelOp>(op, op.getKernelAttr());
  storeArguments(op.getOperands());
  // The last slot receives the scratch memory of each range.
  int64_t count = op.getNumOperands() + (kernel.getScratchBytes().value_or(0) > 0);
  Value desc = LLVM::AddressOfOp::create(builder, loc, constants.pointerType(), kernelDescs.lookup(op.getKernel()));
  SmallVector<Value> arguments = {context, desc, argumentArray, constant(count)};
  auto loop = op->getParentOfType<exec::ForOp>();
  bool turns = loop && kernel->hasAttr("turns");
  if (turns)
    arguments.push_back(values.lookup(loop.getBody().getArgument(0)));
  call(turns ? "hgc_rt_launch_turn" : "hgc_rt_launch", LLVM::LLVMVoidType::get(builder.getContext()), arguments);
  return success();
}

LogicalResult ProgramEmitter::emitLibrary(exec::LibraryOp op) {
  storeArguments(op.getOperands());
  Value result = call(op.getSymbol(), builder.getI32Type(), {argumentArray});
  Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, result, constant(0, 32));
  returnFailureIf(failed, ("library function '" + op.getSymbol() + "' reported an error").str(), HGC_RT_DEVICE_FAILED);
  return success();
}

LogicalResult ProgramEmitter::emitCopy(exec::CopyOp op) {
  if (exec::getActionGpu(op))
    return emitGpuCopy(op), success();
  int64_t bytes = graph::getTensorBytes(cast<ShapedType>(op.getSource().getType()));
  call("hgc_rt_copy", LLVM::LLVMVoidType::get(builder.getContext()),
       {context, values.lookup(op.getTarget()), values.lookup(op.getSource()), constant(bytes)});
  return success();
}

LogicalResult ProgramEmitter::emitFill(exec::FillOp op) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  std::string symbol = constants.bytes("hgc_pattern", getPattern(op.getValue()));
  Value pattern = LLVM::AddressOfOp::create(builder, loc, constants.pointerType(), symbol);
  if (exec::getActionGpu(op))
    return emitGpuFill(op, pattern), success();
  call("hgc_rt_fill", LLVM::LLVMVoidType::get(builder.getContext()),
       {context, values.lookup(op.getTarget()), pattern, constant(graph::getElementBytes(type.getElementType())),
        constant(type.getNumElements())});
  return success();
}

LogicalResult ProgramEmitter::emitFailIf(exec::FailIfOp op) {
  Value flag = loadFlag(op.getCondition());
  if (op.getNegated())
    flag = LLVM::XOrOp::create(builder, loc, flag, constant(1, 1));
  returnFailureIf(flag, op.getMessage(), HGC_RT_INVALID_ARGUMENT);
  return success();
}

LogicalResult ProgramEmitter::emitSetExtent(exec::SetExtentOp op) {
  Value extent = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), values.lookup(op.getValue()));
  int64_t place = static_cast<int64_t>(op.getSlot() * sizeof(int64_t));
  LLVM::StoreOp::create(builder, loc, extent, advance(loadContext(kExtents), place));
  return success();
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

LogicalResult ProgramEmitter::emitIf(exec::IfOp op) {
  Block *thenBlock = addBlock(), *elseBlock = addBlock(), *next = addBlock();
  LLVM::CondBrOp::create(builder, loc, loadFlag(op.getCondition()), thenBlock, elseBlock);
  for (auto [start, region] : {std::pair(thenBlock, &op.getThenRegion()), std::pair(elseBlock, &op.getElseRegion())}) {
    builder.setInsertionPointToEnd(start);
    if (failed(emitBlock(region->front())))
      return failure();
    LLVM::BrOp::create(builder, loc, next);
  }
  builder.setInsertionPointToEnd(next);
  return success();
}

LogicalResult ProgramEmitter::emitFor(exec::ForOp op) {
  Block *head = addBlock(), *body = addBlock(), *next = addBlock();
  Value index = head->addArgument(builder.getI64Type(), loc);
  LLVM::BrOp::create(builder, loc, ValueRange{constant(0)}, head);
  builder.setInsertionPointToEnd(head);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt, index, constant(op.getCount()));
  LLVM::CondBrOp::create(builder, loc, more, body, next);
  builder.setInsertionPointToEnd(body);
  values.map(op.getBody().getArgument(0), index);
  if (failed(emitBlock(op.getBody().front())))
    return failure();
  Value following = LLVM::AddOp::create(builder, loc, index, constant(1));
  LLVM::BrOp::create(builder, loc, ValueRange{following}, head);
  builder.setInsertionPointToEnd(next);
  return success();
}

LogicalResult ProgramEmitter::emitWhile(exec::WhileOp op) {
  Block *head = addBlock(), *body = addBlock(), *next = addBlock();
  LLVM::BrOp::create(builder, loc, head);
  builder.setInsertionPointToEnd(head);
  if (failed(emitBlock(op.getBefore().front())))
    return failure();
  LLVM::CondBrOp::create(builder, loc, loadFlag(op.getCondition()), body, next);
  builder.setInsertionPointToEnd(body);
  if (failed(emitBlock(op.getBody().front())))
    return failure();
  LLVM::BrOp::create(builder, loc, head);
  builder.setInsertionPointToEnd(next);
  return success();
}

LogicalResult ProgramEmitter::checkHost(Operation &op) {
  auto stream = op.getAttrOfType<IntegerAttr>("stream");
  bool elsewhere = stream && stream.getInt() != 0;
  for (Type type : op.getResultTypes())
    if (auto buffer = dyn_cast<MemRefType>(type))
      elsewhere |= static_cast<bool>(buffer.getMemorySpace());
  if (!elsewhere)
    return success();
  InFlightDiagnostic diag = op.emitOpError("needs a GPU but is not in the GPU plan");
  diag.attachNote() << "hint: place all ops of the CPU plan on the CPU";
  return diag;
}

LogicalResult ProgramEmitter::emitOp(Operation &op) {
  if (!program.isInGpuPlan() && failed(checkHost(op)))
    return failure();
  loc = op.getLoc();
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](exec::ViewOp view) { return emitView(view); })
      .Case([&](exec::WeightOp weight) { return emitWeight(weight); })
      .Case([&](exec::AliasOp alias) { return emitAlias(alias); })
      .Case([&](exec::LaunchOp launch) { return emitLaunch(launch); })
      .Case([&](exec::LibraryOp library) { return emitLibrary(library); })
      .Case([&](exec::CopyOp copy) { return emitCopy(copy); })
      .Case([&](exec::FillOp fill) { return emitFill(fill); })
      .Case([&](exec::FailIfOp failIf) { return emitFailIf(failIf); })
      .Case([&](exec::SetExtentOp extent) { return emitSetExtent(extent); })
      .Case([&](exec::IfOp branch) { return emitIf(branch); })
      .Case([&](exec::ForOp loop) { return emitFor(loop); })
      .Case([&](exec::WhileOp loop) { return emitWhile(loop); })
      .Case([&](exec::ParallelOp parallel) { return emitParallel(parallel); })
      .Case<exec::RecordOp, exec::WaitOp, exec::SyncOp>([&](Operation *order) { return emitOrder(order); })
      .Case([](exec::ReturnOp) { return success(); })
      .Default([](Operation *other) {
        InFlightDiagnostic diag = other->emitOpError("cannot be part of a program");
        diag.attachNote() << "hint: only exec ops that act on buffers can";
        return diag;
      });
}

LogicalResult ProgramEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(op)))
      return failure();
  return success();
}

FailureOr<LLVM::LLVMFuncOp> ProgramEmitter::emit() {
  Type pointer = constants.pointerType();
  function = constants.declare(getProgramSymbol(program), builder.getI32Type(), {pointer, pointer});
  function.setLinkage(LLVM::Linkage::Internal);
  function.setVisibility_(LLVM::Visibility::Default);
  function.setDsoLocal(true);
  function->setLoc(loc);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  context = entry->getArgument(0);
  // One array serves all launches: each is over before the next begins.
  int64_t most = 1;
  program.walk([&](Operation *op) { most = std::max<int64_t>(most, op->getNumOperands() + 1); });
  argumentArray = LLVM::AllocaOp::create(builder, loc, pointer, pointer, constant(most), 16);
  for (BlockArgument argument : program.getBody().getArguments()) {
    Value place = advance(entry->getArgument(1), static_cast<int64_t>(argument.getArgNumber() * sizeof(void *)));
    values.map(argument, LLVM::LoadOp::create(builder, loc, pointer, place));
  }
  if (failed(emitBlock(program.getBody().front())))
    return failure();
  LLVM::ReturnOp::create(builder, loc, constant(HGC_RT_OK, 32));
  return function;
}
