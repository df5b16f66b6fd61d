//===- AssembleCubins.cpp - machine code for known GPUs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX serves every GPU, but the driver compiles it when the model is loaded; a
// cubin saves that time. NVIDIA's assembler is a program of its own, so what it
// makes is an addition: without it, or when it fails, the PTX does the work.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Passes.h"
#include "hgc/Target/GpuTable.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace hgc {
#define GEN_PASS_DEF_ASSEMBLECUBINS
#include "hgc/CodeGen/GPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

namespace {

/// Seconds after which the assembler is given up.
constexpr unsigned kTimeout = 300;

struct AssembleCubins final : hgc::impl::AssembleCubinsBase<AssembleCubins> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto images = module->getAttrOfType<ArrayAttr>(kGpuImagesAttr);
    auto names = module->getAttrOfType<StringAttr>(kTargetGpuAttr);
    if (ptxas.empty() || !images || !names)
      return;
    llvm::Expected<std::vector<GpuTable>> tables = lookupGpus(names.getValue());
    if (!tables)
      return llvm::consumeError(tables.takeError());
    SmallVector<Attribute> all(images.begin(), images.end());
    for (auto image : images.getAsRange<DictionaryAttr>()) {
      if (image.getAs<StringAttr>("kind") != "ptx")
        continue;
      int64_t last = 0;
      for (const GpuTable &table : *tables)
        if (std::exchange(last, table.sm) != table.sm)
          add(image.getAs<StringAttr>("data"), table.sm, all);
    }
    module->setAttr(kGpuImagesAttr, ArrayAttr::get(&getContext(), all));
  }

private:
  void warn(const Twine &why) {
    InFlightDiagnostic diag = mlir::emitWarning(getOperation().getLoc()) << "no cubin: " << why;
    diag.attachNote() << "hint: the library holds PTX, which serves as well; name a newer ptxas, or drop --cubin";
  }

  void add(StringRef ptx, int64_t sm, SmallVectorImpl<Attribute> &images) {
    std::string problem;
    std::optional<std::string> cubin = assemble(ptx, sm, problem);
    if (!cubin)
      return warn("ptxas for sm_" + Twine(sm) + ": " + problem);
    Builder builder(&getContext());
    images.push_back(builder.getDictionaryAttr({builder.getNamedAttr("kind", builder.getStringAttr("cubin")),
                                                builder.getNamedAttr("sm", builder.getI64IntegerAttr(sm)),
                                                builder.getNamedAttr("data", builder.getStringAttr(*cubin))}));
  }

  /// Runs the assembler on temporary files; nothing if it fails.
  std::optional<std::string> assemble(StringRef ptx, int64_t sm, std::string &problem) {
    llvm::SmallString<128> source, target, log;
    auto make = [&](StringRef suffix, llvm::SmallString<128> &path) {
      return llvm::sys::fs::createTemporaryFile("hgc", suffix, path);
    };
    if (make("ptx", source) || make("cubin", target) || make("log", log)) {
      problem = "no room for temporary files";
      return std::nullopt;
    }
    llvm::scope_exit cleanUp([&] {
      for (StringRef path : {source, target, log})
        llvm::sys::fs::remove(path);
    });
    std::error_code error;
    {
      llvm::raw_fd_ostream os(source, error);
      os << ptx;
    }
    std::string arch = "-arch=sm_" + std::to_string(sm);
    StringRef arguments[] = {ptxas, arch, "-o", target, source};
    std::optional<StringRef> redirects[] = {StringRef(), StringRef(log), StringRef(log)};
    int code = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, kTimeout, 0, &problem);
    auto cubin = llvm::MemoryBuffer::getFile(target, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (code == 0 && cubin && (*cubin)->getBufferSize() > 0)
      return (*cubin)->getBuffer().str();
    auto text = llvm::MemoryBuffer::getFile(log);
    if (problem.empty() && text)
      problem = (*text)->getBuffer().split('\n').first.str();
    if (problem.empty())
      problem = "exit code " + std::to_string(code);
    return std::nullopt;
  }
};

} // namespace
