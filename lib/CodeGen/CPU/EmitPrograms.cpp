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
  FailureOr<std::string> emitGpuKernelDesc(exec::KernelOp kernel, ConstantBuilder &constants);

  /// Numbers of the GPU functions, in the order of their first use.
  llvm::StringMap<int64_t> slots;
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
  auto finishName = kernel->getAttrOfType<StringAttr>("finish");
  auto finish = finishName ? getOperation().lookupSymbol<LLVM::LLVMFuncOp>(finishName) : nullptr;
  for (LLVM::LLVMFuncOp part : {function, finish})
    if (part && !part.isExternal()) {
      part.setLinkage(LLVM::Linkage::Internal);
      part.setDsoLocal(true);
    }
  Operation *root = findRoot(kernel);
  auto output = cast<ShapedType>(kernel.getBody().getArgument(kernel.getInputCount()).getType());
  Fields fields = {constants.textField(kernel.getSymName()),
                   constants.textField(listOps(kernel)),
                   constants.textField(describePlace(root ? root->getLoc() : kernel.getLoc())),
                   Field::pointer(name),
                   Field::i64(kernel.getUnits().value_or(1)),
                   Field::i64(std::max<int64_t>(kernel.getGrain().value_or(1), 1)),
                   Field::i64(kernel.getScratchBytes().value_or(0)),
                   Field::i64(countFlops(kernel)),
                   Field::i64(countBytes(kernel)),
                   Field::i64(output.getNumElements()),
                   Field::i32(kernel.getInputCount()),
                   Field::i32(getRuntimeDtype(output.getElementType())),
                   finish ? Field::pointer(finishName) : Field::null()};
  return constants.structs(("hgc_kernel_desc_" + kernel.getSymName()).str(), fields);
}

/// The launches of a kernel as constants; `slots` numbers their functions.
static Field emitLaunches(exec::KernelOp kernel, ArrayAttr launches, ConstantBuilder &constants,
                          llvm::StringMap<int64_t> &slots) {
  SmallVector<Fields, 0> rows;
  for (auto launch : launches.getAsRange<DictionaryAttr>()) {
    StringRef function = launch.getAs<StringAttr>("function").getValue();
    Fields row = {constants.textField(function)};
    for (StringRef key : {"grid", "block"})
      for (int64_t extent : launch.getAs<DenseI64ArrayAttr>(key).asArrayRef())
        row.push_back(Field::i32(extent));
    auto shared = launch.getAs<IntegerAttr>("shared");
    int64_t slot = slots.try_emplace(function, slots.size()).first->second;
    row.append({Field::i32(shared ? shared.getInt() : 0), Field::i32(slot)});
    rows.push_back(row);
  }
  return constants.table(("hgc_launches_" + kernel.getSymName()).str(), rows);
}

/// The library's form of a product, field by field under the ABI's names.
static Field emitGemm(exec::KernelOp kernel, DictionaryAttr gemm, ConstantBuilder &constants) {
  if (!gemm)
    return Field::null();
  auto get = [&](StringRef key) -> int64_t {
    if (auto type = gemm.getAs<TypeAttr>(key))
      return getRuntimeDtype(type.getValue());
    auto number = gemm.getAs<IntegerAttr>(key);
    return number ? static_cast<int64_t>(number.getValue().getZExtValue()) : 0;
  };
  Fields fields;
  for (StringRef key : {"m", "n", "k", "batch", "lda", "ldb", "ldc", "stride_a", "stride_b", "stride_c"})
    fields.push_back(Field::i64(get(key)));
  for (StringRef key : {"type_a", "type_b", "type_c", "transpose_a", "transpose_b", "arg_a", "arg_b", "arg_c",
                        "allow_tf32", "reserved"})
    fields.push_back(Field::i32(get(key)));
  return Field::pointer(constants.structs(("hgc_gemm_" + kernel.getSymName()).str(), fields));
}

FailureOr<std::string> EmitPrograms::emitGpuKernelDesc(exec::KernelOp kernel, ConstantBuilder &constants) {
  auto launches = kernel->getAttrOfType<ArrayAttr>("launches");
  if (!launches) {
    InFlightDiagnostic diag = kernel.emitOpError("has no GPU code yet");
    diag.attachNote() << "hint: run hgc-emit-gpu-kernels first";
    return diag;
  }
  Operation *root = findRoot(kernel);
  Fields fields = {constants.textField(kernel.getSymName()),
                   constants.textField(listOps(kernel)),
                   constants.textField(describePlace(root ? root->getLoc() : kernel.getLoc())),
                   emitLaunches(kernel, launches, constants, slots),
                   emitGemm(kernel, kernel->getAttrOfType<DictionaryAttr>("gemm"), constants),
                   Field::i32(launches.size()),
                   Field::i32(0),
                   Field::i64(kernel.getScratchBytes().value_or(0)),
                   Field::i64(countFlops(kernel)),
                   Field::i64(countBytes(kernel))};
  return constants.structs(("hgc_kernel_desc_" + kernel.getSymName()).str(), fields);
}

/// GPU whose kernel this is, if any.
static std::optional<unsigned> getKernelGpu(exec::KernelOp kernel) {
  return exec::getGpu(kernel.getBody().getArguments().back().getType());
}

/// Keeps what the descriptor of the GPU plan needs of kernels and programs.
static void recordGpuTotals(ModuleOp module, int64_t functions) {
  Builder builder(module.getContext());
  int64_t events = 0;
  bool usesLibrary = false;
  SmallVector<int64_t> scratch;
  SmallVector<Attribute> kernels;
  for (exec::KernelOp kernel : module.getOps<exec::KernelOp>()) {
    std::optional<unsigned> gpu = getKernelGpu(kernel);
    if (!gpu)
      continue;
    scratch.resize(std::max<size_t>(scratch.size(), *gpu + 1));
    scratch[*gpu] = std::max<int64_t>(scratch[*gpu], kernel.getScratchBytes().value_or(0));
    usesLibrary |= kernel->hasAttr("gemm");
    SmallVector<NamedAttribute> entry = {builder.getNamedAttr("name", kernel.getSymNameAttr()),
                                         builder.getNamedAttr("ops", builder.getStringAttr(listOps(kernel))),
                                         builder.getNamedAttr("launches", kernel->getAttr("launches"))};
    if (kernel.getScheduleAttr())
      entry.push_back(builder.getNamedAttr("schedule", kernel.getScheduleAttr()));
    kernels.push_back(builder.getDictionaryAttr(entry));
  }
  module->setAttr(kGpuKernelsAttr, builder.getArrayAttr(kernels));
  module.walk([&](exec::RecordOp record) { events = std::max<int64_t>(events, record.getEvent() + 1); });
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  module->setAttr(kGpuTotalsAttr,
                  builder.getDictionaryAttr(
                      {number("functions", functions), number("events", events), number("cublas", usesLibrary),
                       builder.getNamedAttr("scratch_bytes", builder.getDenseI64ArrayAttr(scratch))}));
}

/// Keeps what later stages need to know of the programs' contents.
static void recordTotals(ModuleOp module) {
  Builder builder(module.getContext());
  int64_t scratch = 0, extents = 0;
  SmallVector<int64_t> guarded;
  llvm::SetVector<Attribute> libraries;
  for (exec::KernelOp kernel : module.getOps<exec::KernelOp>())
    if (!getKernelGpu(kernel))
      scratch = std::max<int64_t>(scratch, kernel.getScratchBytes().value_or(0));
  module.walk([&](Operation *op) {
    if (auto extent = dyn_cast<exec::SetExtentOp>(op))
      extents = std::max<int64_t>(extents, extent.getSlot() + 1);
    if (auto library = dyn_cast<exec::LibraryOp>(op))
      libraries.insert(library.getSymbolAttr());
    auto view = dyn_cast<exec::ViewOp>(op);
    if (!view || !view.getSlot() || exec::getGpu(view.getType()))
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
  slots.clear();
  for (exec::KernelOp kernel : module.getOps<exec::KernelOp>()) {
    FailureOr<std::string> desc =
        getKernelGpu(kernel) ? emitGpuKernelDesc(kernel, constants) : emitKernelDesc(kernel, constants);
    if (failed(desc))
      return signalPassFailure();
    kernelDescs[kernel.getSymName()] = *desc;
  }
  if (llvm::any_of(module.getOps<exec::ProgramOp>(), [](exec::ProgramOp p) { return p.isInGpuPlan(); }))
    recordGpuTotals(module, slots.size());
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
