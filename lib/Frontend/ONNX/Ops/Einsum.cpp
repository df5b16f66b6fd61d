//===- Einsum.cpp - sums of products by index letters ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms are multiplied from left to right, two at a time: what no later term and
// not the result needs is summed as early as possible, and what two terms share
// and is summed becomes the contracted dim of a matrix product.
//===----------------------------------------------------------------------===//

#include "Einsum.h"
#include "Products.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

namespace {

/// Labels are letters; the dims of an ellipsis are negative, the last one -1.
using Labels = SmallVector<int64_t>;

struct Term {
  Value value;
  Labels labels;

  std::optional<int64_t> find(int64_t label) const {
    const auto *it = llvm::find(labels, label);
    return it == labels.end() ? std::nullopt : std::optional<int64_t>(it - labels.begin());
  }
};

class Einsum {
public:
  explicit Einsum(Node &node) : node(node) {}

  LogicalResult import();

private:
  LogicalResult parse(StringRef equation);
  FailureOr<Labels> parseLabels(StringRef text, int64_t ellipsisRank);
  void inferResult();
  LogicalResult reportEquation();
  void takeDiagonals(Term &term);
  LogicalResult dropUnitDims();
  void sumOver(Term &term, function_ref<bool(int64_t)> isSummed);
  Value arrange(const Term &term, ArrayRef<int64_t> order);
  Term multiply(Term &lhs, Term &rhs, function_ref<bool(int64_t)> isKept);

  Node &node;
  SmallVector<Term> terms;
  Labels result;
  bool hasResult = false;
};

} // namespace

LogicalResult Einsum::reportEquation() {
  return node.invalid("equation '" + node.getString("equation", "") + "' does not fit the inputs",
                      "give one term per input, one letter or an ellipsis per dim, and result letters of the terms");
}

FailureOr<Labels> Einsum::parseLabels(StringRef text, int64_t ellipsisRank) {
  Labels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (llvm::isAlpha(text[i])) {
      labels.push_back(text[i]);
    } else if (text.substr(i).starts_with("...") && ellipsisRank >= 0) {
      for (int64_t dim = ellipsisRank; dim > 0; --dim)
        labels.push_back(-dim);
      i += 2;
    } else {
      return failure();
    }
  }
  return labels;
}

/// Without an arrow: the ellipsis, then the letters that occur once, sorted.
void Einsum::inferResult() {
  Labels all;
  for (const Term &term : terms)
    all.append(term.labels);
  llvm::sort(all);
  for (int64_t label : all)
    if (!llvm::is_contained(result, label) && (label < 0 || llvm::count(all, label) == 1))
      result.push_back(label);
}

LogicalResult Einsum::parse(StringRef equation) {
  std::string text;
  llvm::copy_if(equation, std::back_inserter(text), [](char c) { return c != ' '; });
  auto [left, right] = StringRef(text).split("->");
  hasResult = StringRef(text).contains("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != node.getNumInputs())
    return failure();
  int64_t widest = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Value value = node.getInput(i);
    if (!value)
      return failure();
    int64_t rank = Node::rankOf(value), letters = llvm::count_if(part, llvm::isAlpha);
    bool hasEllipsis = part.contains("...");
    FailureOr<Labels> labels = parseLabels(part, hasEllipsis ? rank - letters : 0);
    if (failed(labels) || static_cast<int64_t>(labels->size()) != rank)
      return failure();
    widest = std::max(widest, rank - letters);
    terms.push_back({value, *labels});
  }
  if (!hasResult) {
    inferResult();
    return success();
  }
  FailureOr<Labels> labels = parseLabels(right, widest);
  if (failed(labels))
    return failure();
  result = *labels;
  llvm::SmallSetVector<int64_t, 8> known;
  for (const Term &term : terms)
    known.insert(term.labels.begin(), term.labels.end());
  return success(llvm::all_of(result, [&](int64_t label) { return known.contains(label); }) &&
                 llvm::SmallSetVector<int64_t, 8>(result.begin(), result.end()).size() == result.size());
}

/// A letter that occurs twice in a term stands for the diagonal of its dims.
void Einsum::takeDiagonals(Term &term) {
  for (int64_t i = 0; term.value && i < static_cast<int64_t>(term.labels.size()); ++i) {
    for (int64_t j = i + 1; term.value && j < static_cast<int64_t>(term.labels.size());) {
      Shape shape = Node::shapeOf(term.value);
      if (term.labels[i] != term.labels[j]) {
        ++j;
        continue;
      }
      if (shape[i] != shape[j]) {
        term.value = {};
        return;
      }
      int64_t extent = shape[i], rank = shape.size();
      Labels order;
      for (int64_t dim = 0; dim < rank; ++dim)
        if (dim != i && dim != j)
          order.push_back(dim);
      Labels labels = llvm::map_to_vector(order, [&](int64_t dim) { return term.labels[dim]; });
      Extents flat = llvm::map_to_vector(order, [&](int64_t dim) { return shape[dim]; });
      order.append({i, j});
      flat.push_back(extent * extent);
      Extents starts(flat.size(), 0), sizes(flat), strides(flat.size(), 1);
      sizes.back() = extent;
      strides.back() = extent + 1;
      labels.push_back(term.labels[i]);
      Value matrices = node.reshape(node.transpose(term.value, order), flat);
      term = {node.slice(matrices, starts, sizes, strides), labels};
      // The order of the labels changed: look again from the start.
      i = -1;
      break;
    }
  }
}

/// A dim of extent 1 broadcasts against a wider one of its label.
LogicalResult Einsum::dropUnitDims() {
  DenseMap<int64_t, int64_t> widest;
  for (Term &term : terms)
    for (auto [label, extent] : llvm::zip(term.labels, Node::shapeOf(term.value))) {
      int64_t &known = widest.try_emplace(label, extent).first->second;
      if (known != extent && known != 1 && extent != 1)
        return failure();
      known = known == 1 ? extent : known;
    }
  for (Term &term : terms) {
    Extents dropped;
    for (auto [i, label] : llvm::enumerate(term.labels))
      if (Node::shapeOf(term.value)[i] == 1 && widest[label] != 1)
        dropped.push_back(i);
    for (int64_t dim : llvm::reverse(dropped))
      term.labels.erase(term.labels.begin() + dim);
    if (!dropped.empty())
      term.value = node.squeeze(term.value, dropped);
  }
  return success();
}

void Einsum::sumOver(Term &term, function_ref<bool(int64_t)> isSummed) {
  Extents axes;
  Labels kept;
  for (auto [i, label] : llvm::enumerate(term.labels)) {
    if (isSummed(label))
      axes.push_back(i);
    else
      kept.push_back(label);
  }
  if (axes.empty())
    return;
  term = {node.reduce(graph::ReduceKind::Sum, term.value, axes, false), kept};
}

/// `term` with its dims in the order of the labels, with extent 1 where it has
/// none.
Value Einsum::arrange(const Term &term, ArrayRef<int64_t> order) {
  Extents permutation, shape;
  for (int64_t label : order) {
    std::optional<int64_t> dim = term.find(label);
    if (dim)
      permutation.push_back(*dim);
    shape.push_back(dim ? Node::shapeOf(term.value)[*dim] : 1);
  }
  return node.reshape(node.transpose(term.value, permutation), shape);
}

/// Product of two terms over the labels of both that are not kept.
Term Einsum::multiply(Term &lhs, Term &rhs, function_ref<bool(int64_t)> isKept) {
  sumOver(lhs, [&](int64_t label) { return !isKept(label) && !rhs.find(label); });
  sumOver(rhs, [&](int64_t label) { return !isKept(label) && !lhs.find(label); });
  if (!lhs.value || !rhs.value)
    return {};
  Labels batch, rows, columns, summed;
  for (int64_t label : lhs.labels)
    (!rhs.find(label) ? rows : isKept(label) ? batch : summed).push_back(label);
  for (int64_t label : rhs.labels)
    if (!lhs.find(label))
      columns.push_back(label);
  Labels labels(batch);
  labels.append(rows);
  labels.append(columns);
  if (summed.empty())
    return {node.mul(arrange(lhs, labels), arrange(rhs, labels)), labels};
  auto extents = [](const Term &term, const Labels &list) {
    return llvm::map_to_vector(list, [&](int64_t label) { return Node::shapeOf(term.value)[*term.find(label)]; });
  };
  auto count = [](ArrayRef<int64_t> shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  };
  Extents shape = extents(lhs, batch), rowShape = extents(lhs, rows), columnShape = extents(rhs, columns);
  int64_t depth = count(extents(lhs, summed));
  Labels left(batch), right(batch);
  left.append(rows);
  left.append(summed);
  right.append(columns);
  right.append(summed);
  Extents leftShape(shape), rightShape(shape);
  leftShape.append({count(rowShape), depth});
  rightShape.append({count(columnShape), depth});
  Value product = multiplyMatrices(node, node.reshape(arrange(lhs, left), leftShape),
                                   node.reshape(arrange(rhs, right), rightShape), false, true);
  shape.append(rowShape);
  shape.append(columnShape);
  return {node.reshape(product, shape), labels};
}

LogicalResult Einsum::import() {
  if (failed(parse(node.getString("equation", ""))))
    return reportEquation();
  for (Term &term : terms) {
    takeDiagonals(term);
    if (!term.value)
      return reportEquation();
  }
  if (failed(dropUnitDims()))
    return reportEquation();
  Term total = terms.front();
  for (size_t i = 1; i < terms.size(); ++i) {
    total = multiply(total, terms[i], [&](int64_t label) {
      auto needs = [&](const Term &term) { return term.find(label).has_value(); };
      return llvm::is_contained(result, label) || llvm::any_of(ArrayRef(terms).drop_front(i + 1), needs);
    });
    if (!total.value)
      return failure();
  }
  sumOver(total, [&](int64_t label) { return !llvm::is_contained(result, label); });
  return node.done(total.value ? arrange(total, result) : Value());
}

LogicalResult hgc::onnx::importEinsum(Node &node) { return Einsum(node).import(); }
