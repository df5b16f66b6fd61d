//===- RowPipeline.h - three passes over rows as one ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_ROWPIPELINE_H
#define HGC_LIB_CODEGEN_CPU_ROWPIPELINE_H

#include "hgc/CodeGen/CPU/ReductionNest.h"

namespace hgc::cpu {

/// What a kernel does with each row: two reductions, of which the second needs the result of
/// the first, and a pass that writes, which needs both.
struct RowStages {
  using Finish = std::function<mlir::Value(ReductionNest &, mlir::Value)>;

  /// Stages whose functions are still to come.
  static RowStages make(Combiner first, Combiner second, mlir::Value source, mlir::Type type) {
    return {first, second, source, type, {}, {}, {}, {}, {}};
  }

  Combiner first, second;
  /// Buffer that the first two passes read.
  mlir::Value source;
  /// Type of the elements that are combined.
  mlir::Type type;
  std::function<mlir::Value(ReductionNest &, const ReductionPoint &)> firstElement;
  /// `kept` is where the row may keep a number of each of its points in the pipeline's scratch.
  std::function<mlir::Value(ReductionNest &, const ReductionPoint &, mlir::Value first, mlir::Value kept)>
      secondElement;
  /// What becomes of a total.
  Finish finishFirst, finishSecond;
  std::function<void(ReductionNest &, const ReductionPoint &, mlir::Value first, mlir::Value second, mlir::Value kept)>
      write;
};

/// One loop that writes a row, makes the second reduction of the next and the first of the one
/// behind that: what each of them waits for is then a row away, and loads, arithmetic and stores
/// share the time. Bits are those of rows one after the other. For kernels whose rows are whole
/// vectors, neither long nor very short.
class RowPipeline {
public:
  RowPipeline(KernelContext &context, const ReductionPlan &plan, RowStages stages);

  static bool isPossible(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target);
  /// Elements that rows keep in scratch.
  static int64_t keptElements(exec::KernelOp kernel, const ReductionPlan &plan, const DeviceTable &target);

  /// Emits it for results that start with a cache line; for others, `emitRows`.
  void emitOr(llvm::function_ref<void()> emitRows);

private:
  void emit();
  /// The rows of a step, each null where its stage does nothing, and what is known of them.
  struct Step {
    mlir::Value ahead, row, behind;
    mlir::Value rowFirst, behindFirst, behindSecond;
  };
  /// The first result of the row ahead, and the second of the row.
  std::pair<mlir::Value, mlir::Value> emitStep(const Step &step);
  /// All stages for the lanes at `column`, which add to the totals; those at `written` are written.
  void emitPoints(const Step &step, mlir::Value column, mlir::Value written, mlir::Value &first, mlir::Value &second);
  /// Finds where to begin with a row that is written, and where to keep numbers.
  void avoidCollisions();
  /// The column that is written beside `column`.
  mlir::Value writtenAt(mlir::Value column);
  mlir::Value fold(const Combiner &combiner, llvm::ArrayRef<mlir::Value> totals);
  ReductionNest nestAt(mlir::Value row);
  mlir::Value keptAt(mlir::Value row, mlir::Value column);

  KernelContext &context;
  const ReductionPlan &plan;
  RowStages stages;
  IndexBuilder b;
  /// Lanes of a stage; the plan's are a multiple of it.
  int64_t lanes;
  /// Column that is written first, and elements of scratch before those that are kept; null for none.
  mlir::Value turn, keptStart;
};

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_ROWPIPELINE_H
