//===- TranslateToObject.cpp - LLVM dialect to machine code ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/TranslateToObject.h"

#include "dialects/Exec/ExecOps.h"
#include "hgc/CodeGen/CPU/TargetSpec.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// Takes `exec` ops out of a module for as long as it lives: they describe the
/// library, LLVM has nothing to make of them.
class WithoutExecOps {
public:
  explicit WithoutExecOps(ModuleOp module) : module(module) {
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa_and_nonnull<exec::ExecDialect>(op.getDialect())) {
        op.remove();
        ops.push_back(&op);
      }
  }
  ~WithoutExecOps() {
    for (Operation *op : llvm::reverse(ops))
      module.getBody()->push_front(op);
  }

private:
  ModuleOp module;
  SmallVector<Operation *> ops;
};

/// Hands LLVM's diagnostics to MLIR at the place of the module.
struct ForwardDiagnostics final : llvm::DiagnosticHandler {
  explicit ForwardDiagnostics(ModuleOp module, bool &failed) : module(module), failed(failed) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (info.getSeverity() == llvm::DS_Error) {
      failed = true;
      mlir::emitError(module.getLoc()) << "LLVM: " << text;
    } else if (info.getSeverity() == llvm::DS_Warning) {
      mlir::emitWarning(module.getLoc()) << "LLVM: " << text;
    }
    return true;
  }

  ModuleOp module;
  bool &failed;
};

} // namespace

namespace {
/// ThreadSanitizer's pass passes over accesses of more than 16 bytes: most of
/// what a kernel does. Its runtime can watch ranges of any size.
struct WatchWideAccesses : llvm::PassInfoMixin<WatchWideAccesses> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    const llvm::DataLayout &layout = function.getDataLayout();
    for (llvm::Instruction &access : llvm::instructions(function)) {
      llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
      if (!pointer || access.isAtomic())
        continue;
      uint64_t bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
      if (bytes <= 16 && llvm::isPowerOf2_64(bytes))
        continue;
      llvm::IRBuilder<> builder(&access);
      llvm::FunctionCallee watch = function.getParent()->getOrInsertFunction(
          isa<llvm::StoreInst>(access) ? "__tsan_write_range" : "__tsan_read_range", builder.getVoidTy(),
          builder.getPtrTy(), builder.getInt64Ty());
      builder.CreateCall(watch, {pointer, builder.getInt64(bytes)});
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

static void setFunctionAttributes(llvm::Module &module, const TargetSpec &target, Sanitizer sanitizer) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    // Nothing here throws or is unwound through.
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (sanitizer == Sanitizer::Address)
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
    if (sanitizer == Sanitizer::Thread)
      function.addFnAttr(llvm::Attribute::SanitizeThread);
    if (sanitizer != Sanitizer::None)
      function.addFnAttr("frame-pointer", "all");
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine, const ObjectOptions &options) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = options.optLevel > 1;
  tuning.SLPVectorization = options.optLevel > 1;
  llvm::PassBuilder builder(&machine, tuning);
  // No vector math library: its functions would be a dependency.
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.registerOptimizerLastEPCallback(
      [&](llvm::ModulePassManager &pm, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        if (options.sanitizer == Sanitizer::Address)
          pm.addPass(llvm::AddressSanitizerPass(llvm::AddressSanitizerOptions()));
        if (options.sanitizer == Sanitizer::Thread) {
          pm.addPass(llvm::ModuleThreadSanitizerPass());
          pm.addPass(llvm::createModuleToFunctionPassAdaptor(WatchWideAccesses()));
          pm.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
        }
      });
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                            llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel level = levels[std::min(options.optLevel, 3u)];
  llvm::ModulePassManager pm = level == llvm::OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level)
                                                                    : builder.buildPerModuleDefaultPipeline(level);
  pm.run(module, modules);
}

static void emit(llvm::Module &module, llvm::TargetMachine &machine, ObjectKind kind, llvm::raw_pwrite_stream &out) {
  if (kind == ObjectKind::LLVMIR) {
    module.print(out, nullptr);
    return;
  }
  llvm::legacy::PassManager pm;
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  pm.add(new llvm::TargetLibraryInfoWrapperPass(library));
  auto type = kind == ObjectKind::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  [[maybe_unused]] bool failed = machine.addPassesToEmitFile(pm, out, nullptr, type, /*DisableVerify=*/true);
  assert(!failed && "both targets write objects and assembly");
  pm.run(module);
}

LogicalResult cpu::translateToObject(ModuleOp module, const ObjectOptions &options, ObjectKind kind,
                                     llvm::raw_pwrite_stream &out) {
  FailureOr<TargetSpec> target = TargetSpec::get(module);
  if (failed(target))
    return failure();
  const llvm::CodeGenOptLevel levels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                          llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
  std::unique_ptr<llvm::TargetMachine> machine = target->createMachine(levels[std::min(options.optLevel, 3u)]);

  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  llvm::LLVMContext context;
  bool hasFailed = false;
  context.setDiagnosticHandler(std::make_unique<ForwardDiagnostics>(module, hasFailed));
  std::unique_ptr<llvm::Module> translated;
  {
    WithoutExecOps guard(module);
    // The name ends up in the symbol table of the object: it must not depend on
    // files.
    translated = translateModuleToLLVMIR(module, context, module.getSymName().value_or("model"));
  }
  if (!translated)
    return failure();
  // The optimiser asks the target for costs: all of this must be set before.
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  translated->setPICLevel(llvm::PICLevel::BigPIC);
  setFunctionAttributes(*translated, *target, options.sanitizer);
  optimize(*translated, *machine, options);
  if (!hasFailed)
    emit(*translated, *machine, kind, out);
  return success(!hasFailed);
}
