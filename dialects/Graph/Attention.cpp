//===- Attention.cpp - scaled dot-product attention -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include <cmath>

using namespace mlir;
using namespace hgc::graph;

static LogicalResult checkExtents(MaybeLoc loc, const Twine &what, int64_t a, int64_t b, const Twine &hint) {
  if (a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b))
    return success();
  return emitWithHint(loc, what + " differ: " + Twine(a) + " and " + Twine(b), hint);
}

/// Checks that the mask broadcasts to the scores.
static LogicalResult checkMask(MaybeLoc loc, RankedTensorType mask, Type element, ArrayRef<int64_t> scores) {
  if (!mask.getElementType().isInteger(1) && failed(checkElements(loc, mask, RankedTensorType::get({}, element))))
    return failure();
  SmallVector<int64_t> common(scores);
  if (failed(broadcastShapes(loc, common, mask.getShape())))
    return failure();
  if (succeeded(verifyCompatibleShape(common, scores)))
    return success();
  return emitWithHint(
      loc, "mask of shape " + shapeToString(mask.getShape()) + " for scores of shape " + shapeToString(scores),
      "a mask broadcasts to [..., queries, keys]");
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto query = cast<RankedTensorType>(adaptor.getQuery().getType());
  auto key = cast<RankedTensorType>(adaptor.getKey().getType());
  auto value = cast<RankedTensorType>(adaptor.getValue().getType());
  for (RankedTensorType type : {query, key, value}) {
    if (type.getRank() < 2)
      return emitWithHint(loc, "attention of an operand of rank " + Twine(type.getRank()) + ", expected two or more",
                          "give it dims for positions and features with hgc.reshape");
    if (failed(checkElements(loc, query, type)))
      return failure();
  }
  ArrayRef<int64_t> q = query.getShape(), k = key.getShape(), v = value.getShape();
  if (failed(checkExtents(loc, "feature extents of query and key", q.back(), k.back(),
                          "query is [..., queries, features], key is [..., keys, features]")) ||
      failed(checkExtents(loc, "extents of key and value", k.end()[-2], v.end()[-2],
                          "key is [..., keys, features], value is [..., keys, results]")))
    return failure();
  if (k.end()[-2] == 0)
    return emitWithHint(loc, "attention without keys", "give key and value at least one position");
  SmallVector<int64_t> shape(q.drop_back(2));
  if (failed(broadcastShapes(loc, shape, k.drop_back(2))) || failed(broadcastShapes(loc, shape, v.drop_back(2))))
    return failure();
  shape.append({q.end()[-2], k.end()[-2]});
  if (Value mask = adaptor.getMask())
    if (failed(checkMask(loc, cast<RankedTensorType>(mask.getType()), query.getElementType(), shape)))
      return failure();
  shape.back() = v.back();
  types.push_back(RankedTensorType::get(shape, query.getElementType()));
  return success();
}

LogicalResult AttentionOp::verify() {
  if (!getScale() || getScale()->isFinite())
    return success();
  return emitWithHint(getLoc(), "'scale' is not finite", "leave it out for 1 / sqrt(features)");
}

double AttentionOp::getFactor() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  int64_t features = getQuery().getType().getShape().back();
  return features > 0 ? 1 / std::sqrt(static_cast<double>(features)) : 1;
}
