//===- MatrixPlan.cpp - blocks of a product by the matrix unit ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/MatrixPlan.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace hgc;
using namespace hgc::cpu;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Units that a few threads share evenly.
static constexpr int64_t kWantedUnits = 16;
/// Rows whose products hide well that parts of panels are made.
static constexpr int64_t kSplitRows = 4 * MatrixPlan::kRows;

/// Whether all panels stay in the second-level cache, beside rows and results.
static bool isNear(const MatrixPlan &plan, const DeviceTable &target) {
  return !plan.shape.isWhole && plan.panels * plan.panelBytes() <= target.l2Bytes / 2;
}

/// Lines of a block of windows, which see each other's input: few blocks, and yet enough for threads, unless those
/// share panels.
static int64_t chooseLines(const MatrixPlan &plan, const DeviceTable &target) {
  const MatrixShape &shape = plan.shape;
  int64_t lines = ceilDiv(shape.rows, shape.line), lineBytes = shape.rowBytes * shape.line;
  int64_t fits = isNear(plan, target) ? target.l2Bytes / 4 : target.l2Bytes * 3 / 8;
  int64_t blocks = ceilDiv(lines, std::max<int64_t>(1, fits / std::max<int64_t>(1, lineBytes)));
  if (isNear(plan, target)) {
    int64_t wanted = ceilDiv(kWantedUnits / 2, std::max<int64_t>(1, shape.batch));
    blocks = std::max(blocks, std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, lines / 2)));
  }
  return std::max<int64_t>(1, ceilDiv(lines, std::max<int64_t>(1, blocks)));
}

/// Rows whose sums can wait in the second-level cache, beside rows and panels.
static int64_t countWaitingRows(const MatrixPlan &plan, const DeviceTable &target) {
  constexpr int64_t tile = MatrixPlan::kRows;
  int64_t rowBytes = std::max<int64_t>(1, plan.panels * plan.shape.width * 4);
  return target.l2Bytes * 3 / 8 / rowBytes / tile * tile;
}

/// Rows of a block. Panels that stay in the second-level cache may be read again and again: then a few rows meet all of
/// them, and results are written in the order of their addresses. Others are read once for as many rows as fit.
static int64_t chooseRows(const MatrixPlan &plan, const DeviceTable &target) {
  constexpr int64_t tile = MatrixPlan::kRows;
  const MatrixShape &shape = plan.shape;
  if (shape.rowBytes)
    return chooseLines(plan, target) * shape.line;
  int64_t rowBytes = std::max<int64_t>(1, llvm::divideCeil(plan.depthBlock * plan.lhsStep(), tile));
  int64_t most = isNear(plan, target) ? tile : std::max(tile, target.l2Bytes * 5 / 8 / rowBytes / tile * tile);
  if (plan.depthBlock < shape.groups)
    most = std::min(most, std::max(countWaitingRows(plan, target), shape.isWhole ? kSplitRows : 0));
  // Whole lines, and blocks of about the same size.
  int64_t lines = ceilDiv(shape.rows, shape.line), fits = std::max<int64_t>(1, most / shape.line);
  int64_t blocks = std::max<int64_t>(1, ceilDiv(lines, fits));
  int64_t rows = ceilDiv(lines, blocks) * shape.line;
  return shape.line > 1 ? rows : llvm::alignTo(rows, tile);
}

/// Steps of the depth at a time: as many as leave room for the rows that share a panel, for the part of it that they
/// meet and for the one that is fetched. What is left of the depth waits, if so many sums fit, too.
static int64_t chooseDepth(const MatrixPlan &plan, const DeviceTable &target) {
  constexpr int64_t tile = MatrixPlan::kRows;
  const MatrixShape &shape = plan.shape;
  int64_t all = std::max<int64_t>(1, shape.groups);
  int64_t rows = llvm::alignTo(ceilDiv(shape.rows, shape.line) * shape.lineRows, tile);
  int64_t waiting = std::min(rows, shape.isWhole ? kSplitRows : countWaitingRows(plan, target));
  int64_t rowBytes = shape.rowBytes ? 0 : waiting / tile * shape.groups * plan.lhsStep();
  // Parts of two panels are there at a time.
  int64_t panelBytes = (shape.isWhole ? 2 : 1) * shape.groups * plan.rhsStep();
  int64_t blocks = std::max(ceilDiv(rowBytes, target.l2Bytes * 3 / 8), ceilDiv(panelBytes, target.l2Bytes / 4));
  if (isNear(plan, target) || waiting == 0 || shape.groups < 8 * blocks)
    return all;
  // Windows are copied for the whole depth: all of them must fit. Rows that fit anyway need not wait.
  bool isWorthIt = shape.rowBytes    ? waiting == rows && rows * shape.rowBytes <= target.l2Bytes * 3 / 8
                   : shape.line == 1 ? rowBytes > target.l2Bytes * 5 / 8 || waiting == rows
                                     : false;
  return isWorthIt ? ceilDiv(all, std::max<int64_t>(1, blocks)) : all;
}

MatrixPlan::MatrixPlan(const MatrixShape &shape, const DeviceTable &target) : shape(shape) {
  panels = ceilDiv(shape.columns, shape.width);
  depthBlock = chooseDepth(*this, target);
  depthBlocks = std::max<int64_t>(1, ceilDiv(shape.groups, depthBlock));
  rowBlock = std::max<int64_t>(1, chooseRows(*this, target));
  rowBlocks = ceilDiv(shape.rows, rowBlock);
  int64_t wanted = ceilDiv(kWantedUnits, std::max<int64_t>(1, shape.batch * rowBlocks));
  panelBlock = std::max<int64_t>(1, panels / std::clamp<int64_t>(wanted, 1, std::max<int64_t>(panels, 1)));
  panelBlocks = ceilDiv(panels, panelBlock);
  fetchesAhead = !isNear(*this, target);
  // The unit's configuration comes first.
  constexpr int64_t configBytes = 64;
  lhsScratch = configBytes;
  sumScratch = lhsScratch + lhsBytes();
  partScratch = sumScratch + sumElements() * 4;
  waitScratch = partScratch + 2 * partBytes();
  scratchBytes = waitScratch;
  if (depthBlocks > 1)
    scratchBytes += tilePairs() * panels * sumElements() * 4;
}

std::string MatrixPlan::describe() const {
  return llvm::formatv("tiles of the matrix unit, blocks {0}x{1}x{2}{3}{4}", rowBlock, panelBlock * shape.width,
                       depthBlock * graph::getTileDepth(shape.interleave), parts() > 1 ? ", f32 in three parts" : "",
                       shape.isWhole ? ", made beside products" : "")
      .str();
}
