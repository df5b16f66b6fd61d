//===- ModelNames.cpp - names of the model as C identifiers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ModelInfo.h"

#include "llvm/ADT/StringExtras.h"

using namespace hgc::cpu;
using llvm::StringRef;

/// Keywords of C11 and C++23, and names that the headers we include define.
static constexpr StringRef kReserved[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return",
    "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "NULL", "offsetof", "int8_t", "int16_t",
    "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "ptrdiff_t", "main", "linux", "unix",
    "errno", "std", "stdin", "stdout", "stderr", "complex", "I", "EOF",
    // As names of a model: `<name>_create` would be a function of the C library.
    "pthread", "clock", "sched", "posix", "sem", "timer", "thrd", "mtx"};

std::string CNames::sanitize(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  // Leading digits are illegal, leading underscores belong to the compiler, and
  // hgc_ to the runtime.
  if (name.empty() || !llvm::isAlpha(name[0]) || StringRef(name).starts_with("hgc_") || name == "hgc")
    name = "n_" + name;
  return name;
}

std::string CNames::take(StringRef text) {
  std::string base = sanitize(text);
  if (llvm::is_contained(kReserved, base))
    base += "_";
  std::string name = base;
  for (unsigned number = 2; !reserve(name); ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

std::vector<std::string> ModelInfo::exportedSymbols(bool staticLibrary) const {
  std::vector<std::string> symbols = {getExportSymbol(*this, staticLibrary)};
  for (StringRef suffix : {"_create", "_destroy", "_wait", "_last_error", "_save", "_load"})
    if (hasState() || (suffix != "_save" && suffix != "_load"))
      symbols.push_back((cName + suffix).str());
  for (const EntryInfo &entry : entries) {
    symbols.push_back(cName + "_" + entry.cName);
    symbols.push_back(cName + "_" + entry.cName + "_start");
  }
  return symbols;
}
