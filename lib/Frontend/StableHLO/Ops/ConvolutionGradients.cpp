//===- ConvolutionGradients.cpp - forms that gradients have ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO has one convolution for all; the graph dialect has ops of their own for
// the gradients by the input and by the filter, with the emitters to match.
//===----------------------------------------------------------------------===//

#include "Convolution.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::DataLayout;
using graph::FilterLayout;

static bool areOnes(ArrayRef<int64_t> values) {
  return llvm::all_of(values, [](int64_t value) { return value == 1; });
}

//===----------------------------------------------------------------------===//
// By the filter
//===----------------------------------------------------------------------===//

/// The gradient takes the filter's place: its pixels are more than those of the result, and its steps are dilations.
bool isFilterGradient(const Convolution &conv) {
  int64_t filterPixels = 1, resultPixels = 1;
  for (int64_t i = 0; i < conv.rank(); ++i) {
    filterPixels *= conv.filterExtent(i);
    resultPixels *= conv.resultExtent(i);
    int64_t padded = conv.inputExtent(i) + conv.low[i] + conv.high[i];
    int64_t window = conv.strides[i] * (conv.resultExtent(i) - 1) + 1;
    // The convolution must have just that gradient.
    if (conv.reversal[i] || padded < window || (padded - window) / conv.filterDilation[i] + 1 != conv.filterExtent(i))
      return false;
  }
  Shape input = Node::shapeOf(conv.input), filter = Node::shapeOf(conv.filter);
  // What is summed over is the batch, which programs have first.
  bool sumsBatch = conv.data.second == 0 && conv.weights.first == 0;
  return sumsBatch && filterPixels > resultPixels && conv.groups == 1 && areOnes(conv.inputDilation) &&
         input[conv.data.second] == filter[conv.weights.first];
}

Value buildFilterGradient(Node &node, const Convolution &conv) {
  // Batch and features change places in the data.
  ConvDims data{conv.data.second, conv.data.first, conv.data.spatial};
  bool isFirst = isInPlace(data.order("12s")) && isInPlace(conv.weights.order("12s"));
  bool isOihw = isInPlace(conv.result.order("21s"));
  StringRef form = isFirst ? "12s" : "1s2";
  Extents low(Node::rankOf(conv.input), 0), high(low), pads, highPads, window;
  for (int64_t i = 0; i < conv.rank(); ++i) {
    low[conv.data.spatial[i]] = std::min<int64_t>(conv.low[i], 0);
    high[conv.data.spatial[i]] = std::min<int64_t>(conv.high[i], 0);
    pads.push_back(std::max<int64_t>(conv.low[i], 0));
    highPads.push_back(std::max<int64_t>(conv.high[i], 0));
    window.push_back(conv.resultExtent(i));
  }
  llvm::append_range(pads, highPads);
  Value input = node.pad(conv.input, node.scalar(Node::elementOf(conv.input), 0), low, high);
  OpBuilder &builder = node.getBuilder();
  auto list = [&](Shape values) { return builder.getDenseI64ArrayAttr(values); };
  Value result = node.create<graph::ConvFilterGradOp>(
      arrange(node, input, data.order(form)), arrange(node, conv.filter, conv.weights.order(form)), list(window),
      list(conv.filterDilation), list(pads), list(conv.strides), builder.getI64IntegerAttr(conv.batchGroups),
      graph::DataLayoutAttr::get(builder.getContext(), isFirst ? DataLayout::ChannelsFirst : DataLayout::ChannelsLast),
      graph::FilterLayoutAttr::get(builder.getContext(), isOihw ? FilterLayout::OIHW : FilterLayout::HWIO));
  return result ? restore(node, result, conv.result.order(isOihw ? "21s" : "s12")) : Value();
}

//===----------------------------------------------------------------------===//
// By the input
//===----------------------------------------------------------------------===//

bool isTransposed(const Convolution &conv) {
  if (!areOnes(conv.strides) || conv.batchGroups != 1)
    return false;
  int64_t flips = llvm::count(conv.reversal, 0);
  if (flips != 0 && flips != conv.rank())
    return false;
  // A filter that was turned around is the one of the convolution whose gradient this is.
  auto slice = conv.filter.getDefiningOp<graph::SliceOp>();
  bool isTurned = slice && slice.getStrides() && !slice.getOffsets();
  for (auto [dim, stride] : llvm::enumerate(isTurned ? *slice.getStrides() : Shape()))
    isTurned &= stride == (llvm::is_contained(conv.weights.spatial, static_cast<int64_t>(dim)) ? -1 : 1);
  return !areOnes(conv.inputDilation) || (isTurned && flips == conv.rank());
}

/// The filter with inputs and outputs in each other's place, group by group: (spatial, outputs / groups, inputs).
static Value swapChannels(Node &node, const Convolution &conv) {
  Value filter = node.reverse(conv.filter, conv.reversal.front() ? Extents() : conv.weights.spatial);
  if (conv.groups == 1)
    return arrange(node, filter, conv.weights.order("s21"));
  filter = arrange(node, filter, conv.weights.order("s12"));
  Extents shape(Node::shapeOf(filter).drop_back(2)), joined(shape), order;
  int64_t rank = conv.rank(), inputs = Node::shapeOf(filter)[rank], outputs = Node::shapeOf(filter)[rank + 1];
  if (outputs % conv.groups != 0) {
    (void)node.invalid("features do not divide into groups", "the program is damaged: export it again");
    return {};
  }
  shape.append({inputs, conv.groups, outputs / conv.groups});
  joined.append({outputs / conv.groups, inputs * conv.groups});
  for (int64_t dim = 0; dim < rank; ++dim)
    order.push_back(dim);
  order.append({rank + 2, rank + 1, rank});
  return node.reshape(node.transpose(node.reshape(filter, shape), order), joined);
}

Value buildTransposed(Node &node, const Convolution &conv) {
  bool isFirst = isInPlace(conv.data.order("12s"));
  StringRef form = isFirst ? "12s" : "1s2";
  Extents pads, highPads, extents, low(conv.rank() + 2, 0), high(low);
  for (int64_t i = 0; i < conv.rank(); ++i) {
    int64_t reach = conv.filterDilation[i] * (conv.filterExtent(i) - 1), dim = i + (isFirst ? 2 : 1);
    int64_t before = reach - conv.low[i], after = reach - conv.high[i];
    // Where no element is spread to there are zeros.
    low[dim] = std::max<int64_t>(-before, 0);
    high[dim] = std::max<int64_t>(-after, 0);
    pads.push_back(std::max<int64_t>(before, 0));
    highPads.push_back(std::max<int64_t>(after, 0));
    extents.push_back(conv.resultExtent(i) - low[dim] - high[dim]);
  }
  llvm::append_range(pads, highPads);
  OpBuilder &builder = node.getBuilder();
  auto list = [&](Shape values) { return builder.getDenseI64ArrayAttr(values); };
  Value filter = swapChannels(node, conv);
  Value result = node.create<graph::ConvTransposeOp>(
      arrange(node, conv.input, conv.data.order(form)), filter, list(extents), list(conv.inputDilation), list(pads),
      list(conv.filterDilation), builder.getI64IntegerAttr(conv.groups),
      graph::DataLayoutAttr::get(builder.getContext(), isFirst ? DataLayout::ChannelsFirst : DataLayout::ChannelsLast),
      graph::FilterLayoutAttr::get(builder.getContext(), FilterLayout::HWIO), graph::PackedAttr());
  if (!result)
    return {};
  result = node.pad(result, node.scalar(Node::elementOf(result), 0), low, high);
  return restore(node, result, conv.result.order(form));
}

} // namespace hgc::stablehlo
