//===- EvalBox.cpp - slice and pad ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// A size of -1 takes the rest of the dim.
static int64_t sliceSize(int64_t size, int64_t start, int64_t stride, int64_t extent) {
  if (size >= 0)
    return size;
  if (stride < 0)
    return start / -stride + 1;
  return start >= extent ? 0 : static_cast<int64_t>(llvm::divideCeil(extent - start, stride));
}

static LogicalResult evalSlice(SliceOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  SmallVector<int64_t> shape, strides, own = input.getStrides();
  int64_t offset = 0;
  for (int64_t i = 0; i < input.getRank(); ++i) {
    int64_t extent = input.getDim(i), stride = op.getStrides() ? (*op.getStrides())[i] : 1;
    int64_t start = op.getStarts() ? (*op.getStarts())[i] : operands[1].getInt(i);
    int64_t size = sliceSize(op.getSizes()[i], start, stride, extent);
    int64_t reach = size > 0 ? (size - 1) * stride : 0;
    int64_t lowest = std::max<int64_t>(-reach, 0), highest = extent - 1 - std::max<int64_t>(reach, 0);
    if (!op.getStarts() && size > 0 && lowest <= highest)
      start = std::clamp(start, lowest, highest);
    if (size > 0 && (start < lowest || start > highest))
      return context.error(op,
                           "takes " + Twine(size) + " elements from " + Twine(start) + " by " + Twine(stride) +
                               " of dim " + Twine(i) + " with extent " + Twine(extent),
                           "move the start or take fewer elements");
    shape.push_back(size);
    strides.push_back(own[i] * stride);
    offset += start * own[i];
  }
  results.push_back(input.gatherStrided(shape, strides, offset));
  return success();
}

/// Index in the input that an index outside of it stands for; -1 for none.
static int64_t padIndex(PadMode mode, int64_t index, int64_t extent) {
  if (index >= 0 && index < extent)
    return index;
  switch (mode) {
  case PadMode::Constant:
    return -1;
  case PadMode::Edge:
    return std::clamp<int64_t>(index, 0, extent - 1);
  case PadMode::Wrap:
    return llvm::mod(index, extent);
  case PadMode::Reflect: {
    if (extent == 1)
      return 0;
    int64_t folded = llvm::mod(index, 2 * (extent - 1));
    return folded < extent ? folded : 2 * (extent - 1) - folded;
  }
  }
  llvm_unreachable("all modes are handled");
}

static LogicalResult evalPad(PadOp op, Operands operands, EvalContext &context, Results &results) {
  const HostTensor &input = operands[0];
  SmallVector<int64_t> shape, own = input.getStrides();
  // Per dim, the input offset of every output index, or -1.
  SmallVector<std::vector<int64_t>> offsets(input.getRank());
  for (int64_t i = 0; i < input.getRank(); ++i) {
    int64_t extent = input.getDim(i), low = op.getLow()[i], padded = extent + low + op.getHigh()[i];
    bool isEmpty = extent == 0 && padded > 0 && op.getMode() != PadMode::Constant;
    if (padded < 0 || isEmpty)
      return context.error(op, "pads dim " + Twine(i) + " with extent " + Twine(extent) + " to " + Twine(padded),
                           "crop less, and pad empty dims with mode 'constant'");
    shape.push_back(padded);
    for (int64_t o = 0; o < padded; ++o) {
      int64_t at = padIndex(op.getMode(), o - low, extent);
      offsets[i].push_back(at < 0 ? -1 : at * own[i]);
    }
  }
  HostTensor result(input.getElementType(), shape);
  char *out = result.mutableData();
  int64_t bytes = input.getElementBytes();
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t flat = 0; flat < result.getNumElements(); ++flat, out += bytes) {
    int64_t at = 0;
    bool isInside = true;
    for (size_t i = 0; i < index.size(); ++i) {
      isInside &= offsets[i][index[i]] >= 0;
      at += offsets[i][index[i]];
    }
    std::memcpy(out, isInside ? input.data() + at * bytes : operands[1].data(), bytes);
    for (size_t i = index.size(); i-- > 0 && ++index[i] == shape[i];)
      index[i] = 0;
  }
  results.push_back(result);
  return success();
}

void hgc::graph::attachBoxModels(MLIRContext *context) {
  attach<SliceOp, evalSlice>(context);
  attach<PadOp, evalPad>(context);
}
