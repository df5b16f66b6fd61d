//===- GroupKernels.cpp - small CPU kernels side by side ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is too small for several threads leaves all but one idle. This
// pass finds stretches of such kernels that fall into independent chains.
//===----------------------------------------------------------------------===//

#include "ExecTasks.h"

#include "hgc/Conversion/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

namespace hgc {
#define GEN_PASS_DEF_GROUPKERNELS
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

/// Threads share a kernel that takes longer than this many hand-overs; see the
/// CPU's cost model.
static constexpr int64_t kSmallForks = 4;

namespace {

/// Launches that depend on each other, in order.
struct Chain {
  SmallVector<unsigned> launches;
  int64_t pricePs = 0;
};

/// A run of small launches of one block.
class Stretch {
public:
  Stretch(const ActionPrices &prices, int64_t threads) : prices(prices), threads(threads) {}

  void declare(Operation *op) { declarations.push_back(op); }

  void add(exec::LaunchOp launch) {
    earlier.push_back(dependences.add(launch));
    unsigned level = 0;
    for (unsigned other : earlier.back())
      level = std::max(level, levelOf[other] + 1);
    levelOf.push_back(level);
    levels.resize(std::max<size_t>(levels.size(), level + 1));
    levels[level].push_back(launches.size());
    launches.push_back(launch);
  }

  /// Makes the groups that pay, and starts anew.
  void finish() {
    SmallVector<SmallVector<Chain>> windows;
    bool anyPays = false;
    for (size_t level = 0; level < levels.size();) {
      windows.push_back(collectChains(level));
      windows.back() = distribute(std::move(windows.back()));
      anyPays |= pays(windows.back());
    }
    if (anyPays)
      emit(windows);
    launches.clear();
    earlier.clear();
    levelOf.clear();
    levels.clear();
    dependences = {};
    declarations.clear();
  }

private:
  /// The chains that begin at `level`; ends before the first level that brings
  /// two of them together, and moves `level` there.
  SmallVector<Chain> collectChains(size_t &level) {
    SmallVector<Chain> chains;
    llvm::DenseMap<unsigned, unsigned> chainOf;
    auto findChains = [&](unsigned number) {
      llvm::SmallSetVector<unsigned, 4> found;
      for (unsigned other : earlier[number])
        if (auto it = chainOf.find(other); it != chainOf.end())
          found.insert(it->second);
      return found;
    };
    size_t first = level;
    for (; level < levels.size(); ++level) {
      bool joins = llvm::any_of(levels[level], [&](unsigned number) { return findChains(number).size() > 1; });
      // One launch that all else waits for has nobody to run beside.
      bool isAlone = level > first && chains.size() == 1;
      if (joins || isAlone)
        break;
      for (unsigned number : levels[level]) {
        auto found = findChains(number);
        if (found.empty())
          chains.emplace_back();
        unsigned chain = found.empty() ? chains.size() - 1 : found.front();
        chainOf[number] = chain;
        chains[chain].launches.push_back(number);
        chains[chain].pricePs += prices.getPs(launches[number]);
      }
    }
    return chains;
  }

  /// At most `threads` branches of about equal length: the longest chain first,
  /// each to the shortest branch.
  SmallVector<Chain> distribute(SmallVector<Chain> chains) const {
    llvm::sort(chains, [](const Chain &a, const Chain &b) {
      return std::pair(-a.pricePs, a.launches.front()) < std::pair(-b.pricePs, b.launches.front());
    });
    SmallVector<Chain> branches;
    for (Chain &chain : chains) {
      if (branches.size() < static_cast<size_t>(threads)) {
        branches.push_back(std::move(chain));
        continue;
      }
      auto shortest = std::min_element(branches.begin(), branches.end(),
                                       [](const Chain &a, const Chain &b) { return a.pricePs < b.pricePs; });
      shortest->pricePs += chain.pricePs;
      llvm::append_range(shortest->launches, chain.launches);
    }
    return branches;
  }

  /// Whether running side by side saves more than handing over takes.
  bool pays(ArrayRef<Chain> branches) const {
    int64_t sum = 0, longest = 0;
    for (const Chain &branch : branches) {
      sum += branch.pricePs;
      longest = std::max(longest, branch.pricePs);
    }
    return sum - longest > prices.getPricing().getCpu().forkPs;
  }

  void emit(ArrayRef<SmallVector<Chain>> windows) {
    Block *block = launches.front()->getBlock();
    Block::iterator end = std::next(launches.back()->getIterator());
    ActionMover mover(block, end, declarations);
    for (const SmallVector<Chain> &branches : windows) {
      SmallVector<unsigned> all;
      for (const Chain &branch : branches)
        llvm::append_range(all, branch.launches);
      llvm::sort(all);
      if (!pays(branches)) {
        for (unsigned number : all)
          mover.move(launches[number]);
        continue;
      }
      // What is used behind the group is declared before it.
      for (unsigned number : all)
        mover.moveDeclarations(launches[number]->getOperands());
      OpBuilder builder(block, end);
      auto group = exec::ParallelOp::create(builder, launches[all.front()].getLoc(), branches.size());
      for (auto [branch, region] : llvm::zip_equal(branches, group->getRegions())) {
        Block &body = region.emplaceBlock();
        for (unsigned number : branch.launches)
          launches[number]->moveBefore(&body, body.end());
      }
    }
    mover.finish();
  }

  const ActionPrices &prices;
  int64_t threads;
  SmallVector<exec::LaunchOp> launches;
  SmallVector<SmallVector<unsigned, 4>> earlier;
  /// Length of the longest chain before each launch, and the launches by that.
  SmallVector<unsigned> levelOf;
  SmallVector<SmallVector<unsigned>> levels;
  DataDependences dependences;
  SmallVector<Operation *> declarations;
};

struct GroupKernels final : hgc::impl::GroupKernelsBase<GroupKernels> {
  using GroupKernelsBase::GroupKernelsBase;

  void runOnOperation() override {
    if (threads < 2)
      return markAllAnalysesPreserved();
    ActionPrices prices(getOperation());
    for (auto program : getOperation().getOps<exec::ProgramOp>()) {
      if (program.isInGpuPlan())
        continue;
      SmallVector<Block *> blocks;
      program.walk([&](Block *block) { blocks.push_back(block); });
      for (Block *block : blocks)
        if (!isa<exec::ParallelOp>(block->getParentOp()))
          group(*block, prices);
    }
  }

  void group(Block &block, const ActionPrices &prices) {
    int64_t small = kSmallForks * prices.getPricing().getCpu().forkPs;
    Stretch stretch(prices, threads);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto launch = dyn_cast<exec::LaunchOp>(op);
      if (isDeclaration(&op))
        stretch.declare(&op);
      else if (launch && prices.getPs(launch) <= small)
        stretch.add(launch);
      else
        stretch.finish();
    }
    stretch.finish();
  }
};

} // namespace
