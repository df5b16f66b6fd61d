//===- EvalFixture.h - evaluate MLIR text in a test -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_EVAL_EVALFIXTURE_H
#define HGC_UNITTESTS_EVAL_EVALFIXTURE_H

#include "dialects/Graph/Eval/Evaluator.h"
#include "hgc/Support/Literal.h"
#include "hgc/Support/Parameters.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace hgc {

/// Parses modules, calls their function and gives results as literal text.
struct EvalFixture : testing::Test {
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The last diagnostic, its notes after it.
  std::string message;
  graph::EvalOptions options;

  EvalFixture() {
    mlir::DialectRegistry registry;
    registry
        .insert<graph::HGCDialect, mlir::func::FuncDialect, mlir::math::MathDialect, mlir::cf::ControlFlowDialect>();
    graph::registerEvalModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  HostTensor literal(llvm::StringRef text) {
    llvm::Expected<HostTensor> tensor = parseLiteral(text, &context);
    if (tensor)
      return *tensor;
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return HostTensor(mlir::Float32Type::get(&context), {});
  }

  llvm::FailureOr<graph::EvalResult> call(llvm::StringRef source, const std::vector<HostTensor> &inputs) {
    message.clear();
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
      message = diag.str();
      for (mlir::Diagnostic &note : diag.getNotes())
        message += "\n" + note.str();
      return mlir::success();
    });
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    if (!module) {
      ADD_FAILURE() << message;
      return mlir::failure();
    }
    graph::ParameterValues parameters;
    ParameterLoader loader("");
    if (mlir::failed(loader.loadAll(*module, parameters)))
      return mlir::failure();
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    return graph::evaluateEntry(function, inputs, parameters, options);
  }

  /// Results of a module's first function, joined by spaces.
  std::string run(llvm::StringRef source, const std::vector<std::string> &inputs = {}) {
    std::vector<HostTensor> tensors;
    for (const std::string &input : inputs)
      tensors.push_back(literal(input));
    llvm::FailureOr<graph::EvalResult> result = call(source, tensors);
    if (mlir::failed(result))
      return "error: " + message;
    std::string text;
    for (const HostTensor &output : result->outputs)
      text += (text.empty() ? "" : " ") + output.str(64);
    for (const auto &[name, value] : result->state)
      text += " @" + name + "=" + value.str(64);
    return text;
  }

  /// Result of one op: operands are `%0`, `%1`, ..., types are the inputs'.
  /// `body` says what comes after `%r = hgc.`; `type` is the result's.
  std::string op(llvm::StringRef body, const std::vector<std::string> &inputs, llvm::StringRef type) {
    std::string source = "func.func @f(";
    for (size_t i = 0; i < inputs.size(); ++i)
      source += (i ? ", %a" : "%a") + std::to_string(i) + ": " + typeOf(inputs[i]);
    source += ") -> " + type.str() + " {\n  %r = hgc." + body.str() + "\n  return %r : " + type.str() + "\n}\n";
    return run(source, inputs);
  }

  /// `tensor<2xf32>` for `2xf32=1,2`.
  static std::string typeOf(llvm::StringRef input) { return ("tensor<" + input.split('=').first + ">").str(); }

  /// A pointwise op with all types equal: `unary("abs", "2xf32=-1,1")`.
  std::string unary(llvm::StringRef name, const std::string &input) {
    return op((name + " %a0 : " + typeOf(input)).str(), {input}, typeOf(input));
  }
  /// A binary op; `type` is the result's.
  std::string binary(llvm::StringRef name, const std::string &lhs, const std::string &rhs, llvm::StringRef type = "") {
    std::string result = type.empty() ? typeOf(lhs) : type.str();
    return op((name + " %a0, %a1 : (" + typeOf(lhs) + ", " + typeOf(rhs) + ") -> " + result).str(), {lhs, rhs}, result);
  }
};

/// Expects an error with `part` in it and a hint.
inline void expectFailure(const std::string &text, llvm::StringRef part) {
  EXPECT_EQ(text.rfind("error: ", 0), 0u) << text;
  EXPECT_NE(text.find(part.str()), std::string::npos) << "got: " << text << "\nwant: " << part.str();
  EXPECT_NE(text.find("hint: "), std::string::npos) << text;
}

} // namespace hgc

#endif // HGC_UNITTESTS_EVAL_EVALFIXTURE_H
