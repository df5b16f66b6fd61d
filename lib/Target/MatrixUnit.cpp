//===- MatrixUnit.cpp - products by tile registers ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/MatrixUnit.h"

#include "dialects/Graph/Panels.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/Panel.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

bool hgc::usesMatrixUnit(Operation *op) {
  if (auto packed = op->getAttrOfType<PackedAttr>("packed"))
    return isTiled(getInterleave(op->getOperand(1).getType(), packed.getWidth()));
  auto note = op->getAttrOfType<StringAttr>(kConvFormAttr);
  return note && note.getValue() == kMatrixForm;
}

bool hgc::hasMatrixUnit(const DeviceTable &table, Type element) {
  StringRef feature = element.isSignlessInteger(8) ? "amx-int8" : "amx-bf16";
  return table.matrixFlops > 0 && getTiledInterleave(element) != 0 && hasX86Feature(table, "amx-tile") &&
         hasX86Feature(table, feature);
}

int64_t hgc::countPlainDepth(int64_t depth, int64_t parts) {
  constexpr int64_t step = 32, most = 6;
  int64_t rest = depth % step;
  return parts > 1 && depth > step && rest <= most ? rest : 0;
}

bool hgc::keepsWhole(const DeviceTable &table, int64_t elements, int64_t columns, int64_t rows) {
  constexpr int64_t bytesInParts = 6, fewRows = 2 * kTileSide, manyColumns = 256;
  return rows > fewRows && bytesInParts * elements > table.l2Bytes / (columns >= manyColumns ? 8 : 2);
}

int64_t hgc::countLineRows(const ConvShape &shape) {
  const WindowDim &pixels = shape.spatial[2];
  if (llvm::all_of(shape.spatial, [](const WindowDim &dim) { return dim.window == 1 && !dim.padLow && !dim.padHigh; }))
    return std::max<int64_t>(1, pixels.output);
  return shape.spatial[1].stride == 1 && pixels.stride == 1 ? pixels.output + pixels.window - 1
                                                            : llvm::alignTo(pixels.output, kTileSide);
}

/// Whether the target has a unit for the op's left operand, and both operands have elements: tiles of none would be
/// read where there is nothing.
static bool hasUnit(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto isEmpty = [](Value value) { return llvm::is_contained(cast<ShapedType>(value.getType()).getShape(), 0); };
  return module && !llvm::any_of(op->getOperands(), isEmpty) &&
         hasMatrixUnit(getCpuTable(module), getElementTypeOrSelf(op->getOperand(0).getType()));
}

bool hgc::canUseMatrixUnit(MatmulOp op) {
  return hasUnit(op) && op.getType().hasStaticShape() && !op.getTransposeLhs() && !op.getPacked();
}

bool hgc::canUseMatrixUnit(ConvOp op) {
  ConvShape shape = op.getShape();
  // What a row of the window sees must lie side by side.
  return hasUnit(op) && shape.channelsLast && op.getFilterLayout() == FilterLayout::HWIO && shape.groups == 1 &&
         shape.spatial[2].dilation == 1 && !op.getPacked();
}
