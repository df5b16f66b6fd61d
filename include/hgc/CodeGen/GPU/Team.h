//===- Team.h - threads that share a reduction ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, softmax and normalisations walk the dims of their input: some are
// parallel, some reduced. If the innermost loop is reduced, the threads of a team
// lie along it ("rows"); else they lie across it, beside those of neighbouring
// results ("columns"). Order and grouping of sums follow from the shape and the
// target's table, never from timing.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_TEAM_H
#define HGC_CODEGEN_GPU_TEAM_H

#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/ReducedDims.h"
#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

/// How threads share a kernel that reduces the dims of `input` marked in
/// `isReduced`.
struct TeamPlan {
  /// `results` are the accesses of what happens to the results, as functions of
  /// the input's dims. `maySplit` allows several teams to share a
  /// result; without it the rows are taken to be walked several times.
  TeamPlan(exec::KernelOp kernel, const GpuTable &target, mlir::Value input, llvm::ArrayRef<bool> isReduced,
           llvm::ArrayRef<Access> results, bool maySplit);
  TeamPlan(exec::KernelOp kernel, const GpuTable &target, const ReducedDims &dims, bool maySplit)
      : TeamPlan(kernel, target, dims.input, dims.isReduced, dims.accesses, maySplit) {}

  size_t rank;
  llvm::SmallVector<Axis> axes;
  /// Positions in `axes`.
  llvm::SmallVector<size_t> parallel, reduced;
  bool isRow = false;
  /// Neighbours along the innermost axis that a thread takes at once.
  int64_t lanes = 1;
  /// Elements that make one result, and the steps of `lanes` (rows) they take.
  int64_t count = 1, steps = 1;
  int64_t results = 1;
  /// Threads that share a result; a power of two.
  int64_t team = 1;
  /// Teams of a block.
  int64_t teams = 1;
  /// Parts of a result's steps, each for a team of its own, and their length.
  int64_t parts = 1, partSteps = 1;
  /// Steps of one thread when they are few enough to be kept in registers; else 0.
  int64_t kept = 0;

  /// Results of `resultLanes` neighbours.
  int64_t groups() const { return isRow ? results : results / lanes; }
  int64_t resultLanes() const { return isRow ? 1 : lanes; }
  Launch getLaunch() const;
  /// For people: the form of the teams.
  std::string describe() const;

private:
  void chooseLanes(exec::KernelOp kernel, llvm::ArrayRef<Access> accesses);
  /// Steps of one thread that fit into registers.
  int64_t getMostKept() const;
  void chooseRowTeam(const GpuTable &target, bool maySplit);
  void chooseColumnTeam(const GpuTable &target, bool maySplit);
};

/// One or several points of the input.
struct TeamPoint {
  /// Index into the input, one entry per dim.
  llvm::SmallVector<LaneIndex> index;
  int64_t lanes = 1;
  /// Whether the point exists; null when it surely does.
  mlir::Value exists;
};

/// This thread's part of its team's work. All threads of a block must call the
/// same methods: some wait for each other.
class Team {
public:
  Team(KernelContext &context, const TeamPlan &plan);

  using Element = llvm::function_ref<mlir::Value(const TeamPoint &)>;

  /// Combines `element` over all points; the elements have type `type`. All
  /// threads get the result: a scalar for rows, `resultLanes` for columns. Float
  /// sums are grouped so that the error stays small for any extent.
  mlir::Value reduce(const Combiner &combiner, mlir::Type type, Element element);
  /// The same for values that belong to no point of the input: `element` gets the
  /// number of the step.
  mlir::Value combineSteps(const Combiner &combiner, mlir::Type type,
                           llvm::function_ref<mlir::Value(mlir::Value)> element);
  /// Visits all points.
  void forEach(llvm::function_ref<void(const TeamPoint &)> visit);

  /// The points of this thread when the plan says they are few (`kept`).
  llvm::SmallVector<TeamPoint> listPoints();
  /// `value()` where the point exists, else `neutral`. It must be safe to compute
  /// for any point.
  mlir::Value evalWhere(const TeamPoint &point, mlir::Value neutral, llvm::function_ref<mlir::Value()> value);
  /// Combines values that `listPoints` gave; those that do not exist are neutral.
  mlir::Value reduceKept(const Combiner &combiner, llvm::ArrayRef<mlir::Value> values);
  /// Visits where points exist.
  void visitWhere(const TeamPoint &point, llvm::function_ref<void()> visit);

  /// The input's index with 0 on all reduced dims, for the result.
  llvm::SmallVector<LaneIndex> resultIndex();
  /// Runs `body` on the one thread that finishes the result, where there is one.
  void ifFinisher(llvm::function_ref<void()> body);
  /// Number of the (first) result; one that exists in any case.
  mlir::Value getResult() const { return result; }
  /// Which part of the result's steps this is.
  mlir::Value getPart() const { return part; }

private:
  TeamPoint makePoint(mlir::Value step);
  mlir::Value combineRange(const Combiner &combiner, mlir::Value lower, mlir::Value upper, mlir::Value init,
                           llvm::function_ref<mlir::Value(mlir::Value)> element);
  /// Combines one value of each thread of the team; all get the result.
  mlir::Value combineAll(const Combiner &combiner, mlir::Value value);
  mlir::Value combineWarps(const Combiner &combiner, mlir::Value value);
  mlir::Value combineColumns(const Combiner &combiner, mlir::Value value);

  KernelContext &context;
  const TeamPlan &plan;
  IndexBuilder b;
  mlir::Value member, place, result, part, exists, first, last;
};

/// Combines `value` of `width` neighbouring threads (a power of two, at most a
/// warp); all get the result.
mlir::Value combineLanes(KernelContext &context, const Combiner &combiner, mlir::Value value, int64_t width);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_TEAM_H
