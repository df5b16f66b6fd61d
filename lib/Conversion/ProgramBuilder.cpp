//===- ProgramBuilder.cpp - straight-line code of a program ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers follow values: a kernel's result gets a view of the arena, unless it
// can be computed where it is wanted. Control flow is in ControlFlow.cpp.
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "StreamClock.h"

#include "hgc/Placement/Devices.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The buffer an alias of all bytes of a buffer stands for.
static Value skipRetypes(Value buffer) {
  while (auto alias = buffer.getDefiningOp<exec::AliasOp>()) {
    bool isWhole = !alias.getIndex() &&
                   graph::getTensorBytes(alias.getType()) == graph::getTensorBytes(alias.getSource().getType());
    if (!isWhole)
      break;
    buffer = alias.getSource();
  }
  return buffer;
}

bool hgc::isSameBuffer(Value a, Value b) {
  a = skipRetypes(a);
  b = skipRetypes(b);
  bool areWeights = a.getDefiningOp<exec::WeightOp>() && b.getDefiningOp<exec::WeightOp>();
  return a == b || (areWeights && findMemory(a) == findMemory(b));
}

Operation *hgc::findProducer(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getInput();
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<graph::KernelOp, graph::TransferOp, graph::IfOp, graph::WhileOp, graph::ScanOp>(op) ? op
                                                                                                             : nullptr;
}

Attribute hgc::getSpace(Attribute device) {
  auto attr = dyn_cast_or_null<graph::DeviceAttr>(device);
  if (!attr || attr.getKind() == graph::DeviceKind::CPU)
    return {};
  return exec::SpaceAttr::get(device.getContext(), exec::SpaceKind::GPU, attr.getIndex());
}

Value ProgramBuilder::createView(MemRefType type, Location loc) {
  return exec::ViewOp::create(builder, loc, type, /*offset=*/nullptr, /*slot=*/nullptr);
}

Value ProgramBuilder::retype(Value buffer, MemRefType type, Location loc) {
  buffer = skipRetypes(buffer);
  if (buffer.getType() == type)
    return buffer;
  return exec::AliasOp::create(builder, loc, type, buffer, builder.getI64IntegerAttr(0), /*index=*/Value(),
                               /*stride=*/nullptr);
}

Value ProgramBuilder::makeTarget(OpResult result, Attribute space) {
  MemRefType type = getBufferType(result.getType(), space);
  Value wanted = destinations.lookup(result);
  if (wanted && cast<MemRefType>(wanted.getType()).getMemorySpace() == space)
    return buffers[result] = retype(wanted, type, result.getLoc());
  return buffers[result] = createView(type, result.getLoc());
}

Operation *ProgramBuilder::request(Value value, Value target, Block &block) {
  Operation *producer = findProducer(value);
  if (!producer || producer->getBlock() != &block)
    return nullptr;
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getInput();
  return destinations.try_emplace(value, target).second ? producer : nullptr;
}

void ProgramBuilder::copy(Value source, Value target, Location loc) {
  if (!isSameBuffer(source, target))
    exec::CopyOp::create(builder, loc, source, target, /*stream=*/0);
}

void ProgramBuilder::copyInParallel(SmallVector<Move> moves, Location loc) {
  llvm::erase_if(moves, [](const Move &move) { return isSameBuffer(move.source, move.target); });
  auto isFree = [&](const Move &move) {
    return llvm::none_of(moves, [&](const Move &other) {
      return &other != &move && findMemory(other.source) == findMemory(move.target);
    });
  };
  while (!moves.empty()) {
    auto next = llvm::find_if(moves, isFree);
    if (next != moves.end()) {
      copy(next->source, next->target, loc);
      moves.erase(next);
      continue;
    }
    // Every target is still to be read: a cycle. Saving one source breaks it.
    Move &first = moves.front();
    Value saved = createView(cast<MemRefType>(first.source.getType()), loc);
    copy(first.source, saved, loc);
    first.source = saved;
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void ProgramBuilder::lowerKernel(graph::KernelOp op) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(getBuffer(input));
  Value output = makeTarget(op->getResult(0), getSpace(op->getAttr(graph::HGCDialect::kDevice)));
  SmallVector<Type> types(ValueRange(inputs).getTypes());
  types.push_back(output.getType());
  exec::KernelOp kernel = kernels.get(op, types);
  exec::LaunchOp::create(builder, op.getLoc(), kernel.getSymName(), inputs, output, /*stream=*/0);
}

Value ProgramBuilder::createWeight(exec::BlobOp blob, Operation *op) {
  auto type =
      MemRefType::Builder(blob.getBufferType()).setMemorySpace(getSpace(op->getAttr(graph::HGCDialect::kDevice)));
  return exec::WeightOp::create(builder, op->getLoc(), MemRefType(type), blob.getSymName());
}

void ProgramBuilder::lowerTransfer(graph::TransferOp op) {
  copy(getBuffer(op.getSource()), makeTarget(op->getResult(0), getSpace(op.getTo())), op.getLoc());
}

/// Assignments take effect at the end, see lowerEnd; only weights that are being
/// loaded are finished one by one, so that they share working memory.
void ProgramBuilder::lowerAssign(graph::AssignOp op) {
  if (!loading)
    return;
  Value target = createWeight(blobs.getParameter(op.getParameter()), op);
  copy(getBuffer(op.getValue()), target, op.getLoc());
  int64_t gpu = exec::getGpu(target.getType()).value_or(0);
  exec::SyncOp::create(builder, op.getLoc(), gpu * exec::kStreamsPerGpu + exec::kComputeStream);
}

LogicalResult ProgramBuilder::lowerOp(Operation *op) {
  auto lowerWeight = [&](exec::BlobOp blob) {
    buffers[op->getResult(0)] = createWeight(blob, op);
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](graph::KernelOp kernel) { return lowerKernel(kernel), success(); })
      .Case([&](graph::TransferOp transfer) { return lowerTransfer(transfer), success(); })
      .Case(
          [&](graph::ConstantOp constant) { return lowerWeight(blobs.getConstant(constant.getValue(), op->getLoc())); })
      .Case([&](graph::ReadOp read) { return lowerWeight(blobs.getParameter(read.getParameter())); })
      .Case([&](graph::ReshapeOp reshape) {
        Value source = getBuffer(reshape.getInput());
        auto space = cast<MemRefType>(source.getType()).getMemorySpace();
        buffers[reshape.getResult()] = retype(source, getBufferType(reshape.getType(), space), op->getLoc());
        return success();
      })
      .Case([&](graph::AssignOp assign) { return lowerAssign(assign), success(); })
      .Case([&](graph::CheckOp check) {
        exec::FailIfOp::create(builder, op->getLoc(), getBuffer(check.getCondition()), check.getMessageAttr(),
                               /*negated=*/builder.getUnitAttr());
        return success();
      })
      .Case([&](graph::IfOp branch) { return lowerIf(branch); })
      .Case([&](graph::WhileOp loop) { return lowerWhile(loop); })
      .Case([&](graph::ScanOp scan) { return lowerScan(scan); })
      .Default([&](Operation *) -> LogicalResult {
        InFlightDiagnostic diag = op->emitOpError("has no buffer form: it is not part of a kernel");
        diag.attachNote() << "hint: run hgc-fuse before hgc-convert-to-exec";
        return diag;
      });
}

LogicalResult ProgramBuilder::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

/// Outputs first: they may be old state. Then the state, all at once.
void ProgramBuilder::lowerEnd(func::FuncOp entry, ValueRange outputs) {
  Operation *end = entry.getBody().front().getTerminator();
  for (auto [value, output] : llvm::zip_equal(end->getOperands(), outputs))
    copy(getBuffer(value), output, end->getLoc());
  SmallVector<Move> moves;
  for (auto assign : entry.getBody().front().getOps<graph::AssignOp>()) {
    if (loading)
      break;
    exec::BlobOp blob = blobs.getParameter(assign.getParameter());
    Value target = createWeight(blob, assign);
    moves.push_back({getBuffer(assign.getValue()), target});
  }
  copyInParallel(std::move(moves), end->getLoc());
  exec::ReturnOp::create(builder, end->getLoc());
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Describes the caller's tensor `number` for the C interface.
static Attribute describeTensor(Builder &builder, DictionaryAttr attrs, Type type, const Twine &defaultName) {
  auto name = attrs ? attrs.getAs<StringAttr>(graph::HGCDialect::kName) : StringAttr();
  auto shape = attrs ? attrs.getAs<ArrayAttr>(graph::HGCDialect::kShape) : ArrayAttr();
  if (!name)
    name = builder.getStringAttr(defaultName);
  if (!shape)
    shape = builder.getI64ArrayAttr(cast<RankedTensorType>(type).getShape());
  SmallVector<NamedAttribute> entries = {builder.getNamedAttr("name", name), builder.getNamedAttr("shape", shape),
                                         builder.getNamedAttr("type", TypeAttr::get(type))};
  if (Attribute extents = attrs ? attrs.get(graph::HGCDialect::kExtents) : Attribute())
    entries.push_back(builder.getNamedAttr("extents", extents));
  return builder.getDictionaryAttr(entries);
}

/// Dims of the variant in the order in which the arguments name them.
static void getDims(func::FuncOp entry, SmallVectorImpl<StringRef> &names, SmallVectorImpl<int64_t> &extents) {
  auto dims = entry->getAttrOfType<DictionaryAttr>(graph::HGCDialect::kVariantDims);
  if (!dims)
    return;
  auto add = [&](StringAttr name) {
    auto extent = name ? dims.getAs<IntegerAttr>(name) : IntegerAttr();
    if (!extent || llvm::is_contained(names, name.getValue()))
      return;
    names.push_back(name.getValue());
    extents.push_back(extent.getInt());
  };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (auto shape = entry.getArgAttrOfType<ArrayAttr>(i, graph::HGCDialect::kShape))
      for (Attribute dim : shape)
        add(dyn_cast<StringAttr>(dim));
  for (NamedAttribute dim : dims)
    add(dim.getName());
}

exec::ProgramOp ProgramBuilder::createProgram(func::FuncOp entry) {
  SmallVector<Attribute> tensors;
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    tensors.push_back(describeTensor(builder, entry.getArgAttrDict(i), type, "arg" + Twine(i)));
    types.push_back(getBufferType(type, getSpace(getArgumentDevice(entry, i))));
  }
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes())) {
    tensors.push_back(describeTensor(builder, entry.getResultAttrDict(i), type, "result" + Twine(i)));
    types.push_back(getBufferType(type, getSpace(getResultDevice(entry, i))));
  }
  SmallVector<StringRef> names;
  SmallVector<int64_t> extents;
  getDims(entry, names, extents);
  auto variantOf = entry->getAttrOfType<StringAttr>(graph::HGCDialect::kVariantOf);
  auto program = exec::ProgramOp::create(
      builder, entry.getLoc(), entry.getSymNameAttr(), variantOf ? variantOf : entry.getSymNameAttr(),
      builder.getI64IntegerAttr(entry.getNumArguments()), builder.getStrArrayAttr(names),
      builder.getDenseI64ArrayAttr(extents), builder.getArrayAttr(tensors), /*arena_bytes=*/nullptr,
      entry->getAttrOfType<StringAttr>("hgc.plan"), entry->getAttrOfType<UnitAttr>("hgc.load"),
      /*makespan_ps=*/nullptr);
  program.getBody().emplaceBlock().addArguments(types, SmallVector<Location>(types.size(), entry.getLoc()));
  return program;
}

LogicalResult ProgramBuilder::build(func::FuncOp entry) {
  exec::ProgramOp program = createProgram(entry);
  Block &source = entry.getBody().front(), &target = program.getBody().front();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&target);
  for (auto [argument, buffer] : llvm::zip(source.getArguments(), target.getArguments())) {
    buffers[argument] = buffer;
    buffer.setLoc(argument.getLoc());
  }
  ValueRange outputs = target.getArguments().drop_front(source.getNumArguments());
  for (auto [value, output] : llvm::zip_equal(source.getTerminator()->getOperands(), outputs))
    request(value, output, source);
  loading = program.getLoad();
  if (loading)
    for (auto assign : source.getOps<graph::AssignOp>())
      request(assign.getValue(), createWeight(blobs.getParameter(assign.getParameter()), assign), source);
  if (failed(lowerBlock(source)))
    return failure();
  lowerEnd(entry, outputs);
  return success();
}
