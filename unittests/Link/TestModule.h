//===- TestModule.h - a model written by hand at stage exec -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_UNITTESTS_LINK_TESTMODULE_H
#define HGC_UNITTESTS_LINK_TESTMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace hgc::test {

/// The model `tiny`: entry `scale` computes y = x * w for 1 or 4 rows of 8, and
/// adds the state `total` to each element; entry `count` adds one to `total`.
/// Kernels are already in the LLVM dialect.
std::string getTinyModule(llvm::StringRef attributes = "");

/// Parses a module; prints diagnostics.
mlir::OwningOpRef<mlir::ModuleOp> parse(mlir::MLIRContext &context, llvm::StringRef text);

/// A module brought to stage `llvm`, and its object code.
struct Compiled {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<char, 0> object;

  llvm::StringRef getObject() const { return {object.data(), object.size()}; }
};
Compiled compile(mlir::MLIRContext &context, llvm::StringRef text, bool staticLibrary = false,
                 bool externalWeights = false);

/// Registers what the module uses.
void loadDialects(mlir::MLIRContext &context);

/// A folder that is removed with its contents.
struct TempFolder {
  TempFolder();
  ~TempFolder();
  std::string file(llvm::StringRef name) const { return path + "/" + name.str(); }
  std::string path;
};

} // namespace hgc::test

#endif // HGC_UNITTESTS_LINK_TESTMODULE_H
