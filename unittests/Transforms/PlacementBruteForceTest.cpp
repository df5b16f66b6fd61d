//===- PlacementBruteForceTest.cpp - the plan is the cheapest -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way to place a small model is written into its IR, which then gets its
// transfers and kernels by the passes of the pipeline and is priced as it is. No
// way may be cheaper than the one hgc-place found, whose certificate must be met.
// Nothing here knows of cuts. HGC_TEST_FULL=1 takes ten times as many models.
//===----------------------------------------------------------------------===//

#include "RandomModel.h"

#include "hgc/Analysis/FoldedOps.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Modelled time of one call: kernels and copies, times their trips.
int64_t priceModule(ModuleOp module) {
  Pricing pricing(module);
  int64_t cost = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      cost += pricing.priceKernel(kernel, getDevice(op)) * getTripWeight(op);
      return WalkResult::skip();
    }
    if (auto copy = dyn_cast<TransferOp>(op))
      cost += pricing.priceTransfer(getTensorBytes(cast<ShapedType>(copy.getType())), copy.getFrom(), copy.getTo()) *
              getTripWeight(op);
    return WalkResult::advance();
  });
  return cost;
}

class BruteForce {
public:
  explicit BruteForce(MLIRContext &context) : lowering(&context) {
    lowering.addPass(createMaterializeTransfers());
    lowering.addPass(createRecompute());
    lowering.addPass(createShareTransfers());
    lowering.addPass(createCancelRoundTrips());
    lowering.addPass(createFuse());
    lowering.enableVerifier(false);
    cpu = getHost(&context);
    gpu = DeviceAttr::get(&context, DeviceKind::GPU, 0);
  }

  /// The least price of all ways to place `module`, which has no devices.
  int64_t findLeast(ModuleOp module) {
    FusionForest forest(module);
    llvm::DenseSet<Operation *> consumers;
    for (const FusionEdge &edge : forest.getEdges())
      consumers.insert(edge.consumer);
    std::vector<Operation *> choices;
    std::vector<unsigned> states;
    bool hasState = false;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      hasState |= isa<AssignOp>(op);
      if (!isComputing(op) && !isa<IfOp, ScanOp, ReshapeOp>(op))
        return;
      choices.push_back(op);
      bool mayRepeat = isComputing(op) && cast<FusibleOp>(op).getFusionKind() != FusionKind::Root &&
                       !consumers.contains(op) && !op->hasAttr(kPinAttr);
      states.push_back(mayRepeat ? 3 : 2);
    });
    if (hasState)
      states.push_back(2);
    least = std::numeric_limits<int64_t>::max();
    std::vector<unsigned> state(states.size(), 0);
    for (bool more = true; more;) {
      tryOne(module, forest, choices, state, hasState);
      more = false;
      for (size_t i = 0; i < state.size() && !more; ++i) {
        more = ++state[i] < states[i];
        if (!more)
          state[i] = 0;
      }
    }
    return least;
  }

private:
  /// Writes the devices of one way; false if a pin forbids it.
  bool write(ModuleOp module, ArrayRef<Operation *> choices, ArrayRef<unsigned> state, DeviceAttr home) {
    for (auto [op, choice] : llvm::zip(choices, state)) {
      DeviceAttr device = choice == 1 ? gpu : cpu;
      if (auto pin = op->getAttrOfType<DeviceAttr>(kPinAttr); pin && pin != device)
        return false;
      op->setAttr(HGCDialect::kDevice, device);
      op->removeAttr(kAlsoOnAttr);
      if (choice == 2)
        op->setAttr(kAlsoOnAttr, gpu);
    }
    // Weights start on the CPU and are had anywhere; state is at home.
    module.walk([&](Operation *op) {
      if (auto read = dyn_cast<ReadOp>(op))
        op->setAttr(HGCDialect::kDevice, read.getParameter() == "s" ? home : cpu);
      if (isa<AssignOp>(op))
        op->setAttr(HGCDialect::kDevice, home);
    });
    return true;
  }

  void tryOne(ModuleOp module, const FusionForest &forest, ArrayRef<Operation *> choices, ArrayRef<unsigned> state,
              bool hasState) {
    if (!write(module, choices, state, hasState && state.back() == 1 ? gpu : cpu))
      return;
    for (const FusionEdge &edge : forest.getEdges()) {
      DeviceAttr device = getDevice(edge.producer);
      bool contracts = device == getDevice(edge.consumer) && !edge.producer->hasAttr(kAlsoOnAttr) &&
                       (isGpu(device) ? edge.gpuSavingPs : edge.cpuSavingPs) > 0;
      if (contracts)
        edge.producer->setAttr(kFusesAttr, UnitAttr::get(module.getContext()));
      else
        edge.producer->removeAttr(kFusesAttr);
    }
    OwningOpRef<ModuleOp> clone = module.clone();
    // Only the fusions of this way, and no op on a side that it does not name:
    // each way is judged for itself.
    auto entry = *clone->getOps<func::FuncOp>().begin();
    entry->setAttr(kCertificateAttr, DictionaryAttr::get(module.getContext()));
    entry.walk([&](Operation *op) {
      if (isComputing(op) && !op->hasAttr(kAlsoOnAttr))
        op->setAttr(kPinAttr, getDevice(op));
    });
    ASSERT_TRUE(succeeded(lowering.run(*clone)));
    ASSERT_FALSE(entry->hasAttr(kRefinedAttr));
    least = std::min(least, priceModule(*clone));
  }

  PassManager lowering;
  DeviceAttr cpu, gpu;
  int64_t least = 0;
};

/// Models are small for the most part: ways to place them double with each op.
unsigned chooseSize(unsigned seed) {
  if (seed % 1000 == 499)
    return 14;
  return seed % 50 == 49 ? 10 : 1 + seed % 8;
}

TEST(PlacementBruteForce, NoWayIsCheaper) {
  MLIRContext context;
  context.loadDialect<HGCDialect, func::FuncDialect>();
  bool isFull = std::getenv("HGC_TEST_FULL") != nullptr;
  PassManager prepare(&context), place(&context);
  prepare.addPass(createDecompose());
  place.addPass(createPlace());
  BruteForce brute(context);
  unsigned mixed = 0;
  for (unsigned seed = 0; seed < (isFull ? 5000u : 500u); ++seed) {
    std::string text = RandomModel(seed, chooseSize(seed)).write();
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    ASSERT_TRUE(succeeded(prepare.run(*module))) << text;
    OwningOpRef<ModuleOp> plain = module->clone();
    ASSERT_TRUE(succeeded(place.run(*module))) << text;
    auto entry = *module->getOps<func::FuncOp>().begin();
    auto certificate = entry->getAttrOfType<DictionaryAttr>(kCertificateAttr);
    int64_t serial = certificate.getAs<IntegerAttr>("serial_ps").getInt();
    ASSERT_EQ(certificate.getAs<IntegerAttr>("bound_ps").getInt(), serial) << text;
    ASSERT_EQ(brute.findLeast(*plain), serial) << "model " << seed << "\n" << text;
    bool onCpu = false, onGpu = false;
    entry.walk([&](Operation *op) {
      if (isComputing(op))
        (isGpu(getDevice(op)) ? onGpu : onCpu) = true;
    });
    mixed += onCpu && onGpu;
  }
  // Models that are all on one side would prove little.
  EXPECT_GT(mixed, 50u);
}

} // namespace
