//===- ExecOps.cpp - assembly and verifiers of the exec ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers look at one op only. What spans ops (lifetimes, overlaps, reads of
// unwritten buffers) is the business of hgc-verify-exec.
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::exec;

namespace {

/// Ends `diag` with the hint every diagnostic carries.
LogicalResult withHint(InFlightDiagnostic diag, const Twine &hint) {
  diag.attachNote() << "hint: " << hint;
  return diag;
}

/// Buffers have a fixed size and lie in row-major order.
LogicalResult checkBuffer(Operation *op, MemRefType type) {
  if (type.hasStaticShape() && type.getLayout().isIdentity())
    return success();
  return withHint(op->emitOpError() << "has buffer type " << type << ", expected static row-major extents",
                  "bind the dims first (hgc-bind-dims), and use exec.alias for parts of a buffer");
}

/// Conditions and extents are single elements.
LogicalResult checkScalar(Operation *op, Value buffer, Type element) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getElementType() == element && type.hasStaticShape() && type.getNumElements() == 1)
    return success();
  return withHint(op->emitOpError() << "reads one " << element << ", got a buffer of type " << type,
                  Twine("pass a buffer with exactly one element of that type"));
}

/// The same elements in the same order, whatever the memory space.
bool holdSame(ShapedType a, ShapedType b) {
  return a.getElementType() == b.getElementType() && a.getShape() == b.getShape();
}

LogicalResult checkNotNegative(Operation *op, StringRef name, std::optional<uint64_t> value) {
  if (!value || static_cast<int64_t>(*value) >= 0)
    return success();
  return withHint(op->emitOpError() << "has " << name << " " << static_cast<int64_t>(*value)
                                    << ", expected a value not below 0",
                  "drop the attribute; the pass that owns it sets it");
}

} // namespace

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

int64_t BlobOp::getByteSize() { return graph::getTensorBytes(getBufferType()); }

std::optional<int64_t> BlobOp::getOffsetIn(Attribute space) {
  if (!space)
    return getOffset();
  DictionaryAttr offsets = getDeviceOffsetsAttr();
  auto offset = offsets ? offsets.getAs<IntegerAttr>(getSpaceName(space)) : IntegerAttr();
  return offset ? std::optional<int64_t>(offset.getInt()) : std::nullopt;
}

ParseResult BlobOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  MemRefType type;
  Attribute value;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) || parser.parseColonType(type) ||
      parser.parseEqual())
    return failure();
  // The literal's type is the buffer's: it is neither printed nor repeated.
  auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
  if (parser.parseAttribute(value, tensor) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addAttribute(getTypeAttrName(result.name), TypeAttr::get(type));
  result.addAttribute(getValueAttrName(result.name), value);
  return success();
}

void BlobOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " : " << getType() << " = ";
  printer.printAttributeWithoutType(getValue());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getSymNameAttrName(), getTypeAttrName(), getValueAttrName()});
}

LogicalResult BlobOp::verify() {
  if (failed(checkBuffer(*this, getBufferType())) || failed(checkNotNegative(*this, "offset", getOffset())) ||
      failed(checkNotNegative(*this, "init_offset", getInitOffset())))
    return failure();
  if (getInitOffset() && !getIsMutable())
    return withHint(emitOpError("is immutable but has an init_offset"), "drop init_offset, or add is_mutable");
  if (getPacked() && !getParameter())
    return withHint(emitOpError("is packed but names no parameter"), "add parameter = \"...\", or drop packed");
  auto elements = dyn_cast<ElementsAttr>(getValue());
  if (!elements || holdSame(elements.getShapedType(), getBufferType()))
    return success();
  return withHint(emitOpError() << "has a value of type " << elements.getShapedType() << " in a buffer of type "
                                << getBufferType(),
                  "give value and buffer the same shape and element type");
}

/// The body ends with one store to each output, in their order.
static LogicalResult checkStores(KernelOp kernel) {
  Block &block = kernel.getBody().front();
  size_t outputs = block.getNumArguments() - kernel.getInputCount();
  SmallVector<StoreOp> stores(block.getOps<StoreOp>());
  bool areRight = stores.size() == outputs && kernel.getStores().size() == outputs;
  for (size_t i = 0; areRight && i < outputs; ++i)
    areRight = stores[i].getBuffer() == block.getArgument(kernel.getInputCount() + i);
  if (!areRight)
    return withHint(kernel.emitOpError("does not store each output exactly once"),
                    "end the body with one exec.store to each output, in their order");
  auto shapeOf = [](StoreOp store) { return cast<ShapedType>(store.getValue().getType()).getShape(); };
  for (StoreOp store : stores)
    if (shapeOf(store) != shapeOf(stores.front()))
      return withHint(store.emitOpError("has another shape than the kernel's first output"),
                      "all outputs of a kernel have one shape; make another kernel for this one");
  return success();
}

LogicalResult KernelOp::verify() {
  Block &block = getBody().front();
  int64_t inputs = getInputCount(), arguments = block.getNumArguments();
  if (inputs < 0 || arguments <= inputs)
    return withHint(emitOpError() << "has " << arguments << " block arguments, expected " << inputs
                                  << " inputs and an output",
                    "the number after `inputs` counts the block arguments before the outputs");
  for (BlockArgument argument : block.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      return withHint(emitOpError() << "has block argument #" << argument.getArgNumber() << " of type "
                                    << argument.getType() << ", expected a memref",
                      "kernels work on buffers; load a tensor with exec.load");
    if (failed(checkBuffer(*this, type)))
      return failure();
  }
  if (failed(checkStores(*this)))
    return failure();
  for (BlockArgument output : block.getArguments().drop_front(inputs))
    if (!readsElementwise(output))
      return withHint(emitOpError() << "reads output #" << output.getArgNumber() - inputs
                                    << " at other places than it writes",
                      "only elementwise ops may read what is updated in place; pass a copy as an input");
  if (failed(checkNotNegative(*this, "units", getUnits())) || failed(checkNotNegative(*this, "grain", getGrain())) ||
      failed(checkNotNegative(*this, "price_ps", getPricePs())))
    return failure();
  return checkNotNegative(*this, "scratch_bytes", getScratchBytes());
}

/// Checks the description of one caller's buffer against its block argument.
static LogicalResult checkTensor(ProgramOp program, BlockArgument argument, Attribute description) {
  auto dict = dyn_cast<DictionaryAttr>(description);
  auto type = dict ? dict.getAs<TypeAttr>("type") : TypeAttr();
  auto shape = dict ? dict.getAs<ArrayAttr>("shape") : ArrayAttr();
  auto tensor = type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
  if (!tensor || !shape || !dict.getAs<StringAttr>("name"))
    return withHint(program.emitOpError() << "has malformed tensor description #" << argument.getArgNumber(),
                    "write {name = \"x\", shape = [\"batch\", 8], type = tensor<2x8xf32>}");
  auto buffer = dyn_cast<MemRefType>(argument.getType());
  if (!buffer || !holdSame(buffer, tensor) || static_cast<int64_t>(shape.size()) != tensor.getRank())
    return withHint(program.emitOpError() << "describes block argument #" << argument.getArgNumber() << " of type "
                                          << argument.getType() << " as " << tensor << " of shape " << shape,
                    "description and block argument need the same shape and element type");
  return checkBuffer(program, buffer);
}

/// An output of the largest shape names the output that gets the actual one.
static LogicalResult checkExtents(ProgramOp program, BlockArgument argument, DictionaryAttr description) {
  Attribute name = description.get("extents");
  if (!name)
    return success();
  auto type = cast<MemRefType>(argument.getType());
  for (auto [other, shape] : llvm::zip_equal(program.getBody().getArguments(), program.getTensors())) {
    auto buffer = cast<MemRefType>(other.getType());
    bool isShape =
        buffer.getRank() == 1 && buffer.getDimSize(0) == type.getRank() && buffer.getElementType().isInteger(64);
    if (isShape && cast<DictionaryAttr>(shape).get("name") == name && other.getArgNumber() >= program.getInputCount() &&
        argument.getArgNumber() >= program.getInputCount())
      return success();
  }
  return withHint(program.emitOpError() << "has tensor #" << argument.getArgNumber() << " with its extents in " << name
                                        << ", which is no output of " << type.getRank() << " i64",
                  "name an output that holds the actual shape");
}

LogicalResult ProgramOp::verify() {
  Block &block = getBody().front();
  int64_t inputs = getInputCount(), arguments = block.getNumArguments();
  if (inputs < 0 || inputs > arguments)
    return withHint(emitOpError() << "has " << arguments << " block arguments but " << inputs << " inputs",
                    "the number after `inputs` counts the block arguments that are inputs");
  if (getPlan() && getPlan() != "cpu" && getPlan() != "gpu")
    return withHint(emitOpError() << "belongs to plan '" << *getPlan() << "', expected 'cpu' or 'gpu'",
                    "drop the attribute for the CPU plan");
  if (getLoad() && (!isInGpuPlan() || arguments != 0))
    return withHint(emitOpError("loads weights but is not a program of the GPU plan without tensors"),
                    "add plan = \"gpu\" and drop the block arguments");
  if (getDimNames().size() != getDims().size())
    return withHint(emitOpError() << "has " << getDimNames().size() << " dim names but " << getDims().size()
                                  << " extents",
                    "give each name in dim_names its extent in dims");
  if (static_cast<int64_t>(getTensors().size()) != arguments)
    return withHint(emitOpError() << "describes " << getTensors().size() << " tensors but has " << arguments
                                  << " block arguments",
                    "add one description per input and output to `tensors`");
  for (auto [argument, description] : llvm::zip_equal(block.getArguments(), getTensors()))
    if (failed(checkTensor(*this, argument, description)))
      return failure();
  for (auto [argument, description] : llvm::zip_equal(block.getArguments(), getTensors()))
    if (failed(checkExtents(*this, argument, cast<DictionaryAttr>(description))))
      return failure();
  return checkNotNegative(*this, "arena_bytes", getArenaBytes());
}

//===----------------------------------------------------------------------===//
// Inside kernels
//===----------------------------------------------------------------------===//

/// Tensors of a kernel come from and go to its block arguments, whole.
static LogicalResult checkTransport(Operation *op, Value buffer, ShapedType tensor) {
  if (holdSame(cast<ShapedType>(buffer.getType()), tensor))
    return success();
  return withHint(op->emitOpError() << "moves " << tensor << " through a buffer of type " << buffer.getType(),
                  "buffer and tensor need the same shape and element type");
}

LogicalResult LoadOp::verify() { return checkTransport(*this, getBuffer(), getResult().getType()); }

LogicalResult StoreOp::verify() { return checkTransport(*this, getBuffer(), getValue().getType()); }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  if (failed(checkBuffer(*this, cast<MemRefType>(getType()))) ||
      failed(checkNotNegative(*this, "offset", getOffset())) || failed(checkNotNegative(*this, "slot", getSlot())))
    return failure();
  if (getOffset() && getSlot())
    return withHint(emitOpError("has both an offset and a slot"),
                    "keep the offset (packed arena) or the slot (separate allocations)");
  return success();
}

LogicalResult WeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto blob = symbols.lookupNearestSymbolFrom<BlobOp>(*this, getBlobAttr());
  if (!blob)
    return withHint(emitOpError() << "names blob '" << getBlob() << "', which does not exist",
                    "declare it with exec.blob at the top of the module");
  if (holdSame(blob.getBufferType(), cast<ShapedType>(getType())))
    return success();
  InFlightDiagnostic diag = emitOpError() << "has type " << getType() << " but blob '" << getBlob() << "' has type "
                                          << blob.getBufferType();
  diag.attachNote(blob.getLoc()) << "blob declared here";
  return withHint(std::move(diag), "use the blob's type, and exec.alias to reinterpret it");
}

LogicalResult AliasOp::verify() {
  auto source = cast<MemRefType>(getSource().getType()), result = cast<MemRefType>(getType());
  if (failed(checkBuffer(*this, source)) || failed(checkBuffer(*this, result)) ||
      failed(checkNotNegative(*this, "offset", getOffset())))
    return failure();
  if (source.getMemorySpace() != result.getMemorySpace())
    return withHint(emitOpError() << "goes from " << source << " to the memory space of " << result,
                    "keep the memory space; only exec.copy moves bytes");
  if (static_cast<bool>(getIndex()) != getStride().has_value())
    return withHint(emitOpError("has an index or a stride without the other"), "write `index %i stride <bytes>`");
  int64_t end = getOffset() + graph::getTensorBytes(result);
  if (end <= graph::getTensorBytes(source))
    return success();
  return withHint(emitOpError() << "ends at byte " << end << " of a source of " << graph::getTensorBytes(source)
                                << " bytes",
                  "lower the offset, or use a smaller result type");
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

LogicalResult CopyOp::verify() {
  if (holdSame(getSource().getType(), getTarget().getType()))
    return success();
  return withHint(emitOpError() << "copies " << getSource().getType() << " to " << getTarget().getType(),
                  "source and target need the same shape and element type; retype one with exec.alias");
}

LogicalResult FillOp::verify() {
  Type element = cast<MemRefType>(getTarget().getType()).getElementType();
  if (getValue().getType() == element)
    return success();
  return withHint(emitOpError() << "fills elements of type " << element << " with a value of type "
                                << getValue().getType(),
                  "give the value the buffer's element type");
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return withHint(emitOpError() << "names kernel '" << getKernel() << "', which does not exist",
                    "declare it with exec.kernel in the module");
  auto fail = [&](InFlightDiagnostic diag) {
    diag.attachNote(kernel.getLoc()) << "kernel declared here";
    return withHint(std::move(diag), "pass the buffers in the order and types of the kernel's block arguments");
  };
  Block &block = kernel.getBody().front();
  if (getInputs().size() != kernel.getInputCount() || getNumOperands() != block.getNumArguments())
    return fail(emitOpError() << "passes " << getInputs().size() << " inputs and " << getOutputs().size()
                              << " outputs to kernel '" << getKernel() << "', expected " << kernel.getInputCount()
                              << " and " << block.getNumArguments() - kernel.getInputCount());
  for (auto [operand, argument] : llvm::zip_equal(getOperands(), block.getArguments()))
    if (operand.getType() != argument.getType())
      return fail(emitOpError() << "passes " << operand.getType() << " as argument #" << argument.getArgNumber()
                                << " of kernel '" << getKernel() << "', expected " << argument.getType());
  return success();
}

LogicalResult SetExtentOp::verify() {
  if (failed(checkNotNegative(*this, "slot", getSlot())))
    return failure();
  return checkScalar(*this, getValue(), IntegerType::get(getContext(), 64));
}

LogicalResult FailIfOp::verify() { return checkScalar(*this, getCondition(), IntegerType::get(getContext(), 1)); }

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Only a loop body takes an argument: its index.
static LogicalResult checkArguments(Operation *op, bool takesIndex) {
  for (Region &region : op->getRegions())
    if (region.getNumArguments() != takesIndex || (takesIndex && !region.getArgument(0).getType().isIndex()))
      return withHint(op->emitOpError() << "has a region with " << region.getNumArguments() << " arguments, expected "
                                        << (takesIndex ? "one of type index" : "none"),
                      takesIndex ? "write ^bb0(%i: index): at the top of the body"
                                 : "buffers of the program are visible inside; pass nothing");
  return success();
}

LogicalResult IfOp::verify() {
  if (failed(checkArguments(*this, false)))
    return failure();
  return checkScalar(*this, getCondition(), IntegerType::get(getContext(), 1));
}

LogicalResult ForOp::verify() {
  if (failed(checkArguments(*this, true)))
    return failure();
  return checkNotNegative(*this, "count", getCount());
}

LogicalResult WhileOp::verify() {
  if (failed(checkArguments(*this, false)) || failed(checkNotNegative(*this, "trip_hint", getTripHint())))
    return failure();
  return checkScalar(*this, getCondition(), IntegerType::get(getContext(), 1));
}

LogicalResult ParallelOp::verify() { return checkArguments(*this, false); }

#define GET_OP_CLASSES
#include "dialects/Exec/ExecOps.cpp.inc"
