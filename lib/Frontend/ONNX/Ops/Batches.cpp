//===- Batches.cpp - ops that treat the samples of a batch alike ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Batches.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

LogicalResult hgc::onnx::doneBatched(Node &node, Value result, int64_t dims) {
  if (!result)
    return failure();
  for (unsigned i = 0; i < node.getNumInputs(); ++i) {
    Value input = node.getInput(i);
    if (!input || !node.isBounded(input))
      continue;
    for (int64_t dim = 0; dim < Node::rankOf(input); ++dim) {
      Value extent = node.getExtent(input, dim);
      if (!extent)
        continue;
      if (i > 0 || dim >= dims)
        return node.unsupported("an extent of its input is known only at run time");
      node.setExtent(result, dim, extent);
    }
  }
  return node.done(result);
}
