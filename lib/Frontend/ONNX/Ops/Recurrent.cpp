//===- Recurrent.cpp - RNN, GRU and LSTM of ONNX --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the input contributes to the gates is one product over all steps; the
// hgc.scan over the steps has only the product with the state. States have the
// type that products accumulate in, so that half precision rounds once a step.
//===----------------------------------------------------------------------===//

#include "Activations.h"
#include "Regions.h"
#include "lib/Frontend/ONNX/OpTable.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

namespace {

/// What the kinds of cells differ in.
struct CellKind {
  int64_t gates;
  /// Functions a direction has when none are named.
  SmallVector<StringRef> functions;
};

/// One direction of a node: weights without the dim of directions.
struct Direction {
  bool reverse = false;
  /// Functions f, g, h of the specification.
  ArrayRef<Activation> functions;
  /// [gates * hidden, hidden]; the gates that are not the candidate's when that
  /// has a weight of its own.
  Value recurrence, candidate;
  /// The input's part of the gates with the biases: [steps, batch, gates * hidden].
  Value projected;
  /// Bias of a GRU's candidate that belongs to the recurrence, or null.
  Value candidateBias;
  /// Weights of the cell state in the gates i, o and f, or null.
  Value peepholes[3];
};

class RecurrentImporter {
public:
  RecurrentImporter(Node &node, const CellKind &kind)
      : node(node), kind(kind), clip(node.getFloat("clip", 0)), batchFirst(node.getInt("layout", 0) != 0) {}
  virtual ~RecurrentImporter() = default;

  LogicalResult run();

protected:
  /// The next states; the first of them is the output.
  virtual FailureOr<Values> buildStep(const Direction &direction, ValueRange states, Value x) = 0;
  /// Number of states: the output, for an LSTM also the cell.
  virtual unsigned getStateCount() const { return 1; }
  /// Input that holds the initial value of state `index`.
  unsigned getInitialInput(unsigned index) const { return 5 + index; }
  virtual LogicalResult readExtras(Direction &, int64_t) { return success(); }
  /// Both halves of the bias of one direction, as what is added to the projection.
  virtual Value joinBiases(Direction &, Value input, Value recurrence) { return node.add(input, recurrence); }

  /// A product with a transposed weight in the type that sums have.
  Value dot(Value x, Value weight) {
    if (!x || !weight)
      return {};
    return node.cast(node.matmul(node.cast(x, Node::elementOf(weight)), weight, false, true), wide);
  }
  Value gate(Value all, int64_t index, int64_t count = 1) {
    return all ? node.sliceAxis(all, Node::rankOf(all) - 1, index * hidden, count * hidden) : Value();
  }
  /// `function` of the value within the clip threshold.
  Value activate(const Activation &function, Value x) {
    if (clip > 0)
      x = node.max(node.min(x, node.scalar(wide, clip)), node.scalar(wide, -clip));
    return function(node, x);
  }
  Value oneMinus(Value x) { return node.sub(node.scalar(wide, 1), x); }
  /// Row `index` of an input whose first dim is the directions, in the wide type.
  Value getRow(unsigned input, int64_t index) {
    Value value = node.getInput(input);
    return node.cast(node.squeeze(node.sliceAxis(value, 0, index, 1), {0}), wide);
  }

  Node &node;
  const CellKind &kind;
  double clip;
  bool batchFirst;
  int64_t steps = 0, batch = 0, hidden = 0;
  Type wide;

private:
  LogicalResult readShapes(Value x, int64_t directions);
  FailureOr<Direction> readDirection(Value x, int64_t index);
  Value getInitial(unsigned state, int64_t index);
  FailureOr<Values> scanDirection(const Direction &direction, int64_t index);
  void setOutputs(ArrayRef<Values> results);

  /// Lengths as [batch, 1], or null when all sequences have all steps.
  Value lengths;
};

} // namespace

LogicalResult RecurrentImporter::readShapes(Value x, int64_t directions) {
  Value w = node.getInput(1), r = node.getInput(2);
  if (!x || !w || !r || Node::rankOf(x) != 3 || Node::rankOf(w) != 3 || Node::rankOf(r) != 3)
    return node.invalid("X, W and R are not all tensors of rank 3", "W is [directions, gates * hidden, input size]");
  steps = Node::shapeOf(x)[0];
  batch = Node::shapeOf(x)[1];
  hidden = Node::shapeOf(r)[2];
  int64_t rows = kind.gates * hidden;
  bool fits = Node::shapeOf(w) == Shape{directions, rows, Node::shapeOf(x)[2]} &&
              Node::shapeOf(r) == Shape{directions, rows, hidden} && node.getInt("hidden_size", hidden) == hidden;
  if (node.hasInput(3))
    fits &= Node::shapeOf(node.getInput(3)) == Shape{directions, 2 * rows};
  for (unsigned i = 0; i < getStateCount(); ++i)
    if (Value initial = node.getInput(getInitialInput(i)))
      fits &=
          Node::shapeOf(initial) == (batchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden});
  if (!fits)
    return node.invalid("the shapes of X, W, R and B do not fit together",
                        "check 'hidden_size', 'direction' and the number of gates");
  wide = Node::elementOf(x).isF64() ? Node::elementOf(x) : node.getBuilder().getF32Type();
  if (!node.hasInput(4))
    return success();
  Value given = node.cast(node.getInput(4), node.getBuilder().getI64Type());
  std::optional<Extents> known = node.getInts(given);
  if (!known || llvm::any_of(*known, [&](int64_t length) { return length < steps; }))
    lengths = node.reshape(given, {batch, 1});
  return success();
}

FailureOr<Direction> RecurrentImporter::readDirection(Value x, int64_t index) {
  Direction direction;
  auto weightOf = [&](unsigned input) { return node.squeeze(node.sliceAxis(node.getInput(input), 0, index, 1), {0}); };
  direction.recurrence = weightOf(2);
  int64_t rows = kind.gates * hidden;
  Value flat = node.reshape(x, {steps * batch, Node::shapeOf(x)[2]});
  Value projected = dot(flat, weightOf(1));
  if (node.hasInput(3)) {
    Value bias = getRow(3, index);
    // Before the steps get their dim back, so that the product's kernel adds it.
    projected = node.add(projected,
                         joinBiases(direction, node.sliceAxis(bias, 0, 0, rows), node.sliceAxis(bias, 0, rows, rows)));
  }
  direction.projected = node.reshape(projected, {steps, batch, rows});
  if (!direction.projected || failed(readExtras(direction, index)))
    return failure();
  return direction;
}

Value RecurrentImporter::getInitial(unsigned state, int64_t index) {
  unsigned input = getInitialInput(state);
  if (!node.hasInput(input))
    return node.splat(wide, {batch, hidden}, 0);
  Value given = node.getInput(input);
  return node.cast(node.reshape(node.sliceAxis(given, batchFirst ? 1 : 0, index, 1), {batch, hidden}), wide);
}

FailureOr<Values> RecurrentImporter::scanDirection(const Direction &direction, int64_t index) {
  Values inits, sequences{direction.projected};
  for (unsigned i = 0; i < getStateCount(); ++i)
    inits.push_back(getInitial(i, index));
  if (lengths)
    sequences.push_back(node.iota({steps}, 0, node.getBuilder().getI64Type()));
  return buildScan(node, inits, sequences, direction.reverse,
                   [&](ValueRange states, ValueRange slices) -> FailureOr<Values> {
                     FailureOr<Values> next = buildStep(direction, states, slices[0]);
                     if (failed(next))
                       return failure();
                     Value output = next->front();
                     if (lengths) {
                       // Past its end a sequence keeps its states and gives zeros.
                       Value inside = node.compare(ComparePredicate::LT, slices[1], lengths);
                       for (auto [value, before] : llvm::zip_equal(*next, states))
                         value = node.select(inside, value, before);
                       output = node.select(inside, output, node.scalar(wide, 0));
                     }
                     if (node.hasOutput(0))
                       next->push_back(output);
                     return next;
                   });
}

void RecurrentImporter::setOutputs(ArrayRef<Values> results) {
  Type element = Node::elementOf(node.getInput(0));
  auto join = [&](size_t index, int64_t axis) {
    Values parts;
    for (const Values &values : results)
      parts.push_back(node.unsqueeze(node.cast(values[index], element), {axis}));
    return node.concat(parts, axis);
  };
  if (node.hasOutput(0)) {
    Value all = join(getStateCount(), 1);
    node.setOutput(0, batchFirst ? node.transpose(all, {2, 0, 1, 3}) : all);
  }
  for (unsigned i = 0; i < getStateCount(); ++i)
    if (node.hasOutput(1 + i))
      node.setOutput(1 + i, join(i, batchFirst ? 1 : 0));
}

LogicalResult RecurrentImporter::run() {
  StringRef name = node.getString("direction", "forward");
  SmallVector<bool> reverse;
  if (name != "reverse")
    reverse.push_back(false);
  if (name != "forward")
    reverse.push_back(true);
  if (name != "forward" && name != "reverse" && name != "bidirectional")
    return node.invalid("'direction' is '" + name + "'", "use forward, reverse or bidirectional");
  FailureOr<SmallVector<Activation>> functions = readActivations(node, kind.functions, reverse.size());
  Value x = node.getInput(0);
  if (x && batchFirst && Node::rankOf(x) == 3)
    x = node.transpose(x, {1, 0, 2});
  if (failed(functions) || failed(readShapes(x, static_cast<int64_t>(reverse.size()))))
    return failure();
  SmallVector<Values> results;
  for (auto [i, backwards] : llvm::enumerate(reverse)) {
    FailureOr<Direction> direction = readDirection(x, static_cast<int64_t>(i));
    if (failed(direction))
      return failure();
    direction->reverse = backwards;
    direction->functions = ArrayRef(*functions).slice(i * kind.functions.size(), kind.functions.size());
    FailureOr<Values> given = scanDirection(*direction, static_cast<int64_t>(i));
    if (failed(given))
      return failure();
    results.push_back(*given);
  }
  setOutputs(results);
  return success();
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {

class RnnImporter final : public RecurrentImporter {
  using RecurrentImporter::RecurrentImporter;
  FailureOr<Values> buildStep(const Direction &direction, ValueRange states, Value x) override {
    return Values{activate(direction.functions[0], node.add(x, dot(states[0], direction.recurrence)))};
  }
};

/// Gates z, r, h: update, reset, candidate.
class GruImporter final : public RecurrentImporter {
public:
  GruImporter(Node &node, const CellKind &kind)
      : RecurrentImporter(node, kind), resetsProduct(node.getInt("linear_before_reset", 0) != 0) {}

private:
  LogicalResult readExtras(Direction &direction, int64_t) override {
    // The reset gate comes before the product: the candidate's is a second one.
    if (!resetsProduct) {
      direction.candidate = node.sliceAxis(direction.recurrence, 0, 2 * hidden, hidden);
      direction.recurrence = node.sliceAxis(direction.recurrence, 0, 0, 2 * hidden);
    }
    return success();
  }

  Value joinBiases(Direction &direction, Value input, Value recurrence) override {
    if (!resetsProduct)
      return node.add(input, recurrence);
    direction.candidateBias = gate(recurrence, 2);
    return node.add(input, node.concat({gate(recurrence, 0, 2), node.splat(wide, {hidden}, 0)}, 0));
  }

  FailureOr<Values> buildStep(const Direction &direction, ValueRange states, Value x) override {
    Value h = states[0];
    const Activation &f = direction.functions[0], &g = direction.functions[1];
    Value gates, candidate;
    if (resetsProduct) {
      Value product = dot(h, direction.recurrence);
      gates = activate(f, node.add(gate(x, 0, 2), gate(product, 0, 2)));
      Value part = gate(product, 2);
      if (direction.candidateBias)
        part = node.add(part, direction.candidateBias);
      candidate = node.mul(gate(gates, 1), part);
    } else {
      gates = activate(f, node.add(gate(x, 0, 2), dot(h, direction.recurrence)));
      candidate = dot(node.mul(gate(gates, 1), h), direction.candidate);
    }
    Value update = gate(gates, 0);
    candidate = activate(g, node.add(gate(x, 2), candidate));
    return Values{node.add(node.mul(oneMinus(update), candidate), node.mul(update, h))};
  }

  bool resetsProduct;
};

/// Gates i, o, f, c: input, output, forget, cell.
class LstmImporter final : public RecurrentImporter {
public:
  LstmImporter(Node &node, const CellKind &kind)
      : RecurrentImporter(node, kind), coupled(node.getInt("input_forget", 0) != 0) {}

private:
  unsigned getStateCount() const override { return 2; }

  LogicalResult readExtras(Direction &direction, int64_t index) override {
    if (!node.hasInput(7))
      return success();
    if (Shape shape = Node::shapeOf(node.getInput(7)); shape.size() != 2 || shape[1] != 3 * hidden)
      return node.invalid("P has another shape than [directions, 3 * hidden size]",
                          "P holds the peepholes of the gates i, o and f");
    Value row = getRow(7, index);
    for (int64_t i = 0; i < 3; ++i)
      direction.peepholes[i] = gate(row, i);
    return success();
  }

  Value peek(Value x, Value peephole, Value cell) { return peephole ? node.add(x, node.mul(peephole, cell)) : x; }

  FailureOr<Values> buildStep(const Direction &direction, ValueRange states, Value x) override {
    Value all = node.add(x, dot(states[0], direction.recurrence)), before = states[1];
    const Activation &f = direction.functions[0], &g = direction.functions[1], &h = direction.functions[2];
    Value input = activate(f, peek(gate(all, 0), direction.peepholes[0], before));
    Value forget = coupled ? oneMinus(input) : activate(f, peek(gate(all, 2), direction.peepholes[2], before));
    Value cell = node.add(node.mul(forget, before), node.mul(input, activate(g, gate(all, 3))));
    Value output = activate(f, peek(gate(all, 1), direction.peepholes[1], cell));
    // As in other implementations, the clip is that of the gates: the cell is free.
    return Values{node.mul(output, h(node, cell)), cell};
  }

  bool coupled;
};

template <typename Importer> LogicalResult importCell(Node &node, const CellKind &kind) {
  return Importer(node, kind).run();
}

} // namespace

void addRecurrentOps(OpTable &table) {
  table.add("RNN", [](Node &node) { return importCell<RnnImporter>(node, {1, {"Tanh"}}); });
  table.add("GRU", [](Node &node) { return importCell<GruImporter>(node, {3, {"Sigmoid", "Tanh"}}); });
  table.add("LSTM", [](Node &node) { return importCell<LstmImporter>(node, {4, {"Sigmoid", "Tanh", "Tanh"}}); });
}

} // namespace hgc::onnx
