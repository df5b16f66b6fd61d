//===- Registration.cpp - all dialects and passes of hgc ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Pipeline/Registration.h"

#include "dialects/Graph/Eval/Evaluator.h"
#include "dialects/Graph/GraphOps.h"
#include "hgc/Autodiff/Gradients.h"
#include "hgc/Autodiff/Passes.h"
#include "hgc/Autodiff/Training/Passes.h"
#include "hgc/CodeGen/CPU/Passes.h"
#include "hgc/CodeGen/GPU/Passes.h"
#include "hgc/Conversion/Passes.h"
#include "hgc/Frontend/Model.h"
#include "hgc/Pipeline/Pipeline.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Report/Passes.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace hgc;

void hgc::registerDialects(DialectRegistry &registry) {
  registerModelDialects(registry);
  graph::registerEvalModels(registry);
  registerGradModels(registry);
  // The conversion of GPU functions asks dialects for their patterns.
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

void hgc::registerPasses() {
  registerHgcAutodiffPasses();
  registerHgcAutodiffTrainingPasses();
  registerHgcTransformsPasses();
  registerHgcPlacementPasses();
  registerHgcConversionPasses();
  registerHgcCodeGenCPUPasses();
  registerHgcCodeGenGPUPasses();
  registerHgcReportPasses();
  for (Stage stage : {Stage::Graph, Stage::Placed, Stage::Fused, Stage::Exec, Stage::LLVM}) {
    std::string name = ("hgc-to-" + stringify(stage)).str();
    std::string text = ("passes that lead to stage " + stringify(stage)).str();
    PassPipelineRegistration<>(name, text, [stage](OpPassManager &pm) { buildStagePipeline(stage, pm, {}); });
  }
}

namespace {
/// Installs an action handler in every context: all have the builtin dialect.
struct SkipPass final : DialectExtension<SkipPass, BuiltinDialect> {
  explicit SkipPass(StringRef name) : name(name) {}

  void apply(MLIRContext *context, BuiltinDialect *) const override {
    context->registerActionHandler([name = name](function_ref<void()> run, const tracing::Action &action) {
      const auto *pass = dyn_cast<PassExecutionAction>(&action);
      if (!pass || pass->getPass().getArgument() != name)
        run();
    });
  }

  std::string name;
};
} // namespace

void hgc::skipPass(DialectRegistry &registry, llvm::StringRef name) {
  registry.addExtension(TypeID::get<SkipPass>(), std::make_unique<SkipPass>(name));
}
