//===- Signal.cpp - windows and filter banks of ONNX ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Signal.h"
#include "Regions.h"
#include "lib/Frontend/ONNX/OpTable.h"

#include <cmath>

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

std::optional<int64_t> getKnownInt(Node &node, unsigned index) {
  std::optional<Extents> known = node.getInputInts(index);
  return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
}

void requireInt(Node &node, unsigned index, int64_t expected, StringRef what) {
  Value given = toIndex(node, node.getInput(index));
  Value same = node.compare(ComparePredicate::EQ, given,
                            node.scalar(node.getBuilder().getI64Type(), static_cast<double>(expected)));
  if (same)
    node.require(same, what + " is not " + Twine(expected) + ", which the model declares");
}

std::optional<Extents> needDeclaredShape(Node &node, int64_t rank, StringRef what) {
  RankedTensorType type = node.getDeclaredType(0);
  if (type && type.getRank() == rank)
    return Extents(type.getShape());
  (void)node.unsupported(what + " is known only at run time and the result's shape is not declared");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A sum of `factors[i] * cos(2 pi i n / period)` over the window's positions.
static LogicalResult importWindow(Node &node, ArrayRef<double> factors) {
  std::optional<int64_t> size = getKnownInt(node, 0);
  Type element = node.getElementType("output_datatype", node.getBuilder().getF32Type());
  if (!element)
    return failure();
  if (!size) {
    std::optional<Extents> shape = needDeclaredShape(node, 1, "the window's size");
    if (!shape)
      return failure();
    size = shape->front();
    requireInt(node, 0, *size, "the window's size");
  }
  if (*size < 0 || *size > (int64_t(1) << 28))
    return node.invalid("a window of size " + Twine(*size), "a size is from 0 to 2^28");
  int64_t period = std::max<int64_t>(node.getInt("periodic", 1) ? *size : *size - 1, 1);
  std::vector<double> values;
  for (int64_t n = 0; n < *size; ++n) {
    double sum = 0;
    for (auto [i, factor] : llvm::enumerate(factors))
      sum +=
          factor * std::cos(2 * M_PI * static_cast<double>(i) * static_cast<double>(n) / static_cast<double>(period));
    values.push_back(sum);
  }
  return node.done(node.constant(HostTensor::fromDoubles(element, {*size}, values)));
}

static LogicalResult importHann(Node &node) { return importWindow(node, {0.5, -0.5}); }
static LogicalResult importHamming(Node &node) { return importWindow(node, {25.0 / 46.0, -21.0 / 46.0}); }
static LogicalResult importBlackman(Node &node) { return importWindow(node, {0.42, -0.5, 0.08}); }

//===----------------------------------------------------------------------===//
// MelWeightMatrix
//===----------------------------------------------------------------------===//

namespace {

/// Columns are triangles over the spectrum's bins. Bin numbers are computed in
/// f64 at run time, as the edges may be known only then.
class MelMatrix {
public:
  explicit MelMatrix(Node &node) : node(node), f64(node.getBuilder().getF64Type()) {}

  LogicalResult run() {
    if (failed(readShape()))
      return failure();
    Type element = node.getElementType("output_datatype", node.getBuilder().getF32Type());
    if (!element)
      return failure();
    Value edges = getEdges();
    auto column = [&](int64_t first) {
      return edges ? node.reshape(node.sliceAxis(edges, 0, first, bands), {1, bands}) : Value();
    };
    Value bin = node.iota({bins, bands}, 0, f64), lower = column(0), center = column(1), upper = column(2);
    Value rise = node.sub(center, lower), fall = node.sub(upper, center);
    auto within = [&](Value from, Value to, ComparePredicate last) {
      return node.create<graph::AndOp>(node.compare(ComparePredicate::GE, bin, from), node.compare(last, bin, to));
    };
    // A band without a rising side is 1 at its center. The falling side wins there.
    Value rising = node.select(node.compare(ComparePredicate::EQ, rise, number(0)), number(1),
                               node.div(node.sub(bin, lower), node.max(rise, number(1))));
    Value matrix = node.select(within(lower, center, ComparePredicate::LE), rising, number(0));
    Value falling = node.div(node.sub(upper, bin), node.max(fall, number(1)));
    matrix = node.select(within(center, upper, ComparePredicate::LT), falling, matrix);
    return matrix ? node.done(node.cast(matrix, element)) : failure();
  }

private:
  LogicalResult readShape() {
    std::optional<int64_t> count = getKnownInt(node, 0), length = getKnownInt(node, 1);
    if (count && length) {
      bands = *count;
      bins = *length / 2 + 1;
      return success();
    }
    std::optional<Extents> shape = needDeclaredShape(node, 2, "the matrix's size");
    if (!shape)
      return failure();
    bins = (*shape)[0];
    bands = (*shape)[1];
    requireInt(node, 0, bands, "the number of mel bins");
    Type i64 = node.getBuilder().getI64Type();
    Value half = node.div(toIndex(node, node.getInput(1)), node.scalar(i64, 2));
    if (Value same = node.compare(ComparePredicate::EQ, half, node.scalar(i64, static_cast<double>(bins - 1))))
      node.require(same, "the DFT's length does not give the number of bins that the model declares");
    return success();
  }

  Value number(double value) { return node.scalar(f64, value); }
  Value getNumber(unsigned index) { return node.cast(node.reshape(node.getInput(index), {}), f64); }

  /// mel(f) = 2595 log10(1 + f / 700).
  Value toMel(Value frequency) {
    Value ratio = node.add(number(1), node.div(frequency, number(700)));
    return node.mul(node.create<graph::LogOp>(ratio), number(2595 / std::log(10.0)));
  }

  /// Bins of the bands' edges, at equal distances in mel.
  Value getEdges() {
    Value low = toMel(getNumber(3)), high = toMel(getNumber(4));
    Value step = node.div(node.sub(high, low), number(static_cast<double>(bands + 2)));
    Value mel = node.add(node.mul(node.iota({bands + 2}, 0, f64), step), low);
    Value power = node.create<graph::PowOp>(number(10), node.div(mel, number(2595)));
    Value frequency = node.mul(number(700), node.sub(power, number(1)));
    Value length = node.add(getNumber(1), number(1));
    return node.create<graph::FloorOp>(node.div(node.mul(length, frequency), getNumber(2)));
  }

  Node &node;
  Type f64;
  int64_t bins = 0, bands = 0;
};

} // namespace

static LogicalResult importMelMatrix(Node &node) { return MelMatrix(node).run(); }

void addSignalOps(OpTable &table) {
  table.add("HannWindow", importHann, 17);
  table.add("HammingWindow", importHamming, 17);
  table.add("BlackmanWindow", importBlackman, 17);
  table.add("MelWeightMatrix", importMelMatrix, 17);
  table.add("DFT", importDft, 17);
  table.add("STFT", importStft, 17);
  table.add("Det", importDet, 11);
}

} // namespace hgc::onnx
