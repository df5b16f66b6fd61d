//===- MatrixProducts.cpp - contractions by the matrix unit ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/MatrixProducts.h"

#include "hgc/Target/MatrixUnit.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

int64_t cpu::estimateMatrixPs(const graph::OpCost &cost, const DeviceTable &target) {
  using graph::FlopClass;
  double unit = std::max(target.matrixFlops, 1e6), splits = static_cast<double>(countPartProducts(3));
  double seconds = (static_cast<double>(cost[FlopClass::F32]) * splits + static_cast<double>(cost[FlopClass::F16]) +
                    static_cast<double>(cost[FlopClass::I8]) / 2) /
                   unit;
  seconds += static_cast<double>(cost.bytesRead + cost.bytesWritten) / std::max(target.l2Bandwidth, 1e6);
  return static_cast<int64_t>(1e12 * seconds);
}

LogicalResult cpu::verifyMatrixUnit(Operation *root, const DeviceTable &target) {
  if (!usesMatrixUnit(root) || hasMatrixUnit(target, getElementTypeOrSelf(root->getOperand(0).getType())))
    return success();
  InFlightDiagnostic diag = root->emitOpError()
                            << "has weights in tiles for a matrix unit, which target '" << target.name << "' lacks";
  diag.attachNote() << "hint: name a CPU with one, e.g. --target-cpu=sapphirerapids, or compile from the model again";
  return diag;
}
