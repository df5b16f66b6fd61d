//===- ContractionKernel.cpp - kernels with a matmul or conv at the root --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/GemmKernels.h"
#include "hgc/CodeGen/GPU/GemmLibrary.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

/// Threads of a block that adds partial sums.
static constexpr int64_t kCombineThreads = 256;

static Contraction getContraction(Operation *root) {
  Contraction problem = llvm::TypeSwitch<Operation *, Contraction>(root)
                            .Case<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp, graph::ConvFilterGradOp>(
                                [](auto op) { return Contraction(op); });
  problem.allowsTf32 = allowsTf32(root->getParentOfType<ModuleOp>());
  return problem;
}

/// Checks that the root's operands are buffers in their canonical layout.
static LogicalResult verifyRoot(Operation *root) {
  if (failed(verifyRootOperands(root)))
    return failure();
  if (!root->getAttr("packed"))
    return success();
  InFlightDiagnostic diag = root->emitOpError("reads a packed operand, which only the CPU does");
  diag.attachNote() << "hint: unpack it when the weights are loaded";
  return diag;
}

namespace {

struct ContractionEmitter final : KernelEmitter {
  explicit ContractionEmitter(StringRef name) : name(name) {}

  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override {
    Operation *root = getRoot(kernel);
    if (failed(verifyRoot(root)))
      return failure();
    Contraction problem = getContraction(root);
    GemmPlan gemm = planGemm(problem, target);
    KernelPlan plan;
    plan.launches.push_back({{gemm.blocks(problem), 1, 1}, {gemm.threads, 1, 1}});
    if (gemm.splits > 1) {
      int64_t blocks = llvm::divideCeil(GemmStore::combineThreads(problem), kCombineThreads);
      plan.launches.push_back({{blocks, 1, 1}, {kCombineThreads, 1, 1}});
    }
    plan.scratchBytes = gemm.scratchBytes;
    plan.gemm = describeLibraryGemm(kernel, target);
    plan.text = (plan.gemm ? "cublas or " : "") + name + ": " + gemm.describe();
    return plan;
  }

  LogicalResult emit(KernelContext &context, size_t number) const override {
    Operation *root = getRoot(context.kernel);
    Contraction problem = getContraction(root);
    GemmPlan plan = planGemm(problem, context.target);
    if (number > 0) {
      GemmStore(context, problem, plan, root->getResult(0)).combine();
      return success();
    }
    GemmJob job{context,
                problem,
                plan,
                getRootBuffer(context, root->getOperand(problem.lhsOperand)),
                getRootBuffer(context, root->getOperand(problem.rhsOperand)),
                root->getResult(0)};
    switch (plan.kind) {
    case GemmKind::Simt:
      emitSimtGemm(job);
      break;
    case GemmKind::TensorCore:
      emitTensorCoreGemm(job);
      break;
    case GemmKind::Columns:
      emitColumnsGemm(job);
      break;
    case GemmKind::Dots:
      emitDotsGemm(job);
      break;
    case GemmKind::Direct:
      emitDirectGemm(job);
      break;
    }
    return success();
  }

  /// What people call the root.
  std::string name;
};

} // namespace

std::unique_ptr<KernelEmitter> hgc::gpu::createMatmulEmitter() {
  return std::make_unique<ContractionEmitter>("matmul");
}
std::unique_ptr<KernelEmitter> hgc::gpu::createConvEmitter() {
  return std::make_unique<ContractionEmitter>("convolution");
}
std::unique_ptr<KernelEmitter> hgc::gpu::createConvTransposeEmitter() {
  return std::make_unique<ContractionEmitter>("transposed convolution");
}
std::unique_ptr<KernelEmitter> hgc::gpu::createConvFilterGradEmitter() {
  return std::make_unique<ContractionEmitter>("filter gradient");
}
