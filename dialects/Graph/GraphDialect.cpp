//===- GraphDialect.cpp - dialect, attributes, discardable attributes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc::graph;

#include "dialects/Graph/GraphDialect.cpp.inc"
#include "dialects/Graph/GraphEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.cpp.inc"

void HGCDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Graph/GraphAttrs.cpp.inc"
      >();
}

void HGCDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Graph/GraphOps.cpp.inc"
      >();
}

Operation *HGCDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type || !isa<RankedTensorType>(type))
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

//===----------------------------------------------------------------------===//
// #hgc.init
//===----------------------------------------------------------------------===//

Attribute InitAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc loc;
  if (parser.parseLess() || parser.getCurrentLocation(&loc) || parser.parseKeyword(&word))
    return {};
  std::optional<InitKind> kind = symbolizeInitKind(word);
  if (!kind) {
    parser.emitError(loc, "unknown distribution '") << word << "'";
    return {};
  }
  int64_t seed = 0;
  double scale = 1.0;
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("seed"))) {
      if (parser.parseEqual() || parser.parseInteger(seed))
        return {};
    } else if (parser.parseKeyword("scale", " or 'seed'") || parser.parseEqual() || parser.parseFloat(scale)) {
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *kind, seed, scale);
}

void InitAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyInitKind(getKind());
  if (getSeed() != 0)
    printer << ", seed = " << getSeed();
  if (getScale() != 1.0) {
    printer << ", scale = ";
    printer.printFloat(APFloat(getScale()));
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

/// Dim names become C identifiers in the header.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static LogicalResult verifyName(Location loc, Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  if (name && !name.empty())
    return success();
  return emitWithHint(loc, "'hgc.name' is not a name", "give a string that is not empty");
}

static LogicalResult verifyDevice(Location loc, Attribute value) {
  auto device = dyn_cast<DeviceAttr>(value);
  if (device && (device.getKind() != DeviceKind::CPU || device.getIndex() == 0))
    return success();
  return emitWithHint(loc, "'hgc.device' is not a device", "use #hgc.device<cpu> or #hgc.device<gpu:0>");
}

/// Only functions with supported tensors can become C functions.
static LogicalResult verifyEntry(Operation *op, Attribute value) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || !isa<UnitAttr>(value))
    return emitWithHint(op->getLoc(), "'hgc.entry' is not a unit attribute of a function",
                        "write func.func @predict(...) attributes {hgc.entry}");
  if (function.isExternal())
    return emitWithHint(op->getLoc(), "entry '" + function.getSymName() + "' has no body",
                        "define the function or drop 'hgc.entry'");
  auto check = [&](Type type, StringRef what, size_t i) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    Type element = tensor ? tensor.getElementType() : Type();
    bool isKnown = element && (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
                               (isa<IntegerType>(element) && !element.isSignedInteger() &&
                                llvm::is_contained({1, 8, 16, 32, 64}, element.getIntOrFloatBitWidth())));
    if (isKnown)
      return checkBytes(op->getLoc(), type);
    InFlightDiagnostic diag = op->emitError() << "entry '" << function.getSymName() << "' has " << what << ' ' << i
                                              << " of type " << type;
    diag.attachNote() << "hint: use a ranked tensor of f16, bf16, f32, f64, i1, i8 to i64 or ui8 to ui64";
    return diag;
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(check(type, "argument", i)))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(check(type, "result", i)))
      return failure();
  return success();
}

static LogicalResult verifyExtents(Location loc, NamedAttribute dim) {
  StringRef name = dim.getName().getValue();
  if (!isIdentifier(name))
    return emitWithHint(loc, "'hgc.dims' names the dim '" + name + "'", "use letters, digits and underscores");
  auto extents = dyn_cast<ArrayAttr>(dim.getValue());
  if (!extents || extents.empty())
    return emitWithHint(loc, "'hgc.dims' gives '" + name + "' no list of extents", "write it as in batch = [1, 32]");
  SmallVector<int64_t> seen;
  for (Attribute entry : extents) {
    auto extent = dyn_cast<IntegerAttr>(entry);
    bool isValid =
        extent && extent.getType().isSignlessInteger(64) && extent.getInt() >= 1 && extent.getInt() <= kMaxTensorBytes;
    if (!isValid)
      return emitWithHint(loc, "'hgc.dims' gives '" + name + "' an extent that is not positive",
                          "extents are integers from 1 to 2^40");
    if (llvm::is_contained(seen, extent.getInt()))
      return emitWithHint(loc, "'hgc.dims' gives '" + name + "' the extent " + Twine(extent.getInt()) + " twice",
                          "list each extent once");
    seen.push_back(extent.getInt());
  }
  return success();
}

static LogicalResult verifyDims(Operation *op, Attribute value) {
  auto dims = dyn_cast<DictionaryAttr>(value);
  if (!dims || !isa<ModuleOp>(op))
    return emitWithHint(op->getLoc(), "'hgc.dims' is not a dictionary of a module",
                        "write module attributes {hgc.dims = {batch = [1, 32]}}");
  for (NamedAttribute dim : dims)
    if (failed(verifyExtents(op->getLoc(), dim)))
      return failure();
  return success();
}

/// Which names there are is seen when the entry is differentiated.
static LogicalResult verifyGrad(Operation *op, Attribute value) {
  auto names = dyn_cast<ArrayAttr>(value);
  bool isList = names && !names.empty() && llvm::all_of(names, [](Attribute name) { return isa<StringAttr>(name); });
  if (op->hasAttr(HGCDialect::kEntry) && (isList || isa<UnitAttr>(value)))
    return success();
  return emitWithHint(op->getLoc(), "'hgc.grad' is not a list of names on an entry",
                      "write attributes {hgc.entry, hgc.grad = [\"x\", \"fc.weight\"]}, or hgc.grad alone for all");
}

/// What placement leaves: pins, reasons, costs, and which ops join their reader.
static bool isNoteOfPlacement(Operation *op, StringRef name, Attribute value) {
  if (name == "hgc.pin" || name == "hgc.also_on")
    return isa<DeviceAttr>(value);
  if (name == "hgc.decision")
    return isa<DictionaryAttr>(value);
  if (name == "hgc.reason")
    return isa<StringAttr>(value);
  if (name == "hgc.fuses" || name == "hgc.packing")
    return isa<UnitAttr>(value);
  if (name == "hgc.pinned_ops")
    return isa<ModuleOp>(op) && isa<ArrayAttr>(value);
  if (name == "hgc.call_bytes")
    return isa<ModuleOp>(op) && isa<IntegerAttr>(value);
  if (name == "hgc.certificate")
    return isa<FunctionOpInterface>(op) && isa<DictionaryAttr>(value);
  return name == "hgc.refined" && isa<FunctionOpInterface>(op) && isa<UnitAttr>(value);
}

/// What the search for a plan within a memory limit leaves.
static bool isNoteOfMemory(Operation *op, StringRef name, Attribute value) {
  if (name == "hgc.spill")
    return isa<TransferOp>(op) && isa<UnitAttr>(value);
  if (name == "hgc.own_kernels")
    return isa<ModuleOp>(op) && isa<UnitAttr>(value);
  return (name == "hgc.memory_limit" || name == "hgc.memory_cost") && isa<ModuleOp>(op) && isa<DictionaryAttr>(value);
}

/// What measuring kernels leaves at their contractions.
static bool isNoteOfTuning(Operation *op, StringRef name, Attribute value) {
  if (!isa<MatmulOp, ConvOp>(op))
    return false;
  return (name == "hgc.tile" && isa<StringAttr>(value)) || (name == "hgc.tuned" && isa<DictionaryAttr>(value)) ||
         (name == "hgc.tune_number" && isa<IntegerAttr>(value));
}

/// Attributes that passes leave for later ones; a user has no reason to write
/// them.
static bool isNoteOfPass(Operation *op, StringRef name, Attribute value) {
  if (name == HGCDialect::kVariantOf)
    return isa<StringAttr, FlatSymbolRefAttr>(value);
  if (name == HGCDialect::kVariantDims)
    return isa<DictionaryAttr>(value);
  if (name == "hgc.model_hash")
    return isa<ModuleOp>(op) && isa<StringAttr>(value);
  if (name == "hgc.packed_from")
    return isa<ParameterOp>(op) && isa<StringAttr>(value);
  if (name == "hgc.loaded" || name == "hgc.trained")
    return isa<ParameterOp>(op) && isa<UnitAttr>(value);
  if (name == "hgc.load" || name == "hgc.differentiated")
    return isa<FunctionOpInterface>(op) && isa<UnitAttr>(value);
  if (name == "hgc.form")
    return isa<ConvOp, MatmulOp>(op) && isa<StringAttr>(value);
  if (name == "hgc.unroll")
    return isa<ScanOp>(op) && isa<UnitAttr>(value);
  if (name == "hgc.plan") {
    auto plan = dyn_cast<StringAttr>(value);
    return isa<FunctionOpInterface>(op) && plan && (plan == "cpu" || plan == "gpu");
  }
  if (name == "hgc.allow_tf32")
    return isa<ModuleOp>(op) && isa<UnitAttr>(value);
  return name.starts_with("hgc.target_") && isa<ModuleOp>(op) && isa<StringAttr>(value);
}

LogicalResult HGCDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  if (name == kEntry)
    return verifyEntry(op, value);
  if (name == kName)
    return verifyName(op->getLoc(), value);
  if (name == kDevice)
    return verifyDevice(op->getLoc(), value);
  if (name == kDims)
    return verifyDims(op, value);
  if (name == kGrad)
    return verifyGrad(op, value);
  if (name == kFrozen && isa<ParameterOp>(op) && isa<UnitAttr>(value))
    return success();
  if (isNoteOfPass(op, name, value) || isNoteOfPlacement(op, name, value) || isNoteOfMemory(op, name, value) ||
      isNoteOfTuning(op, name, value))
    return success();
  return emitWithHint(
      op->getLoc(),
      "attribute '" + name + "' is unknown or has a wrong value on '" + op->getName().getStringRef() + "'",
      "known are hgc.entry, hgc.grad, hgc.name, hgc.device, hgc.dims, hgc.frozen, and on arguments hgc.shape");
}

/// Checks `hgc.shape` of an argument of type `type`.
static LogicalResult verifyShape(Location loc, Attribute value, Type type) {
  auto entries = dyn_cast<ArrayAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!entries || !tensor || static_cast<int64_t>(entries.size()) != tensor.getRank())
    return emitWithHint(loc, "'hgc.shape' does not have one entry per dim", "write it as in [\"batch\", 784]");
  for (auto [i, entry] : llvm::enumerate(entries)) {
    auto name = dyn_cast<StringAttr>(entry);
    if (tensor.isDynamicDim(i) && name && isIdentifier(name))
      continue;
    auto extent = dyn_cast<IntegerAttr>(entry);
    bool isEqual = extent && extent.getType().isSignlessInteger(64) && extent.getInt() == tensor.getDimSize(i);
    if (!tensor.isDynamicDim(i) && (name ? isIdentifier(name) : isEqual))
      continue;
    return emitWithHint(loc,
                        "'hgc.shape' does not describe dim " + Twine(i) + " of " + shapeToString(tensor.getShape()),
                        "name dynamic dims with an identifier, repeat static extents");
  }
  return success();
}

/// What arguments and results have in common; none if the attribute is not of these.
static std::optional<LogicalResult> verifyValueAttribute(Operation *op, NamedAttribute attribute,
                                                         function_ref<Type(FunctionOpInterface)> getType) {
  StringRef name = attribute.getName().getValue();
  if (name == HGCDialect::kName)
    return verifyName(op->getLoc(), attribute.getValue());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (name == HGCDialect::kShape && function)
    return verifyShape(op->getLoc(), attribute.getValue(), getType(function));
  if (name == HGCDialect::kDevice && op->hasAttr(HGCDialect::kEntry))
    return verifyDevice(op->getLoc(), attribute.getValue());
  return std::nullopt;
}

LogicalResult HGCDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                   NamedAttribute attribute) {
  auto getType = [&](FunctionOpInterface function) { return function.getArgumentTypes()[argIndex]; };
  if (std::optional<LogicalResult> verified = verifyValueAttribute(op, attribute, getType))
    return *verified;
  StringRef name = attribute.getName().getValue();
  return emitWithHint(op->getLoc(), "attribute '" + name + "' on argument " + Twine(argIndex) + " is unknown",
                      "arguments have hgc.name and hgc.shape, those of an entry also hgc.device");
}

LogicalResult HGCDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned resultIndex,
                                                      NamedAttribute attribute) {
  auto getType = [&](FunctionOpInterface function) { return function.getResultTypes()[resultIndex]; };
  if (std::optional<LogicalResult> verified = verifyValueAttribute(op, attribute, getType))
    return *verified;
  StringRef name = attribute.getName().getValue();
  if (name == kExtents) {
    auto shape = dyn_cast<StringAttr>(attribute.getValue());
    if (shape && !shape.empty())
      return success();
    return emitWithHint(op->getLoc(), "'hgc.extents' is not the name of a result",
                        "write {hgc.name = \"y\", hgc.extents = \"y_shape\"}");
  }
  return emitWithHint(op->getLoc(), "attribute '" + name + "' on result " + Twine(resultIndex) + " is unknown",
                      "results have hgc.name, hgc.shape and hgc.extents, those of an entry also hgc.device");
}
