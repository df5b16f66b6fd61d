//===- ConvForm.cpp - how the CPU computes a convolution ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/ConvForm.h"

#include "dialects/Graph/Winograd.h"
#include "hgc/Target/MatrixUnit.h"
#include "hgc/Target/Panel.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

StringRef hgc::stringify(ConvForm form) { return kConvFormNames[static_cast<size_t>(form)]; }

std::optional<ConvForm> hgc::parseConvForm(StringRef name) {
  const auto *it = llvm::find(kConvFormNames, name);
  if (it == std::end(kConvFormNames))
    return std::nullopt;
  return static_cast<ConvForm>(it - kConvFormNames);
}

/// Whether every channel has one filter of its own.
static bool isDepthwise(const ConvShape &shape) {
  return shape.groups > 1 && shape.inChannels == shape.groups && shape.outChannels == shape.groups;
}

ConvForm hgc::getConvForm(ConvOp op) {
  if (PackedAttr packed = op.getPackedAttr())
    if (int64_t tile = getPackedTile(packed, op.getFilter().getType()))
      return tile == 2 ? ConvForm::Winograd2 : ConvForm::Winograd4;
  if (usesMatrixUnit(op))
    return ConvForm::Matrix;
  if (auto note = op->getAttrOfType<StringAttr>(kConvFormAttr))
    if (std::optional<ConvForm> form = parseConvForm(note); form && form != ConvForm::Matrix)
      return *form;
  ConvShape shape = op.getShape();
  if (!shape.channelsLast || op.getFilterLayout() != FilterLayout::HWIO)
    return ConvForm::Generic;
  if (isPixelProduct(shape))
    return ConvForm::Gemm;
  return isDepthwise(shape) && !op.getPacked() ? ConvForm::Depthwise : ConvForm::Direct;
}

int64_t hgc::getWinogradTile(ConvForm form) {
  return form == ConvForm::Winograd2 ? 2 : form == ConvForm::Winograd4 ? 4 : 0;
}

bool hgc::canHaveForm(ConvOp op, ConvForm form) {
  ConvShape shape = op.getShape();
  bool isOrdered = shape.channelsLast && op.getFilterLayout() == FilterLayout::HWIO;
  switch (form) {
  case ConvForm::Generic:
    return true;
  case ConvForm::Depthwise:
    return isOrdered && isDepthwise(shape);
  case ConvForm::Direct:
    return isOrdered;
  case ConvForm::Gemm:
    return isOrdered && isPixelProduct(shape);
  case ConvForm::Matrix:
    return canUseMatrixUnit(op);
  case ConvForm::Winograd2:
  case ConvForm::Winograd4:
    break;
  }
  auto isF32 = [](Value value) { return getElementTypeOrSelf(value.getType()).isF32(); };
  return isOrdered && isWinogradShape(shape) && isF32(op.getInput()) && isF32(op.getFilter()) &&
         boundWinogradError(getWinogradTile(form), shape.inChannels / shape.groups) <= kMostWinogradError;
}

bool hgc::canStage(ConvOp conv, ConvOp reader) {
  // Windows of a row are unrolled.
  constexpr int64_t mostPixels = 8;
  Type element = getElementTypeOrSelf(conv.getResult().getType());
  auto hasOneType = [&](ConvOp op) {
    auto isSame = [&](Type type) { return getElementTypeOrSelf(type) == element; };
    return llvm::all_of(op->getOperandTypes(), isSame) && llvm::all_of(op->getResultTypes(), isSame);
  };
  return (element.isF32() || element.isF64()) && hasOneType(conv) && hasOneType(reader) && conv.getPacked() &&
         getConvForm(conv) == ConvForm::Gemm && getConvForm(reader) == ConvForm::Depthwise &&
         reader.getShape().rank == 2 && reader.getShape().spatial[2].window <= mostPixels &&
         conv.getResult().getType() == reader.getInput().getType();
}
