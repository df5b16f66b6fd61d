//===- ModuleTables.h - blobs and kernels that programs share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_MODULETABLES_H
#define HGC_LIB_CONVERSION_MODULETABLES_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Analysis/Pricing.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace hgc {

/// Symbol names of the module under construction.
class SymbolNames {
public:
  /// Keeps `name` for its present owner.
  void reserve(llvm::StringRef name) { used.insert(name); }
  /// `name`, or `name_<n>` with the smallest n that is free.
  std::string makeUnique(llvm::StringRef name);

private:
  llvm::StringSet<> used;
};

/// The blobs of a module: one per parameter that some entry uses, one per
/// distinct constant.
class BlobTable {
public:
  /// Creates the blobs of `module`'s parameters at its top.
  BlobTable(mlir::ModuleOp module, SymbolNames &names);

  /// Blob of the parameter of that name; null if there is none.
  exec::BlobOp getParameter(llvm::StringRef name) const { return parameters.lookup(name); }
  /// Blob of a constant; equal constants share one.
  exec::BlobOp getConstant(mlir::ElementsAttr value, mlir::Location loc);

private:
  mlir::OpBuilder builder;
  SymbolNames &names;
  llvm::StringMap<exec::BlobOp> parameters;
  llvm::DenseMap<mlir::Attribute, exec::BlobOp> constants;
};

/// The kernels of a module. Kernels with equal bodies, buffer types and device
/// are one symbol.
class KernelTable {
public:
  /// Creates kernels before `position`, with the prices of its module.
  KernelTable(mlir::Operation *position, SymbolNames &names)
      : builder(position), names(names), pricing(position->getParentOfType<mlir::ModuleOp>()) {}

  /// The kernel that computes `source` on buffers of `types` (inputs, then the
  /// output). `source` must outlive the table.
  exec::KernelOp get(graph::KernelOp source, llvm::ArrayRef<mlir::Type> types);

private:
  struct Entry {
    graph::KernelOp source;
    exec::KernelOp kernel;
  };

  exec::KernelOp outline(graph::KernelOp source, llvm::ArrayRef<mlir::Type> types);

  mlir::OpBuilder builder;
  SymbolNames &names;
  Pricing pricing;
  /// Candidates by a hash that equal kernels share.
  llvm::DenseMap<size_t, llvm::SmallVector<Entry, 1>> buckets;
};

/// Row-major buffer type of a tensor in the memory space `space` (null: host).
mlir::MemRefType getBufferType(mlir::Type tensor, mlir::Attribute space = {});

} // namespace hgc

#endif // HGC_LIB_CONVERSION_MODULETABLES_H
