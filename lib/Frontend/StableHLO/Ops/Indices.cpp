//===- Indices.cpp - where gathers read and scatters write ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Indices.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ComparePredicate;

Extents Indexing::keptDims() const {
  Extents dims;
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
    if (!llvm::is_contained(collapsed, dim) && !llvm::is_contained(operandBatch, dim))
      dims.push_back(dim);
  return dims;
}

Extents Indexing::batchDims() const {
  Extents dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(window, dim))
      dims.push_back(dim);
  return dims;
}

Extents Indexing::batchExtents() const {
  Extents extents(Node::shapeOf(indices));
  if (vectorDim < static_cast<int64_t>(extents.size()))
    extents.erase(extents.begin() + vectorDim);
  return extents;
}

int64_t Indexing::soleDim() const {
  if (map.size() != 1 || !operandBatch.empty() || collapsed != map)
    return -1;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != map.front() && box[dim] != extent)
      return -1;
  return map.front();
}

std::optional<Indexing> readIndexing(Node &node, const IndexingNames &names, Shape shape, Value indices, Shape boxes,
                                     Extents box) {
  Indexing result;
  result.shape = Extents(shape);
  result.indices = indices;
  result.rank = static_cast<int64_t>(boxes.size());
  int64_t rank = static_cast<int64_t>(shape.size()), indexRank = Node::rankOf(indices);
  auto parts = dyn_cast_or_null<DictionaryAttr>(node.getAttribute(names.group));
  auto vector = parts ? dyn_cast_or_null<IntegerAttr>(parts.get("index_vector_dim")) : IntegerAttr();
  result.vectorDim = vector && vector.getType().isSignlessInteger(64) ? vector.getInt() : 0;
  auto read = [&](StringRef name, int64_t limit, Extents &dims) {
    std::optional<Extents> list = node.getDims(names.group, name, limit);
    dims = list.value_or(Extents());
    return list.has_value();
  };
  if (!parts || !read(names.window, result.rank, result.window) || !read(names.collapsed, rank, result.collapsed) ||
      !read(names.operandBatch, rank, result.operandBatch) || !read(names.indexBatch, indexRank, result.indexBatch) ||
      !read(names.map, rank, result.map))
    return std::nullopt;
  auto fail = [&] {
    (void)node.invalid("dimension numbers do not match the operands", "the program is damaged: export it again");
    return std::nullopt;
  };
  if (result.vectorDim < 0 || result.vectorDim > indexRank || !isa<IntegerType>(Node::elementOf(indices)) ||
      Node::elementOf(indices).isInteger(1))
    return fail();
  Extents kept = result.keptDims(), batch = result.batchExtents(), batchDims = result.batchDims();
  int64_t components = result.vectorDim < indexRank ? Node::shapeOf(indices)[result.vectorDim] : 1;
  if (kept.size() != result.window.size() || batch.size() != batchDims.size() ||
      components != static_cast<int64_t>(result.map.size()) || result.operandBatch.size() != result.indexBatch.size() ||
      llvm::is_contained(result.indexBatch, result.vectorDim))
    return fail();
  if (box.empty()) {
    box.assign(rank, 1);
    for (auto [dim, place] : llvm::zip_equal(kept, result.window))
      box[dim] = boxes[place];
  }
  if (static_cast<int64_t>(box.size()) != rank)
    return fail();
  result.box = box;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (box[dim] < 0 || box[dim] > extent || (!llvm::is_contained(kept, static_cast<int64_t>(dim)) && box[dim] != 1))
      return fail();
  for (auto [dim, place] : llvm::zip_equal(kept, result.window))
    if (boxes[place] != box[dim])
      return fail();
  for (auto [extent, place] : llvm::zip_equal(batch, batchDims))
    if (boxes[place] != extent)
      return fail();
  for (auto [dim, place] : llvm::zip_equal(result.operandBatch, result.indexBatch))
    if (shape[dim] != Node::shapeOf(indices)[place])
      return fail();
  return result;
}

Value getComponent(Node &node, const Indexing &indexing, int64_t i) {
  Value value = node.cast(indexing.indices, node.getBuilder().getI64Type());
  if (indexing.vectorDim < Node::rankOf(value))
    value = node.sliceAxis(value, indexing.vectorDim, i, 1);
  return node.reshape(value, indexing.batchExtents());
}

int64_t countLeading(const Indexing &indexing) {
  int64_t leading = static_cast<int64_t>(indexing.shape.size());
  while (leading > 0 && indexing.box[leading - 1] == indexing.shape[leading - 1] &&
         !llvm::is_contained(indexing.map, leading - 1) && !llvm::is_contained(indexing.operandBatch, leading - 1) &&
         !llvm::is_contained(indexing.collapsed, leading - 1))
    --leading;
  return leading;
}

Value buildRows(Node &node, const Indexing &indexing, int64_t leading, bool clamps, Value &isInside) {
  Extents batch = indexing.batchExtents(), kept;
  for (int64_t dim : indexing.keptDims())
    if (dim < leading)
      kept.push_back(dim);
  int64_t batchRank = static_cast<int64_t>(batch.size()), rank = batchRank + static_cast<int64_t>(kept.size());
  Extents strides = stridesOf(Shape(indexing.shape).take_front(leading)), aligned(batch);
  aligned.append(kept.size(), 1);
  Value rows = i64(node, 0);
  auto add = [&](Value coordinate, int64_t dim) {
    rows = node.add(rows, node.mul(coordinate, i64(node, strides[dim])));
  };
  for (auto [i, dim] : llvm::enumerate(indexing.map)) {
    Value start = getComponent(node, indexing, static_cast<int64_t>(i));
    Value last = i64(node, indexing.shape[dim] - indexing.box[dim]), zero = i64(node, 0);
    if (clamps) {
      start = clamp(node, start, zero, last);
    } else {
      Value fits =
          both(node, node.compare(ComparePredicate::GE, start, zero), node.compare(ComparePredicate::LE, start, last));
      isInside = isInside ? both(node, isInside, fits) : fits;
    }
    if (dim < leading)
      add(node.reshape(start, aligned), dim);
  }
  for (auto [dim, place] : llvm::zip_equal(indexing.operandBatch, indexing.indexBatch)) {
    int64_t batchDim = place - (place > indexing.vectorDim ? 1 : 0);
    add(count(node, indexing.shape[dim], rank, batchDim), dim);
  }
  for (auto [i, dim] : llvm::enumerate(kept))
    add(count(node, indexing.box[dim], rank, batchRank + static_cast<int64_t>(i)), dim);
  Extents shape(batch);
  for (int64_t dim : kept)
    shape.push_back(indexing.box[dim]);
  if (isInside)
    isInside = node.reshape(isInside, aligned);
  return node.broadcast(rows, shape);
}

Extents batchFirst(const Indexing &indexing) {
  Extents order = indexing.batchDims();
  llvm::append_range(order, indexing.window);
  return order;
}

} // namespace hgc::stablehlo
