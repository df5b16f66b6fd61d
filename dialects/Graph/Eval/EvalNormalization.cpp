//===- EvalNormalization.cpp - softmax and normalisations -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Softmax of `length` elements, `stride` apart, in place.
static void softmaxLine(double *line, int64_t length, int64_t stride, bool isLog) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < length; ++i)
    largest = std::isnan(line[i * stride]) || line[i * stride] > largest ? line[i * stride] : largest;
  long double total = 0;
  for (int64_t i = 0; i < length; ++i)
    total += std::exp(line[i * stride] - largest);
  double logTotal = static_cast<double>(std::log(total));
  for (int64_t i = 0; i < length; ++i) {
    double shifted = line[i * stride] - largest;
    line[i * stride] = isLog ? shifted - logTotal : static_cast<double>(std::exp(shifted) / total);
  }
}

template <typename OpT> static LogicalResult evalSoftmax(OpT op, Operands operands, EvalContext &, Results &results) {
  const HostTensor &input = operands[0];
  int64_t axis = op.getAxis(), length = input.getDim(axis), stride = input.getStrides()[axis];
  std::vector<double> values = input.toDoubles();
  int64_t lines = length ? input.getNumElements() / length : 0;
  for (int64_t i = 0; i < lines; ++i)
    softmaxLine(values.data() + i / stride * stride * length + i % stride, length, stride,
                std::is_same_v<OpT, LogSoftmaxOp>);
  results.push_back(HostTensor::fromDoubles(input.getElementType(), input.getShape(), values));
  return success();
}

static LogicalResult evalLayerNorm(LayerNormOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  std::vector<double> values = input.toDoubles(), scale = operands[1].toDoubles(), bias = operands[2].toDoubles();
  size_t length = *hgc::countElements(input.getShape().drop_front(op.getAxis()));
  if (scale.size() != length || bias.size() != length)
    return context.error(op,
                         "normalises " + Twine(length) + " elements with a scale of " + Twine(scale.size()) +
                             " and a bias of " + Twine(bias.size()),
                         "give scale and bias the shape of the normalised dims");
  double epsilon = op.getEpsilon().convertToDouble();
  for (size_t start = 0; start + length <= values.size() && length; start += length) {
    long double mean = 0, variance = 0;
    for (size_t i = 0; i < length; ++i)
      mean += values[start + i];
    mean /= length;
    for (size_t i = 0; i < length; ++i)
      variance += (values[start + i] - mean) * (values[start + i] - mean);
    long double deviation = std::sqrt(variance / length + epsilon);
    for (size_t i = 0; i < length; ++i)
      values[start + i] = static_cast<double>((values[start + i] - mean) / deviation * scale[i] + bias[i]);
  }
  results.push_back(HostTensor::fromDoubles(input.getElementType(), input.getShape(), values));
  return success();
}

static LogicalResult evalBatchNorm(BatchNormOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  int64_t axis = op.getAxis(), channels = input.getDim(axis), stride = input.getStrides()[axis];
  for (const HostTensor &statistic : operands.drop_front())
    if (statistic.getNumElements() != channels)
      return context.error(
          op, "normalises " + Twine(channels) + " channels with statistics of " + Twine(statistic.getNumElements()),
          "give all statistics the extent of dim 'axis'");
  std::vector<double> values = input.toDoubles(), scale = operands[1].toDoubles(), bias = operands[2].toDoubles(),
                      mean = operands[3].toDoubles(), variance = operands[4].toDoubles();
  double epsilon = op.getEpsilon().convertToDouble();
  for (size_t i = 0; i < values.size(); ++i) {
    size_t c = i / stride % channels;
    values[i] = (values[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * scale[c] + bias[c];
  }
  results.push_back(HostTensor::fromDoubles(input.getElementType(), input.getShape(), values));
  return success();
}

void hgc::graph::attachNormalizationModels(MLIRContext *context) {
  attach<SoftmaxOp, evalSoftmax<SoftmaxOp>>(context);
  attach<LogSoftmaxOp, evalSoftmax<LogSoftmaxOp>>(context);
  attach<LayerNormOp, evalLayerNorm>(context);
  attach<BatchNormOp, evalBatchNorm>(context);
}
