//===- BindDims.cpp - one static variant per choice of dims ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything after this pass works on static shapes. The variants of an entry
// are its clones under the cartesian product of the extents of its dims.
//===----------------------------------------------------------------------===//

#include "RefineShapes.h"
#include "ResultShapes.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

namespace hgc {
#define GEN_PASS_DEF_BINDDIMS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using graph::HGCDialect;

namespace {

using Extents = SmallVector<int64_t>;
using DimTable = llvm::MapVector<StringAttr, Extents>;

LogicalResult fail(Location loc, const Twine &message, const Twine &hint) {
  return graph::emitWithHint(loc, message, hint);
}

/// Name of argument `index` in messages.
std::string describeArgument(func::FuncOp function, unsigned index) {
  if (auto name = function.getArgAttrOfType<StringAttr>(index, HGCDialect::kName))
    return ("argument '" + name.getValue() + "'").str();
  return ("argument " + Twine(index)).str();
}

/// `batch = 32, seq = 8`, for messages.
std::string describe(const DimBinding &binding) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(binding, os, [&](auto &entry) { os << entry.first.getValue() << " = " << entry.second; });
  return text;
}

struct BindDims final : hgc::impl::BindDimsBase<BindDims> {
  using Base::Base;

  void runOnOperation() override {
    dimTable.clear();
    used.clear();
    if (failed(readModuleDims()) || failed(readOptionDims()))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> entries;
    llvm::MapVector<StringAttr, SmallVector<func::FuncOp>> bound;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(HGCDialect::kEntry))
        continue;
      if (auto of = function->getAttrOfType<StringAttr>(HGCDialect::kVariantOf))
        bound[of].push_back(function);
      else
        entries.push_back(function);
    }
    for (func::FuncOp entry : entries)
      if (failed(bindEntry(entry, symbols)))
        return signalPassFailure();
    for (auto &item : bound)
      if (failed(nameResultShapes(item.second)))
        return signalPassFailure();
    // Where the front end bound all dims, it has checked the option, too.
    if ((!entries.empty() || bound.empty()) && failed(checkOptionUse()))
      return signalPassFailure();
  }

private:
  LogicalResult addExtent(Location loc, StringAttr name, int64_t extent) {
    if (extent > 0) {
      if (!llvm::is_contained(dimTable[name], extent))
        dimTable[name].push_back(extent);
      return success();
    }
    return fail(loc, "dim '" + name.getValue() + "' has extent " + Twine(extent) + ", expected a positive number",
                "give it an extent of at least 1");
  }

  LogicalResult readModuleDims();
  LogicalResult readOptionDims();
  LogicalResult checkOptionUse();
  LogicalResult collectDims(func::FuncOp entry, DimTable &dims);
  LogicalResult addUse(Location loc, StringAttr name, DimTable &dims);
  LogicalResult bindEntry(func::FuncOp entry, SymbolTable &symbols);
  LogicalResult bindVariant(func::FuncOp variant, StringAttr of, const DimBinding &binding);
  LogicalResult bindArguments(func::FuncOp variant, const DimBinding &binding);
  void nameInterface(func::FuncOp function);

  DimTable dimTable;
  llvm::SetVector<StringAttr> fromOption, used;
};

/// The dialect has verified the attribute's form.
LogicalResult BindDims::readModuleDims() {
  ModuleOp module = getOperation();
  auto dict = module->getAttrOfType<DictionaryAttr>(HGCDialect::kDims);
  if (!dict)
    return success();
  for (NamedAttribute entry : dict) {
    SmallVector<Attribute> extents{entry.getValue()};
    if (auto list = dyn_cast<ArrayAttr>(entry.getValue()))
      extents.assign(list.begin(), list.end());
    for (Attribute extent : extents)
      if (failed(addExtent(module.getLoc(), entry.getName(), cast<IntegerAttr>(extent).getInt())))
        return failure();
  }
  return success();
}

LogicalResult BindDims::readOptionDims() {
  Location loc = getOperation().getLoc();
  SmallVector<StringRef> entries;
  StringRef(dims).split(entries, ';', -1, false);
  for (StringRef entry : entries) {
    auto [key, list] = entry.split('=');
    auto name = StringAttr::get(&getContext(), key.trim());
    dimTable[name].clear();
    fromOption.insert(name);
    SmallVector<StringRef> extents;
    list.split(extents, ',');
    for (StringRef text : extents) {
      int64_t extent;
      if (key.trim().empty() || text.trim().getAsInteger(10, extent))
        return fail(loc, "cannot read '" + entry + "' as extents of a dim", "write name=1,32");
      if (failed(addExtent(loc, name, extent)))
        return failure();
    }
  }
  return success();
}

/// A dim that no entry uses is most likely misspelt.
LogicalResult BindDims::checkOptionUse() {
  for (StringAttr name : fromOption) {
    if (used.contains(name))
      continue;
    std::string known;
    for (StringAttr other : used)
      known += (known.empty() ? "" : ", ") + other.str();
    return fail(getOperation().getLoc(), "dim '" + name.getValue() + "' is used by no entry",
                known.empty() ? Twine("this model has no named dims") : "the model's dims are " + Twine(known));
  }
  return success();
}

LogicalResult BindDims::addUse(Location loc, StringAttr name, DimTable &result) {
  used.insert(name);
  auto found = dimTable.find(name);
  if (found == dimTable.end())
    return fail(loc, "dim '" + name.getValue() + "' has no extent",
                "pass --dim " + name.getValue() + "=1, or add it to the module's hgc.dims");
  result.insert({name, found->second});
  return success();
}

/// Dims in the order of their first use, arguments first.
LogicalResult BindDims::collectDims(func::FuncOp entry, DimTable &result) {
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
    if (auto shape = entry.getArgAttrOfType<ArrayAttr>(i, HGCDialect::kShape))
      for (auto name : shape.getAsRange<Attribute>())
        if (auto text = dyn_cast<StringAttr>(name))
          if (failed(addUse(entry.getArgument(i).getLoc(), text, result)))
            return failure();
  WalkResult walk = entry.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    auto shape = isa<HGCDialect>(op->getDialect()) ? op->getAttrOfType<ArrayAttr>("shape") : ArrayAttr();
    if (!shape)
      return WalkResult::advance();
    for (Attribute name : shape)
      if (auto text = dyn_cast<StringAttr>(name))
        if (failed(addUse(op->getLoc(), text, result)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult BindDims::bindEntry(func::FuncOp entry, SymbolTable &symbols) {
  DimTable dims;
  if (failed(collectDims(entry, dims)))
    return failure();
  int64_t count = 1;
  for (auto &dim : dims)
    if ((count *= dim.second.size()) > maxVariants)
      return fail(entry.getLoc(),
                  "entry '" + entry.getName() + "' has more than " + Twine(maxVariants) + " combinations of dims",
                  "list fewer extents with --dim");

  if (dims.empty())
    return bindVariant(entry, entry.getNameAttr(), {});

  SmallVector<DimBinding> bindings(1);
  for (auto &[name, extents] : dims) {
    SmallVector<DimBinding> longer;
    for (const DimBinding &binding : bindings)
      for (int64_t extent : extents) {
        longer.push_back(binding);
        longer.back()[name] = extent;
      }
    bindings = std::move(longer);
  }

  OpBuilder builder(entry);
  SmallVector<func::FuncOp> variants;
  for (const DimBinding &binding : bindings) {
    std::string name = entry.getName().str();
    for (auto &[dim, extent] : binding)
      name += ("_" + dim.getValue() + Twine(extent)).str();
    auto variant = cast<func::FuncOp>(builder.clone(*entry));
    variant.setName(name);
    symbols.insert(variant);
    if (failed(bindVariant(variant, entry.getNameAttr(), binding)))
      return failure();
    variants.push_back(variant);
  }
  symbols.erase(entry);
  return nameResultShapes(variants, bindings);
}

LogicalResult BindDims::bindVariant(func::FuncOp variant, StringAttr of, const DimBinding &binding) {
  Builder builder(&getContext());
  SmallVector<NamedAttribute> chosen;
  for (auto &[name, extent] : binding)
    chosen.emplace_back(name, builder.getI64IntegerAttr(extent));
  variant->setAttr(HGCDialect::kVariantOf, of);
  variant->setAttr(HGCDialect::kVariantDims, builder.getDictionaryAttr(chosen));
  nameInterface(variant);

  // Errors of inference do not know which variant they are about.
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diag) {
    if (diag.getSeverity() == DiagnosticSeverity::Error && !binding.empty())
      diag.attachNote() << "with " << describe(binding);
    return failure();
  });
  if (failed(bindArguments(variant, binding)))
    return failure();
  return refineShapes(variant, binding);
}

LogicalResult BindDims::bindArguments(func::FuncOp variant, const DimBinding &binding) {
  for (BlockArgument argument : variant.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    auto names = variant.getArgAttrOfType<ArrayAttr>(number, HGCDialect::kShape);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      Attribute entry = names && dim < names.size() ? names[dim] : Attribute();
      int64_t bound = ShapedType::kDynamic;
      if (auto name = dyn_cast_if_present<StringAttr>(entry))
        bound = binding.lookup(name);
      else if (auto fixed = dyn_cast_if_present<IntegerAttr>(entry))
        bound = fixed.getInt();
      if (ShapedType::isDynamic(bound) && ShapedType::isDynamic(extent))
        return fail(argument.getLoc(),
                    "dim " + Twine(dim) + " of " + describeArgument(variant, number) + " is '?' and has no name",
                    "name it with hgc.shape = [\"batch\", ...]");
      if (!ShapedType::isDynamic(bound) && !ShapedType::isDynamic(extent) && bound != extent)
        return fail(argument.getLoc(),
                    "dim " + Twine(dim) + " of " + describeArgument(variant, number) + " is " + Twine(extent) +
                        " in the type, but " + Twine(bound) + " by hgc.shape",
                    "use '?' in the type for a named dim");
      if (ShapedType::isDynamic(extent))
        extent = bound;
    }
    argument.setType(RankedTensorType::get(shape, type.getElementType(), type.getEncoding()));
  }
  return success();
}

/// The C header needs a name for everything that crosses it.
void BindDims::nameInterface(func::FuncOp function) {
  auto name = [&](StringRef stem, unsigned index) {
    return StringAttr::get(&getContext(), (stem + Twine(index)).str());
  };
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (!function.getArgAttr(i, HGCDialect::kName))
      function.setArgAttr(i, HGCDialect::kName, name("arg", i));
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (!function.getResultAttr(i, HGCDialect::kName))
      function.setResultAttr(i, HGCDialect::kName, name("result", i));
}

} // namespace
