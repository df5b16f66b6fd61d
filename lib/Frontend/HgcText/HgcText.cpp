//===- HgcText.cpp - hgc's own textual models -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Frontend/Model.h"

#include "dialects/Exec/ExecOps.h"
#include "dialects/Graph/GraphOps.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

/// Deepest nesting of brackets in a model.
static constexpr size_t kMaxNesting = 256;

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

/// Where brackets nest deeper than `kMaxNesting`, or null. Parser, printer and
/// passes recurse over what is nested; a model must not exhaust the stack.
static const char *findTooDeep(llvm::StringRef text) {
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (llvm::StringRef("([{<").contains(c)) {
      if (++depth > kMaxNesting)
        return text.data() + i;
    } else if (llvm::StringRef(")]}").contains(c) || (c == '>' && text[i - (i > 0)] != '-')) {
      depth -= depth > 0;
    }
  }
  return nullptr;
}

/// Refuses text that MLIR's parser cannot be trusted with.
static LogicalResult checkNesting(llvm::SourceMgr &sources, MLIRContext &context) {
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  const char *place = isBytecode(*buffer) ? nullptr : findTooDeep(buffer->getBuffer());
  if (!place)
    return success();
  auto [line, column] = sources.getLineAndColumn(llvm::SMLoc::getFromPointer(place));
  InFlightDiagnostic diag = emitError(FileLineColLoc::get(&context, buffer->getBufferIdentifier(), line, column))
                            << "brackets are nested more than " << kMaxNesting << " deep";
  diag.attachNote() << "hint: close a bracket, or use fewer regions inside each other";
  return diag;
}

OwningOpRef<ModuleOp> hgc::parseHgcText(llvm::SourceMgr &sources, llvm::StringRef fallbackName, MLIRContext &context) {
  if (failed(checkNesting(sources, context)))
    return {};
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (module && !module->getSymName())
    module->setSymName(toIdentifier(fallbackName));
  return module;
}
