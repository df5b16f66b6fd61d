//===- Evaluator.cpp - the reference evaluator ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/Evaluator.h"

#include "dialects/Graph/Eval/EvalModels.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

void hgc::graph::registerEvalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, HGCDialect *) {
    attachUnaryModels(context);
    attachBinaryModels(context);
    attachConvertModels(context);
    attachMatmulModels(context);
    attachConvModels(context);
    attachConvGradientModels(context);
    attachReductionModels(context);
    attachOrderingModels(context);
    attachAttentionModels(context);
    attachIndexingModels(context);
    attachNormalizationModels(context);
    attachPoolModels(context);
    attachRandomModels(context);
    attachShapeModels(context);
    attachBoxModels(context);
    attachStructureModels(context);
  });
}

/// Name of an argument in messages.
static std::string describeArgument(func::FuncOp entry, unsigned index) {
  auto name = entry.getArgAttrOfType<StringAttr>(index, HGCDialect::kName);
  return name ? ("'" + name.getValue() + "'").str() : std::to_string(index);
}

static LogicalResult checkInputs(EvalContext &context, func::FuncOp entry, ArrayRef<HostTensor> inputs) {
  if (inputs.size() != entry.getNumArguments())
    return context.error(entry, "takes " + Twine(entry.getNumArguments()) + " inputs, got " + Twine(inputs.size()),
                         "give one tensor per argument");
  for (auto [i, input] : llvm::enumerate(inputs)) {
    auto type = cast<RankedTensorType>(entry.getArgumentTypes()[i]);
    if (input.getElementType() == type.getElementType() &&
        succeeded(verifyCompatibleShape(input.getShape(), type.getShape())))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << "takes " << type << " as input " << describeArgument(entry, i) << ", got "
                                   << input.getType();
    return context.error(entry, text, "give a tensor of the argument's type");
  }
  return success();
}

/// Takes the extents of named dims from the inputs, and from a variant's own.
static LogicalResult bindDims(EvalContext &context, func::FuncOp entry, ArrayRef<HostTensor> inputs) {
  if (auto chosen = entry->getAttrOfType<DictionaryAttr>(HGCDialect::kVariantDims))
    for (NamedAttribute dim : chosen)
      if (auto extent = dyn_cast<IntegerAttr>(dim.getValue()))
        if (failed(context.bindDim(entry, dim.getName(), extent.getInt())))
          return failure();
  for (auto [i, input] : llvm::enumerate(inputs)) {
    auto shape = entry.getArgAttrOfType<ArrayAttr>(i, HGCDialect::kShape);
    if (!shape || static_cast<int64_t>(shape.size()) != input.getRank())
      continue;
    for (auto [entryAttr, extent] : llvm::zip_equal(shape, input.getShape()))
      if (auto name = dyn_cast<StringAttr>(entryAttr))
        if (failed(context.bindDim(entry, name.getValue(), extent)))
          return failure();
  }
  return success();
}

FailureOr<EvalResult> hgc::graph::evaluateEntry(func::FuncOp entry, ArrayRef<HostTensor> inputs,
                                                const ParameterValues &parameters, EvalOptions options) {
  EvalContext context(&parameters, options);
  if (entry.isExternal())
    return context.error(entry, "has no body", "define the function");
  EvalResult result;
  if (failed(checkInputs(context, entry, inputs)) || failed(bindDims(context, entry, inputs)) ||
      failed(context.evaluateRegion(entry.getBody(), inputs, result.outputs)))
    return failure();
  result.state = std::move(context.getAssigned());
  return result;
}

FailureOr<SmallVector<HostTensor>> hgc::graph::evaluateConstantOp(Operation *op, ArrayRef<HostTensor> operands) {
  EvalOptions options;
  options.quiet = true;
  // A fold must not stall the compiler; long loops are left to run time.
  options.maxIterations = 1000;
  EvalContext context(nullptr, options);
  SmallVector<HostTensor> results;
  if (failed(context.evaluateOp(op, operands, results)))
    return failure();
  return results;
}
