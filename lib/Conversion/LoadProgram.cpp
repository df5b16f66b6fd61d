//===- LoadProgram.cpp - weights on their way to the GPUs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoadProgram.h"

using namespace mlir;
using namespace hgc;

using Residents = llvm::SetVector<std::pair<exec::BlobOp, Type>>;

/// Weights that are read on a GPU inside `scope`, in its order. Mutable ones are
/// the runtime's: it sets them whenever the user does.
static Residents findResidents(Operation *scope, const SymbolTable &symbols) {
  Residents residents;
  scope->walk([&](exec::WeightOp weight) {
    auto blob = symbols.lookup<exec::BlobOp>(weight.getBlob());
    if (exec::getGpu(weight.getType()) && !blob.getIsMutable() && !blob.getDeviceOnly())
      residents.insert({blob, weight.getType()});
  });
  return residents;
}

static exec::ProgramOp createProgram(OpBuilder &builder, ModuleOp module, SymbolNames &names) {
  return exec::ProgramOp::create(builder, module.getLoc(), builder.getStringAttr(names.makeUnique("load")),
                                 builder.getStringAttr(""), builder.getI64IntegerAttr(0), builder.getStrArrayAttr({}),
                                 builder.getDenseI64ArrayAttr({}), builder.getArrayAttr({}), /*arena_bytes=*/nullptr,
                                 builder.getStringAttr("gpu"), builder.getUnitAttr(), /*makespan_ps=*/nullptr);
}

static void copyToGpus(OpBuilder &builder, const Residents &residents) {
  for (auto [blob, type] : residents) {
    Location loc = blob.getLoc();
    Value source = exec::WeightOp::create(builder, loc, blob.getBufferType(), blob.getSymName());
    Value target = exec::WeightOp::create(builder, loc, type, blob.getSymName());
    exec::CopyOp::create(builder, loc, source, target, /*stream=*/0);
  }
}

void hgc::buildLoadProgram(ModuleOp module, SymbolNames &names) {
  SymbolTable symbols(module);
  Residents residents = findResidents(module, symbols);
  if (residents.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto programs = module.getOps<exec::ProgramOp>();
  auto found = llvm::find_if(programs, [](exec::ProgramOp program) { return program.getLoad(); });
  if (found == programs.end()) {
    exec::ProgramOp program = createProgram(builder, module, names);
    builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
    copyToGpus(builder, residents);
    exec::ReturnOp::create(builder, module.getLoc());
    return;
  }
  // What other weights are made from comes first, the rest when their working memory is free again.
  Block &body = (*found).getBody().front();
  Residents sources = findResidents(*found, symbols);
  residents.set_subtract(sources);
  builder.setInsertionPointToStart(&body);
  copyToGpus(builder, sources);
  builder.setInsertionPoint(&body.back());
  copyToGpus(builder, residents);
}
