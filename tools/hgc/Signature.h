//===- Signature.h - inputs and outputs of an entry -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One view on entries, whether they come from a model or from a compiled
// library, so that all commands treat inputs and outputs alike.
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_SIGNATURE_H
#define HGC_TOOLS_SIGNATURE_H

#include "dialects/Graph/Eval/HostTensor.h"
#include "hgc/Analysis/CheckedRanges.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <string>
#include <vector>

namespace hgc::driver {

/// A tensor of an entry; an extent below 0 is the symbolic dim `-1 - extent`.
struct TensorSignature {
  std::string name;
  mlir::Type element;
  std::vector<int64_t> dims;
  /// Of an output whose extents are the largest ones: the output that has the
  /// actual ones, or -1.
  int32_t shapeOutput = -1;
};

/// Extents chosen for named dims.
using DimBinding = std::map<std::string, int64_t>;

/// An entry as its callers see it.
struct EntrySignature {
  std::string name;
  std::vector<std::string> dimNames;
  std::vector<TensorSignature> inputs, outputs;
  /// Extents the entry was compiled for, one row a variant; empty in a model.
  std::vector<std::vector<int64_t>> variants;

  /// Whether output `index` is the shape of another one.
  bool isShape(size_t index) const;
  /// `4xbatchxf32` and the like, for messages.
  std::string spell(const TensorSignature &tensor) const;
};

/// Signature of an entry function before its dims are bound.
EntrySignature getSignature(mlir::func::FuncOp entry);

/// By name of an input: the integers it may have.
using InputRanges = std::map<std::string, IntegerRange>;

/// Narrows `ranges` to what the checks of an entry accept.
void addCheckedRanges(mlir::func::FuncOp entry, InputRanges &ranges);

/// What the options `--input`, `--dim` and `--seed` say.
struct InputOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> dims;
  int64_t seed = 0;
  /// Of random integers, where a model tells; a library does not.
  InputRanges ranges;
};

/// Parses `--dim batch=4`; several extents are allowed where `many` is set and
/// then the first counts.
llvm::Expected<DimBinding> parseDims(llvm::ArrayRef<std::string> options);

/// Values for all inputs of the entry: `name=@file.npy`, `name=@file.npz:key`,
/// `name=2xf32=1,2`, `@file.npz` for all inputs by name, or seeded random data
/// for those not named, within their ranges. Checks names, types and shapes.
llvm::Expected<std::vector<HostTensor>> makeInputs(const EntrySignature &entry, const InputOptions &options,
                                                   mlir::MLIRContext *context);

} // namespace hgc::driver

#endif // HGC_TOOLS_SIGNATURE_H
