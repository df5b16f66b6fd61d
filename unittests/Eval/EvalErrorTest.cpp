//===- EvalErrorTest.cpp - what the evaluator refuses ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

namespace {
struct EvalErrorTest : EvalFixture {
  /// A function of dynamically shaped f32 operands of the given ranks.
  std::string dynamic(llvm::StringRef body, llvm::StringRef type, const std::vector<std::string> &inputs) {
    std::string source = "func.func @f(", types;
    for (size_t i = 0; i < inputs.size(); ++i) {
      HostTensor tensor = literal(inputs[i]);
      std::string operand;
      llvm::raw_string_ostream(operand) << mlir::RankedTensorType::get(
          llvm::SmallVector<int64_t>(tensor.getRank(), mlir::ShapedType::kDynamic), tensor.getElementType());
      source += (i ? ", %a" : "%a") + std::to_string(i) + ": " + operand;
      types += (i ? ", " : "") + operand;
    }
    source += ") -> " + type.str() + " {\n %r = hgc." + body.str() + " : (" + types + ") -> " + type.str() +
              "\n return %r : " + type.str() + " }";
    return run(source, inputs);
  }
};
} // namespace

TEST_F(EvalErrorTest, Inputs) {
  const char *source = "func.func @f(%x: tensor<2xf32> {hgc.name = \"x\"}) -> tensor<2xf32> {\n"
                       "return %x : tensor<2xf32> }";
  expectFailure(run(source, {}), "takes 1 inputs, got 0");
  expectFailure(run(source, {"3xf32=1"}), "takes tensor<2xf32> as input 'x', got tensor<3xf32>");
  expectFailure(run(source, {"2xf64=1"}), "got tensor<2xf64>");
  expectFailure(run("func.func private @f(tensor<f32>)", {"f32=1"}), "has no body");
}

TEST_F(EvalErrorTest, Dims) {
  expectFailure(run(R"(
    func.func @f(%x: tensor<?xf32> {hgc.shape = ["n"]}, %y: tensor<?xf32> {hgc.shape = ["n"]}) -> tensor<?xf32> {
      return %x : tensor<?xf32>
    })",
                    {"2xf32=1", "3xf32=1"}),
                "binds dim 'n' to both 2 and 3");
  expectFailure(run(R"(
    func.func @f(%x: tensor<f32>) -> tensor<?xf32> {
      %r = hgc.broadcast %x shape ["n"] : (tensor<f32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    })",
                    {"f32=1"}),
                "uses dim 'n', which no input binds");
}

TEST_F(EvalErrorTest, Shapes) {
  expectFailure(dynamic("reshape %a0 shape [2, -1]", "tensor<2x?xf32>", {"3xf32=1"}),
                "cannot give 3 elements the shape");
  expectFailure(dynamic("broadcast %a0 shape [1]", "tensor<1xf32>", {"3xf32=1"}), "repeats shape 3 to the smaller 1");
  expectFailure(dynamic("concat %a0, %a1 axis 0", "tensor<?x?xf32>", {"1x2xf32=1", "1x3xf32=1"}),
                "joins shapes 1x2 and 1x3");
  expectFailure(dynamic("add %a0, %a1", "tensor<?xf32>", {"2xf32=1", "3xf32=1"}), "do not broadcast");
  expectFailure(dynamic("gather %a0, %a1 axis 0", "tensor<?xf32>", {"0xf32=", "1xi32=0"}),
                "picks from a dim which has no elements");
  expectFailure(dynamic("gather_along %a0, %a1 axis 0", "tensor<?x?xf32>", {"2x2xf32=1", "1x3xi32=0"}),
                "has indices whose extents are not those of its input");
  expectFailure(dynamic("scatter set %a0, %a1, %a2 axis 0", "tensor<?xf32>", {"2xf32=1", "2xi32=0", "1xf32=1"}),
                "has updates of shape 1, its indices pick 2");
  expectFailure(dynamic("arg_reduce max %a0 axis 0", "tensor<i64>", {"0xf32="}),
                "looks for an extreme along dim 0, which has no elements");
  expectFailure(dynamic("arg_sort %a0 axis 0 k = 3", "tensor<3xi64>", {"2xf32=1"}), "gives the first 3 of 2 positions");
  expectFailure(dynamic("slice %a0 starts = [1] sizes = [2]", "tensor<2xf32>", {"2xf32=1"}), "takes 2 elements from 1");
  expectFailure(dynamic("pad constant %a0, %a1 low = [-3] high = [0]", "tensor<?xf32>", {"2xf32=1", "f32=0"}),
                "pads dim 0 with extent 2 to -1");
}

TEST_F(EvalErrorTest, Attention) {
  auto attend = [&](const std::string &q, const std::string &k, const std::string &v) {
    return dynamic("attention %a0, %a1, %a2", "tensor<?x?xf32>", {q, k, v});
  };
  expectFailure(attend("1x2xf32=1", "1x3xf32=1", "1x1xf32=1"), "has operands of shapes 1x2, 1x3 and 1x1");
  expectFailure(attend("1x2xf32=1", "3x2xf32=1", "4x1xf32=1"), "that do not fit together");
  expectFailure(attend("1x2xf32=1", "0x2xf32=", "0x1xf32="), "has no keys to attend to");
  expectFailure(dynamic("attention %a0, %a1, %a2 mask %a3", "tensor<?x?xf32>",
                        {"1x2xf32=1", "1x2xf32=1", "1x1xf32=1", "2x1xf32=1"}),
                "has a mask of shape 2x1 for scores of shape 1x1");
}

TEST_F(EvalErrorTest, Contractions) {
  expectFailure(dynamic("matmul %a0, %a1", "tensor<?x?xf32>", {"1x2xf32=1", "3x1xf32=1"}), "contracts depths 2 and 3");
  expectFailure(run(R"(
    func.func @f(%x: tensor<1x2x?xf32>, %w: tensor<1x3x1xf32>) -> tensor<1x2x1xf32> {
      %r = hgc.conv %x, %w channels_last hwio : (tensor<1x2x?xf32>, tensor<1x3x1xf32>) -> tensor<1x2x1xf32>
      return %r : tensor<1x2x1xf32>
    })",
                    {"1x2x2xf32=1", "1x3x1xf32=1"}),
                "convolves 2 channels in 1 groups");
}

TEST_F(EvalErrorTest, Normalisations) {
  expectFailure(
      dynamic("layer_norm %a0, %a1, %a2 axis 0 epsilon 0.1", "tensor<?xf32>", {"2xf32=1", "3xf32=1", "2xf32=1"}),
      "normalises 2 elements with a scale of 3");
  expectFailure(dynamic("batch_norm %a0, %a1, %a2, %a3, %a4 axis 0 epsilon 0.1", "tensor<?xf32>",
                        {"2xf32=1", "2xf32=1", "2xf32=1", "2xf32=1", "1xf32=1"}),
                "normalises 2 channels with statistics of 1");
}

TEST_F(EvalErrorTest, Structure) {
  expectFailure(run("func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
                    " %0 = math.exp %x : tensor<f32>\n return %0 : tensor<f32> }",
                    {"f32=1"}),
                "has no reference semantics");
  expectFailure(run("func.func @f(%x: tensor<?xf32>) -> tensor<2xf32> {\n"
                    " %0 = hgc.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<2xf32>\n"
                    " return %0 : tensor<2xf32> }",
                    {"3xf32=1"}),
                "gives tensor<3xf32> at run time, but declares tensor<2xf32>");
  expectFailure(run("func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
                    " %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>\n return %0 : tensor<f32> }",
                    {"f32=1"}),
                "nests more than 256 calls");
  expectFailure(run("func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
                    " %0 = call @g(%x) : (tensor<f32>) -> tensor<f32>\n return %0 : tensor<f32> }\n"
                    "func.func private @g(tensor<f32>) -> tensor<f32>",
                    {"f32=1"}),
                "calls 'g', which has no body");
  expectFailure(
      run("func.func @f(%x: tensor<f32>) -> tensor<f32> {\n cf.br ^bb1\n^bb1:\n return %x : tensor<f32> }", {"f32=1"}),
      "has a region that cannot be evaluated");
}

TEST_F(EvalErrorTest, Sequences) {
  expectFailure(run(R"(
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %ys = hgc.scan over(%a, %b : tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>) {
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        hgc.yield %x : tensor<f32>
      }
      return %ys : tensor<?xf32>
    })",
                    {"2xf32=1", "3xf32=1"}),
                "walks sequences of 2 and 3 elements");
}

TEST_F(EvalErrorTest, GrowingStacks) {
  expectFailure(run(R"(
    func.func @f(%h: tensor<?xf32>, %xs: tensor<3x1xf32>) -> tensor<3x?xf32> {
      %s, %ys = hgc.scan init(%h : tensor<?xf32>) over(%xs : tensor<3x1xf32>) -> (tensor<?xf32>, tensor<3x?xf32>) {
      ^bb0(%a: tensor<?xf32>, %x: tensor<1xf32>):
        %n = hgc.concat %a, %x axis 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
        hgc.yield %n, %n : tensor<?xf32>, tensor<?xf32>
      }
      return %ys : tensor<3x?xf32>
    })",
                    {"1xf32=1", "3x1xf32=1"}),
                "stacks slices of different shapes");
}

TEST_F(EvalErrorTest, ConstantWithoutData) {
  expectFailure(op("constant dense_resource<lost> : tensor<2xf32>", {}, "tensor<2xf32>"),
                "resource 'lost' has no data");
}

TEST_F(EvalErrorTest, ValuesOfEnclosingRegions) {
  ASSERT_EQ(run(R"(
    func.func @f(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
      %r = hgc.if %c : tensor<i1> -> (tensor<f32>) {
        hgc.yield %x : tensor<f32>
      } else {
        hgc.yield %x : tensor<f32>
      }
      return %r : tensor<f32>
    })",
                {"i1=1", "f32=3"}),
            "f32=3");
  mlir::Operation *branch = nullptr;
  module->walk([&](graph::IfOp op) { branch = op; });
  EXPECT_TRUE(mlir::failed(graph::evaluateConstantOp(branch, {literal("i1=1")})));
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    message = diag.str();
    return mlir::success();
  });
  graph::EvalContext evaluation;
  llvm::SmallVector<HostTensor> results;
  EXPECT_TRUE(mlir::failed(evaluation.evaluateOp(branch, {literal("i1=1")}, results)));
  EXPECT_NE(message.find("uses a value that is not known"), std::string::npos) << message;
  EXPECT_TRUE(mlir::failed(evaluation.evaluateOp(branch, {literal("2xi1=1")}, results)));
  EXPECT_NE(message.find("has a condition of 2 elements"), std::string::npos) << message;
}

TEST_F(EvalErrorTest, ParametersWithoutValue) {
  ASSERT_EQ(run("func.func @f() -> tensor<f32> {\n %0 = hgc.read @p : tensor<f32>\n return %0 : tensor<f32> }\n"
                "hgc.parameter @p : tensor<f32> = dense<1.0>"),
            "f32=1");
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    message = diag.str();
    return mlir::success();
  });
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  EXPECT_TRUE(mlir::failed(graph::evaluateEntry(function, {}, {})));
  EXPECT_NE(message.find("reads parameter 'p', which has no value"), std::string::npos) << message;
}
