//===- TrainEntries.h - the entries of a model that trains ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TRAINENTRIES_H
#define HGC_TOOLS_TRAINENTRIES_H

#include "ModelLibrary.h"

#include "hgc/Support/Npy.h"

namespace hgc::driver {

/// A tensor with the extents of the chosen batch.
struct BoundTensor {
  std::string name;
  mlir::Type element;
  std::vector<int64_t> shape;
};

/// How the arguments of an entry come about: rows of arrays go to the entry
/// `preprocess`, if there is one that takes them, or straight to the entry.
struct StepPlan {
  struct Input {
    enum Kind { Array, Preprocessed, Step, ValidRows } kind;
    /// Of the array, or of the result of `preprocess`.
    size_t index = 0;
  };

  int32_t entry = 0;
  int64_t batch = 0;
  bool takesPartialBatches = false;
  /// What the data must have.
  std::vector<BoundTensor> arrays;
  /// Number of the entry `preprocess`, or -1; its arguments are the first arrays,
  /// where `raw_x` is the array `x`.
  int32_t preprocess = -1;
  std::vector<BoundTensor> preprocessed;
  std::vector<Input> inputs;
  /// Names of the results: the loss, then metrics.
  std::vector<std::string> results;
};

/// Number of an entry, or nothing.
std::optional<size_t> findEntryIndex(const ModelLibrary &library, llvm::StringRef name);

/// Plans calls of `name` with `batch` rows. Batch 0 means the only one there is
/// or 32. A batch that is not `required` may be replaced by the largest one.
llvm::Expected<StepPlan> planStep(const ModelLibrary &library, llvm::StringRef name, int64_t batch, bool isRequired);

/// Rows for calls of a plan.
struct DataSet {
  /// In the order of StepPlan::arrays.
  std::vector<HostTensor> arrays;
  int64_t rows = 0;
};

/// Checks names, numbers of rows, shapes and values of arrays against a plan.
llvm::Expected<DataSet> bindData(const ModelLibrary &library, const StepPlan &plan, const NamedTensors &arrays);

} // namespace hgc::driver

#endif // HGC_TOOLS_TRAINENTRIES_H
