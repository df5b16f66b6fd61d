//===- HgcText.cpp - hgc's own textual models -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Frontend/Model.h"

#include "dialects/Exec/ExecOps.h"
#include "dialects/Graph/GraphOps.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

void hgc::registerModelDialects(DialectRegistry &registry) {
  registry.insert<graph::HGCDialect, exec::ExecDialect, func::FuncDialect, arith::ArithDialect, math::MathDialect,
                  scf::SCFDialect, cf::ControlFlowDialect, memref::MemRefDialect, vector::VectorDialect,
                  LLVM::LLVMDialect>();
  func::registerInlinerExtension(registry);
}

std::string hgc::toIdentifier(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(0, "m");
  return result;
}

OwningOpRef<ModuleOp> hgc::parseHgcText(llvm::SourceMgr &sources, llvm::StringRef fallbackName,
                                        MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (module && !module->getSymName())
    module->setSymName(toIdentifier(fallbackName));
  return module;
}
