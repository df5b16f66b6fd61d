//===- FusionForestTest.cpp - edges of the fusion forest ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/OpNames.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

class FusionForestTest : public ::testing::Test {
protected:
  FusionForestTest() { context.loadDialect<HGCDialect, func::FuncDialect>(); }

  /// Edges of a function body as "producer>consumer", by name.
  std::set<std::string> edgesOf(StringRef arguments, StringRef body) {
    std::string text = ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    std::set<std::string> names;
    if (!module)
      return names;
    FusionForest forest(module->getOperation());
    for (const FusionEdge &edge : forest.getEdges()) {
      EXPECT_GT(edge.cpuSavingPs, 0);
      EXPECT_EQ(edge.gpuSavingPs, 0);
      EXPECT_EQ(forest.getEdge(edge.producer), &edge);
      names.insert((hgc::getOpName(edge.producer) + ">" + hgc::getOpName(edge.consumer)).str());
    }
    return names;
  }

  using Names = std::set<std::string>;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(FusionForestTest, ChainsPointwiseOps) {
  EXPECT_EQ(edgesOf("%x: tensor<64xf32>", R"(
    %0 = hgc.relu %x : tensor<64xf32> loc("a")
    %1 = hgc.neg %0 : tensor<64xf32> loc("b")
    %2 = hgc.tanh %1 : tensor<64xf32> loc("c"))"),
            (Names{"a>b", "b>c"}));
}

TEST_F(FusionForestTest, SharedValuesStayInMemory) {
  EXPECT_EQ(edgesOf("%x: tensor<64xf32>", R"(
    %0 = hgc.relu %x : tensor<64xf32> loc("a")
    %1 = hgc.neg %0 : tensor<64xf32> loc("b")
    %2 = hgc.tanh %0 : tensor<64xf32> loc("c"))"),
            Names{});
}

TEST_F(FusionForestTest, ContinuesARootElementByElement) {
  EXPECT_EQ(edgesOf("%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %b: tensor<32xf32>", R"(
    %0 = hgc.matmul %x, %w : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("mm")
    %1 = hgc.add %0, %b : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8x32xf32> loc("bias")
    %2 = hgc.relu %1 : tensor<8x32xf32> loc("act")
    %3 = hgc.softmax %2 axis 1 : tensor<8x32xf32> loc("soft"))"),
            (Names{"mm>bias", "bias>act"}));
}

TEST_F(FusionForestTest, ContractionsReadMemory) {
  EXPECT_EQ(edgesOf("%x: tensor<8x16xf32>, %w: tensor<16x32xf32>", R"(
    %0 = hgc.relu %x : tensor<8x16xf32> loc("a")
    %1 = hgc.matmul %0, %w : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("mm"))"),
            Names{});
}

TEST_F(FusionForestTest, OneRootAKernel) {
  Names edges = edgesOf("%x: tensor<8x8xf32>", R"(
    %0 = hgc.matmul %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("m1")
    %1 = hgc.matmul %x, %x transpose_lhs : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("m2")
    %2 = hgc.add %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("sum"))");
  EXPECT_EQ(edges, Names{"m1>sum"});
}

TEST_F(FusionForestTest, ARootIsNotBroadcast) {
  EXPECT_EQ(edgesOf("%x: tensor<8x8xf32>, %y: tensor<4x8xf32>", R"(
    %0 = hgc.reduce sum %x axes = [0] : (tensor<8x8xf32>) -> tensor<8xf32> loc("sum")
    %1 = hgc.add %y, %0 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("add"))"),
            Names{});
}

TEST_F(FusionForestTest, ReductionsTakeExpressions) {
  EXPECT_EQ(edgesOf("%x: tensor<8x8xf32>", R"(
    %0 = hgc.exp %x : tensor<8x8xf32> loc("exp")
    %1 = hgc.reduce sum %0 axes = [1] : (tensor<8x8xf32>) -> tensor<8xf32> loc("sum")
    %2 = hgc.log %1 : tensor<8xf32> loc("log"))"),
            (Names{"exp>sum", "sum>log"}));
}

TEST_F(FusionForestTest, DoesNotRepeatTranscendentals) {
  EXPECT_EQ(edgesOf("%x: tensor<8xf32>, %y: tensor<64x8xf32>", R"(
    %0 = hgc.exp %x : tensor<8xf32> loc("exp")
    %1 = hgc.add %y, %0 : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32> loc("add")
    %2 = hgc.tanh %y : tensor<64x8xf32> loc("tanh")
    %3 = hgc.softmax %2 axis 1 : tensor<64x8xf32> loc("soft"))"),
            Names{});
}

TEST_F(FusionForestTest, RepeatsCheapArithmetic) {
  EXPECT_EQ(edgesOf("%x: tensor<8x8xf32>, %y: tensor<8x8xf32>", R"(
    %0 = hgc.mul %x, %y : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("mul")
    %1 = hgc.softmax %0 axis 1 : tensor<8x8xf32> loc("soft"))"),
            Names{"mul>soft"});
}

TEST_F(FusionForestTest, ViewsAndStateStayOutside) {
  EXPECT_EQ(edgesOf("%x: tensor<8x8xf32>", R"(
    %0 = hgc.relu %x : tensor<8x8xf32> loc("a")
    %1 = hgc.reshape %0 shape [64] : (tensor<8x8xf32>) -> tensor<64xf32> loc("view")
    %2 = hgc.neg %1 : tensor<64xf32> loc("b"))"),
            Names{});
}

TEST_F(FusionForestTest, LimitsTheInputsOfAKernel) {
  std::string arguments, body;
  for (int i = 0; i < 40; ++i)
    arguments += (i ? ", " : "") + ("%a" + std::to_string(i)) + ": tensor<64xf32>";
  std::string previous = "%a0";
  for (int i = 1; i < 40; ++i) {
    std::string name = "%v" + std::to_string(i);
    body += name + " = hgc.add " + previous + ", %a" + std::to_string(i) +
            " : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> loc(\"v" + std::to_string(i) + "\")\n";
    previous = name;
  }
  Names edges = edgesOf(arguments, body);
  EXPECT_EQ(edges.size(), 37u);
  EXPECT_FALSE(edges.count("v29>v30"));
}

/// A random function of pointwise ops, maps, reductions and contractions on
/// square matrices.
std::string makeRandomBody(std::mt19937 &rng, int ops) {
  std::string body;
  auto pick = [&](int count) { return static_cast<int>(rng() % count); };
  auto value = [&](int i) { return "%v" + std::to_string(i); };
  const std::string type = "tensor<8x8xf32>";
  body += "%v0 = hgc.relu %x : " + type + "\n";
  for (int i = 1; i < ops; ++i) {
    std::string a = value(pick(i)), b = value(pick(i)), two = " : (" + type + ", " + type + ") -> " + type + "\n";
    body += value(i) + " = ";
    switch (pick(7)) {
    case 0:
      body += "hgc.add " + a + ", " + b + two;
      break;
    case 1:
      body += "hgc.tanh " + a + " : " + type + "\n";
      break;
    case 2:
      body += "hgc.matmul " + a + ", " + b + two;
      break;
    case 3:
      body += "hgc.transpose " + a + " permutation = [1, 0] : (" + type + ") -> " + type + "\n";
      break;
    case 4:
      body += "hgc.softmax " + a + " axis 1 : " + type + "\n";
      break;
    case 5:
      body += "hgc.mul " + a + ", " + b + two;
      break;
    default:
      body += "hgc.neg " + a + " : " + type + "\n";
      break;
    }
  }
  return body;
}

/// Contracting any subset of the edges leaves an acyclic graph of clusters with
/// at most one root op each and one op whose result leaves the cluster.
TEST_F(FusionForestTest, AnySubsetContractsToKernels) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    edgesOf("%x: tensor<8x8xf32>", makeRandomBody(rng, 30));
    FusionForest forest(module->getOperation());
    llvm::DenseMap<Operation *, Operation *> parent;
    for (const FusionEdge &edge : forest.getEdges())
      if (rng() % 3)
        parent[edge.producer] = edge.consumer;
    auto head = [&](Operation *op) {
      while (Operation *next = parent.lookup(op))
        op = next;
      return op;
    };
    llvm::DenseMap<Operation *, int> roots;
    Block &block = cast<func::FuncOp>(module->getBody()->front()).getBody().front();
    for (Operation &op : block.without_terminator()) {
      roots[head(&op)] += cast<FusibleOp>(op).getFusionKind() == FusionKind::Root;
      for (Operation *user : op.getUsers()) {
        // A value leaves its cluster only at the head, and heads keep program
        // order, so no cycle can arise.
        if (head(user) != head(&op)) {
          EXPECT_EQ(head(&op), &op);
          EXPECT_TRUE(head(&op)->isBeforeInBlock(head(user)));
        }
      }
    }
    for (auto &entry : roots)
      EXPECT_LE(entry.second, 1) << "seed " << seed;
  }
}

} // namespace
