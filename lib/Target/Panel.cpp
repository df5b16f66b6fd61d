//===- Panel.cpp - the packed layout of contraction weights ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/Panel.h"

#include "dialects/Graph/ElementTypes.h"

using namespace hgc;

int64_t hgc::getPanelWidth(const DeviceTable &table, mlir::Type element) {
  int64_t bytes = graph::getElementBytes(graph::getAccumulatorType(element));
  return 2 * std::max<int64_t>(1, table.vectorBytes / bytes);
}

bool hgc::readsInPlace(const DeviceTable &table, int64_t rows, int64_t rowBytes) {
  // Longer rows are pages apart and share sets of the caches. Row tiles have up to a
  // third as many rows as there are registers: a dozen of them read the operand.
  constexpr int64_t mostBytes = 2048;
  return rowBytes <= mostBytes && rows <= 4 * table.vectorRegisters;
}

bool hgc::wantsPackedFilter(const graph::ConvShape &shape) {
  bool depthwise = shape.groups > 1 && shape.inChannels == shape.groups;
  return shape.channelsLast && !depthwise;
}

bool hgc::isPixelProduct(const graph::ConvShape &shape) {
  if (shape.groups != 1 || !shape.channelsLast)
    return false;
  for (const graph::WindowDim &dim : shape.spatial)
    if (dim.window != 1 || dim.stride != 1 || dim.padLow != 0 || dim.padHigh != 0 || dim.input != dim.output)
      return false;
  return true;
}
