//===- Model.cpp - a whole ONNX model -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Common/Entries.h"
#include "Bounded.h"
#include "Importer.h"
#include "InputShapes.h"
#include "Ops/Sequences.h"
#include "Reader.h"

#include "hgc/Frontend/Model.h"
#include "hgc/Support/Error.h"
#include "onnx.pb.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::emitWithHint;
using graph::HGCDialect;

namespace {

/// Most nodes of a model, functions inlined.
constexpr int64_t kMaxNodes = 100000;
/// Most names listed of nodes that cannot be imported for one reason.
constexpr size_t kMaxListed = 5;

std::string makeFunctionKey(StringRef domain, StringRef name, StringRef overload) {
  return (normalizeDomain(domain) + "\n" + name + "\n" + overload).str();
}

/// Shapes and indices are integers of 32 and 64 bits, which importers look at.
bool isWeight(const HostTensor &tensor) {
  bool isNarrow = tensor.getElementBytes() <= 2 && !tensor.getElementType().isInteger(1);
  return tensor.getNumBytes() > kMaxConstantBytes && (tensor.isFloat() || isNarrow);
}

} // namespace

ModelImporter::ModelImporter(std::shared_ptr<::onnx::ModelProto> model, const OnnxOptions &options,
                             MLIRContext &context)
    : model(model), options(options), context(context), tensors(options.baseDir, model, &context) {
  for (::onnx::TensorProto &tensor : *model->mutable_graph()->mutable_initializer())
    tensors.takeData(tensor);
  for (const auto &function : model->functions())
    functions.try_emplace(makeFunctionKey(function.domain(), function.name(), function.overload()), &function);
}

const ::onnx::FunctionProto *ModelImporter::findFunction(const ::onnx::NodeProto &node) const {
  return functions.lookup(makeFunctionKey(node.domain(), node.op_type(), node.overload()));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value ModelImporter::addTensor(OpBuilder &builder, Location loc, StringRef name, const HostTensor &tensor) {
  bool isLearnt = options.trains && tensor.isFloat() && tensor.getRank() > 0;
  if ((!isWeight(tensor) && !isLearnt) || name.empty())
    return hgc::onnx::Builder(builder, loc).constant(tensor);
  graph::ParameterOp &parameter = parameters[tensor.data()];
  if (!parameter || parameter.getTensorType() != tensor.getType()) {
    OpBuilder outer(module->getBodyRegion());
    parameter = graph::ParameterOp::create(outer, loc, name, tensor.getType(), tensor.toAttr(name));
    symbols->insert(parameter, Block::iterator(symbols->getOp()->getRegion(0).front().begin()));
  }
  return graph::ReadOp::create(builder, loc, tensor.getType(), parameter.getSymName());
}

FailureOr<Value> ModelImporter::addInitializer(OpBuilder &builder, const ::onnx::TensorProto &tensor) {
  Location loc = NameLoc::get(builder.getStringAttr(tensor.name()));
  if (tensor.name().empty())
    return emitWithHint(loc, "an initialiser has no name", "the file is damaged: export it again");
  // Data that is converted must not be converted again for each variant.
  auto [known, isNew] = initializers.try_emplace(&tensor);
  if (isNew) {
    llvm::Expected<HostTensor> value = tensors.read(tensor);
    if (!value)
      return hgc::emitError(loc, addContext("initialiser '" + Twine(tensor.name()) + "'", value.takeError()));
    known->second = std::move(*value);
  }
  return addTensor(builder, loc, tensor.name(), known->second);
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

LogicalResult ModelImporter::countNode(Location loc) {
  if (++nodeCount <= kMaxNodes)
    return success();
  return emitWithHint(loc, "the model has more than " + Twine(kMaxNodes) + " nodes after functions are inlined",
                      "split the model");
}

void ModelImporter::addUnsupported(const ::onnx::NodeProto &node, StringRef name, const Twine &reason) {
  ++unsupportedCount;
  std::string domain = normalizeDomain(node.domain()).str();
  std::string op = domain.empty() ? node.op_type() : domain + "::" + node.op_type();
  std::vector<std::string> &names = unsupported[op + ": " + reason.str()];
  if (!llvm::is_contained(names, name))
    names.push_back(name.str());
}

LogicalResult ModelImporter::reportUnsupported() {
  size_t count = 0;
  for (const auto &item : unsupported)
    count += item.second.size();
  InFlightDiagnostic diag = mlir::emitError(UnknownLoc::get(&context))
                            << count << (count == 1 ? " node" : " nodes") << " of the model cannot be imported";
  for (const auto &[what, names] : unsupported) {
    std::string text = llvm::join(llvm::ArrayRef(names).take_front(kMaxListed), ", ");
    if (names.size() > kMaxListed)
      text += ", ...";
    diag.attachNote() << what << " (" << names.size() << (names.size() == 1 ? " node: " : " nodes: ") << text << ")";
  }
  diag.attachNote() << "hint: docs/onnx.md says which ops there are; 'hgc inspect' lists the model's";
  return diag;
}

/// Newest version of the ops of a domain of the specification; none of others.
static int64_t getNewestOpset(StringRef domain) {
  return llvm::StringSwitch<int64_t>(normalizeDomain(domain))
      .Case("", kNewestOnnxOpset)
      .Case("ai.onnx.ml", 5)
      .Cases({"ai.onnx.preview", "ai.onnx.preview.training"}, 1)
      .Default(std::numeric_limits<int64_t>::max());
}

llvm::Error ModelImporter::checkOpsets() {
  auto check = [](const ::onnx::OperatorSetIdProto &opset) -> llvm::Error {
    int64_t newest = getNewestOpset(opset.domain());
    if (opset.version() > newest)
      return makeError("the model has opset " + Twine(opset.version()) + ", the newest known is " + Twine(newest),
                       "export it with an earlier opset");
    if (opset.version() < 1)
      return makeError("the model has opset " + Twine(opset.version()), "the first opset is 1");
    return llvm::Error::success();
  };
  for (const auto &opset : model->opset_import())
    if (llvm::Error error = check(opset))
      return error;
  for (const auto &function : model->functions())
    for (const auto &opset : function.opset_import())
      if (llvm::Error error = check(opset))
        return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Returns the graph's outputs; one whose shape is known only at run time is
/// followed by its actual shape.
void ModelImporter::addResults(func::FuncOp function, const GraphImporter &importer, ArrayRef<Value> outputs) {
  OpBuilder builder = OpBuilder::atBlockEnd(&function.getBody().back());
  llvm::StringSet<> names;
  for (const auto &list : {model->graph().input(), model->graph().output()})
    for (const auto &info : list)
      names.insert(info.name());
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  auto add = [&](Value value, StringRef name, StringRef shape) {
    results.push_back(value);
    NamedAttrList list;
    list.set(HGCDialect::kName, builder.getStringAttr(name));
    if (!shape.empty())
      list.set(HGCDialect::kExtents, builder.getStringAttr(shape));
    attributes.push_back(list.getDictionary(&context));
  };
  Builder values(builder, function.getLoc());
  for (auto [value, output] : llvm::zip(outputs, model->graph().output())) {
    auto bounded = extents.find(value);
    if (bounded == extents.end()) {
      add(value, output.name(), "");
      continue;
    }
    RankedTensorType declared = importer.getDeclaredType(output.name());
    if (Value settled = settle(values, value, bounded->second, declared, output.name())) {
      add(settled, output.name(), "");
      continue;
    }
    std::string shape = output.name() + "_shape";
    while (!names.insert(shape).second)
      shape += "_";
    ActualValue actual = makeActual(values, value, bounded->second);
    add(actual.value, output.name(), shape);
    add(actual.shape, shape, "");
  }
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(), TypeRange(ValueRange(results))));
  function.setAllResultAttrs(attributes);
  eraseSequences(function);
}

LogicalResult ModelImporter::importVariant(const InputShapes &shapes, const DimBinding &binding, StringRef symbol) {
  OpBuilder builder(module->getBodyRegion());
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types;
  for (const InputInfo &input : shapes.getInputs()) {
    llvm::Expected<RankedTensorType> type = shapes.getType(input, binding);
    if (!type)
      return hgc::emitError(builder.getUnknownLoc(), type.takeError());
    types.push_back(*type);
  }
  Location loc = NameLoc::get(builder.getStringAttr(model->graph().name().empty() ? "graph" : model->graph().name()));
  auto function = func::FuncOp::create(builder, loc, symbol, builder.getFunctionType(types, {}));
  symbols->insert(function, module->getBody()->end());
  function->setAttr(HGCDialect::kEntry, builder.getUnitAttr());
  for (auto [i, input] : llvm::enumerate(shapes.getInputs())) {
    function.setArgAttr(i, HGCDialect::kName, builder.getStringAttr(input.name));
    SmallVector<Attribute> dims;
    for (const InputDim &dim : input.dims)
      dims.push_back(dim.name.empty() ? Attribute(builder.getI64IntegerAttr(dim.extent))
                                      : Attribute(builder.getStringAttr(dim.name)));
    if (!binding.empty())
      function.setArgAttr(i, HGCDialect::kShape, builder.getArrayAttr(dims));
  }
  if (!binding.empty()) {
    SmallVector<NamedAttribute> dims;
    for (const auto &[name, extent] : binding)
      dims.emplace_back(builder.getStringAttr(name), builder.getI64IntegerAttr(extent));
    function->setAttr(HGCDialect::kVariantOf, builder.getStringAttr(getEntryName()));
    function->setAttr(HGCDialect::kVariantDims, builder.getDictionaryAttr(dims));
  }

  builder.setInsertionPointToStart(function.addEntryBlock());
  for (auto [argument, input] : llvm::zip(function.getArguments(), shapes.getInputs()))
    argument.setLoc(NameLoc::get(builder.getStringAttr(input.name)));
  GraphImporter::OpsetTable opsets;
  for (const auto &opset : model->opset_import())
    opsets[normalizeDomain(opset.domain())] = opset.version();
  // Before IR version 3 a model did not say its opset.
  if (model->ir_version() < 3)
    opsets.try_emplace("", 1);
  SmallVector<Value> arguments(function.getArguments().begin(), function.getArguments().end());
  GraphImporter importer(*this, builder, std::move(opsets));
  FailureOr<SmallVector<Value>> results = importer.importGraph(model->graph(), arguments);
  if (failed(results) || hasUnsupported())
    return failure();
  addResults(function, importer, *results);
  return success();
}

StringRef ModelImporter::getEntryName() const { return options.trains ? kTrainedEntryName : kEntryName; }

llvm::Expected<OwningOpRef<ModuleOp>> ModelImporter::run() {
  OwningOpRef<ModuleOp> none;
  if (llvm::Error error = checkOpsets())
    return std::move(error);
  llvm::Expected<InputShapes> shapes = InputShapes::create(model->graph(), options, &context);
  if (!shapes)
    return shapes.takeError();
  module = ModuleOp::create(UnknownLoc::get(&context), toIdentifier(options.name));
  symbols.emplace(*module);
  std::vector<DimBinding> bindings = shapes->getBindings();
  for (const DimBinding &binding : bindings) {
    std::string symbol = getEntryName().str();
    if (bindings.size() > 1)
      for (const auto &[name, extent] : binding)
        symbol += "_" + name + std::to_string(extent);
    if (failed(importVariant(*shapes, binding, symbol))) {
      if (hasUnsupported())
        (void)reportUnsupported();
      return std::move(none);
    }
  }
  frontend::dropUnused(*module, *symbols);
  if (failed(verify(*module)))
    return std::move(none);
  return std::move(module);
}

llvm::Expected<OwningOpRef<ModuleOp>> hgc::importOnnx(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                                      const OnnxOptions &options, MLIRContext &context) {
  context.loadDialect<HGCDialect, func::FuncDialect>();
  llvm::Expected<std::shared_ptr<::onnx::ModelProto>> model = readModel(std::move(buffer));
  if (!model)
    return model.takeError();
  return ModelImporter(std::move(*model), options, context).run();
}
