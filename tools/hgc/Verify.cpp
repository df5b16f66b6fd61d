//===- Verify.cpp - compiled code against the evaluator -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "Driver.h"
#include "Loading.h"
#include "Outputs.h"

#include "dialects/Graph/Eval/Evaluator.h"
#include "dialects/Graph/Winograd.h"
#include "hgc/Pipeline/Artifacts.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/Parameters.h"
#include "hgc/Target/ConvForm.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace hgc;
using namespace hgc::driver;
using namespace mlir;

namespace {

/// Side of the squares of results that convolutions may have been computed in; 0: none.
int64_t getMostTile(const CompileOptions &options) {
  if (std::optional<ConvForm> form = parseConvForm(options.forceConv))
    return getWinogradTile(*form);
  return options.choosesConvForms() ? 4 : 0;
}

/// Error that such a convolution adds.
double getSquareError(graph::ConvOp conv, int64_t tile) {
  graph::ConvShape shape = conv.getShape();
  if (tile == 0 || !graph::isWinogradShape(shape) || !getElementTypeOrSelf(conv.getInput().getType()).isF32())
    return 0;
  return std::min(graph::boundWinogradError(tile, shape.inChannels / shape.groups), graph::kMostWinogradError);
}

/// Largest error of a result that follows from rounding alone: set by the
/// coarsest float type and the deepest contraction of the entry. Errors of
/// convolutions in squares of results add up as independent numbers do.
double getBound(func::FuncOp entry, const CompileOptions &options) {
  bool allowTf32 = options.allowTf32;
  double unit = 1e-5, squares = 0;
  int64_t depth = 256;
  bool onlyDouble = true, anyFloat = false;
  entry.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      anyFloat |= isa<FloatType>(element);
      onlyDouble &= !isa<FloatType>(element) || element.isF64();
      if (element.isBF16())
        unit = std::max(unit, 3e-2);
      else if (element.isF16())
        unit = std::max(unit, 4e-3);
    }
    if (auto matmul = dyn_cast<graph::MatmulOp>(op))
      depth = std::max(depth, matmul.getDepth());
    else if (auto conv = dyn_cast<graph::ConvOp>(op)) {
      depth = std::max(depth, conv.getShape().depth());
      squares += std::pow(getSquareError(conv, getMostTile(options)), 2);
    } else if (auto transposed = dyn_cast<graph::ConvTransposeOp>(op))
      depth = std::max(depth, transposed.getDepth());
    else if (auto gradient = dyn_cast<graph::ConvFilterGradOp>(op))
      depth = std::max(depth, gradient.getDepth());
    bool isContraction = isa<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp, graph::ConvFilterGradOp>(op);
    if (allowTf32 && isContraction && getElementTypeOrSelf(op->getOperand(0).getType()).isF32())
      unit = std::max(unit, 2e-3);
    // Scores are as deep as the features, results as the keys.
    if (auto attention = dyn_cast<graph::AttentionOp>(op))
      for (int64_t extent : cast<ShapedType>(attention.getKey().getType()).getShape().take_back(2))
        depth = std::max(depth, extent);
  });
  if (anyFloat && onlyDouble)
    unit = 1e-12;
  return std::sqrt(unit * unit * static_cast<double>(depth) / 256 + squares);
}

/// Checks one model: its entries, each at each of its variants.
class Verifier {
public:
  Verifier(ModuleOp module, const CompileOptions &options, const ModelLibrary::Options &library, Session &session)
      : module(module), options(options), libraryOptions(library), session(session) {}

  llvm::Error run(LinkFunction link);

private:
  struct Mismatch {
    func::FuncOp entry;
    std::vector<HostTensor> inputs;
    std::string text;
  };

  llvm::Expected<std::optional<Mismatch>> check(ModuleOp checked, StringRef only, ArrayRef<HostTensor> inputs,
                                                LinkFunction link);
  llvm::Error compile(ModuleOp source, StringRef path);
  llvm::Expected<std::optional<Mismatch>> checkCall(const ModelLibrary &library, size_t index, func::FuncOp entry,
                                                    std::vector<HostTensor> inputs);
  std::string findFirstWrongOp(const Mismatch &mismatch);

  ModuleOp module;
  CompileOptions options;
  ModelLibrary::Options libraryOptions;
  Session &session;
  graph::ParameterValues parameters;
};

llvm::Expected<std::optional<Verifier::Mismatch>>
Verifier::checkCall(const ModelLibrary &library, size_t index, func::FuncOp entry, std::vector<HostTensor> inputs) {
  llvm::Expected<std::vector<HostTensor>> actual = library.makeOutputs(index, inputs);
  if (!actual)
    return actual.takeError();
  if (llvm::Error error = library.call(index, inputs, *actual))
    return std::move(error);
  auto expected = graph::evaluateEntry(entry, inputs, parameters);
  if (failed(expected))
    return alreadyReported();
  double bound = getBound(entry, options);
  const EntrySignature &signature = library.getEntries()[index];
  for (llvm::MutableArrayRef<HostTensor> results : {llvm::MutableArrayRef(*actual), {expected->outputs}})
    if (llvm::Error error = trimOutputs(signature, results))
      return std::move(error);
  for (size_t i = 0; i < actual->size(); ++i) {
    const HostTensor &got = (*actual)[i], &want = expected->outputs[i];
    Comparison result = compare(got, want, got.isFloat() ? bound : 0);
    if (result.ok(got.isFloat() ? bound : 0))
      continue;
    int64_t at = std::max<int64_t>(result.firstBad, 0);
    std::string text = llvm::formatv("entry '{0}', output '{1}' ({2}): error {3:e2}, bound {4:e2}; element {5} is {6}, "
                                     "expected {7}",
                                     signature.name, signature.outputs[i].name, got.str(0), result.error, bound, at,
                                     spell(got.getDouble(at)), spell(want.getDouble(at)));
    return Mismatch{entry, std::move(inputs), text};
  }
  return std::nullopt;
}

/// The function of a variant: the entry, or the one that a front end made for it.
func::FuncOp findVariant(ModuleOp module, const EntrySignature &signature, ArrayRef<int64_t> extents) {
  if (auto entry = module.lookupSymbol<func::FuncOp>(signature.name))
    return entry;
  for (func::FuncOp variant : getEntries(module)) {
    auto of = variant->getAttrOfType<StringAttr>(graph::HGCDialect::kVariantOf);
    auto dims = variant->getAttrOfType<DictionaryAttr>(graph::HGCDialect::kVariantDims);
    auto agrees = [&](auto pair) {
      auto extent = dims.getAs<IntegerAttr>(std::get<0>(pair));
      return extent && extent.getInt() == std::get<1>(pair);
    };
    if (of && dims && of.getValue() == signature.name && llvm::all_of(llvm::zip(signature.dimNames, extents), agrees))
      return variant;
  }
  return {};
}

llvm::Error Verifier::compile(ModuleOp source, StringRef path) {
  OwningOpRef<ModuleOp> copy = source.clone();
  return writeArtifact(*copy, Stage::Source, Artifact::Library, options, path);
}

/// Calls the entry `only` (or all) of a library at every variant, with the given
/// inputs or random ones.
llvm::Expected<std::optional<Verifier::Mismatch>> Verifier::check(ModuleOp checked, StringRef only,
                                                                  ArrayRef<HostTensor> inputs, LinkFunction link) {
  auto folder = TempFolder::create();
  if (!folder)
    return folder.takeError();
  std::string path = (*folder)->path("verify.so");
  if (llvm::Error error = link ? link(path) : compile(checked, path))
    return std::move(error);
  auto library = ModelLibrary::open(path, libraryOptions, &session.getContext());
  if (!library)
    return library.takeError();
  for (auto [index, signature] : llvm::enumerate((*library)->getEntries())) {
    if (!only.empty() && signature.name != only)
      continue;
    for (const std::vector<int64_t> &variant : signature.variants) {
      func::FuncOp entry = findVariant(checked, signature, variant);
      std::vector<HostTensor> values(inputs.begin(), inputs.end());
      if (values.empty()) {
        InputOptions random;
        for (auto [name, extent] : llvm::zip(signature.dimNames, variant))
          random.dims.push_back(name + "=" + std::to_string(extent));
        addCheckedRanges(entry, random.ranges);
        auto made = makeInputs(signature, random, &session.getContext());
        if (!made)
          return made.takeError();
        values = std::move(*made);
      }
      auto mismatch = checkCall(**library, index, entry, std::move(values));
      if (!mismatch || *mismatch || !inputs.empty())
        return mismatch;
    }
  }
  return std::nullopt;
}

/// Compiles the entry cut off after each op in turn, until one is wrong.
std::string Verifier::findFirstWrongOp(const Mismatch &mismatch) {
  func::FuncOp entry = mismatch.entry;
  size_t count = entry.getBody().front().getOperations().size();
  for (size_t position = 0; position + 1 < count; ++position) {
    OwningOpRef<ModuleOp> cut = cast<ModuleOp>(entry->getParentOp()).clone();
    auto function = cut->lookupSymbol<func::FuncOp>(entry.getSymName());
    Operation *op = &*std::next(function.getBody().front().begin(), position);
    if (op->getNumResults() == 0 || isa<graph::ReadOp, graph::ConstantOp>(op))
      continue;
    Operation *end = function.getBody().front().getTerminator();
    end->setOperands(op->getResults());
    function.setFunctionType(FunctionType::get(cut->getContext(), function.getArgumentTypes(), op->getResultTypes()));
    function.setAllResultAttrs(ArrayRef<DictionaryAttr>());
    auto wrong = check(*cut, entry.getSymName(), mismatch.inputs, /*link=*/nullptr);
    if (wrong && !*wrong)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    if (wrong)
      os << "first wrong op: " << op->getName() << " at " << op->getLoc();
    else
      os << "cannot tell which op: " << llvm::toString(wrong.takeError());
    return text;
  }
  return "every op is right on its own: fusion or memory planning goes wrong";
}

llvm::Error Verifier::run(LinkFunction link) {
  // The library has entries that the source only asks for.
  OwningOpRef<ModuleOp> expanded = module.clone();
  if (failed(expandEntries(*expanded, options)))
    return alreadyReported();
  module = *expanded;
  options.training.enabled = false;
  if (failed(ParameterLoader(options.baseDir).loadAll(module, parameters)))
    return alreadyReported();
  auto mismatch = check(module, "", {}, link);
  if (!mismatch)
    return mismatch.takeError();
  if (!*mismatch)
    return llvm::Error::success();
  return makeError("the compiled model disagrees with the evaluator: " + (*mismatch)->text + "\n" +
                       findFirstWrongOp(**mismatch),
                   "unless the model cancels large numbers, this is a bug in hgc: please report it with the model");
}

} // namespace

llvm::Error hgc::driver::verifyModel(ModuleOp module, const CompileOptions &options, const DeviceFlags &device,
                                     Session &session, LinkFunction link) {
  ModelLibrary::Options library;
  library.device = "cpu";
  if (llvm::Error error = device.apply(library))
    return error;
  return Verifier(module, options, library, session).run(link);
}
