//===- UpdateInPlace.cpp - new state where the old one was ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion computes new state beside the old one and copies it at the end. Where
// nobody needs the old value once the new one is computed, the copy is for nothing.
//===----------------------------------------------------------------------===//

#include "KernelBodies.h"
#include "StreamClock.h"

#include "hgc/Conversion/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include <map>

namespace hgc {
#define GEN_PASS_DEF_UPDATEINPLACE
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

/// Who uses the state of one program, and when.
class StateUses {
public:
  explicit StateUses(Block &block) {
    unsigned number = 0;
    for (Operation &op : block) {
      positions[&op] = ++number;
      op.walk([&](Operation *inner) {
        // What fails must find the state as it was.
        if (isa<exec::FailIfOp, exec::LibraryOp>(inner))
          lastRefusal = number;
        for (Value operand : inner->getOperands())
          if (isa<MemRefType>(operand.getType()) && !isa<exec::AliasOp>(inner))
            users[findMemory(operand)].push_back(&op);
      });
    }
  }

  unsigned getPosition(Operation *op) const { return positions.lookup(op); }
  unsigned getLastRefusal() const { return lastRefusal; }

  /// Whether everybody but `copy` and `writer` is done with the old value of
  /// `state` before `writer` runs.
  bool isFreeBehind(Value state, exec::LaunchOp writer, exec::CopyOp copy) {
    return llvm::all_of(users[findMemory(state)], [&](Operation *user) {
      return user == copy || user == writer || getPosition(user) < getPosition(writer);
    });
  }

private:
  llvm::DenseMap<Operation *, unsigned> positions;
  std::map<MemoryRoot, SmallVector<Operation *>> users;
  unsigned lastRefusal = 0;
};

struct UpdateInPlace final : hgc::impl::UpdateInPlaceBase<UpdateInPlace> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    variants.clear();
    for (auto program : getOperation().getOps<exec::ProgramOp>())
      // A GPU may fail whenever it runs; then the state is still the old one.
      if (!program.isInGpuPlan() && !program.getLoad())
        update(program.getBody().front(), symbols);
    eraseUnusedKernels(getOperation());
  }

private:
  void update(Block &block, SymbolTable &symbols) {
    StateUses uses(block);
    for (auto copy : llvm::make_early_inc_range(block.getOps<exec::CopyOp>())) {
      auto weight = copy.getTarget().getDefiningOp<exec::WeightOp>();
      auto view = copy.getSource().getDefiningOp<exec::ViewOp>();
      if (!weight || !view || view.getType() != weight.getType() || exec::getGpu(weight.getType()))
        continue;
      exec::LaunchOp writer = findWriter(view, block);
      if (!writer || uses.getPosition(writer) <= uses.getLastRefusal() || !uses.isFreeBehind(weight, writer, copy))
        continue;
      if (failed(redirect(writer, view, weight.getBlobAttr(), symbols)))
        continue;
      OpBuilder builder(&block, block.begin());
      Value state = exec::WeightOp::create(builder, weight.getLoc(), weight.getType(), weight.getBlob());
      view.getResult().replaceAllUsesWith(state);
      copy.erase();
      view.erase();
      if (weight->use_empty())
        weight.erase();
    }
  }

  /// The launch that alone writes `view`, whole, in `block`.
  static exec::LaunchOp findWriter(exec::ViewOp view, Block &block) {
    exec::LaunchOp writer;
    SmallVector<Value> names{view.getResult()};
    while (!names.empty()) {
      Value name = names.pop_back_val();
      for (Operation *user : name.getUsers()) {
        if (auto alias = dyn_cast<exec::AliasOp>(user)) {
          names.push_back(alias.getResult());
          continue;
        }
        SmallVector<Value> reads, writes;
        getAccesses(user, reads, writes);
        if (!llvm::is_contained(writes, name))
          continue;
        auto launch = dyn_cast<exec::LaunchOp>(user);
        if (!launch || writer || name != view.getResult() || launch->getBlock() != &block)
          return {};
        writer = launch;
      }
    }
    return writer;
  }

  /// Lets `writer` read the state it is about to replace where it writes. Fails if
  /// that would not be the same.
  LogicalResult redirect(exec::LaunchOp writer, exec::ViewOp view, FlatSymbolRefAttr blob, SymbolTable &symbols) {
    auto kernel = symbols.lookup<exec::KernelOp>(writer.getKernel());
    SmallVector<int64_t> inputs;
    for (auto [number, input] : llvm::enumerate(writer.getInputs())) {
      auto weight = skipAliases(input).getDefiningOp<exec::WeightOp>();
      if (!weight || weight.getBlobAttr() != blob)
        continue;
      BlockArgument argument = kernel.getBody().getArgument(number);
      if (input != weight.getResult() || input.getType() != view.getType() || !mayUpdateInPlace(kernel) ||
          !kernel.readsElementwise(argument))
        return failure();
      inputs.push_back(static_cast<int64_t>(number));
    }
    if (inputs.empty())
      return success();
    auto output = static_cast<int64_t>(llvm::find(writer.getOutputs(), view.getResult()) - writer.getOutputs().begin());
    exec::KernelOp variant = getVariant(kernel, inputs, output, symbols);
    SmallVector<Value> left;
    for (auto [number, input] : llvm::enumerate(writer.getInputs()))
      if (!llvm::is_contained(inputs, static_cast<int64_t>(number)))
        left.push_back(input);
    writer.getInputsMutable().assign(left);
    writer.setKernel(variant.getSymName());
    return success();
  }

  static Value skipAliases(Value buffer) {
    while (auto alias = buffer.getDefiningOp<exec::AliasOp>())
      buffer = alias.getSource();
    return buffer;
  }

  /// `kernel` with some inputs read from an output.
  exec::KernelOp getVariant(exec::KernelOp kernel, ArrayRef<int64_t> inputs, int64_t output, SymbolTable &symbols) {
    std::vector<int64_t> key(inputs.begin(), inputs.end());
    key.push_back(output);
    exec::KernelOp &variant = variants[{kernel.getSymName().str(), key}];
    if (variant)
      return variant;
    variant = kernel.clone();
    symbols.insert(variant, std::next(kernel->getIterator()));
    Block &body = variant.getBody().front();
    Value target = body.getArgument(variant.getInputCount() + output);
    for (int64_t input : llvm::reverse(inputs)) {
      body.getArgument(input).replaceAllUsesWith(target);
      body.eraseArgument(input);
    }
    variant.setInputCount(variant.getInputCount() - inputs.size());
    return variant;
  }

  std::map<std::pair<std::string, std::vector<int64_t>>, exec::KernelOp> variants;
};

} // namespace
