//===- EmitModelConstants.h - constants of the model library ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors are structs of integers and pointers. They are built field by
// field in the order of hgc_rt_abi.h, whose padding is spelled out.
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_EMITMODELCONSTANTS_H
#define HGC_LIB_CODEGEN_CPU_EMITMODELCONSTANTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace hgc::cpu {

/// One field of a constant struct: an integer, or a pointer to a symbol.
struct Field {
  static Field i32(int64_t value) { return {32, value, {}}; }
  static Field i64(int64_t value) { return {64, value, {}}; }
  static Field null() { return {0, 0, {}}; }
  static Field pointer(llvm::StringRef symbol) { return {0, 0, symbol.str()}; }

  /// 0 for a pointer.
  unsigned bits;
  int64_t value;
  std::string symbol;
};
using Fields = llvm::SmallVector<Field, 32>;

/// Adds private constants and runtime declarations to a module.
class ConstantBuilder {
public:
  explicit ConstantBuilder(mlir::ModuleOp module);

  /// Symbol of a NUL-terminated text; equal texts share one.
  std::string text(llvm::StringRef value);
  /// Symbol of raw bytes under `name`.
  std::string bytes(llvm::StringRef name, llvm::StringRef value);
  /// Symbol of an array of structs that have the same types of fields.
  std::string structs(llvm::StringRef name, llvm::ArrayRef<Fields> elements);
  /// Symbol of an array of int64_t; a pointer to nothing when empty.
  Field numbers(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  /// As `structs`, but a null pointer when empty.
  Field table(llvm::StringRef name, llvm::ArrayRef<Fields> elements);
  Field textField(llvm::StringRef value) { return Field::pointer(text(value)); }

  /// Gives whatever holds symbol `name` another one; it is needed for C.
  void makeRoom(llvm::StringRef name);
  /// The declaration of a C function; made at the first use.
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<mlir::Type> arguments);

  mlir::Type pointerType() { return mlir::LLVM::LLVMPointerType::get(builder.getContext()); }

private:
  std::string uniqueName(llvm::StringRef name);
  mlir::LLVM::GlobalOp createGlobal(llvm::StringRef name, mlir::Type type, mlir::Attribute value, unsigned alignment);
  mlir::Value buildField(mlir::OpBuilder &init, const Field &field);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  llvm::StringMap<std::string> texts;
};

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_EMITMODELCONSTANTS_H
