//===- Node.cpp - one op of a program being imported ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Node.h"

#include "Importer.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::stablehlo;

Node::Node(Importer &importer, OpBuilder &builder, Operation *op)
    : frontend::Builder(builder, op->getLoc()), importer(importer), op(op) {}

StringRef Node::getName() const { return op->getName().getStringRef(); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Unregistered ops keep properties as the dictionary that was written.
Attribute hgc::stablehlo::findAttribute(Operation *op, StringRef name) {
  if (auto properties = dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (Attribute value = properties.get(name))
      return value;
  return op->getDiscardableAttr(name);
}

/// Appends the numbers of an attribute; false when there is something else in it.
static bool appendInts(Attribute value, Extents &numbers) {
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    if (number.getValue().getBitWidth() > 64)
      return false;
    numbers.push_back(number.getValue().getSExtValue());
    return true;
  }
  if (auto array = dyn_cast<DenseI64ArrayAttr>(value)) {
    llvm::append_range(numbers, array.asArrayRef());
    return true;
  }
  if (auto flags = dyn_cast<DenseBoolArrayAttr>(value)) {
    llvm::append_range(numbers, flags.asArrayRef());
    return true;
  }
  if (auto tensor = dyn_cast<DenseIntElementsAttr>(value)) {
    if (tensor.getElementType().getIntOrFloatBitWidth() > 64 || tensor.getNumElements() > 1024)
      return false;
    for (const APInt &number : tensor.getValues<APInt>())
      numbers.push_back(number.getBitWidth() == 1 ? number.getZExtValue() : number.getSExtValue());
    return true;
  }
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, [&](Attribute item) { return appendInts(item, numbers); });
}

std::optional<Extents> Node::readList(Attribute value, StringRef name, int64_t count) {
  Extents numbers;
  if (!value || !appendInts(value, numbers)) {
    (void)invalid("attribute '" + name + "' is no list of integers", "write it as array<i64: 1, 2>");
    return std::nullopt;
  }
  if (count >= 0 && static_cast<int64_t>(numbers.size()) != count) {
    (void)invalid("attribute '" + name + "' has " + Twine(numbers.size()) + " entries, not " + Twine(count),
                  "one entry a dim is needed");
    return std::nullopt;
  }
  // Arithmetic on extents and offsets must not overflow.
  constexpr int64_t kLimit = int64_t(1) << 40;
  for (int64_t number : numbers)
    if (number <= -kLimit || number >= kLimit) {
      (void)invalid("attribute '" + name + "' has the entry " + Twine(number), "no tensor is as large");
      return std::nullopt;
    }
  return numbers;
}

std::optional<Extents> Node::getList(StringRef name, int64_t count, std::optional<int64_t> otherwise) {
  Attribute value = getAttribute(name);
  if (!value && otherwise)
    return Extents(std::max<int64_t>(count, 0), *otherwise);
  return readList(value, name, count);
}

std::optional<Extents> Node::checkDims(std::optional<Extents> dims, StringRef name, int64_t rank) {
  if (!dims)
    return dims;
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    bool isTwice = llvm::is_contained(Shape(*dims).take_front(i), dim);
    if (dim < 0 || dim >= rank || isTwice) {
      (void)invalid("dim " + Twine(dim) + " in '" + name + "' is " + (isTwice ? "given twice" : "out of range"),
                    "the tensor has " + Twine(rank) + " dims, counted from 0");
      return std::nullopt;
    }
  }
  return dims;
}

std::optional<Extents> Node::getDims(StringRef name, int64_t rank) {
  Attribute value = getAttribute(name);
  return value ? checkDims(readList(value, name, -1), name, rank) : Extents();
}

std::optional<Extents> Node::getDims(StringRef group, StringRef name, int64_t rank) {
  auto parts = dyn_cast_or_null<DictionaryAttr>(getAttribute(group));
  Attribute value = parts ? parts.get(name) : getAttribute(name);
  return value ? checkDims(readList(value, name, -1), name, rank) : Extents();
}

std::optional<int64_t> Node::getInt(StringRef name, std::optional<int64_t> otherwise) {
  if (!getAttribute(name) && otherwise)
    return otherwise;
  std::optional<Extents> list = getList(name, 1);
  return list ? std::optional<int64_t>(list->front()) : std::nullopt;
}

StringRef Node::getWord(StringRef name) const {
  auto word = dyn_cast_or_null<StringAttr>(getAttribute(name));
  return word ? word.getValue() : StringRef();
}

//===----------------------------------------------------------------------===//
// Operands, results, regions
//===----------------------------------------------------------------------===//

unsigned Node::getNumOperands() const { return op->getNumOperands(); }

Value Node::getOperand(unsigned index) const {
  return index < op->getNumOperands() ? importer.lookup(op->getOperand(index)) : Value();
}

bool Node::hasOperands(unsigned count) {
  if (op->getNumOperands() != count)
    (void)invalid("has " + Twine(op->getNumOperands()) + " operands, not " + Twine(count),
                  "the program is damaged: export it again");
  return op->getNumOperands() == count &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return importer.lookup(operand); });
}

unsigned Node::getNumResults() const { return op->getNumResults(); }

RankedTensorType Node::getResultType(unsigned index) const {
  return llvm::cast<RankedTensorType>(op->getResult(index).getType());
}

void Node::setResult(unsigned index, Value value) { importer.set(op->getResult(index), value); }

LogicalResult Node::done(Value value) {
  if (!value)
    return failure();
  setResult(0, value);
  return success();
}

Block *Node::getBody(unsigned index, unsigned arguments) {
  bool isFine = index < op->getNumRegions() && op->getRegion(index).hasOneBlock() &&
                op->getRegion(index).front().getNumArguments() == arguments &&
                op->getRegion(index).front().mightHaveTerminator();
  if (isFine)
    return &op->getRegion(index).front();
  (void)invalid("has no region " + Twine(index) + " of one block with " + Twine(arguments) + " arguments",
                "the program is damaged: export it again");
  return nullptr;
}

FailureOr<SmallVector<Value>> Node::importBody(Block &block, ValueRange arguments) {
  return importer.importBlock(block, arguments, builder, /*lanes=*/false);
}

FailureOr<SmallVector<Value>> Node::importLanes(Block &block, ValueRange arguments) {
  return importer.importBlock(block, arguments, builder, /*lanes=*/true);
}

LogicalResult Node::importCall(StringRef callee) {
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < getNumOperands(); ++i)
    arguments.push_back(getOperand(i));
  FailureOr<SmallVector<Value>> results = importer.importCall(*this, callee, arguments);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    setResult(i, result);
  return success();
}

Value Node::addTensor(ElementsAttr value) { return importer.addTensor(builder, loc, value); }

//===----------------------------------------------------------------------===//
// Graph ops
//===----------------------------------------------------------------------===//

Value Node::broadcastInDim(Value value, ArrayRef<int64_t> dims, Shape shape) {
  if (!value)
    return {};
  Extents aligned(shape.size(), 1), order(dims);
  for (auto [dim, extent] : llvm::zip_equal(dims, shapeOf(value)))
    aligned[dim] = extent;
  if (!llvm::is_sorted(dims)) {
    Extents permutation(dims.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    llvm::sort(permutation, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
    value = transpose(value, permutation);
  }
  // A scalar needs no dims to broadcast.
  if (rankOf(value) > 0)
    value = reshape(value, aligned);
  if (!value || shapeOf(value) == shape)
    return value;
  auto type = RankedTensorType::get(shape, elementOf(value));
  return graph::BroadcastOp::create(builder, loc, type, value, builder.getI64ArrayAttr(shape));
}

Value Node::reverse(Value value, ArrayRef<int64_t> dims) {
  if (!value)
    return {};
  Extents starts(rankOf(value), 0), sizes(shapeOf(value)), strides(rankOf(value), 1);
  for (int64_t dim : dims) {
    starts[dim] = sizes[dim] - 1;
    strides[dim] = -1;
  }
  // What is reversed twice is the original: gradients of convolutions have such filters.
  if (auto before = value.getDefiningOp<graph::SliceOp>())
    if (!before.getOffsets() && before.getStarts() == Shape(starts) && before.getStrides() == Shape(strides) &&
        typeOf(before.getInput()) == typeOf(value))
      return before.getInput();
  return dims.empty() || countOf(value) == 0 ? value : slice(value, starts, sizes, strides);
}

Value Node::withoutBroadcast(Value value) {
  auto broadcast = value ? value.getDefiningOp<graph::BroadcastOp>() : graph::BroadcastOp();
  return broadcast ? broadcast.getInput() : value;
}

std::optional<double> Node::getSplat(Value value) {
  auto constant = value ? withoutBroadcast(value).getDefiningOp<graph::ConstantOp>() : graph::ConstantOp();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!dense || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType())) {
    APFloat number = dense.getSplatValue<APFloat>();
    bool isLossy;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isLossy);
    return number.convertToDouble();
  }
  auto type = llvm::cast<IntegerType>(dense.getElementType());
  APInt number = dense.getSplatValue<APInt>();
  bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
  return isUnsigned ? number.roundToDouble(false) : number.roundToDouble(true);
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

LogicalResult Node::unsupported(const Twine &reason) {
  importer.addUnsupported(op, reason);
  return failure();
}

LogicalResult Node::invalid(const Twine &problem, const Twine &hint) {
  return graph::emitWithHint(loc, "'" + getName() + "': " + problem, hint);
}
