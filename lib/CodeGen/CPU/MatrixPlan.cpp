//===- MatrixPlan.cpp - blocks of a product by the matrix unit ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/MatrixPlan.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace hgc;
using namespace hgc::cpu;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Units that a few threads share evenly.
static constexpr int64_t kWantedUnits = 16;
/// Rows of tiles that are worth a unit: threads with rows of their own find them in their own caches, and write them
/// as tiles once; but each of them reads all panels. That pays for up to so many times the bytes of rows: measured.
static constexpr int64_t kSharedRows = 2 * MatrixPlan::kRows, kSharedPanels = 3;
/// Rows whose products hide well that parts of panels are made.
static constexpr int64_t kSplitRows = 4 * MatrixPlan::kRows;

/// Whether all panels stay in the second-level cache, beside rows and results.
static bool isNear(const MatrixPlan &plan, const DeviceTable &target) {
  return !plan.shape.isWhole && plan.panels * plan.panelBytes() <= target.l2Bytes / 2;
}

/// Rows whose sums can wait in the second-level cache, beside rows and panels.
static int64_t countWaitingRows(const MatrixPlan &plan, const DeviceTable &target) {
  constexpr int64_t tile = MatrixPlan::kRows;
  int64_t rowBytes = std::max<int64_t>(1, plan.panels * plan.shape.width * 4);
  return target.l2Bytes * 3 / 8 / rowBytes / tile * tile;
}

/// Rows of tiles that a block may have: few for panels that stay in the second-level cache and may be read again and
/// again, so that results are written in the order of their addresses. Others are read once for as many rows as fit.
static int64_t countFittingRows(const MatrixPlan &plan, const DeviceTable &target) {
  constexpr int64_t tile = MatrixPlan::kRows;
  if (isNear(plan, target))
    return tile;
  int64_t rowBytes = std::max<int64_t>(1, llvm::divideCeil(plan.depthBlock * plan.lhsStep(), tile));
  // Beside the panel that they meet and the one that is fetched or made.
  int64_t room = std::max(target.l2Bytes * 3 / 4 - 2 * plan.depthBlock * plan.rhsStep(), target.l2Bytes / 4);
  int64_t fits = std::max(tile, room / rowBytes / tile * tile);
  if (plan.depthBlock == plan.shape.groups)
    return fits;
  return std::min(fits, std::max(countWaitingRows(plan, target), plan.shape.isWhole ? kSplitRows : 0));
}

/// Lines that a block may have. Windows of a line see the input of others, and share it.
static int64_t countFittingLines(const MatrixPlan &plan, const DeviceTable &target) {
  const MatrixShape &shape = plan.shape;
  if (!shape.rowBytes)
    return std::max<int64_t>(1, countFittingRows(plan, target) / shape.line);
  int64_t bytes = isNear(plan, target) ? target.l2Bytes / 4 : target.l2Bytes * 3 / 8;
  return std::max<int64_t>(1, bytes / std::max<int64_t>(1, shape.rowBytes * shape.line));
}

/// Units of lines that threads should have: few that see the input of others, or that read panels from afar. A power of
/// two of the latter, so that as many threads have all panels of theirs.
static int64_t countWantedUnits(const MatrixPlan &plan, const DeviceTable &target, int64_t lines) {
  const MatrixShape &shape = plan.shape;
  if (isNear(plan, target)) {
    int64_t wanted = ceilDiv(kWantedUnits / 2, std::max<int64_t>(1, shape.batch));
    return shape.rowBytes ? std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, lines / 2)) : 1;
  }
  int64_t rows = lines * shape.lineRows, deep = shape.groups * shape.parts() * 64;
  int64_t rowBytes = shape.rowBytes ? shape.rowBytes : deep;
  if (rows < kSharedRows || shape.columns * deep > kSharedPanels * rows * rowBytes)
    return 1;
  return static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(rows / kSharedRows)));
}

/// Whole lines, and units of about the same size.
void MatrixPlan::chooseRows(const DeviceTable &target) {
  int64_t lines = std::max<int64_t>(1, ceilDiv(shape.rows, shape.line)), fits = countFittingLines(*this, target);
  int64_t unit = ceilDiv(lines, std::max(countWantedUnits(*this, target, lines), ceilDiv(lines, fits)));
  // Blocks of one unit fill their tiles.
  int64_t joined = isNear(*this, target) ? 1 : std::max<int64_t>(1, fits / unit);
  if (shape.line == 1 && joined == 1)
    unit = llvm::alignTo(unit, kRows);
  rowUnit = unit * shape.line;
  rowUnits = ceilDiv(shape.rows, rowUnit);
  rowBlock = rowUnit * std::min(joined, std::max<int64_t>(1, rowUnits));
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
  chooseRows(target);
  int64_t wanted = ceilDiv(kWantedUnits, std::max<int64_t>(1, shape.batch * rowUnits));
  panelBlock = std::max<int64_t>(1, panels / std::clamp<int64_t>(wanted, 1, std::max<int64_t>(panels, 1)));
  panelBlocks = ceilDiv(panels, panelBlock);
  fetchesAhead = !isNear(*this, target);
  // The unit's configuration comes first.
  constexpr int64_t configBytes = 64;
  lhsScratch = configBytes;
  // Panels from afar are fetched or become parts beside products: that is enough.
  writesAhead = isNear(*this, target) && parts() > 1 && !shape.rowBytes && shape.batch * rowUnits > 1;
  sumScratch = lhsScratch + (writesAhead ? 2 * (lhsBytes() + configBytes) : lhsBytes());
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
