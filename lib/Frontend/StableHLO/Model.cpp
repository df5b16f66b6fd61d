//===- Model.cpp - a whole StableHLO program ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Dialects.h"
#include "Importer.h"

#include "hgc/Frontend/Model.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace hgc;

/// Whether some word of the text that is neither in a comment nor in a string begins with a prefix; names of ops in
/// generic form are strings that begin so.
static bool hasWord(StringRef text, ArrayRef<StringRef> prefixes) {
  bool isInside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool isWord = llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
    StringRef rest = text.substr(i);
    auto matches = [&](StringRef word) {
      return llvm::any_of(prefixes, [&](StringRef prefix) { return word.starts_with(prefix); });
    };
    if (c == '"') {
      size_t end = i + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
      if (text.substr(end, 2) == "\"(" && matches(rest.drop_front()))
        return true;
      i = end;
    } else if (rest.starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (isWord && !isInside && matches(rest)) {
      return true;
    }
    isInside = isWord;
  }
  return false;
}

/// JAX writes its own bytecode with the version of StableHLO for its producer.
static bool isPortableArtifact(StringRef bytes) { return bytes.take_front(64).contains("StableHLO_v"); }

bool hgc::isStableHloModel(StringRef bytes) {
  if (isBytecode(llvm::MemoryBufferRef(bytes, "")))
    return isPortableArtifact(bytes);
  return hasWord(bytes, {"stablehlo.", "chlo.", "mhlo.", "jax."}) && !hasWord(bytes, {"hgc."});
}

OwningOpRef<ModuleOp> hgc::importStableHlo(llvm::SourceMgr &sources, const StableHloOptions &options,
                                           MLIRContext &context) {
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  if (isPortableArtifact(buffer->getBuffer())) {
    Location loc = FileLineColLoc::get(&context, buffer->getBufferIdentifier(), 0, 0);
    (void)graph::emitWithHint(loc, "the file is StableHLO in its serialised form, which hgc does not read",
                              "write the program as text: jax.jit(f).lower(...).as_text(), or exported.mlir_module()");
    return {};
  }
  context.loadDialect<graph::HGCDialect, func::FuncDialect>();
  stablehlo::loadDialects(context);
  OwningOpRef<ModuleOp> program = parseHgcText(sources, options.name, context);
  if (!program)
    return {};
  // Programs printed with debug info tell places in other files, and none of their own; those without a module have
  // none for it.
  auto place = dyn_cast<FileLineColLoc>(program->getLoc());
  if (!place || place.getLine() == 0)
    program.get()->setLoc(FileLineColLoc::get(&context, buffer->getBufferIdentifier(), 1, 1));
  return stablehlo::Importer(*program, options).run();
}
