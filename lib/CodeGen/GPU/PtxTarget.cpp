//===- PtxTarget.cpp - from LLVM IR to PTX --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's GPU backend ends the process on input it cannot compile. All that may
// lead there is checked before: target, PTX version and functions.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/PtxTarget.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

PtxTarget PtxTarget::get(int64_t sm) {
  // sm_75 exists from 6.3 on, its ldmatrix and mma.sync from 6.5 on.
  static constexpr PtxTarget known[] = {{75, 65}, {80, 70},  {86, 71},  {87, 74},  {89, 78},
                                        {90, 78}, {100, 86}, {103, 88}, {120, 87}, {121, 88}};
  PtxTarget best = known[0];
  for (const PtxTarget &target : known)
    if (target.sm <= sm)
      best = target;
  return best;
}

/// Keeps LLVM from joining accesses: it would also read beyond the end of a
/// buffer where alignment makes that harmless, and every emitter already makes
/// its accesses as wide as they may be. There is no other way to say so.
static void keepAccesses() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find("disable-nvptx-load-store-vectorizer");
  if (option != options.end())
    static_cast<llvm::cl::opt<bool> *>(option->second)->setValue(true);
}

static std::unique_ptr<llvm::TargetMachine> createMachine(const PtxTarget &target) {
  static const bool isInitialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    keepAccesses();
    return true;
  }();
  (void)isInitialized;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *nvptx = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!nvptx)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      nvptx->createTargetMachine(triple, "sm_" + std::to_string(target.sm), "+ptx" + std::to_string(target.version),
                                 llvm::TargetOptions(), std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

namespace {
/// Sets a switch of LLVM that has no other access, and sets it back: the CPU's
/// code is made by the same process.
class ScopedSwitch {
public:
  explicit ScopedSwitch(StringRef name) {
    auto &options = llvm::cl::getRegisteredOptions();
    auto found = options.find(name);
    if (found == options.end())
      return;
    option = static_cast<llvm::cl::opt<bool> *>(found->second);
    before = option->getValue();
    option->setValue(true);
  }
  ~ScopedSwitch() {
    if (option)
      option->setValue(before);
  }

private:
  llvm::cl::opt<bool> *option = nullptr;
  bool before = false;
};
} // namespace

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  // It cuts vector loads into scalars whose lanes are used one by one.
  ScopedSwitch keepVectors("disable-vector-combine");
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

/// Intrinsics that LLVM would turn into calls of a C library.
static bool isLibraryIntrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::acos:
  case llvm::Intrinsic::asin:
  case llvm::Intrinsic::atan:
  case llvm::Intrinsic::atan2:
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::cosh:
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp10:
  case llvm::Intrinsic::exp2:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::powi:
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::sinh:
  case llvm::Intrinsic::tan:
  case llvm::Intrinsic::tanh:
    return true;
  default:
    return false;
  }
}

/// Nothing may be left that PTX does not define: a driver would refuse it.
static LogicalResult verifyClosed(mlir::gpu::GPUModuleOp module, const llvm::Module &translated) {
  for (const llvm::Function &function : translated) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    if (function.isIntrinsic() && !isLibraryIntrinsic(function.getIntrinsicID()))
      continue;
    InFlightDiagnostic diag = module.emitError() << "a kernel calls '" << function.getName() << "', which PTX lacks";
    diag.attachNote() << "hint: expand the function in hgc-expand-gpu-math, or place its op on the CPU";
    return diag;
  }
  return success();
}

FailureOr<std::string> hgc::gpu::translateToPtx(mlir::gpu::GPUModuleOp module, const PtxTarget &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine) {
    InFlightDiagnostic diag = module.emitError("this LLVM has no PTX backend");
    diag.attachNote() << "hint: build hgc with an LLVM that has the NVPTX target";
    return diag;
  }
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated = translateModuleToLLVMIR(module, context, module.getName());
  if (!translated)
    return failure();
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  optimize(*translated, *machine);
  if (failed(verifyClosed(module, *translated)))
    return failure();
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager pm;
  llvm::TargetLibraryInfoImpl library(machine->getTargetTriple());
  pm.add(new llvm::TargetLibraryInfoWrapperPass(library));
  [[maybe_unused]] bool failed = machine->addPassesToEmitFile(pm, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                                              /*DisableVerify=*/true);
  assert(!failed && "the PTX backend writes assembly");
  pm.run(*translated);
  return std::string(text);
}
