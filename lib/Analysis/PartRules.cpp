//===- PartRules.cpp - what part of a result needs of the operands --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most ops link dims: position i of a result's dim needs position i of some dim of
// an operand. Dims that are linked to nothing are computed, or read, as a whole.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/NeededParts.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static ArrayRef<int64_t> getShape(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }
static int64_t getRank(Value value) { return getShape(value).size(); }

bool hgc::hasParts(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() && !llvm::is_contained(tensor.getShape(), 0);
}

namespace {

/// Which dims of results and operands belong together.
class DimLinks {
public:
  explicit DimLinks(Operation *op) : op(op), isFree(getRank(op->getResult(0)), false) {
    for (Value operand : op->getOperands())
      links.emplace_back(getRank(operand), kWhole);
  }

  /// Of a dim that is repeated the one position is read.
  void link(unsigned operand, int64_t dim, int64_t resultDim) {
    isFree[resultDim] = true;
    if (getShape(op->getOperand(operand))[dim] == getShape(op->getResult(0))[resultDim])
      links[operand][dim] = resultDim;
  }

  /// Links dims from the last on as broadcasting does, without the last `skipped`.
  void linkBroadcast(unsigned operand, int64_t skipped = 0) {
    int64_t rank = links[operand].size(), offset = static_cast<int64_t>(isFree.size()) - rank;
    for (int64_t dim = 0; dim < rank - skipped; ++dim)
      link(operand, dim, offset + dim);
  }

  /// Links equal dims but `axis`.
  void linkAllBut(unsigned operand, int64_t axis) {
    for (int64_t dim = 0; dim < static_cast<int64_t>(isFree.size()); ++dim)
      if (dim != axis)
        link(operand, dim, dim);
  }

  /// Lets a dim that no operand has be computed in part.
  void free(int64_t resultDim) { isFree[resultDim] = true; }

  PartRule apply(const Part &part) const {
    PartRule rule{makeWhole(getShape(op->getResult(0))), {}};
    for (auto [i, run] : llvm::enumerate(part))
      if (isFree[i])
        rule.result[i] = run;
    for (auto [operand, dims] : llvm::zip_equal(op->getOperands(), links)) {
      Part &needed = rule.operands.emplace_back(makeWhole(getShape(operand)));
      for (auto [run, dim] : llvm::zip_equal(needed, dims))
        if (dim != kWhole)
          run = rule.result[dim];
    }
    return rule;
  }

private:
  static constexpr int64_t kWhole = -1;

  Operation *op;
  SmallVector<SmallVector<int64_t>> links;
  SmallVector<bool> isFree;
};

using MaybeRule = std::optional<PartRule>;

//===----------------------------------------------------------------------===//
// Contractions and windows
//===----------------------------------------------------------------------===//

MaybeRule ruleOf(MatmulOp op, const Part &part) {
  if (op.getPacked())
    return std::nullopt;
  DimLinks links(op);
  int64_t rank = part.size();
  for (unsigned operand : {0, 1})
    links.linkBroadcast(operand, 2);
  links.link(0, getRank(op.getLhs()) - (op.getTransposeLhs() ? 1 : 2), rank - 2);
  links.link(1, getRank(op.getRhs()) - (op.getTransposeRhs() ? 2 : 1), rank - 1);
  return links.apply(part);
}

/// A single query sees all keys up to its own, the first ones see no others than they have seen before.
void applyCausality(AttentionOp op, PartRule &rule) {
  Run &rows = rule.result.end()[-2];
  int64_t keys = getShape(op.getKey()).end()[-2];
  if (rows.count > 1)
    rows = makeWhole(rows.last() + 1);
  // With all its rows the op stays as it is.
  if (rows.count < getShape(op.getResult()).end()[-2])
    keys = std::min(rows.last() + 1, keys);
  rule.operands[0].end()[-2] = rows;
  rule.operands[1].end()[-2] = rule.operands[2].end()[-2] = makeWhole(keys);
  if (!op.getMask())
    return;
  Part &mask = rule.operands[3];
  if (mask.size() > 1 && getShape(op.getMask()).end()[-2] != 1)
    mask.end()[-2] = rows;
  if (!mask.empty() && getShape(op.getMask()).back() != 1)
    mask.back() = makeWhole(keys);
}

MaybeRule ruleOf(AttentionOp op, const Part &part) {
  DimLinks links(op);
  int64_t rank = part.size();
  for (unsigned operand : {0, 1, 2})
    links.linkBroadcast(operand, 2);
  links.link(0, getRank(op.getQuery()) - 2, rank - 2);
  links.link(2, getRank(op.getValue()) - 1, rank - 1);
  if (op.getMask())
    links.linkBroadcast(3, 1);
  PartRule rule = links.apply(part);
  if (op.getCausal() && rule.result[rank - 2].count < getShape(op.getResult())[rank - 2])
    applyCausality(op, rule);
  return rule;
}

int64_t getChannelDim(graph::DataLayout layout, int64_t rank) {
  return layout == graph::DataLayout::ChannelsLast ? rank - 1 : 1;
}

/// Adds the spatial dims of a convolution or pool to the rule of its other dims.
MaybeRule slideAll(PartRule rule, const ConvShape &shape, const Part &part) {
  unsigned first = shape.channelsLast ? 1 : 2;
  rule.pads.resize(2 * shape.rank);
  for (unsigned i = 0; i < shape.rank; ++i) {
    Run run = part[first + i];
    rule.operands[0][first + i] =
        slideWindow(shape.spatial[3 - shape.rank + i], run, rule.pads[i], rule.pads[shape.rank + i]);
    rule.result[first + i] = run;
  }
  return rule;
}

MaybeRule ruleOf(ConvOp op, const Part &part) {
  if (op.getPacked())
    return std::nullopt;
  DimLinks links(op);
  int64_t rank = part.size();
  links.link(0, 0, 0);
  // Groups would have to be left out together with their input channels.
  if (op.getGroups() == 1)
    links.link(1, op.getFilterLayout() == FilterLayout::HWIO ? rank - 1 : 0, getChannelDim(op.getLayout(), rank));
  return slideAll(links.apply(part), op.getShape(), part);
}

MaybeRule ruleOf(ConvTransposeOp op, const Part &part) {
  DimLinks links(op);
  links.link(0, 0, 0);
  return links.apply(part);
}

MaybeRule ruleOf(PoolOp op, const Part &part) {
  DimLinks links(op);
  for (int64_t dim : {int64_t(0), getChannelDim(op.getLayout(), part.size())})
    links.link(0, dim, dim);
  return slideAll(links.apply(part), op.getShape(), part);
}

//===----------------------------------------------------------------------===//
// Reductions and normalisations
//===----------------------------------------------------------------------===//

MaybeRule linkKept(Operation *op, ArrayRef<int64_t> axes, bool keepsDims, const Part &part) {
  DimLinks links(op);
  int64_t next = 0;
  for (int64_t dim = 0; dim < getRank(op->getOperand(0)); ++dim) {
    bool isReduced = llvm::is_contained(axes, dim);
    if (!isReduced)
      links.link(0, dim, next);
    next += !isReduced || keepsDims;
  }
  return links.apply(part);
}

MaybeRule linkAllBut(Operation *op, int64_t axis, const Part &part) {
  DimLinks links(op);
  links.linkAllBut(0, axis);
  return links.apply(part);
}

MaybeRule ruleOf(LayerNormOp op, const Part &part) {
  DimLinks links(op);
  for (int64_t dim = 0; dim < static_cast<int64_t>(op.getAxis()); ++dim)
    links.link(0, dim, dim);
  return links.apply(part);
}

MaybeRule ruleOf(BatchNormOp op, const Part &part) {
  DimLinks links(op);
  links.linkBroadcast(0);
  for (unsigned operand : {1, 2, 3, 4})
    links.link(operand, 0, op.getAxis());
  return links.apply(part);
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

MaybeRule ruleOf(IotaOp op, const Part &part) {
  PartRule rule{part, {}};
  Run &counted = rule.result[op.getAxis()];
  counted = makeWhole(counted.last() + 1);
  return rule;
}

MaybeRule ruleOf(TransposeOp op, const Part &part) {
  DimLinks links(op);
  for (auto [i, axis] : llvm::enumerate(op.getPermutation()))
    links.link(0, axis, i);
  return links.apply(part);
}

MaybeRule ruleOf(BroadcastOp op, const Part &part) {
  DimLinks links(op);
  for (size_t dim = 0; dim < part.size(); ++dim)
    links.free(dim);
  links.linkBroadcast(0);
  return links.apply(part);
}

MaybeRule ruleOf(ReshapeOp op, const Part &part) {
  PartRule rule{part, {}};
  rule.operands.push_back(reshapePart(getShape(op.getInput()), getShape(op.getResult()), rule.result));
  return rule;
}

/// The positions of `run` in a window at `offset`, counted from there.
Run cut(Run run, int64_t offset, int64_t extent) {
  auto countBefore = [&](int64_t end) {
    int64_t distance = end - run.start;
    return std::clamp<int64_t>(distance <= 0 ? 0 : (distance - 1) / run.step + 1, 0, run.count);
  };
  int64_t first = countBefore(offset), count = countBefore(offset + extent) - first;
  return {run.start + first * run.step - offset, count, count > 1 ? run.step : 1};
}

MaybeRule ruleOf(ConcatOp op, const Part &part) {
  PartRule rule{part, {}};
  int64_t axis = op.getAxis(), offset = 0;
  for (Value input : op.getInputs()) {
    int64_t extent = getShape(input)[axis];
    rule.operands.push_back(part);
    rule.operands.back()[axis] = cut(part[axis], offset, extent);
    offset += extent;
  }
  return rule;
}

MaybeRule ruleOf(SliceOp op, const Part &part) {
  if (!op.getStarts())
    return std::nullopt;
  PartRule rule{part, {Part()}};
  for (auto [i, run] : llvm::enumerate(part)) {
    int64_t stride = op.getStrides() ? (*op.getStrides())[i] : 1, start = (*op.getStarts())[i];
    int64_t first = start + run.start * stride, last = start + run.last() * stride;
    rule.operands[0].push_back({std::min(first, last), run.count, run.count > 1 ? std::abs(stride) * run.step : 1});
  }
  return rule;
}

/// Borders other than constants are made of elements that may be left out.
MaybeRule ruleOf(PadOp op, const Part &part) {
  PartRule rule{part, {makeWhole(getShape(op.getInput())), {}}};
  size_t rank = part.size();
  rule.pads.resize(2 * rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t low = op.getLow()[i], high = op.getHigh()[i], extent = getShape(op.getResult())[i];
    if (op.getMode() != PadMode::Constant && (low || high))
      rule.result[i] = makeWhole(extent);
    WindowDim dim{getShape(op.getInput())[i], extent, 1, 1, 1, low, high};
    if (low || high)
      rule.operands[0][i] = slideWindow(dim, rule.result[i], rule.pads[i], rule.pads[rank + i]);
    else
      rule.operands[0][i] = rule.result[i];
  }
  return rule;
}

MaybeRule ruleOf(GatherOp op, const Part &part) {
  DimLinks links(op);
  int64_t axis = op.getAxis(), picked = getRank(op.getIndices());
  for (int64_t dim = 0; dim < getRank(op.getInput()); ++dim)
    if (dim != axis)
      links.link(0, dim, dim < axis ? dim : dim + picked - 1);
  for (int64_t dim = 0; dim < picked; ++dim)
    links.link(1, dim, axis + dim);
  PartRule rule = links.apply(part);
  if (!takesPart(op))
    return rule;
  Run run;
  for (int64_t index : pickIndices(op, rule.operands[1]))
    run = unite(run, {index, 1, 1});
  rule.operands[0][axis] = run;
  return rule;
}

MaybeRule ruleOf(GatherAlongOp op, const Part &part) {
  DimLinks links(op);
  links.linkAllBut(0, op.getAxis());
  links.linkBroadcast(1);
  return links.apply(part);
}

MaybeRule ruleOf(ScatterOp op, const Part &part) {
  DimLinks links(op);
  int64_t axis = op.getAxis();
  if (!op.getSlices()) {
    for (unsigned operand : {0, 1, 2})
      links.linkAllBut(operand, axis);
    return links.apply(part);
  }
  links.linkAllBut(0, axis);
  for (int64_t dim = 0; dim < getRank(op.getInput()); ++dim)
    if (dim != axis)
      links.link(2, dim < axis ? dim : dim + getRank(op.getIndices()) - 1, dim);
  return links.apply(part);
}

MaybeRule ruleOf(FusibleOp op, const Part &part) {
  if (op.getFusionKind() != FusionKind::Pointwise || isa<RandomOp>(op))
    return std::nullopt;
  DimLinks links(op);
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    links.linkBroadcast(operand);
  return links.apply(part);
}

} // namespace

bool hgc::takesPart(Operation *op) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return slice.getStarts().has_value();
  auto gather = dyn_cast<GatherOp>(op);
  return gather && matchPattern(gather.getIndices(), m_Constant<DenseIntElementsAttr>(nullptr));
}

SmallVector<int64_t> hgc::pickIndices(Operation *gather, const Part &part) {
  auto op = cast<GatherOp>(gather);
  DenseIntElementsAttr indices;
  matchPattern(op.getIndices(), m_Constant(&indices));
  int64_t extent = getShape(op.getInput())[op.getAxis()];
  SmallVector<int64_t> result;
  SmallVector<int64_t> shape(indices.getType().getShape()), place(shape.size(), 0);
  for (const APInt &value : indices.getValues<APInt>()) {
    bool isPicked = llvm::all_of(llvm::zip_equal(place, part), [](auto pair) {
      auto [position, run] = pair;
      return position >= run.start && position <= run.last() && (position - run.start) % run.step == 0;
    });
    int64_t index = value.getSExtValue();
    if (isPicked)
      result.push_back(std::clamp<int64_t>(index < 0 ? index + extent : index, 0, extent - 1));
    for (size_t dim = place.size(); dim-- > 0 && ++place[dim] == shape[dim];)
      place[dim] = 0;
  }
  return result;
}

std::optional<PartRule> hgc::findPartRule(Operation *op, const Part &part) {
  auto isKnown = [&](Type type) {
    // An empty operand of a concat is in no part.
    return hasParts(type) || (isa<ConcatOp>(op) && cast<RankedTensorType>(type).getNumDynamicDims() == 0);
  };
  if (!llvm::all_of(op->getOperandTypes(), isKnown))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, MaybeRule>(op)
      .Case<MatmulOp, AttentionOp, ConvOp, ConvTransposeOp, PoolOp, LayerNormOp, BatchNormOp, IotaOp, TransposeOp,
            BroadcastOp, ReshapeOp, ConcatOp, SliceOp, PadOp, GatherOp, GatherAlongOp, ScatterOp>(
          [&](auto typed) { return ruleOf(typed, part); })
      .Case([&](ReduceOp reduce) { return linkKept(op, reduce.getAxes(), reduce.getKeepdims(), part); })
      .Case([&](ArgReduceOp reduce) {
        return linkKept(op, {static_cast<int64_t>(reduce.getAxis())}, reduce.getKeepdims(), part);
      })
      .Case<SoftmaxOp, LogSoftmaxOp, ArgSortOp>([&](auto typed) { return linkAllBut(op, typed.getAxis(), part); })
      .Case([&](FusibleOp fusible) { return ruleOf(fusible, part); })
      .Default([](Operation *) { return std::nullopt; });
}
