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
  switch (form) {
  case ConvForm::Winograd2:
  case ConvForm::Winograd2Compact:
    return 2;
  case ConvForm::Winograd4:
  case ConvForm::Winograd4Compact:
    return 4;
  default:
    return 0;
  }
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
  case ConvForm::Winograd2Compact:
  case ConvForm::Winograd4Compact:
    break;
  }
  auto isF32 = [](Value value) { return getElementTypeOrSelf(value.getType()).isF32(); };
  return isOrdered && isWinogradShape(shape) && isF32(op.getInput()) && isF32(op.getFilter()) &&
         boundWinogradError(getWinogradTile(form), shape.inChannels / shape.groups) <= kMostWinogradError;
}

/// Whether operands and result have the same type of elements, f32 or f64.
static bool isPlainFloat(ConvOp op) {
  Type element = getElementTypeOrSelf(op.getResult().getType());
  return (element.isF32() || element.isF64()) &&
         llvm::all_of(op->getOperandTypes(), [&](Type type) { return getElementTypeOrSelf(type) == element; });
}

bool hgc::canStage(ConvOp conv, ConvOp reader) {
  // Windows of a row are unrolled.
  constexpr int64_t mostPixels = 8;
  return isPlainFloat(conv) && isPlainFloat(reader) && conv.getPacked() && getConvForm(conv) == ConvForm::Gemm &&
         getConvForm(reader) == ConvForm::Depthwise && reader.getShape().rank == 2 &&
         reader.getShape().spatial[2].window <= mostPixels && conv.getResult().getType() == reader.getInput().getType();
}

bool hgc::canStage(ConvOp conv, PoolOp pool) {
  ConvShape shape = pool.getShape();
  // A single row, or rows of one pixel, have loops of their own; and tiles of a pointwise
  // convolution would not go from row to row.
  constexpr int64_t fewestPixels = 8;
  ConvForm form = getConvForm(conv);
  bool isPixelwise = form == ConvForm::Gemm && isPlainFloat(conv) && conv.getPacked();
  bool makesRows = form == ConvForm::Direct || (getWinogradTile(form) && conv.getPacked()) || isPixelwise;
  return makesRows && shape.rank == 2 && shape.channelsLast && conv.getShape().channelsLast &&
         shape.spatial[1].input > 1 && shape.spatial[2].input >= (isPixelwise ? fewestPixels : 2) &&
         conv.getResult().getType().getShape() == pool.getInput().getType().getShape();
}
