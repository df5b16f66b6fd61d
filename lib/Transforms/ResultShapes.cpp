//===- ResultShapes.cpp - which dims a result's extents follow ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ResultShapes.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc;
using graph::HGCDialect;

/// The entry of `hgc.shape` for one extent: a number, a dim's name, or null.
static Attribute describeExtent(ArrayRef<func::FuncOp> variants, ArrayRef<DimBinding> bindings, unsigned result,
                                unsigned dim) {
  Builder builder(bindings.front().begin()->first.getContext());
  SmallVector<int64_t> extents;
  for (func::FuncOp variant : variants)
    extents.push_back(cast<RankedTensorType>(variant.getResultTypes()[result]).getDimSize(dim));
  if (llvm::all_equal(extents) && variants.size() > 1)
    return builder.getI64IntegerAttr(extents.front());
  for (const auto &item : bindings.front()) {
    auto follows = [&](auto pair) { return std::get<0>(pair).lookup(item.first) == std::get<1>(pair); };
    if (llvm::all_of(llvm::zip(bindings, extents), follows))
      return item.first;
  }
  return llvm::all_equal(extents) ? builder.getI64IntegerAttr(extents.front()) : Attribute();
}

LogicalResult hgc::nameResultShapes(ArrayRef<func::FuncOp> variants, ArrayRef<DimBinding> bindings) {
  func::FuncOp first = variants.front();
  for (unsigned result = 0; result < first.getNumResults(); ++result) {
    auto type = dyn_cast<RankedTensorType>(first.getResultTypes()[result]);
    if (!type)
      continue;
    SmallVector<Attribute> shape;
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      shape.push_back(describeExtent(variants, bindings, result, dim));
      if (!shape.back())
        return graph::emitWithHint(first.getLoc(),
                                   "extent " + Twine(dim) + " of result " + Twine(result) +
                                       " changes with the dims, but equals none of them",
                                   "compile one combination of dims, or make the extent a named dim");
    }
    ArrayAttr attr = ArrayAttr::get(first.getContext(), shape);
    for (func::FuncOp variant : variants)
      variant.setResultAttr(result, HGCDialect::kShape, attr);
  }
  return success();
}

LogicalResult hgc::nameResultShapes(ArrayRef<func::FuncOp> variants) {
  SmallVector<DimBinding> bindings;
  for (func::FuncOp variant : variants) {
    DimBinding &binding = bindings.emplace_back();
    if (auto dims = variant->getAttrOfType<DictionaryAttr>(HGCDialect::kVariantDims))
      for (NamedAttribute dim : dims)
        binding[dim.getName()] = cast<IntegerAttr>(dim.getValue()).getInt();
  }
  return bindings.front().empty() ? success() : nameResultShapes(variants, bindings);
}
