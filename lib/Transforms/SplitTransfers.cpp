//===- SplitTransfers.cpp - copy and compute in pieces, side by side ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy to the GPU, what is computed from it row by row, and the copy of the
// result back follow each other, and each keeps one part of the machine busy.
// In pieces of some rows each they overlap. The pieces are slices of a scan,
// so that nothing is cut apart or joined in memory; the scan is written out when
// buffers are assigned, which lets streams run ahead.
//===----------------------------------------------------------------------===//

#include "RowWise.h"
#include "TransferUtils.h"
#include "Utils.h"

#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

#include "llvm/ADT/SetVector.h"
#include <numeric>

namespace hgc {
#define GEN_PASS_DEF_SPLITTRANSFERS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// A part of a block that can be computed in pieces.
struct Section {
  Value input;
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> outputs;
};

/// Time that each part of the machine is busy.
struct Stages {
  std::array<int64_t, 4> ps{};

  int64_t getSum() const { return std::accumulate(ps.begin(), ps.end(), int64_t(0)); }
  /// Until `pieces` of them that overlap are done.
  int64_t getTime(int64_t pieces) const { return getSum() + (pieces - 1) * *llvm::max_element(ps); }
};

struct SplitTransfers final : hgc::impl::SplitTransfersBase<SplitTransfers> {
  void runOnOperation() override {
    Pricing prices(getOperation());
    pricing = &prices;
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      bool changed = false;
      llvm::DenseSet<Value> tried;
      while (std::optional<Section> section = findSection(function, tried))
        changed |= split(*section);
      if (changed)
        function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
    }
  }

private:
  /// The next section that starts with a copy of something large to a GPU and
  /// ends on the host.
  std::optional<Section> findSection(func::FuncOp function, llvm::DenseSet<Value> &tried) const {
    for (auto op : function.getBody().front().getOps<TransferOp>()) {
      int64_t latency = pricing->priceTransfer(0, op.getFrom(), op.getTo());
      bool isLarge = pricing->priceTransfer(getBytes(op.getResult()), op.getFrom(), op.getTo()) > 4 * latency;
      if (isGpu(op.getFrom()) || !isLarge || getRows(op.getResult()) < 2 || !tried.insert(op.getSource()).second)
        continue;
      Section section = grow(op);
      if (isClosed(section))
        return section;
    }
    return std::nullopt;
  }

  static Section grow(TransferOp first) {
    Section section;
    section.input = first.getSource();
    // What is split, and what is made from all of it: that comes too late.
    llvm::DenseSet<Value> values{section.input}, late;
    auto isSplit = [&](Value value) { return values.contains(value); };
    auto isLate = [&](Value value) { return late.contains(value); };
    RowWise rowWise(getRows(section.input), isSplit);
    for (Operation *op = first; op; op = op->getNextNode()) {
      bool isReader = llvm::any_of(op->getOperands(), isSplit);
      if (isReader && llvm::none_of(op->getOperands(), isLate) && isa_and_present<HGCDialect>(op->getDialect()) &&
          rowWise.check(op)) {
        section.ops.insert(op);
        values.insert(op->getResult(0));
        continue;
      }
      WalkResult walk = op->walk([&](Operation *nested) {
        return WalkResult(failure(llvm::any_of(nested->getOperands(), [&](Value operand) {
          return isLate(operand) || (isSplit(operand) && operand != section.input);
        })));
      });
      if (walk.wasInterrupted())
        late.insert(op->result_begin(), op->result_end());
    }
    for (Operation *op : section.ops)
      if (llvm::any_of(op->getUsers(), [&](Operation *user) { return !section.ops.contains(user); }))
        section.outputs.push_back(op->getResult(0));
    return section;
  }

  /// What leaves the section is on the host, as a scan's results are, and is read
  /// when all of it is done.
  static bool isClosed(const Section &section) {
    DeviceAttr host = getHost(section.input.getContext());
    Operation *last = section.ops.back();
    auto isLate = [&](Operation *user) {
      return section.ops.contains(user) || last->isBeforeInBlock(last->getBlock()->findAncestorOpInBlock(*user));
    };
    return !section.outputs.empty() && llvm::all_of(section.outputs, [&](Value value) {
      return getDevice(value) == host && llvm::all_of(value.getUsers(), isLate);
    });
  }

  Stages price(ArrayRef<Operation *> ops, const FusionForest &forest) const {
    Stages stages;
    for (Operation *op : ops) {
      if (auto copy = dyn_cast<TransferOp>(op)) {
        stages.ps[isGpu(copy.getTo()) ? 0 : 1] +=
            pricing->priceTransfer(getBytes(copy.getResult()), copy.getFrom(), copy.getTo());
        continue;
      }
      int64_t &stage = stages.ps[isGpu(getDevice(op)) ? 2 : 3];
      stage += pricing->priceOp(op, getDevice(op));
      const FusionEdge *edge = forest.getEdge(op);
      if (edge && getDevice(edge->consumer) == getDevice(op) && llvm::is_contained(ops, edge->consumer))
        stage -= pricing->getSaving(*edge, getDevice(op));
    }
    return stages;
  }

  /// Savings of fusing ops of the section with others, which pieces cannot have.
  int64_t priceLostFusions(const Section &section, const FusionForest &forest) const {
    int64_t lost = 0;
    for (const FusionEdge &edge : forest.getEdges())
      if (section.ops.contains(edge.producer) != section.ops.contains(edge.consumer) &&
          getDevice(edge.producer) == getDevice(edge.consumer))
        lost += pricing->getSaving(edge, getDevice(edge.producer));
    return lost;
  }

  bool split(Section &section) const {
    int64_t rows = getRows(section.input), pieces = 0, serial = 0;
    auto function = section.ops.front()->getParentOfType<func::FuncOp>();
    FusionForest forest(function, mayFuse);
    Stages whole = price(section.ops.getArrayRef(), forest);
    int64_t lost = priceLostFusions(section, forest), best = whole.getSum() - lost;
    for (int64_t count : {2, 4, 8}) {
      if (rows % count != 0)
        continue;
      ScanOp scan = build(section, count);
      SmallVector<Operation *> body =
          llvm::map_to_vector(scan.getBody().front().without_terminator(), [](Operation &op) { return &op; });
      Stages stages = price(body, FusionForest(scan, mayFuse));
      eraseScan(scan);
      if (stages.getTime(count) >= best)
        continue;
      best = stages.getTime(count);
      pieces = count;
      serial = count * stages.getSum() - whole.getSum() + lost;
    }
    if (!pieces)
      return false;
    addToCertificate(function, serial);
    replace(section, build(section, pieces));
    return true;
  }

  /// Every piece has its latencies and launches: without overlap the plan takes
  /// longer than it was placed for.
  static void addToCertificate(func::FuncOp function, int64_t ps) {
    auto certificate = function->getAttrOfType<DictionaryAttr>(kCertificateAttr);
    if (!certificate)
      return;
    NamedAttrList entries(certificate);
    auto before = cast<IntegerAttr>(entries.get("serial_ps"));
    entries.set("serial_ps", IntegerAttr::get(before.getType(), before.getInt() + ps));
    function->setAttr(kCertificateAttr, entries.getDictionary(function.getContext()));
  }

  /// One of equal pieces of a value.
  static RankedTensorType asPiece(Value value, int64_t pieces) {
    auto tensor = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(tensor.getShape());
    shape[getRowDim(value)] /= pieces;
    return tensor.clone(shape);
  }

  /// One more dim in front: a sequence of pieces.
  static RankedTensorType asSequence(Value value, int64_t pieces) {
    RankedTensorType piece = asPiece(value, pieces);
    SmallVector<int64_t> shape{pieces};
    llvm::append_range(shape, piece.getShape());
    return piece.clone(shape);
  }

  /// A scan that does the section's work, in front of its last op.
  ScanOp build(const Section &section, int64_t pieces) const {
    OpBuilder builder(section.ops.back());
    Location loc = section.ops.front()->getLoc();
    DeviceAttr host = getHost(builder.getContext());
    Value sequence = makeView(builder, loc, section.input, asSequence(section.input, pieces));
    SmallVector<Type> types =
        llvm::map_to_vector(section.outputs, [&](Value value) -> Type { return asSequence(value, pieces); });
    auto scan = ScanOp::create(builder, loc, types, ValueRange(), sequence, /*reverse=*/false);
    scan->setAttr(HGCDialect::kDevice, host);
    scan->setAttr(kUnrollAttr, builder.getUnitAttr());
    Block &body = scan.getBody().emplaceBlock();
    IRMapping map;
    map.map(section.input, body.addArgument(asPiece(section.input, pieces), loc));
    builder.setInsertionPointToStart(&body);
    for (Operation *op : section.ops) {
      Operation *piece = builder.clone(*op, map);
      piece->getResult(0).setType(asPiece(op->getResult(0), pieces));
      if (auto reshape = dyn_cast<ReshapeOp>(piece))
        reshape.setShapeAttr(builder.getI64ArrayAttr(cast<ShapedType>(reshape.getType()).getShape()));
      map.map(op->getResult(0), piece->getResult(0));
    }
    YieldOp::create(builder, loc, llvm::map_to_vector(section.outputs, [&](Value value) { return map.lookup(value); }));
    return scan;
  }

  static void eraseScan(ScanOp scan) {
    Operation *view = scan.getSequences().front().getDefiningOp();
    scan.erase();
    if (view && view->use_empty())
      view->erase();
  }

  static void replace(Section &section, ScanOp scan) {
    OpBuilder builder(scan->getContext());
    builder.setInsertionPointAfter(scan);
    for (auto [output, result] : llvm::zip_equal(section.outputs, scan->getResults())) {
      Value whole = makeView(builder, output.getLoc(), result, output.getType());
      output.replaceUsesWithIf(whole, [&](OpOperand &use) { return !section.ops.contains(use.getOwner()); });
    }
    for (Operation *op : llvm::reverse(section.ops))
      op->erase();
  }

  const Pricing *pricing = nullptr;
};

} // namespace
