//===- EvalAttention.cpp - scaled dot-product attention -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Infer.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {
/// One head: matrices of doubles, row-major.
struct Head {
  const double *query, *key, *value, *mask;
  int64_t queries, keys, features, results;
  double factor;
  bool isBoolean, isCausal;

  /// Score of a pair; minus infinity for a key that is not seen.
  double score(int64_t i, int64_t j) const {
    double hidden = -std::numeric_limits<double>::infinity();
    if (isCausal && j > i)
      return hidden;
    if (mask && isBoolean && mask[i * keys + j] == 0)
      return hidden;
    double sum = 0;
    for (int64_t d = 0; d < features; ++d)
      sum += query[i * features + d] * key[j * features + d];
    return sum * factor + (mask && !isBoolean ? mask[i * keys + j] : 0);
  }

  /// Writes the result of query `i` to `out`.
  void run(int64_t i, double *out) const {
    std::vector<double> weights(keys);
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t j = 0; j < keys; ++j) {
      weights[j] = score(i, j);
      largest = std::isnan(weights[j]) || weights[j] > largest ? weights[j] : largest;
    }
    double total = 0;
    for (double &weight : weights) {
      weight = std::exp(weight - largest);
      total += weight;
    }
    for (int64_t c = 0; c < results; ++c) {
      double sum = 0;
      for (int64_t j = 0; j < keys; ++j)
        sum += weights[j] * value[j * results + c];
      out[c] = sum / total;
    }
  }
};
} // namespace

/// `tensor` with its leading dims repeated to `batch`, as doubles.
static std::vector<double> repeat(const HostTensor &tensor, ArrayRef<int64_t> batch, ArrayRef<int64_t> matrix) {
  SmallVector<int64_t> shape(batch);
  llvm::append_range(shape, matrix);
  return broadcastTo(tensor, shape).toDoubles();
}

/// Checks what only the values' extents show, and gives the common batch dims.
static FailureOr<SmallVector<int64_t>> inferBatch(AttentionOp op, Operands operands, EvalContext &context) {
  ArrayRef<int64_t> q = operands[0].getShape(), k = operands[1].getShape(), v = operands[2].getShape();
  if (q.back() != k.back() || k.end()[-2] != v.end()[-2])
    return context.error(op,
                         "has operands of shapes " + shapeToString(q) + ", " + shapeToString(k) + " and " +
                             shapeToString(v) + " that do not fit together",
                         "query and key share their features, key and value their positions");
  if (k.end()[-2] == 0)
    return context.error(op, "has no keys to attend to", "give key and value at least one position");
  SmallVector<int64_t> batch(q.drop_back(2));
  std::optional<Location> loc = context.getReportLoc(op);
  if (failed(broadcastShapes(loc, batch, k.drop_back(2))) || failed(broadcastShapes(loc, batch, v.drop_back(2))))
    return failure();
  return batch;
}

/// The mask of every score; empty without a mask.
static FailureOr<std::vector<double>> expandMask(AttentionOp op, Operands operands, ArrayRef<int64_t> scores,
                                                 EvalContext &context) {
  if (!op.getMask())
    return std::vector<double>();
  SmallVector<int64_t> common(scores);
  if (failed(broadcastShapes(context.getReportLoc(op), common, operands[3].getShape())))
    return failure();
  if (common != scores)
    return context.error(op,
                         "has a mask of shape " + shapeToString(operands[3].getShape()) + " for scores of shape " +
                             shapeToString(scores),
                         "a mask broadcasts to [..., queries, keys]");
  return broadcastTo(operands[3], scores).toDoubles();
}

static LogicalResult evalAttention(AttentionOp op, Operands operands, EvalContext &context, Results &results) {
  ArrayRef<int64_t> q = operands[0].getShape(), k = operands[1].getShape(), v = operands[2].getShape();
  FailureOr<SmallVector<int64_t>> batch = inferBatch(op, operands, context);
  if (failed(batch))
    return failure();
  Head head{};
  head.queries = q.end()[-2], head.features = q.back(), head.keys = k.end()[-2], head.results = v.back();
  SmallVector<int64_t> shape(*batch);
  shape.append({head.queries, head.keys});
  FailureOr<std::vector<double>> mask = expandMask(op, operands, shape, context);
  if (failed(mask))
    return failure();
  shape.back() = head.results;
  head.isBoolean = op.getMask() && operands[3].getElementType().isInteger(1);
  head.isCausal = op.getCausal();
  head.factor = op.getScale() ? op.getScale()->convertToDouble()
                              : 1 / std::sqrt(static_cast<double>(std::max<int64_t>(head.features, 1)));
  std::vector<double> queries = repeat(operands[0], *batch, q.take_back(2)),
                      keys = repeat(operands[1], *batch, k.take_back(2)),
                      values = repeat(operands[2], *batch, v.take_back(2)), out(*hgc::countElements(shape));
  int64_t rows = head.results ? static_cast<int64_t>(out.size()) / head.results : 0;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t number = row / head.queries;
    head.query = queries.data() + number * head.queries * head.features;
    head.key = keys.data() + number * head.keys * head.features;
    head.value = values.data() + number * head.keys * head.results;
    head.mask = mask->empty() ? nullptr : mask->data() + number * head.queries * head.keys;
    head.run(row % head.queries, out.data() + row * head.results);
  }
  results.push_back(HostTensor::fromDoubles(getResultElement(op), shape, out));
  return success();
}

void hgc::graph::attachAttentionModels(MLIRContext *context) { attach<AttentionOp, evalAttention>(context); }
