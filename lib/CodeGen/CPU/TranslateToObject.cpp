//===- TranslateToObject.cpp - LLVM dialect to machine code ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/TranslateToObject.h"

#include "SplitKernels.h"

#include "dialects/Exec/ExecOps.h"
#include "hgc/CodeGen/CPU/TargetSpec.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/thread.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include <atomic>

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

/// What LLVM says about a part of a module, which another thread may be told.
struct Messages {
  std::vector<std::pair<llvm::DiagnosticSeverity, std::string>> list;

  /// Hands all to MLIR at the place of the module; fails if there are errors.
  LogicalResult emit(ModuleOp module) const {
    bool hasFailed = false;
    for (const auto &[severity, text] : list)
      if (severity == llvm::DS_Error) {
        hasFailed = true;
        mlir::emitError(module.getLoc()) << "LLVM: " << text;
      } else if (severity == llvm::DS_Warning) {
        mlir::emitWarning(module.getLoc()) << "LLVM: " << text;
      }
    return failure(hasFailed);
  }
};

struct CollectDiagnostics final : llvm::DiagnosticHandler {
  explicit CollectDiagnostics(Messages &messages) : messages(messages) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    messages.list.emplace_back(info.getSeverity(), std::move(text));
    return true;
  }

  Messages &messages;
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

static std::unique_ptr<llvm::TargetMachine> createMachine(const TargetSpec &target, const ObjectOptions &options) {
  const llvm::CodeGenOptLevel levels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                          llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
  return target.createMachine(levels[std::min(options.optLevel, 3u)]);
}

/// The module as LLVM's, ready to be optimised; null after an error.
static std::unique_ptr<llvm::Module> translate(ModuleOp module, const TargetSpec &target, const ObjectOptions &options,
                                               llvm::LLVMContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  WithoutExecOps guard(module);
  // The name ends up in the symbol table of the object: it must not depend on
  // files.
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, module.getSymName().value_or("model"));
  if (!translated)
    return nullptr;
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target, options);
  // The optimiser asks the target for costs: all of this must be set before.
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  translated->setPICLevel(llvm::PICLevel::BigPIC);
  setFunctionAttributes(*translated, target, options.sanitizer);
  return translated;
}

/// Optimises and writes a module, with a machine of its own, as they cannot be shared.
static void compile(llvm::Module &module, const TargetSpec &target, const ObjectOptions &options, ObjectKind kind,
                    const Messages &messages, llvm::raw_pwrite_stream &out) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target, options);
  optimize(module, *machine, options);
  if (llvm::none_of(messages.list, [](const auto &message) { return message.first == llvm::DS_Error; }))
    emit(module, *machine, kind, out);
}

namespace {
/// A module on its way through LLVM, and what LLVM says about it. `module` is
/// null after an error, which has been reported or is among the messages.
struct Translation {
  Translation(ModuleOp source, const ObjectOptions &options) : source(source), target(TargetSpec::get(source)) {
    context.setDiagnosticHandler(std::make_unique<CollectDiagnostics>(messages));
    if (succeeded(target))
      module = translate(source, *target, options, context);
  }

  void compileTo(ObjectKind kind, const ObjectOptions &options, llvm::raw_pwrite_stream &out) {
    compile(*module, *target, options, kind, messages, out);
  }

  /// Reports what LLVM said; fails if there was an error at any time.
  LogicalResult finish() const { return success(succeeded(messages.emit(source)) && module); }

  ModuleOp source;
  FailureOr<TargetSpec> target;
  Messages messages;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};
} // namespace

LogicalResult cpu::translateToObject(ModuleOp module, const ObjectOptions &options, ObjectKind kind,
                                     llvm::raw_pwrite_stream &out) {
  Translation translation(module, options);
  if (translation.module)
    translation.compileTo(kind, options, out);
  return translation.finish();
}

/// Compiles a part in a context of its own.
static void compilePart(const KernelPart &part, const TargetSpec &target, const ObjectOptions &options,
                        Messages &messages, llvm::SmallVectorImpl<char> &object) {
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<CollectDiagnostics>(messages));
  llvm::MemoryBufferRef buffer({part.bitcode.data(), part.bitcode.size()}, "part");
  std::unique_ptr<llvm::Module> module = llvm::cantFail(llvm::parseBitcodeFile(buffer, context));
  llvm::raw_svector_ostream out(object);
  compile(*module, target, options, ObjectKind::Object, messages, out);
}

/// Runs tasks on as many threads as the process may use cores.
static void runTasks(size_t count, llvm::function_ref<void(size_t)> task) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < count; i = next++)
      task(i);
  };
  size_t threads = std::min<size_t>(llvm::hardware_concurrency().compute_thread_count(), count);
  std::vector<llvm::thread> helpers;
  for (size_t i = 1; i < threads; ++i)
    helpers.emplace_back(work);
  work();
  for (llvm::thread &helper : helpers)
    helper.join();
}

FailureOr<std::vector<ObjectCode>> cpu::translateToObjects(ModuleOp module, const ObjectOptions &options) {
  Translation rest(module, options);
  if (!rest.module)
    return rest.finish();
  std::vector<KernelPart> parts = splitKernels(*rest.module);
  unsigned total = 0;
  for (const KernelPart &part : parts)
    total += part.kernels;
  std::vector<Messages> messages(parts.size());
  std::vector<ObjectCode> objects(parts.size() + 1);
  std::atomic<unsigned> done = 0;
  runTasks(objects.size(), [&](size_t i) {
    if (i == parts.size()) {
      llvm::raw_svector_ostream out(objects.front());
      return rest.compileTo(ObjectKind::Object, options, out);
    }
    compilePart(parts[i], *rest.target, options, messages[i], objects[i + 1]);
    if (options.progress)
      options.progress(done += parts[i].kernels, total);
  });
  LogicalResult result = rest.finish();
  for (const Messages &ofPart : messages)
    if (failed(ofPart.emit(module)))
      result = failure();
  if (failed(result))
    return failure();
  return objects;
}
