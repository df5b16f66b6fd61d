//===- Panel.cpp - the packed layout of contraction weights ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/Panel.h"

#include "dialects/Graph/ElementTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace hgc;

int64_t hgc::getPanelWidth(const DeviceTable &table, mlir::Type element) {
  int64_t bytes = graph::getElementBytes(graph::getAccumulatorType(element));
  return 2 * std::max<int64_t>(1, table.vectorBytes / bytes);
}

bool hgc::hasX86Feature(const DeviceTable &table, llvm::StringRef feature) {
  if (!llvm::StringRef(table.triple).starts_with("x86_64"))
    return false;
  llvm::SmallVector<llvm::StringRef> features, changes;
  llvm::X86::getFeaturesForCPU(table.llvmCpu, features);
  bool result = llvm::is_contained(features, feature);
  llvm::StringRef(table.llvmFeatures).split(changes, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef change : changes)
    if (change.drop_front() == feature)
      result = change.front() == '+';
  return result;
}

int64_t hgc::chooseInterleave(const DeviceTable &table, mlir::Type element) {
  if (!element.isSignlessInteger(8) || !llvm::StringRef(table.triple).starts_with("x86_64"))
    return 1;
  bool isLong = table.vectorBytes > 32;
  bool hasDots = hasX86Feature(table, "avx512vnni") && (isLong || hasX86Feature(table, "avx512vl"));
  if (hasDots || (!isLong && hasX86Feature(table, "avxvnni")))
    return 4;
  // Pairs of 16 bits; bytes widen in one instruction from SSE 4.1 on.
  return hasX86Feature(table, isLong ? "avx512bw" : table.vectorBytes > 16 ? "avx2" : "sse4.1") ? 2 : 1;
}

bool hgc::readsInPlace(const DeviceTable &table, int64_t rows, int64_t rowBytes) {
  // Longer rows are pages apart and share sets of the caches. Row tiles have up to a
  // third as many rows as there are registers: a dozen of them read the operand.
  constexpr int64_t mostBytes = 2048;
  return rowBytes <= mostBytes && rows <= 4 * table.vectorRegisters;
}

bool hgc::readsRowsApart(int64_t rowBytes) {
  // Processors fetch ahead from the second line on.
  constexpr int64_t leastBytes = 256;
  return rowBytes >= leastBytes;
}

bool hgc::linesCollide(const DeviceTable &table, int64_t count, int64_t stride) {
  // Caches that are looked up while the address is translated have ways of one page.
  constexpr int64_t wayBytes = 4096, lineBytes = 64;
  int64_t ways = std::max<int64_t>(1, table.l1Bytes / wayBytes), most = 0;
  llvm::SmallVector<int64_t> used(wayBytes / lineBytes, 0);
  for (int64_t i = 0; i < count; ++i)
    most = std::max(most, ++used[i * stride % wayBytes / lineBytes]);
  return 4 * most > 3 * ways;
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
