//===- ParametersTest.cpp - initial values of parameters ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Parameters.h"
#include "TestFiles.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/Random.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include <cmath>

using namespace hgc;

namespace {
struct ParametersTest : testing::Test {
  mlir::MLIRContext context;
  TestFolder folder;
  ParameterLoader loader{folder.path};

  ParametersTest() { context.loadDialect<graph::HGCDialect>(); }

  llvm::Expected<HostTensor> load(llvm::StringRef type, llvm::StringRef value) {
    auto tensor = llvm::cast<mlir::RankedTensorType>(mlir::parseType(type, &context));
    mlir::Attribute attr = value.starts_with("#") ? mlir::parseAttribute(value, &context)
                                                  : mlir::parseAttribute((value + " : " + type).str(), &context);
    return loader.load(attr, tensor);
  }
  HostTensor get(llvm::StringRef type, llvm::StringRef value) {
    llvm::Expected<HostTensor> tensor = load(type, value);
    if (tensor)
      return *tensor;
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return HostTensor(mlir::Float32Type::get(&context), {});
  }
  /// Standard deviation around zero, and the largest magnitude.
  static std::pair<double, double> spread(const HostTensor &tensor) {
    double squares = 0, largest = 0;
    for (double value : tensor.toDoubles()) {
      squares += value * value;
      largest = std::max(largest, std::fabs(value));
    }
    return {std::sqrt(squares / tensor.getNumElements()), largest};
  }
};
} // namespace

TEST_F(ParametersTest, Literals) {
  EXPECT_EQ(get("tensor<2xf32>", "dense<[1.0, 2.0]>").str(), "2xf32=1,2");
  EXPECT_EQ(get("tensor<3xi8>", "dense<7>").str(), "3xi8=7,7,7");
}

TEST_F(ParametersTest, Fans) {
  Fans dense = computeFans({784, 128}), conv = computeFans({3, 3, 16, 32}), bias = computeFans({5});
  EXPECT_EQ(dense.in, 784);
  EXPECT_EQ(dense.out, 128);
  EXPECT_EQ(conv.in, 9 * 16);
  EXPECT_EQ(conv.out, 9 * 32);
  EXPECT_EQ(bias.in, 5);
  EXPECT_EQ(computeFans({}).out, 1);
}

TEST_F(ParametersTest, InitialDistributions) {
  auto [glorot, glorotMax] = spread(get("tensor<200x100xf32>", "#hgc.init<glorot_uniform, seed = 2>"));
  EXPECT_NEAR(glorot, std::sqrt(2.0 / 300), 0.01 * glorot);
  EXPECT_LE(glorotMax, std::sqrt(6.0 / 300) * 1.000001);
  auto [he, heMax] = spread(get("tensor<3x3x16x64xf32>", "#hgc.init<he_normal, seed = 2>"));
  EXPECT_NEAR(he, std::sqrt(2.0 / 144), 0.02 * he);
  EXPECT_LE(heMax, 2 * std::sqrt(2.0 / 144) / 0.8796);
  auto [lecun, lecunMax] = spread(get("tensor<200x100xf64>", "#hgc.init<lecun_normal, seed = 2>"));
  EXPECT_NEAR(lecun, std::sqrt(1.0 / 200), 0.02 * lecun);
  EXPECT_GT(lecunMax, lecun);
  EXPECT_NEAR(spread(get("tensor<200x100xf32>", "#hgc.init<glorot_normal, seed = 3>")).first, 0.0816, 1e-3);
  EXPECT_NEAR(spread(get("tensor<200x100xf32>", "#hgc.init<he_uniform, seed = 3>")).first, 0.1, 2e-3);
  EXPECT_NEAR(spread(get("tensor<200x100xf32>", "#hgc.init<lecun_uniform, seed = 3>")).first, 0.0707, 2e-3);
  EXPECT_NEAR(spread(get("tensor<20000xf32>", "#hgc.init<normal, seed = 3>")).first, 1, 0.02);
  EXPECT_LT(spread(get("tensor<20000xf32>", "#hgc.init<uniform, seed = 3>")).second, 1);
  EXPECT_EQ(get("tensor<2xi32>", "#hgc.init<ones>").str(), "2xi32=1,1");
  EXPECT_EQ(get("tensor<2xbf16>", "#hgc.init<zeros>").str(), "2xbf16=0,0");
}

TEST_F(ParametersTest, SeedsDecide) {
  HostTensor a = get("tensor<9xf32>", "#hgc.init<normal, seed = 1>");
  EXPECT_EQ(a, get("tensor<9xf32>", "#hgc.init<normal, seed = 1>"));
  EXPECT_NE(a, get("tensor<9xf32>", "#hgc.init<normal, seed = 2>"));
}

TEST_F(ParametersTest, Files) {
  HostTensor weight = makeRandomTensor(mlir::Float32Type::get(&context), {2, 3}, 1);
  ASSERT_EQ(errorOf(writeSafetensors(folder.file("w.safetensors"), {{"fc", weight}})), "");
  EXPECT_EQ(get("tensor<2x3xf32>", "#hgc.file<\"w.safetensors\", \"fc\">"), weight);
  EXPECT_EQ(loader.getOpenedFiles().size(), 1u);
  expectError(errorOf(load("tensor<3x2xf32>", "#hgc.file<\"w.safetensors\", \"fc\">")),
              "is tensor<2x3xf32>, the parameter is tensor<3x2xf32>");
  expectError(errorOf(load("tensor<2x3xf32>", "#hgc.file<\"w.safetensors\", \"fd\">")), "has no tensor 'fd'");
  expectError(errorOf(load("tensor<2x3xf32>", "#hgc.file<\"v.safetensors\", \"fc\">")), "cannot read");
  for (const char *path : {"../w.safetensors", "/w.safetensors", "a/../../w.safetensors", ""})
    expectError(errorOf(load("tensor<2x3xf32>", ("#hgc.file<\"" + llvm::Twine(path) + "\", \"fc\">").str())),
                "leaves the model's folder");
}

TEST_F(ParametersTest, Errors) {
  expectError(errorOf(load("tensor<2xi32>", "#hgc.init<normal>")), "'normal' cannot initialise elements of type i32");
  auto type = mlir::RankedTensorType::get({mlir::ShapedType::kDynamic}, mlir::Float32Type::get(&context));
  expectError(errorOf(loader.load(mlir::UnitAttr::get(&context), type)), "needs a static shape");
  auto other = mlir::RankedTensorType::get({2}, mlir::Float32Type::get(&context));
  expectError(errorOf(loader.load(mlir::UnitAttr::get(&context), other)), "does not have the parameter's type");
}

TEST_F(ParametersTest, LoadAllReportsAtTheParameter) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    hgc.parameter @a : tensor<2xf32> = dense<1.0>
    hgc.parameter @b : tensor<2xf32> = #hgc.file<"none.safetensors", "b">
  )",
                                                        &context);
  ASSERT_TRUE(module);
  std::string message, note;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    message = diag.str();
    for (mlir::Diagnostic &n : diag.getNotes())
      note = n.str();
    return mlir::success();
  });
  llvm::StringMap<HostTensor> values;
  EXPECT_TRUE(mlir::failed(loader.loadAll(*module, values)));
  EXPECT_NE(message.find("parameter 'b': cannot read"), std::string::npos) << message;
  EXPECT_EQ(note.rfind("hint: ", 0), 0u) << note;
  EXPECT_EQ(values["a"].str(), "2xf32=1,1");
}
