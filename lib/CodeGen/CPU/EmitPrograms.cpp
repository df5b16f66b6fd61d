//===- EmitPrograms.cpp - programs become functions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is straight-line code that computes addresses and calls the
// runtime; nothing is interpreted at run time. What remains of exec.program is
// its interface, which hgc-emit-model and the header generator read.
//===----------------------------------------------------------------------===//

#include "EmitProgramsBody.h"

#include "dialects/Graph/Cost.h"
#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/CodeGen/CPU/Passes.h"

#include "llvm/Support/Path.h"

namespace hgc {
#define GEN_PASS_DEF_EMITPROGRAMS
#include "hgc/CodeGen/CPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

struct EmitPrograms final : hgc::impl::EmitProgramsBase<EmitPrograms> {
  void runOnOperation() override;

private:
  FailureOr<std::string> emitKernelDesc(exec::KernelOp kernel, ConstantBuilder &constants);
};

} // namespace

/// `file:line:col` of the first place in `loc` that has one, else "".
static std::string describePlace(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColRange>(part);
    if (!file)
      return WalkResult::advance();
    llvm::raw_string_ostream(text) << llvm::sys::path::filename(file.getFilename().getValue()) << ':'
                                   << file.getStartLine() << ':' << file.getStartColumn();
    return WalkResult::interrupt();
  });
  return text;
}

/// The op whose place and name stand for the kernel: the costliest.
static Operation *findRoot(exec::KernelOp kernel) {
  Operation *root = nullptr;
  int64_t most = -1;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<exec::LoadOp, exec::StoreOp>(op))
      continue;
    if (int64_t flops = graph::computeCost(&op).totalFlops(); flops > most) {
      most = flops;
      root = &op;
    }
  }
  return root;
}

/// Names of the graph ops inside, for people: `matmul+add+relu`.
static std::string listOps(exec::KernelOp kernel) {
  std::string text;
  for (Operation &op : kernel.getBody().front())
    if (!isa<exec::LoadOp, exec::StoreOp>(op))
      text += (text.empty() ? "" : "+") + op.getName().stripDialect().str();
  return text;
}

static int64_t countFlops(exec::KernelOp kernel) {
  int64_t flops = 0;
  for (Operation &op : kernel.getBody().front())
    if (!isa<exec::LoadOp, exec::StoreOp>(op))
      flops += graph::computeCost(&op).totalFlops();
  return flops;
}

/// Bytes a kernel must move: all of its buffers once.
static int64_t countBytes(exec::KernelOp kernel) {
  int64_t bytes = 0;
  for (BlockArgument argument : kernel.getBody().getArguments())
    bytes += graph::getTensorBytes(cast<ShapedType>(argument.getType()));
  return bytes;
}

FailureOr<std::string> EmitPrograms::emitKernelDesc(exec::KernelOp kernel, ConstantBuilder &constants) {
  auto name = kernel->getAttrOfType<StringAttr>("function");
  auto function = name ? getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name) : nullptr;
  if (!function) {
    InFlightDiagnostic diag = kernel.emitOpError("has no machine code yet");
    diag.attachNote() << "hint: run hgc-emit-kernels and the lowering to LLVM first";
    return diag;
  }
  if (!function.isExternal()) {
    function.setLinkage(LLVM::Linkage::Internal);
    function.setDsoLocal(true);
  }
  Operation *root = findRoot(kernel);
  Fields fields = {constants.textField(kernel.getSymName()),
                   constants.textField(listOps(kernel)),
                   constants.textField(describePlace(root ? root->getLoc() : kernel.getLoc())),
                   Field::pointer(name),
                   Field::i64(kernel.getUnits().value_or(1)),
                   Field::i64(std::max<int64_t>(kernel.getGrain().value_or(1), 1)),
                   Field::i64(kernel.getScratchBytes().value_or(0)),
                   Field::i64(countFlops(kernel)),
                   Field::i64(countBytes(kernel))};
  return constants.structs(("hgc_kernel_desc_" + kernel.getSymName()).str(), fields);
}

/// Keeps what later stages need to know of the programs' contents.
static void recordTotals(ModuleOp module) {
  Builder builder(module.getContext());
  int64_t scratch = 0, extents = 0;
  SmallVector<int64_t> guarded;
  llvm::SetVector<Attribute> libraries;
  for (exec::KernelOp kernel : module.getOps<exec::KernelOp>())
    scratch = std::max<int64_t>(scratch, kernel.getScratchBytes().value_or(0));
  module.walk([&](Operation *op) {
    if (auto extent = dyn_cast<exec::SetExtentOp>(op))
      extents = std::max<int64_t>(extents, extent.getSlot() + 1);
    if (auto library = dyn_cast<exec::LibraryOp>(op))
      libraries.insert(library.getSymbolAttr());
    auto view = dyn_cast<exec::ViewOp>(op);
    if (!view || !view.getSlot())
      return;
    if (*view.getSlot() >= guarded.size())
      guarded.resize(*view.getSlot() + 1);
    int64_t bytes = graph::getTensorBytes(cast<ShapedType>(view.getType()));
    guarded[*view.getSlot()] = std::max(guarded[*view.getSlot()], bytes);
  });
  module->setAttr(kScratchBytesAttr, builder.getI64IntegerAttr(scratch));
  module->setAttr(kExtentsAttr, builder.getI64IntegerAttr(extents));
  module->setAttr(kGuardedSizesAttr, builder.getDenseI64ArrayAttr(guarded));
  module->setAttr(kLibrarySymbolsAttr, builder.getArrayAttr(libraries.getArrayRef()));
}

void EmitPrograms::runOnOperation() {
  ModuleOp module = getOperation();
  recordTotals(module);
  ConstantBuilder constants(module);
  llvm::StringMap<std::string> kernelDescs;
  for (exec::KernelOp kernel : module.getOps<exec::KernelOp>()) {
    FailureOr<std::string> desc = emitKernelDesc(kernel, constants);
    if (failed(desc))
      return signalPassFailure();
    kernelDescs[kernel.getSymName()] = *desc;
  }
  for (exec::ProgramOp program : llvm::to_vector(module.getOps<exec::ProgramOp>())) {
    if (failed(ProgramEmitter(program, constants, kernelDescs).emit()))
      return signalPassFailure();
    Block &body = program.getBody().front();
    while (!body.empty())
      body.back().erase();
  }
  for (exec::KernelOp kernel : llvm::make_early_inc_range(module.getOps<exec::KernelOp>()))
    kernel.erase();
}
