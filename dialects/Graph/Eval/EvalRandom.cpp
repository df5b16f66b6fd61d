//===- EvalRandom.cpp - random numbers ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Philox.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static LogicalResult evalRandom(RandomOp op, Operands operands, EvalContext &context, Results &results) {
  SmallVector<HostTensor, 3> expanded;
  if (failed(broadcastOperands(op, operands, context, expanded)))
    return failure();
  std::vector<int64_t> values(expanded[0].getNumElements());
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t counter = expanded[0].getUInt(i), stream = expanded[1].getUInt(i), key = expanded[2].getUInt(i);
    PhiloxBlock block = philox4x32({static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
                                    static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32)},
                                   {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)});
    values[i] = static_cast<int64_t>(uint64_t(block[0]) << 32 | block[1]);
  }
  results.push_back(HostTensor::fromInts(getResultElement(op), expanded[0].getShape(), values));
  return success();
}

/// Outside of training nothing is dropped.
static LogicalResult evalDropout(DropoutOp, Operands operands, EvalContext &, Results &results) {
  results.push_back(operands[0]);
  return success();
}

void hgc::graph::attachRandomModels(MLIRContext *context) {
  attach<RandomOp, evalRandom>(context);
  attach<DropoutOp, evalDropout>(context);
}
