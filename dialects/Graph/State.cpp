//===- State.cpp - parameters and their uses ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Parameter
//===----------------------------------------------------------------------===//

ParseResult ParameterOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  Type type;
  Attribute value;
  // The declared type serves the literal too, so that it is written once.
  if (parser.parseSymbolName(name) || parser.parseColonType(type) || parser.parseEqual() ||
      parser.parseAttribute(value, type) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.setSymName(name);
  properties.setType(TypeAttr::get(type));
  properties.setValue(value);
  return success();
}

void ParameterOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " : " << getType() << " = ";
  printer.printAttributeWithoutType(getValue());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getSymNameAttrName(), getTypeAttrName(), getValueAttrName()});
}

/// A model must not reach outside of its folder.
static LogicalResult checkFile(ParameterOp op, FileAttr file) {
  if (file.getTensor().empty())
    return emitWithHint(op.getLoc(), "parameter '" + op.getSymName() + "' names no tensor of its file",
                        "write it as in #hgc.file<\"model.safetensors\", \"fc1.weight\">");
  StringRef path = file.getPath();
  bool escapes = path.empty() || path.contains('\0') || llvm::sys::path::is_absolute(path);
  for (auto part = llvm::sys::path::begin(path), end = llvm::sys::path::end(path); part != end; ++part)
    escapes |= *part == "..";
  if (!escapes)
    return success();
  return emitWithHint(op.getLoc(), "parameter '" + op.getSymName() + "' has the file '" + path + "'",
                      "use a path below the model's folder");
}

static LogicalResult checkInit(ParameterOp op, InitAttr init) {
  bool isConstant = init.getKind() == InitKind::Zeros || init.getKind() == InitKind::Ones;
  if (!isConstant && !isa<FloatType>(op.getTensorType().getElementType()))
    return emitWithHint(op.getLoc(),
                        "parameter '" + op.getSymName() + "' of integers has the distribution '" +
                            stringifyInitKind(init.getKind()) + "'",
                        "integers start as 'zeros', 'ones' or a literal");
  if (std::isfinite(init.getScale()) && init.getScale() > 0)
    return success();
  return emitWithHint(op.getLoc(), "parameter '" + op.getSymName() + "' has a scale that is not positive",
                      "use a scale such as 1.0");
}

LogicalResult ParameterOp::verify() {
  RankedTensorType type = getTensorType();
  if (!type.hasStaticShape())
    return emitWithHint(getLoc(), "parameter '" + getSymName() + "' has a dynamic shape",
                        "write all extents of its type");
  if (failed(checkBytes(getLoc(), type)))
    return failure();
  if (auto file = dyn_cast<FileAttr>(getValue()))
    return checkFile(*this, file);
  if (auto init = dyn_cast<InitAttr>(getValue()))
    return checkInit(*this, init);
  auto elements = dyn_cast<ElementsAttr>(getValue());
  if (elements && elements.getType() == type)
    return success();
  if (!elements)
    return emitWithHint(getLoc(), "parameter '" + getSymName() + "' has a value that is no tensor",
                        "use dense<...>, dense_resource<...>, #hgc.file<...> or #hgc.init<...>");
  InFlightDiagnostic diag = emitOpError()
                            << "'" << getSymName() << "' has type " << type << ", its value has " << elements.getType();
  diag.attachNote() << "hint: make both types equal";
  return diag;
}

//===----------------------------------------------------------------------===//
// Read and assign
//===----------------------------------------------------------------------===//

/// Checks that `symbol` names a parameter of type `type`.
static LogicalResult checkParameter(Operation *op, SymbolTableCollection &tables, FlatSymbolRefAttr symbol, Type type) {
  auto parameter = tables.lookupNearestSymbolFrom<ParameterOp>(op, symbol);
  if (!parameter) {
    InFlightDiagnostic diag = op->emitOpError() << "names '" << symbol.getValue() << "', which is no parameter";
    diag.attachNote() << "hint: declare it with hgc.parameter @" << symbol.getValue() << " : " << type << " = ...";
    return diag;
  }
  if (areCompatible(parameter.getType(), type) && (isa<AssignOp>(op) || parameter.getType() == type))
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "has type " << type << ", parameter '" << symbol.getValue() << "' has "
                                              << parameter.getType();
  diag.attachNote(parameter.getLoc()) << "hint: this declaration decides; reshape or cast the value";
  return diag;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &tables) {
  return checkParameter(*this, tables, getParameterAttr(), getType());
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(checkParameter(*this, tables, getParameterAttr(), getValue().getType())))
    return failure();
  if (isa_and_present<func::FuncOp>((*this)->getParentOp()))
    return success();
  InFlightDiagnostic diag = emitOpError() << "of '" << getParameter() << "' is not at the top level of a function";
  diag.attachNote() << "hint: yield the value from the region and assign it outside";
  return diag;
}
