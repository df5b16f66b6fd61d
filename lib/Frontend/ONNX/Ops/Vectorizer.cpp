//===- Vectorizer.cpp - counts of n-grams ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TfIdfVectorizer over integers: every gram of the pool is compared with every
// position of the rows, for each distance between the items of a gram.
//===----------------------------------------------------------------------===//

#include "Classical.h"

using namespace mlir;

namespace hgc::onnx {

namespace {

class GramCounter {
public:
  explicit GramCounter(Node &node)
      : node(node), f32(node.getBuilder().getF32Type()), pool(node.getIntList("pool_int64s")),
        starts(node.getIntList("ngram_counts")), columns(node.getIntList("ngram_indexes")) {}

  LogicalResult run() {
    if (node.hasAttribute("pool_strings"))
      return node.unsupported("hgc has no tensors of strings");
    Value given = node.getInput(0);
    int64_t rank = Node::rankOf(given);
    if (rank > 2 || rank == 0 || !isPoolValid())
      return node.invalid("'ngram_counts', 'ngram_indexes' and 'pool_int64s' or the input's rank do not fit together",
                          "'ngram_indexes' has one entry a gram, and the input is a row or a batch of rows");
    length = Node::shapeOf(given).back();
    batch = rank == 2 ? Node::shapeOf(given)[0] : 1;
    rows = node.cast(node.reshape(given, {batch, length}), node.getBuilder().getI64Type());
    Value counts = node.concat(countAll(), 1);
    if (!counts)
      return failure();
    Value result = weigh(arrange(counts));
    return node.done(rank == 2 ? result : node.reshape(result, {Node::shapeOf(result)[1]}));
  }

private:
  /// First item of the grams of `size` in the pool, and past the last one.
  int64_t startOf(size_t size) const {
    return size <= starts.size() ? starts[size - 1] : static_cast<int64_t>(pool.size());
  }

  bool isPoolValid() const {
    int64_t grams = 0;
    for (size_t size = 1; size <= starts.size(); ++size) {
      int64_t items = startOf(size + 1) - startOf(size);
      if (startOf(size) < 0 || items < 0 || items % static_cast<int64_t>(size) != 0)
        return false;
      grams += items / static_cast<int64_t>(size);
    }
    return grams == static_cast<int64_t>(columns.size()) && grams > 0 &&
           llvm::all_of(columns, [](int64_t column) { return column >= 0 && column < (int64_t(1) << 28); });
  }

  /// Counts [batch, grams] of all grams in the order of the pool.
  Values countAll() {
    Values parts;
    int64_t least = node.getInt("min_gram_length", 1), most = node.getInt("max_gram_length", 1);
    for (size_t size = 1; size <= starts.size(); ++size) {
      int64_t items = startOf(size + 1) - startOf(size), length = static_cast<int64_t>(size);
      if (items == 0)
        continue;
      bool wanted = length >= least && length <= most;
      parts.push_back(wanted ? countGrams(startOf(size), items / length, length)
                             : node.splat(f32, {batch, items / length}, 0));
    }
    return parts;
  }

  Value countGrams(int64_t start, int64_t grams, int64_t size) {
    Value total = node.splat(f32, {batch, grams}, 0);
    // A single item has no distances.
    int64_t distances = size == 1 ? 1 : node.getInt("max_skip_count", 0) + 1;
    for (int64_t distance = 1; distance <= distances; ++distance) {
      int64_t positions = length - distance * (size - 1);
      if (positions < 1)
        break;
      Value equal;
      for (int64_t item = 0; item < size; ++item) {
        Extents wanted;
        for (int64_t gram = 0; gram < grams; ++gram)
          wanted.push_back(pool[start + gram * size + item]);
        Value here = node.unsqueeze(node.sliceAxis(rows, 1, item * distance, positions), {2});
        Value same = node.compare(graph::ComparePredicate::EQ, here, node.ints(wanted));
        equal = equal ? node.create<graph::AndOp>(equal, same) : same;
      }
      total = node.add(total, node.reduce(graph::ReduceKind::Sum, node.cast(equal, f32), {1}, false));
    }
    return total;
  }

  /// Brings the counts to their columns; others are zero.
  Value arrange(Value counts) {
    int64_t width = *llvm::max_element(columns) + 1, grams = static_cast<int64_t>(columns.size());
    Extents sources(width, grams);
    for (auto [gram, column] : llvm::enumerate(columns))
      sources[column] = static_cast<int64_t>(gram);
    Value widened = node.concat({counts, node.splat(f32, {batch, 1}, 0)}, 1);
    return node.gather(widened, node.ints(sources), 1);
  }

  Value weigh(Value counts) {
    if (!counts)
      return {};
    StringRef mode = node.getString("mode", "TF");
    SmallVector<double> weights = node.getFloatList("weights");
    if (mode == "IDF")
      counts = node.cast(node.compare(graph::ComparePredicate::GT, counts, node.scalar(f32, 0)), f32);
    if (mode == "TF" || weights.empty())
      return counts;
    int64_t width = Node::shapeOf(counts)[1];
    weights.resize(width, 0);
    return node.mul(counts, node.constant(HostTensor::fromDoubles(f32, {width}, weights)));
  }

  Node &node;
  Type f32;
  Extents pool, starts, columns;
  int64_t batch = 1, length = 0;
  Value rows;
};

} // namespace

LogicalResult importVectorizer(Node &node) { return GramCounter(node).run(); }

} // namespace hgc::onnx
