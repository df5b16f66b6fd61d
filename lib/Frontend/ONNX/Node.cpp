//===- Node.cpp - one node of an ONNX graph being imported ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "Importer.h"
#include "Types.h"

#include "hgc/Support/Error.h"
#include "onnx.pb.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using ::onnx::AttributeProto;

Node::Node(GraphImporter &importer, const ::onnx::NodeProto &proto, Location loc)
    : Builder(importer.getBuilder(), loc), importer(importer), proto(proto) {}

StringRef Node::getOpType() const { return proto.op_type(); }
StringRef Node::getName() const { return llvm::cast<NameLoc>(loc).getName(); }
int64_t Node::getOpset() const { return importer.getOpset(proto.domain()); }

bool Node::trains() const { return importer.getModel().trains(); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The kind an attribute states, or that of the value it has: the first versions of
/// the format did not state it.
static int getKind(const AttributeProto &attribute) {
  if (attribute.type() != AttributeProto::UNDEFINED)
    return attribute.type();
  if (attribute.has_f())
    return AttributeProto::FLOAT;
  if (attribute.has_i())
    return AttributeProto::INT;
  if (attribute.has_s())
    return AttributeProto::STRING;
  if (attribute.has_t())
    return AttributeProto::TENSOR;
  if (attribute.has_g())
    return AttributeProto::GRAPH;
  if (attribute.floats_size())
    return AttributeProto::FLOATS;
  if (attribute.ints_size())
    return AttributeProto::INTS;
  return attribute.strings_size() ? AttributeProto::STRINGS : AttributeProto::UNDEFINED;
}

const AttributeProto *Node::find(StringRef name) const {
  for (const AttributeProto &attribute : proto.attribute())
    if (attribute.name() == name)
      return importer.resolve(attribute);
  return nullptr;
}

const AttributeProto *Node::find(StringRef name, int type) const {
  const AttributeProto *attribute = find(name);
  if (!attribute)
    return nullptr;
  int kind = getKind(*attribute);
  // An empty list without a kind is a list of any.
  if (kind == type || kind == AttributeProto::UNDEFINED)
    return attribute;
  auto spell = [](int number) {
    return StringRef(
               ::onnx::AttributeProto_AttributeType_Name(static_cast<::onnx::AttributeProto_AttributeType>(number)))
        .lower();
  };
  (void)graph::emitWithHint(loc, "attribute '" + name + "' is of kind " + spell(kind) + ", expected " + spell(type),
                            "the file is damaged, or made for another version of the op");
  return nullptr;
}

bool Node::hasAttribute(StringRef name) const { return find(name) != nullptr; }

int64_t Node::getInt(StringRef name, int64_t otherwise) const {
  const AttributeProto *attribute = find(name, AttributeProto::INT);
  return attribute ? attribute->i() : otherwise;
}

double Node::getFloat(StringRef name, double otherwise) const {
  const AttributeProto *attribute = find(name, AttributeProto::FLOAT);
  return attribute ? attribute->f() : otherwise;
}

StringRef Node::getString(StringRef name, StringRef otherwise) const {
  const AttributeProto *attribute = find(name, AttributeProto::STRING);
  return attribute ? StringRef(attribute->s()) : otherwise;
}

Extents Node::getIntList(StringRef name, Extents otherwise) const {
  const AttributeProto *attribute = find(name, AttributeProto::INTS);
  return attribute ? Extents(attribute->ints().begin(), attribute->ints().end()) : otherwise;
}

SmallVector<double> Node::getFloatList(StringRef name, SmallVector<double> otherwise) const {
  const AttributeProto *attribute = find(name, AttributeProto::FLOATS);
  return attribute ? SmallVector<double>(attribute->floats().begin(), attribute->floats().end()) : otherwise;
}

SmallVector<std::string> Node::getStringList(StringRef name) const {
  const AttributeProto *attribute = find(name, AttributeProto::STRINGS);
  return attribute ? SmallVector<std::string>(attribute->strings().begin(), attribute->strings().end())
                   : SmallVector<std::string>();
}

HostTensor Node::getTensor(StringRef name) const {
  const AttributeProto *attribute = find(name, AttributeProto::TENSOR);
  if (!attribute)
    return {};
  llvm::Expected<HostTensor> tensor = importer.getModel().getTensors().read(attribute->t());
  if (tensor)
    return std::move(*tensor);
  (void)hgc::emitError(loc, addContext("attribute '" + name + "'", tensor.takeError()));
  return {};
}

Type Node::getElementType(StringRef name, Type otherwise) const {
  if (!hasAttribute(name))
    return otherwise;
  // The first opsets wrote the type's name.
  ::onnx::TensorProto_DataType named = ::onnx::TensorProto::UNDEFINED;
  bool isName = getKind(*find(name)) == AttributeProto::STRING;
  if (isName)
    (void)::onnx::TensorProto_DataType_Parse(getString(name, "").upper(), &named);
  int64_t number = isName ? named : getInt(name, 0);
  Type type = hgc::onnx::getElementType(number, builder.getContext());
  if (!type)
    importer.getModel().addUnsupported(proto, getName(), refuseElementType(number));
  return type;
}

Value Node::addTensor(StringRef name, const HostTensor &tensor) {
  Value value = importer.getModel().addTensor(builder, loc, name, tensor);
  // A constant of the graph, unlike an initialiser, is not for training.
  if (auto read = value.getDefiningOp<graph::ReadOp>())
    SymbolTable::lookupNearestSymbolFrom(read, read.getParameterAttr())
        ->setAttr(graph::HGCDialect::kFrozen, builder.getUnitAttr());
  return value;
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

unsigned Node::getNumInputs() const { return proto.input_size(); }

bool Node::hasInput(unsigned index) const {
  return index < getNumInputs() && !proto.input(index).empty() && !importer.isAbsent(proto.input(index));
}

Value Node::getInput(unsigned index) const { return hasInput(index) ? importer.lookup(proto.input(index)) : Value(); }

std::optional<int64_t> Node::getAxis(int64_t rank, int64_t otherwise, StringRef name) {
  int64_t given = getInt(name, otherwise);
  std::optional<int64_t> axis = normalizeAxis(given, rank);
  if (!axis)
    (void)invalid("attribute '" + name + "' is " + Twine(given) + ", which is no axis of a value of rank " +
                      Twine(rank),
                  "axes are from " + Twine(-rank) + " to " + Twine(rank - 1));
  return axis;
}

unsigned Node::getNumOutputs() const { return proto.output_size(); }

StringRef Node::getOutputName(unsigned index) const {
  return index < getNumOutputs() ? StringRef(proto.output(index)) : StringRef();
}

bool Node::hasOutput(unsigned index) const { return !getOutputName(index).empty(); }

void Node::setOutput(unsigned index, Value value) {
  if (value && hasOutput(index))
    (void)importer.define(loc, getOutputName(index), value);
}

LogicalResult Node::done(Value value) {
  setOutput(0, value);
  return success(static_cast<bool>(value));
}

RankedTensorType Node::getDeclaredType(unsigned index) const {
  unsigned budget = 64;
  return hasOutput(index) ? importer.inferType(getOutputName(index), budget) : RankedTensorType();
}

//===----------------------------------------------------------------------===//
// Subgraphs
//===----------------------------------------------------------------------===//

bool Node::hasGraph(StringRef name) const {
  const AttributeProto *attribute = find(name);
  return attribute && attribute->has_g();
}

unsigned Node::getNumGraphInputs(StringRef name) const {
  const AttributeProto *attribute = find(name, AttributeProto::GRAPH);
  return attribute ? attribute->g().input_size() : 0;
}

FailureOr<SmallVector<Value>> Node::importGraph(StringRef name, ArrayRef<Value> arguments) {
  const AttributeProto *attribute = find(name, AttributeProto::GRAPH);
  if (!attribute || !attribute->has_g())
    return invalid("attribute '" + name + "' is missing", "the op needs a graph there");
  GraphImporter inner(importer);
  return inner.importGraph(attribute->g(), arguments);
}

//===----------------------------------------------------------------------===//
// Bounded dims
//===----------------------------------------------------------------------===//

Value Node::getExtent(Value value, int64_t dim) const {
  auto found = importer.getModel().extents.find(value);
  return found == importer.getModel().extents.end() ? Value() : found->second[dim];
}

void Node::setExtent(Value value, int64_t dim, Value extent) {
  if (!value || !extent)
    return;
  SmallVector<Value> &extents = importer.getModel().extents[value];
  extents.resize(rankOf(value));
  extents[dim] = extent;
  int64_t &most = importer.getModel().largestExtents.try_emplace(extent, shapeOf(value)[dim]).first->second;
  most = std::min(most, shapeOf(value)[dim]);
}

std::optional<int64_t> Node::getLargestExtent(Value extent) const {
  auto found = importer.getModel().largestExtents.find(extent);
  return found == importer.getModel().largestExtents.end() ? std::nullopt : std::optional<int64_t>(found->second);
}

bool Node::isBounded(Value value) const { return importer.getModel().extents.contains(value); }

void Node::require(Value condition, const Twine &message) {
  std::optional<HostTensor> known = getConstant(condition);
  if (!condition || (known && known->getInt(0) != 0))
    return;
  // What is known to be wrong inside of a branch matters only where that is taken.
  if (known && isa<func::FuncOp>(builder.getBlock()->getParentOp()))
    (void)invalid(message, "the op's inputs are constants that do not fit it");
  else
    graph::CheckOp::create(builder, loc, condition, message.str());
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

LogicalResult Node::unsupported(const Twine &reason) {
  importer.getModel().addUnsupported(proto, getName(), reason);
  return failure();
}

LogicalResult Node::invalid(const Twine &problem, const Twine &hint) {
  return graph::emitWithHint(loc, Twine(getOpType()) + ": " + problem, hint);
}
