//===- Convolution.cpp - convolutions with any order of dims --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convolution.h"

#include "../OpTable.h"
#include "Shape.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::DataLayout;
using graph::FilterLayout;

Extents ConvDims::order(StringRef form) const {
  Extents result;
  for (char c : form) {
    if (c == 's')
      llvm::append_range(result, spatial);
    else
      result.push_back(c == '1' ? first : second);
  }
  return result;
}

bool isInPlace(ArrayRef<int64_t> order) { return llvm::equal(order, llvm::seq<int64_t>(0, order.size())); }

Value arrange(Node &node, Value value, ArrayRef<int64_t> order) { return node.transpose(value, order); }

Value restore(Node &node, Value value, ArrayRef<int64_t> order) {
  Extents inverse(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    inverse[dim] = static_cast<int64_t>(i);
  return node.transpose(value, inverse);
}

namespace {

/// `[b, 0, 1, f]`: letters and numbers of spatial dims.
std::optional<ConvDims> readDims(Attribute list, StringRef first, StringRef second, int64_t rank) {
  ConvDims dims;
  auto items = dyn_cast_or_null<ArrayAttr>(list);
  if (!items || static_cast<int64_t>(items.size()) != rank || rank < 2)
    return std::nullopt;
  dims.spatial.assign(rank - 2, -1);
  for (auto [i, item] : llvm::enumerate(items)) {
    auto word = dyn_cast<StringAttr>(item);
    auto number = dyn_cast<IntegerAttr>(item);
    int64_t *place = nullptr;
    if (word && (word.getValue() == first || word.getValue() == second))
      place = word.getValue() == first ? &dims.first : &dims.second;
    else if (number && number.getInt() >= 0 && number.getInt() < rank - 2)
      place = &dims.spatial[number.getInt()];
    if (!place || *place >= 0)
      return std::nullopt;
    *place = static_cast<int64_t>(i);
  }
  return dims;
}

LogicalResult readNumbers(Node &node, Convolution &conv) {
  auto lists = dyn_cast_or_null<ArrayAttr>(node.getAttribute("dimension_numbers"));
  auto get = [&](unsigned index, StringRef first, StringRef second, int64_t rank, ConvDims &dims) {
    std::optional<ConvDims> read =
        lists && lists.size() == 3 ? readDims(lists[index], first, second, rank) : std::nullopt;
    dims = read.value_or(ConvDims());
    return read.has_value();
  };
  if (get(0, "b", "f", Node::rankOf(conv.input), conv.data) &&
      get(1, "i", "o", Node::rankOf(conv.filter), conv.weights) && get(2, "b", "f", conv.type.getRank(), conv.result) &&
      conv.data.spatial.size() == conv.weights.spatial.size() && conv.data.spatial.size() == conv.result.spatial.size())
    return success();
  return node.invalid("dimension numbers do not name each dim once",
                      "write them as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
}

/// Attributes of the window; dilations and strides are at least one.
LogicalResult readWindow(Node &node, Convolution &conv) {
  int64_t rank = static_cast<int64_t>(conv.data.spatial.size());
  std::optional<Extents> strides = node.getList("window_strides", rank, 1), pads = node.getList("padding", 2 * rank, 0),
                         inputDilation = node.getList("lhs_dilation", rank, 1),
                         filterDilation = node.getList("rhs_dilation", rank, 1),
                         reversal = node.getList("window_reversal", rank, 0);
  std::optional<int64_t> groups = node.getInt("feature_group_count", 1), batches = node.getInt("batch_group_count", 1);
  if (!strides || !pads || !inputDilation || !filterDilation || !reversal || !groups || !batches)
    return failure();
  auto isPositive = [](int64_t value) { return value > 0; };
  if (!llvm::all_of(*strides, isPositive) || !llvm::all_of(*inputDilation, isPositive) ||
      !llvm::all_of(*filterDilation, isPositive) || *groups < 1 || *batches < 1)
    return node.invalid("a stride, dilation or number of groups is less than one", "one stands for none");
  conv.strides = *strides;
  conv.inputDilation = *inputDilation;
  conv.filterDilation = *filterDilation;
  conv.reversal = *reversal;
  conv.groups = *groups;
  conv.batchGroups = *batches;
  for (int64_t i = 0; i < rank; ++i) {
    conv.low.push_back((*pads)[2 * i]);
    conv.high.push_back((*pads)[2 * i + 1]);
  }
  return success();
}

/// Groups of the batch see one group of filters each: they become groups of features.
LogicalResult moveBatchGroups(Node &node, Convolution &conv) {
  if (conv.batchGroups == 1)
    return success();
  Value value = arrange(node, conv.input, conv.data.order("1s2"));
  Extents shape(Node::shapeOf(value));
  int64_t groups = conv.batchGroups, rank = conv.rank();
  if (conv.groups != 1 || shape.front() % groups != 0)
    return node.unsupported("groups of the batch and of the features at once");
  Extents split(shape), joined(shape);
  split.front() /= groups;
  split.insert(split.begin(), groups);
  joined.front() /= groups;
  joined.back() *= groups;
  Extents order;
  for (int64_t dim = 1; dim <= rank + 1; ++dim)
    order.push_back(dim);
  order.append({0, rank + 2});
  conv.input = node.reshape(node.transpose(node.reshape(value, split), order), joined);
  conv.data = {0, rank + 1, llvm::to_vector(llvm::seq<int64_t>(1, rank + 1))};
  conv.groups = groups;
  conv.batchGroups = 1;
  return success(conv.input);
}

/// Padding that crops, and gaps between elements, are no part of the graph's convolution.
void padInput(Node &node, Convolution &conv) {
  Extents low(Node::rankOf(conv.input), 0), high(low), interior(low);
  for (int64_t i = 0; i < conv.rank(); ++i) {
    int64_t dim = conv.data.spatial[i];
    bool isSpread = conv.inputDilation[i] > 1;
    interior[dim] = conv.inputDilation[i] - 1;
    low[dim] = isSpread ? conv.low[i] : std::min<int64_t>(conv.low[i], 0);
    high[dim] = isSpread ? conv.high[i] : std::min<int64_t>(conv.high[i], 0);
    conv.low[i] -= low[dim];
    conv.high[i] -= high[dim];
    conv.inputDilation[i] = 1;
  }
  Value zero = node.scalar(Node::elementOf(conv.input), 0);
  conv.input = padInterior(node, conv.input, zero, low, high, interior);
}

Value buildPlain(Node &node, Convolution conv) {
  if (failed(moveBatchGroups(node, conv)))
    return {};
  padInput(node, conv);
  Extents reversed;
  for (int64_t i = 0; i < conv.rank(); ++i)
    if (conv.reversal[i])
      reversed.push_back(conv.weights.spatial[i]);
  Value filter = node.reverse(conv.filter, reversed);
  bool isFirst = isInPlace(conv.data.order("12s")), isOihw = isInPlace(conv.weights.order("21s"));
  Value input = arrange(node, conv.input, conv.data.order(isFirst ? "12s" : "1s2"));
  filter = arrange(node, filter, conv.weights.order(isOihw ? "21s" : "s12"));
  Extents pads(conv.low);
  llvm::append_range(pads, conv.high);
  OpBuilder &builder = node.getBuilder();
  auto list = [&](Shape values) { return builder.getDenseI64ArrayAttr(values); };
  Value result = node.create<graph::ConvOp>(
      input, filter, list(conv.strides), list(pads), list(conv.filterDilation), builder.getI64IntegerAttr(conv.groups),
      graph::DataLayoutAttr::get(builder.getContext(), isFirst ? DataLayout::ChannelsFirst : DataLayout::ChannelsLast),
      graph::FilterLayoutAttr::get(builder.getContext(), isOihw ? FilterLayout::OIHW : FilterLayout::HWIO),
      graph::PackedAttr());
  return result ? restore(node, result, conv.result.order(isFirst ? "12s" : "1s2")) : Value();
}

LogicalResult importConvolution(Node &node) {
  if (!node.hasOperands(2))
    return failure();
  Convolution conv;
  conv.input = node.getOperand(0);
  conv.filter = node.getOperand(1);
  conv.type = node.getResultType(0);
  if (failed(readNumbers(node, conv)) || failed(readWindow(node, conv)))
    return failure();
  if (conv.rank() < 1 || conv.rank() > 3)
    return node.unsupported("a window over other than one to three dims");
  if (conv.type.getNumElements() == 0 || Node::countOf(conv.input) == 0 || Node::countOf(conv.filter) == 0)
    return node.unsupported("a tensor without elements");
  Value result = isFilterGradient(conv) ? buildFilterGradient(node, conv)
                 : isTransposed(conv)   ? buildTransposed(node, conv)
                                        : buildPlain(node, conv);
  return node.done(node.cast(result, conv.type.getElementType()));
}

} // namespace

void addConvolutionOps(OpTable &table) {
  table.add("stablehlo.convolution", importConvolution, "one to three spatial dims; precisions are not looked at");
}

} // namespace hgc::stablehlo
