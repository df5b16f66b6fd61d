//===- Random.cpp - random numbers of ONNX --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox 4x32 with 10 rounds, in integer ops of the graph, so that every device
// and the evaluator draw the same numbers. The key is the seed, without one the
// node's name; the counter holds the element, the steps of loops around the node
// and the number of the call. A loaded model counts its calls in a parameter:
// each call draws new numbers, and each load starts the same sequence again.
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "lib/Frontend/ONNX/OpTable.h"

#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstring>

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

/// Parameter that counts the calls of a loaded model.
static constexpr StringLiteral kCalls = "onnx.random_calls";

/// The number of the current call; its counting is added to the function once.
static Value getCallNumber(Node &node) {
  OpBuilder &builder = node.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  auto func = builder.getInsertionBlock()->getParent()->getParentOfType<func::FuncOp>();
  Block &entry = func.getBody().front();
  for (auto read : entry.getOps<graph::ReadOp>())
    if (read.getParameter() == kCalls)
      return read.getResult();
  auto module = func->getParentOfType<ModuleOp>();
  auto type = RankedTensorType::get({}, builder.getI64Type());
  if (!module.lookupSymbol(kCalls)) {
    builder.setInsertionPointToStart(module.getBody());
    graph::ParameterOp::create(builder, node.getLoc(), kCalls, type,
                               DenseElementsAttr::get(type, builder.getI64IntegerAttr(0)));
  }
  builder.setInsertionPointToStart(&entry);
  Value calls = graph::ReadOp::create(builder, node.getLoc(), type, kCalls);
  graph::AssignOp::create(builder, node.getLoc(), kCalls, node.add(calls, node.scalar(builder.getI64Type(), 1)));
  return calls;
}

namespace {

class Generator {
public:
  Generator(Node &node, int64_t count) : node(node), u32(node.getBuilder().getIntegerType(32, false)) {
    makeKey();
    u64 = node.getBuilder().getIntegerType(64, false);
    Values steps = getLoopSteps(node);
    words[0] = node.iota({count}, 0, u32);
    words[1] = steps.empty() ? word(0) : node.cast(steps.front(), u32);
    words[2] = node.cast(getCallNumber(node), u32);
    words[3] = count >> 32 ? node.cast(shift(node.iota({count}, 0, u64), 32), u32) : word(0);
    for (Value step : ArrayRef(steps).drop_front(steps.empty() ? 0 : 1))
      words[3] = node.add(node.mul(words[3], word(0x9E3779B1)), node.cast(step, u32));
    for (unsigned i = 0; i < 10; ++i)
      mix(i);
  }

  /// Numbers of f64 in (0, 1) if `open`, else in [0, 1), of f32 otherwise. There
  /// are two of f64 and four of f32.
  Value uniform(unsigned index, bool isDouble, bool open = false) {
    Type element = isDouble ? Type(node.getBuilder().getF64Type()) : Type(node.getBuilder().getF32Type());
    // One bit less than the mantissa has leaves room for the half that opens 0.
    int bits = isDouble ? 52 : 23;
    Value integer =
        isDouble ? node.create<graph::OrOp>(wide(words[2 * index]), shiftUp(wide(words[2 * index + 1]))) : words[index];
    Value number = node.cast(shift(integer, (isDouble ? 64 : 32) - bits), element);
    if (open)
      number = node.add(number, node.scalar(element, 0.5));
    return node.mul(number, node.scalar(element, std::ldexp(1.0, -bits)));
  }

  /// Numbers of mean 0 and deviation 1.
  Value normal(bool isDouble) {
    Value radius = node.create<graph::LogOp>(uniform(0, isDouble, true)), angle = uniform(1, isDouble);
    Type element = Node::elementOf(angle);
    radius = node.create<graph::SqrtOp>(node.mul(radius, node.scalar(element, -2)));
    return node.mul(radius, node.create<graph::CosOp>(node.mul(angle, node.scalar(element, 2 * M_PI))));
  }

private:
  void makeKey() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (node.hasAttribute("seed"))
      stream << "seed " << static_cast<float>(node.getFloat("seed", 0));
    else
      stream << node.getLoc() << ' ' << node.getOutputName(0);
    uint64_t hash = llvm::xxh3_64bits(text);
    key[0] = static_cast<uint32_t>(hash);
    key[1] = static_cast<uint32_t>(hash >> 32);
  }

  Value word(uint32_t value) { return node.scalar(u32, value); }
  Value wide(Value value) { return node.cast(value, u64); }
  Value shift(Value value, int by) { return node.create<graph::ShrOp>(value, node.scalar(Node::elementOf(value), by)); }
  Value shiftUp(Value value) { return node.create<graph::ShlOp>(value, node.scalar(u64, 32)); }

  void mix(uint32_t round) {
    Value even = node.mul(wide(words[0]), node.scalar(u64, 0xD2511F53u));
    Value odd = node.mul(wide(words[2]), node.scalar(u64, 0xCD9E8D57u));
    auto high = [&](Value product) { return node.cast(shift(product, 32), u32); };
    auto cross = [&](Value a, Value b, uint32_t step, uint32_t first) {
      return node.create<graph::XorOp>(node.create<graph::XorOp>(a, b), word(first + round * step));
    };
    Value next0 = cross(high(odd), words[1], 0x9E3779B9u, key[0]);
    Value next2 = cross(high(even), words[3], 0xBB67AE85u, key[1]);
    words[1] = node.cast(odd, u32);
    words[3] = node.cast(even, u32);
    words[0] = next0;
    words[2] = next2;
  }

  Node &node;
  Type u32, u64;
  uint32_t key[2];
  Value words[4];
};

} // namespace

static int64_t countOf(Shape shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Random numbers of a float type and shape.
static LogicalResult importNumbers(Node &node, bool isNormal, Shape shape, Type element) {
  if (!element)
    return failure();
  if (!isa<FloatType>(element))
    return node.invalid("the result's type is no float", "cast the numbers with a node of their own");
  Generator generator(node, countOf(shape));
  Value numbers = isNormal ? generator.normal(element.isF64()) : generator.uniform(0, element.isF64());
  if (!numbers)
    return failure();
  double scale = node.getFloat("scale", 1), base = node.getFloat("mean", 0);
  if (!isNormal) {
    base = node.getFloat("low", 0);
    scale = node.getFloat("high", 1) - base;
  }
  Type type = Node::elementOf(numbers);
  numbers = node.add(node.mul(numbers, node.scalar(type, scale)), node.scalar(type, base));
  return node.done(node.reshape(node.cast(numbers, element), shape));
}

template <bool IsNormal> static LogicalResult importOfShape(Node &node) {
  Extents shape = node.getIntList("shape");
  if (!countElements(shape, 8))
    return node.invalid("'shape' holds a negative extent or too many", "extents are not negative");
  return importNumbers(node, IsNormal, shape, node.getElementType("dtype", node.getBuilder().getF32Type()));
}

template <bool IsNormal> static LogicalResult importLike(Node &node) {
  Value like = node.getInput(0);
  Type element = node.getElementType("dtype", Node::elementOf(like));
  return importNumbers(node, IsNormal, Node::shapeOf(like), element);
}

static LogicalResult importBernoulli(Node &node) {
  Value x = node.getInput(0);
  Type element = node.getElementType("dtype", Node::elementOf(x));
  if (!element)
    return failure();
  bool isDouble = Node::elementOf(x).isF64();
  Value numbers = node.reshape(Generator(node, countOf(Node::shapeOf(x))).uniform(0, isDouble), Node::shapeOf(x));
  if (!numbers)
    return failure();
  Value hit = node.compare(ComparePredicate::LT, numbers, node.cast(x, Node::elementOf(numbers)));
  return node.done(node.cast(hit, element));
}

/// The class with the largest sum of its log-probability and a number of the
/// Gumbel distribution has the wanted distribution, without sums over classes.
static LogicalResult importMultinomial(Node &node) {
  Value x = node.getInput(0);
  Type element = node.getElementType("dtype", node.getBuilder().getI32Type());
  int64_t samples = node.getInt("sample_size", 1);
  if (!element)
    return failure();
  if (Node::rankOf(x) != 2 || samples < 1 || samples > (int64_t(1) << 28) || Node::shapeOf(x)[1] < 1)
    return node.invalid("samples of an input that is not [batch, classes]", "give at least one class and one sample");
  int64_t batch = Node::shapeOf(x)[0], classes = Node::shapeOf(x)[1];
  Value open = Generator(node, batch * samples * classes).uniform(0, Node::elementOf(x).isF64(), true);
  auto minusLog = [&](Value value) { return node.create<graph::NegOp>(node.create<graph::LogOp>(value)); };
  Value noise = node.reshape(minusLog(minusLog(open)), {batch, samples, classes});
  if (!noise)
    return failure();
  Value scores = node.add(noise, node.cast(node.reshape(x, {batch, 1, classes}), Node::elementOf(noise)));
  Value best = node.create<graph::ArgReduceOp>(graph::ArgReduceKind::Max, scores, 2, false);
  return node.done(node.cast(best, element));
}

void addRandomOps(OpTable &table) {
  StringRef note = "each call draws new numbers; each load of the model starts the same sequence again";
  table.add("RandomNormal", importOfShape<true>, 1, note);
  table.add("RandomNormalLike", importLike<true>, 1, note);
  table.add("RandomUniform", importOfShape<false>, 1, note);
  table.add("RandomUniformLike", importLike<false>, 1, note);
  table.add("Bernoulli", importBernoulli, 15, note);
  table.add("Multinomial", importMultinomial, 7, note);
}

} // namespace hgc::onnx
