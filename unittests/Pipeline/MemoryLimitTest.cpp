//===- MemoryLimitTest.cpp - plans under random memory limits -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small graphs: a plan never needs more than its limit, as allocated, and
// the bound it comes with holds against all placements, which pins enumerate.
//===----------------------------------------------------------------------===//

#include "hgc/Pipeline/MemoryLimit.h"
#include "hgc/Pipeline/Registration.h"
#include "hgc/Placement/Devices.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/Timing.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace hgc;

namespace {

constexpr llvm::StringLiteral kType = "tensor<4096x512xf32>";
constexpr llvm::StringLiteral kWeight = "tensor<512x512xf32>";

/// The kinds and operands of the ops of a graph.
struct RandomGraph {
  struct Op {
    unsigned kind, left, right;
  };
  std::vector<Op> ops;

  RandomGraph(unsigned seed, unsigned count) {
    std::mt19937 engine(seed);
    for (unsigned i = 0; i < count; ++i)
      ops.push_back({static_cast<unsigned>(engine() % 4), static_cast<unsigned>(engine() % (i + 1)),
                     static_cast<unsigned>(engine() % (i + 1))});
    // The result needs something to do.
    ops.back().left = count - 1;
  }

  /// In text, op i on the GPU if bit i of `onGpu` is set; without pins if none is
  /// given.
  std::string print(std::optional<unsigned> onGpu) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "module @random {\n";
    for (size_t i = 0; i < ops.size(); ++i)
      os << "hgc.parameter @w" << i << " : " << kWeight << " = dense<0.5>\n";
    os << "func.func @f(%v0: " << kType << ") -> " << kType << " attributes {hgc.entry} {\n";
    for (auto [i, op] : llvm::enumerate(ops)) {
      std::string pin = !onGpu            ? ""
                        : *onGpu >> i & 1 ? "hgc.device = #hgc.device<gpu>"
                                          : "hgc.device = #hgc.device<cpu>";
      std::string attributes = " {" + pin + "}";
      os << "%w" << i << " = hgc.read @w" << i << " : " << kWeight << "\n%v" << i + 1 << " = ";
      if (op.kind == 0)
        os << "hgc.relu %v" << op.left << attributes << " : " << kType << "\n";
      else if (op.kind == 1)
        os << "hgc.add %v" << op.left << ", %v" << op.right << attributes << " : (" << kType << ", " << kType << ") -> "
           << kType << "\n";
      else
        os << "hgc.matmul %v" << op.left << ", %w" << i << attributes << " : (" << kType << ", " << kWeight << ") -> "
           << kType << "\n";
    }
    os << "return %v" << ops.size() << " : " << kType << "\n}\n}\n";
    return text;
  }
};

class MemoryLimit : public testing::Test {
protected:
  MemoryLimit() : context(makeRegistry(), MLIRContext::Threading::DISABLED) { options.gpu = "a100"; }

  /// Stages read MLIR's own flags.
  static void SetUpTestSuite() {
    registerPassManagerCLOptions();
    registerDefaultTimingManagerCLOptions();
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  OwningOpRef<ModuleOp> parse(const std::string &text, Stage to, const CompileOptions &with) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (module && failed(runStages(*module, Stage::Source, to, with)))
      module = nullptr;
    return module;
  }

  static int64_t readCost(ModuleOp fused) {
    int64_t cost = 0;
    for (auto entry : fused.getOps<func::FuncOp>())
      if (auto certificate = entry->getAttrOfType<DictionaryAttr>(kCertificateAttr))
        cost += certificate.getAs<IntegerAttr>("serial_ps").getInt();
    return cost;
  }

  int64_t getBytes(ModuleOp exec) {
    MemoryUse use = measureMemory(exec, 1);
    return use.gpus.empty() ? 0 : use.gpus[0];
  }

  /// Bytes and cost of all placements, without recomputing and spilling.
  std::vector<std::pair<int64_t, int64_t>> enumerate(const RandomGraph &graph) {
    std::vector<std::pair<int64_t, int64_t>> plans;
    CompileOptions lean = options;
    lean.schedule = lean.objective = "serial";
    lean.ownKernels = true;
    for (unsigned mask = 0; mask < 1u << graph.ops.size(); ++mask) {
      OwningOpRef<ModuleOp> module = parse(graph.print(mask), Stage::Fused, lean);
      EXPECT_TRUE(module) << graph.print(mask);
      if (!module)
        continue;
      int64_t cost = readCost(*module);
      EXPECT_TRUE(succeeded(runStages(*module, Stage::Fused, Stage::Exec, lean)));
      plans.push_back({getBytes(*module), cost});
    }
    return plans;
  }

  void check(const RandomGraph &graph, int64_t limit, ArrayRef<std::pair<int64_t, int64_t>> plans) {
    CompileOptions limited = options;
    limited.memoryLimit = "gpu=" + std::to_string(limit);
    OwningOpRef<ModuleOp> module = parse(graph.print(std::nullopt), Stage::Exec, limited);
    ASSERT_TRUE(module) << "every op may go to the CPU\n" << graph.print(std::nullopt);
    EXPECT_LE(getBytes(*module), limit);
    auto known = (*module)->getAttrOfType<DictionaryAttr>(kMemoryLimitAttr);
    ASSERT_TRUE(known);
    auto get = [&](StringRef name) { return known.getAs<IntegerAttr>(name).getInt(); };
    EXPECT_EQ(get("gap_ps"), get("cost_ps") - get("bound_ps"));
    EXPECT_GE(get("gap_ps"), 0);
    EXPECT_LE(get("runs"), 20);
    int64_t best = INT64_MAX;
    for (auto [bytes, cost] : plans)
      if (bytes <= limit)
        best = std::min(best, cost);
    // Within the certified gap of the best: the bound is one.
    EXPECT_LE(get("bound_ps"), best) << "limit " << limit << "\n" << graph.print(std::nullopt);
    EXPECT_LE(get("cost_ps") - best, get("gap_ps"));
  }

  MLIRContext context;
  CompileOptions options;
};

TEST_F(MemoryLimit, RandomGraphsKeepRandomLimits) {
  // HGC_TEST_FULL: a thousand plans under limits.
  unsigned seeds = std::getenv("HGC_TEST_FULL") ? 350 : 8;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    RandomGraph graph(seed, 3 + seed % 3);
    std::vector<std::pair<int64_t, int64_t>> plans = enumerate(graph);
    int64_t most = llvm::max_element(plans)->first;
    std::mt19937 engine(seed);
    for (int i = 0; i < 3; ++i)
      check(graph, static_cast<int64_t>(engine() % static_cast<uint64_t>(most + 1)), plans);
  }
}

TEST_F(MemoryLimit, TheSmallestLimitIsExact) {
  RandomGraph graph(3, 4);
  std::string text = graph.print(0b1111);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    for (Diagnostic &note : diagnostic.getNotes())
      message += note.str() + "\n";
    return success();
  });
  CompileOptions limited = options;
  limited.memoryLimit = "gpu=1";
  EXPECT_FALSE(parse(text, Stage::Exec, limited));
  StringRef rest = StringRef(message).split("smallest limit hgc found: ").second;
  int64_t smallest = 0;
  ASSERT_FALSE(rest.split(' ').first.getAsInteger(10, smallest)) << message;
  limited.memoryLimit = "gpu=" + std::to_string(smallest);
  OwningOpRef<ModuleOp> kept = parse(text, Stage::Exec, limited);
  ASSERT_TRUE(kept);
  EXPECT_EQ(getBytes(*kept), smallest);
  limited.memoryLimit = "gpu=" + std::to_string(smallest - 1);
  EXPECT_FALSE(parse(text, Stage::Exec, limited));
}

TEST_F(MemoryLimit, APlanThatDoesNotKeepItIsABug) {
  OwningOpRef<ModuleOp> module = parse(RandomGraph(3, 4).print(0b1111), Stage::Exec, options);
  ASSERT_TRUE(module);
  CompileOptions limited = options;
  limited.memoryLimit = "gpu=" + std::to_string(getBytes(*module));
  EXPECT_TRUE(succeeded(checkMemoryLimit(*module, limited)));
  limited.memoryLimit = "gpu=" + std::to_string(getBytes(*module) - 1);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(checkMemoryLimit(*module, limited)));
  EXPECT_NE(message.find("internal error: the plan does not keep the memory limit"), std::string::npos) << message;
}

TEST_F(MemoryLimit, TheCurveFalls) {
  RandomGraph graph(1, 3);
  for (RandomGraph::Op &op : graph.ops)
    op.kind = 2;
  OwningOpRef<ModuleOp> module = parse(graph.print(std::nullopt), Stage::Graph, options);
  ASSERT_TRUE(module);
  FailureOr<std::vector<MemoryCurvePoint>> curve = computeMemoryCurve(*module, options);
  ASSERT_TRUE(succeeded(curve));
  ASSERT_GE(curve->size(), 2u);
  EXPECT_EQ(curve->front().limitBytes, 0) << "everything on the CPU";
  for (size_t i = 1; i < curve->size(); ++i) {
    EXPECT_GT((*curve)[i].limitBytes, (*curve)[i - 1].limitBytes);
    EXPECT_LT((*curve)[i].costPs, (*curve)[i - 1].costPs);
  }
}

} // namespace
