//===- ControlTest.cpp - state, control flow, kernels ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

using ControlTest = EvalFixture;

TEST_F(ControlTest, ReadsSeeTheValueAtEntry) {
  EXPECT_EQ(run(R"(
    func.func @step(%x: tensor<i64>) -> tensor<i64> {
      %c = hgc.read @counter : tensor<i64>
      %n = hgc.add %c, %x : (tensor<i64>, tensor<i64>) -> tensor<i64>
      hgc.assign @counter, %n : tensor<i64>
      %d = hgc.read @counter : tensor<i64>
      return %d : tensor<i64>
    }
    hgc.parameter @counter : tensor<i64> = dense<5>
  )",
                {"i64=2"}),
            "i64=5 @counter=i64=7");
}

TEST_F(ControlTest, If) {
  const char *source = R"(
    func.func @f(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
      %r = hgc.if %c : tensor<i1> -> (tensor<f32>) {
        %n = hgc.neg %x : tensor<f32>
        hgc.yield %n : tensor<f32>
      } else {
        hgc.yield %x : tensor<f32>
      }
      return %r : tensor<f32>
    })";
  EXPECT_EQ(run(source, {"i1=1", "f32=3"}), "f32=-3");
  EXPECT_EQ(run(source, {"i1=0", "f32=3"}), "f32=3");
}

static constexpr const char *kCountTo = R"(
  func.func @f(%start: tensor<i32>, %limit: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %one = hgc.constant dense<1> : tensor<i32>
    %n:2 = hgc.while init(%start, %one : tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) cond {
    ^bb0(%i: tensor<i32>, %p: tensor<i32>):
      %c = hgc.compare lt %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      hgc.yield %c : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>, %p: tensor<i32>):
      %j = hgc.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %q = hgc.add %p, %p : (tensor<i32>, tensor<i32>) -> tensor<i32>
      hgc.yield %j, %q : tensor<i32>, tensor<i32>
    }
    return %n#0, %n#1 : tensor<i32>, tensor<i32>
  })";

TEST_F(ControlTest, While) {
  EXPECT_EQ(run(kCountTo, {"i32=0", "i32=5"}), "i32=5 i32=32");
  EXPECT_EQ(run(kCountTo, {"i32=9", "i32=5"}), "i32=9 i32=1");
}

TEST_F(ControlTest, EndlessLoopsEnd) {
  options.maxIterations = 100;
  EXPECT_EQ(run(kCountTo, {"i32=0", "i32=100"}).substr(0, 8), "i32=100 ");
  expectFailure(run(kCountTo, {"i32=0", "i32=101"}), "still runs after 100 iterations");
}

TEST_F(ControlTest, Scan) {
  auto scan = [&](const char *reverse) {
    return run((llvm::Twine(R"(
      func.func @f(%h: tensor<f32>, %xs: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>) {
        %s, %ys = hgc.scan init(%h : tensor<f32>) over(%xs : tensor<3xf32>) )") +
                reverse + R"(
            -> (tensor<f32>, tensor<3xf32>) {
        ^bb0(%a: tensor<f32>, %x: tensor<f32>):
          %n = hgc.add %a, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
          hgc.yield %n, %n : tensor<f32>, tensor<f32>
        }
        return %s, %ys : tensor<f32>, tensor<3xf32>
      })")
                   .str(),
               {"f32=10", "3xf32=1,2,3"});
  };
  EXPECT_EQ(scan(""), "f32=16 3xf32=11,13,16");
  EXPECT_EQ(scan("reverse"), "f32=16 3xf32=16,15,13");
}

TEST_F(ControlTest, ScanOfNothing) {
  EXPECT_EQ(run(R"(
    func.func @f(%h: tensor<f32>, %xs: tensor<0x2xf32>) -> (tensor<f32>, tensor<0x2xf32>) {
      %s, %ys = hgc.scan init(%h : tensor<f32>) over(%xs : tensor<0x2xf32>) -> (tensor<f32>, tensor<0x2xf32>) {
      ^bb0(%a: tensor<f32>, %x: tensor<2xf32>):
        hgc.yield %a, %x : tensor<f32>, tensor<2xf32>
      }
      return %s, %ys : tensor<f32>, tensor<0x2xf32>
    })",
                {"f32=10", "0x2xf32="}),
            "f32=10 0x2xf32=");
}

TEST_F(ControlTest, KernelsAndTransfers) {
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %g = hgc.transfer %x from <cpu> to <gpu> : tensor<2xf32>
      %y = hgc.kernel(%g : tensor<2xf32>) -> tensor<2xf32> {
      ^bb0(%0: tensor<2xf32>):
        %1 = hgc.relu %0 : tensor<2xf32>
        hgc.yield %1 : tensor<2xf32>
      }
      return %y : tensor<2xf32>
    })",
                {"2xf32=-1,1"}),
            "2xf32=0,1");
}

TEST_F(ControlTest, Calls) {
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %0 = call @g(%x) : (tensor<f32>) -> tensor<f32>
      %1 = call @g(%0) : (tensor<f32>) -> tensor<f32>
      %2 = hgc.add %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %2 : tensor<f32>
    }
    func.func @g(%x: tensor<f32>) -> tensor<f32> {
      %0 = hgc.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    })",
                {"f32=1"}),
            "f32=6");
}

TEST_F(ControlTest, ConstantOpsFold) {
  ASSERT_EQ(run("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                "%r = hgc.neg %x : tensor<2xf32>\n return %r : tensor<2xf32> }",
                {"2xf32=1,2"}),
            "2xf32=-1,-2");
  mlir::Operation *neg = nullptr;
  module->walk([&](graph::NegOp op) { neg = op; });
  auto folded = graph::evaluateConstantOp(neg, {literal("2xf32=3,4")});
  ASSERT_TRUE(mlir::succeeded(folded));
  EXPECT_EQ(folded->front().str(), "2xf32=-3,-4");
  // A value of another shape than declared does not fold, and nobody complains.
  EXPECT_TRUE(mlir::failed(graph::evaluateConstantOp(neg, {literal("3xf32=3,4,5")})));
}
