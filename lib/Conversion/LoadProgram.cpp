//===- LoadProgram.cpp - weights on their way to the GPUs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LoadProgram.h"

using namespace mlir;
using namespace hgc;

/// Weights that programs of the GPU plan read on a GPU, in the module's order.
/// Mutable ones are the runtime's: it sets them whenever the user does.
static llvm::SetVector<std::pair<exec::BlobOp, Type>> findResidents(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::SetVector<std::pair<exec::BlobOp, Type>> residents;
  module.walk([&](exec::WeightOp weight) {
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

void hgc::buildLoadProgram(ModuleOp module, SymbolNames &names) {
  llvm::SetVector<std::pair<exec::BlobOp, Type>> residents = findResidents(module);
  if (residents.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto programs = module.getOps<exec::ProgramOp>();
  auto found = llvm::find_if(programs, [](exec::ProgramOp program) { return program.getLoad(); });
  bool exists = found != programs.end();
  exec::ProgramOp program = exists ? *found : createProgram(builder, module, names);
  if (exists)
    builder.setInsertionPoint(&program.getBody().front().back());
  else
    builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  for (auto [blob, type] : residents) {
    Location loc = blob.getLoc();
    Value source = exec::WeightOp::create(builder, loc, blob.getBufferType(), blob.getSymName());
    Value target = exec::WeightOp::create(builder, loc, type, blob.getSymName());
    exec::CopyOp::create(builder, loc, source, target, /*stream=*/0);
  }
  if (!exists)
    exec::ReturnOp::create(builder, module.getLoc());
}
