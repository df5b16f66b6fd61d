//===- Attention.cpp - Attention, FlexAttention, RotaryEmbedding ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Query heads that share a head of key and value are one more dim, along which
// those broadcast: [batch, key heads, query heads of each, length, size].
//===----------------------------------------------------------------------===//

#include "LinearAttention.h"
#include "Products.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

namespace {

class Attention {
public:
  explicit Attention(Node &node) : node(node), element(Node::elementOf(node.getInput(0))) {}

  LogicalResult import();

private:
  Value splitHeads(Value value, int64_t heads);
  Value appendToPast(unsigned past, unsigned present, Value value);
  LogicalResult readOperands();
  LogicalResult readMasks();
  Value alignMask(Value mask);
  Value getCausalMask();
  Value getBias(Type wide);
  Value compose();
  Value fuse();

  Node &node;
  Type element;
  Value query, key, value;
  /// What is added to the scores, and which keys take part; null when absent.
  Value bias, isSeen;
  bool isCausal = false;
  int64_t batch = 0, heads = 0, sharing = 1, rows = 0, columns = 0, past = 0;
  double scale = 1;
};

} // namespace

/// [batch, length, heads * size] as [batch, heads, length, size]; with four dims it
/// is that already.
Value Attention::splitHeads(Value input, int64_t count) {
  Shape shape = Node::shapeOf(input);
  if (shape.size() == 4)
    return input;
  if (shape.size() != 3 || count < 1 || shape[2] % count != 0)
    return {};
  return node.transpose(node.reshape(input, {shape[0], shape[1], count, shape[2] / count}), {0, 2, 1, 3});
}

Value Attention::appendToPast(unsigned index, unsigned present, Value current) {
  if (Value before = node.getInput(index))
    current = node.concat({before, current}, 2);
  node.setOutput(present, current);
  return current;
}

LogicalResult Attention::readOperands() {
  query = splitHeads(node.getInput(0), node.getInt("q_num_heads", 0));
  key = splitHeads(node.getInput(1), node.getInt("kv_num_heads", 0));
  value = splitHeads(node.getInput(2), node.getInt("kv_num_heads", 0));
  bool isFit = query && key && value && node.hasInput(4) == node.hasInput(5);
  for (unsigned i : {4, 5})
    isFit &= !node.hasInput(i) || Node::rankOf(node.getInput(i)) == 4;
  if (isFit) {
    batch = Node::shapeOf(query)[0];
    heads = Node::shapeOf(query)[1];
    int64_t keyHeads = Node::shapeOf(key)[1];
    isFit = keyHeads > 0 && heads % keyHeads == 0 && Node::shapeOf(value)[1] == keyHeads;
    sharing = isFit ? heads / keyHeads : 1;
  }
  if (!isFit)
    return node.invalid("query, key, value and past do not fit each other",
                        "use four dims, or three with 'q_num_heads' and 'kv_num_heads'; give both pasts or none");
  past = node.hasInput(4) ? Node::shapeOf(node.getInput(4))[2] : 0;
  key = appendToPast(4, 1, key);
  value = appendToPast(5, 2, value);
  if (!key || !value)
    return failure();
  rows = Node::shapeOf(query)[2];
  columns = Node::shapeOf(key)[2];
  scale = node.getFloat("scale", 1 / std::sqrt(static_cast<double>(Node::shapeOf(query)[3])));
  if (sharing == 1)
    return success();
  Extents grouped(Node::shapeOf(query));
  grouped[1] /= sharing;
  grouped.insert(grouped.begin() + 2, sharing);
  query = node.reshape(query, grouped);
  key = node.unsqueeze(key, {2});
  value = node.unsqueeze(value, {2});
  return success();
}

/// A mask that broadcasts to [batch, heads, rows, columns], in the form of the
/// scores.
Value Attention::alignMask(Value mask) {
  if (!mask || Node::rankOf(mask) > 4)
    return {};
  Extents shape(4 - Node::rankOf(mask), 1);
  llvm::append_range(shape, Node::shapeOf(mask));
  if (sharing > 1) {
    bool isPerHead = shape[1] == heads && heads > 1;
    shape.insert(shape.begin() + 2, isPerHead ? sharing : 1);
    shape[1] = isPerHead ? heads / sharing : shape[1];
  }
  return node.reshape(mask, shape);
}

LogicalResult Attention::readMasks() {
  isCausal = node.getInt("is_causal", 0) != 0;
  if (Value mask = node.getInput(3)) {
    bool isFlags = Node::elementOf(mask).isInteger(1);
    int64_t rank = Node::rankOf(mask);
    if (rank < 2 || rank > 4)
      return node.invalid("a mask of rank " + Twine(rank), "masks are [..., query length, key length]");
    // Keys beyond the mask do not take part.
    Extents low(rank, 0), high(rank, 0);
    high.back() = std::max<int64_t>(columns - Node::shapeOf(mask).back(), 0);
    Type type = Node::elementOf(mask);
    mask = alignMask(node.pad(mask, isFlags ? node.scalar(type, 0) : lowest(node, type), low, high));
    if (!mask)
      return failure();
    (isFlags ? isSeen : bias) = mask;
  }
  if (Value lengths = node.getInput(6)) {
    Type i64 = node.getBuilder().getI64Type();
    Value isFilled = node.compare(graph::ComparePredicate::LT, node.iota({1, 1, 1, columns}, 3, i64),
                                  along(node, node.cast(lengths, i64), 4, 0));
    isFilled = alignMask(isFilled);
    isSeen = isSeen ? node.create<graph::AndOp>(isSeen, isFilled) : isFilled;
  }
  return success();
}

/// Query `i` sees the keys up to `i` and all of the past.
Value Attention::getCausalMask() {
  Type i64 = node.getBuilder().getI64Type();
  Value last = node.add(node.iota({rows, 1}, 0, i64), node.scalar(i64, static_cast<double>(past)));
  return node.compare(graph::ComparePredicate::LE, node.iota({1, columns}, 1, i64), last);
}

/// All masks as numbers to add; null without masks.
Value Attention::getBias(Type wide) {
  Value flags = isSeen;
  if (isCausal) {
    Value causal = getCausalMask();
    flags = flags ? node.create<graph::AndOp>(flags, causal) : causal;
  }
  Value numbers = bias ? node.cast(bias, wide) : Value();
  if (!flags)
    return numbers;
  return node.select(flags, numbers ? numbers : node.scalar(wide, 0), lowest(node, wide));
}

/// The fused op, which takes one mask and the simple causal form.
Value Attention::fuse() {
  bool isSimple = isCausal && past == 0;
  isCausal &= !isSimple;
  Value mask = bias || (isCausal && isSeen) ? getBias(element) : isCausal ? getCausalMask() : isSeen;
  OpBuilder &builder = node.getBuilder();
  SmallVector<Value> operands{query, key, value};
  if (mask)
    operands.push_back(mask);
  SmallVector<NamedAttribute> attributes{builder.getNamedAttr("scale", builder.getF64FloatAttr(scale))};
  if (isSimple)
    attributes.push_back(builder.getNamedAttr("causal", builder.getUnitAttr()));
  return node.create<graph::AttentionOp>(ValueRange(operands), ArrayRef<NamedAttribute>(attributes));
}

/// Step by step, for what the fused op does not compute.
Value Attention::compose() {
  Type wide = getWideType(element);
  Type precision = node.getElementType("softmax_precision", wide);
  if (!precision)
    return {};
  auto number = [&](double factor) { return node.scalar(wide, factor); };
  auto setScores = [&](int64_t mode, Value scores) {
    if (node.getInt("qk_matmul_output_mode", 0) == mode)
      node.setOutput(3, node.reshape(node.cast(scores, element), {batch, heads, rows, columns}));
  };
  Value scores = multiplyMatrices(node, node.cast(query, wide), node.cast(key, wide), false, true);
  scores = node.mul(scores, number(scale));
  if (!scores)
    return {};
  setScores(0, scores);
  double cap = node.getFloat("softcap", 0);
  if (cap > 0)
    scores = node.mul(node.create<graph::TanhOp>(node.div(scores, number(cap))), number(cap));
  setScores(1, scores);
  if (Value added = getBias(wide))
    scores = node.add(scores, added);
  setScores(2, scores);
  // Less precision than that of the scores is none.
  bool isWider = precision.getIntOrFloatBitWidth() > wide.getIntOrFloatBitWidth();
  Value weights = node.create<graph::SoftmaxOp>(node.cast(scores, isWider ? precision : wide),
                                                static_cast<uint64_t>(Node::rankOf(scores) - 1));
  weights = node.cast(weights, wide);
  setScores(3, weights);
  return node.cast(multiplyMatrices(node, weights, node.cast(value, wide)), element);
}

LogicalResult Attention::import() {
  if (failed(readOperands()) || failed(readMasks()))
    return failure();
  bool isPlain = !node.hasOutput(3) && node.getFloat("softcap", 0) <= 0 && !node.hasAttribute("softmax_precision");
  int64_t size = Node::shapeOf(value).back();
  Value result = isPlain ? fuse() : compose();
  result = node.reshape(result, {batch, heads, rows, size});
  if (Node::rankOf(node.getInput(0)) == 3)
    result = node.reshape(node.transpose(result, {0, 2, 1, 3}), {batch, rows, heads * size});
  return node.done(result);
}

static LogicalResult importAttention(Node &node) { return Attention(node).import(); }

//===----------------------------------------------------------------------===//
// FlexAttention
//===----------------------------------------------------------------------===//

/// Scores or probabilities after the graph in attribute `name`, if there is one.
static FailureOr<Value> modify(Node &node, StringRef name, Value value) {
  if (!value || !node.hasGraph(name))
    return value;
  FailureOr<SmallVector<Value>> results = node.importGraph(name, {value});
  if (failed(results))
    return failure();
  if (results->size() == 1 && results->front() && results->front().getType() == value.getType())
    return results->front();
  return node.invalid("graph '" + name + "' changes the shape or type", "it has one input and one output of one type");
}

static LogicalResult importFlexAttention(Node &node) {
  Value query = node.getInput(0), key = node.getInput(1), value = node.getInput(2);
  bool isFit = Node::rankOf(query) == 4 && Node::rankOf(key) == 4 && Node::rankOf(value) == 4;
  isFit = isFit && Node::shapeOf(key)[1] > 0 && Node::shapeOf(query)[1] % Node::shapeOf(key)[1] == 0;
  if (!isFit)
    return node.invalid("query, key and value do not fit each other",
                        "they have four dims; heads of the query are a multiple of those of the key");
  Type element = Node::elementOf(query), wide = node.getElementType("softmax_precision", getWideType(element));
  if (!wide)
    return failure();
  Shape q = Node::shapeOf(query);
  int64_t heads = Node::shapeOf(key)[1], sharing = q[1] / heads, columns = Node::shapeOf(key)[2];
  Value grouped = node.reshape(node.cast(query, wide), {q[0], heads, sharing * q[2], q[3]});
  Value scores = multiplyMatrices(node, grouped, node.cast(key, wide), false, true);
  double scale = node.getFloat("scale", 1 / std::sqrt(static_cast<double>(q[3])));
  scores = node.reshape(node.mul(scores, node.scalar(wide, scale)), {q[0], q[1], q[2], columns});
  FailureOr<Value> modified = modify(node, "score_mod", scores);
  if (failed(modified) || !*modified)
    return failure();
  modified = modify(node, "prob_mod", node.create<graph::SoftmaxOp>(*modified, uint64_t(3)));
  if (failed(modified))
    return failure();
  Value weights = node.reshape(*modified, {q[0], heads, sharing * q[2], columns});
  Value result = multiplyMatrices(node, weights, node.cast(value, wide));
  return node.done(node.cast(node.reshape(result, {q[0], q[1], q[2], Node::shapeOf(value)[3]}), element));
}

//===----------------------------------------------------------------------===//
// RotaryEmbedding
//===----------------------------------------------------------------------===//

/// Cosines or sines as [batch, 1, length, size / 2].
static Value getAngles(Node &node, unsigned index) {
  Value cache = node.getInput(index);
  if (node.hasInput(3))
    cache = node.gather(cache, node.getInput(3), 0);
  return node.unsqueeze(cache, {1});
}

static LogicalResult importRotaryEmbedding(Node &node) {
  Value input = node.getInput(0);
  Shape shape = Node::shapeOf(input);
  int64_t heads = node.getInt("num_heads", 0);
  bool isFlat = shape.size() == 3;
  Value data = input;
  if (isFlat && heads > 0 && shape[2] % heads == 0)
    data = node.transpose(node.reshape(input, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
  int64_t size = Node::shapeOf(data).empty() ? 0 : Node::shapeOf(data).back();
  int64_t rotated = node.getInt("rotary_embedding_dim", 0);
  rotated = rotated ? rotated : size;
  int64_t cacheRank = node.hasInput(3) ? 2 : 3;
  bool hasAngles = Node::rankOf(node.getInput(1)) == cacheRank && Node::rankOf(node.getInput(2)) == cacheRank;
  if (!hasAngles || Node::rankOf(data) != 4 || rotated < 2 || rotated > size || rotated % 2 != 0)
    return node.invalid("the data cannot be rotated",
                        "it has four dims, or three with 'num_heads'; 'rotary_embedding_dim' is even; angles have "
                        "two dims with positions and three without");
  Extents whole(Node::shapeOf(data));
  Extents half(whole);
  half.back() = rotated / 2;
  bool isInterleaved = node.getInt("interleaved", 0) != 0;
  auto take = [&](int64_t part) {
    Extents starts(4, 0), strides(4, 1);
    starts.back() = isInterleaved ? part : part * rotated / 2;
    strides.back() = isInterleaved ? 2 : 1;
    return node.slice(data, starts, half, strides);
  };
  Value cosines = getAngles(node, 1), sines = getAngles(node, 2), first = take(0), second = take(1);
  Value real = node.sub(node.mul(cosines, first), node.mul(sines, second));
  Value imaginary = node.add(node.mul(sines, first), node.mul(cosines, second));
  Extents turned(whole);
  turned.back() = rotated;
  Value result = isInterleaved
                     ? node.reshape(node.concat({node.unsqueeze(real, {4}), node.unsqueeze(imaginary, {4})}, 4), turned)
                     : node.concat({real, imaginary}, 3);
  if (rotated < size)
    result = node.concat({result, node.sliceAxis(data, 3, rotated, size - rotated)}, 3);
  if (isFlat)
    result = node.reshape(node.transpose(result, {0, 2, 1, 3}), shape);
  return node.done(result);
}

void hgc::onnx::addAttentionOps(OpTable &table) {
  table.add("Attention", withInputs<3, importAttention>, 23);
  table.add("RotaryEmbedding", withInputs<3, importRotaryEmbedding>, 23);
  table.add("ai.onnx.preview::FlexAttention", withInputs<3, importFlexAttention>);
  addLinearAttentionOps(table);
}
