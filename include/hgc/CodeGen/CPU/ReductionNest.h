//===- ReductionNest.h - loops that reduce some dims ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, softmax and normalisations walk the dims of their input: some are
// parallel, some reduced. If the innermost loop is reduced, lanes lie along it and
// are combined at the end ("rows"); else lanes are neighbouring results
// ("columns"). Order and grouping of the sums depend on the shape only.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_REDUCTIONNEST_H
#define HGC_CODEGEN_CPU_REDUCTIONNEST_H

#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/Common/Combine.h"

namespace hgc::cpu {

/// Loops of a kernel that reduces the dims of `input` marked in `isReduced`.
struct ReductionPlan {
  /// `results` are the accesses of what happens to the results, as functions of
  /// the input's dims; `weight` is the work per element.
  ReductionPlan(exec::KernelOp kernel, const DeviceTable &target, mlir::Value input, llvm::ArrayRef<bool> isReduced,
                llvm::ArrayRef<Access> results, int64_t weight);

  size_t rank;
  llvm::SmallVector<Axis> axes;
  /// Positions in `axes`.
  llvm::SmallVector<size_t> parallel, reduced;
  bool isRow = false;
  /// Lanes along the innermost axis.
  int64_t lanes = 1;
  /// Elements that make one result.
  int64_t count = 1;
  /// Over the parallel axes.
  UnitLoops loops;
  /// Few long reductions are cut into parts for threads to share: each takes
  /// `partLength` iterations of reduced axis number `partAxis`.
  int64_t parts = 1, partLength = 0;
  size_t partAxis = 0;

  /// Cuts into parts if that is worth it; how depends on the shape only.
  void split();
  bool isSplit() const { return parts > 1; }
  /// Number of results.
  int64_t resultCount() const;
  /// Iterations of the innermost reduced loop, its step, and how many of them
  /// whole steps cover.
  int64_t innerExtent() const { return axes[reduced.back()].extent; }
  int64_t innerStep() const { return isRow ? lanes : 1; }
  int64_t wholeExtent() const { return innerExtent() - innerExtent() % innerStep(); }

  /// Whether results of a row can be written at aligned addresses, wherever it
  /// starts: vectors at both ends overlap, so values between passes must be kept
  /// outside of the output.
  bool alignsStores(exec::KernelOp kernel, const DeviceTable &target) const;
  /// Whether these go past the caches.
  bool streamsStores(exec::KernelOp kernel, const DeviceTable &target) const;

  /// For people: the form of the loops.
  std::string describe() const;
};

/// One or several points of the input.
struct ReductionPoint {
  /// Index into the input, one entry per dim.
  llvm::SmallVector<LaneIndex> index;
  int64_t lanes = 1;
  /// Lanes not visited before, counted from the last.
  int64_t fresh = 1;
  /// Number of the point in its row (rows: of lane 0).
  mlir::Value position;
  /// Which of neighbouring columns a single point is in; null for all of them.
  mlir::Value lane;
  /// Whether results are written past the caches.
  bool isStreamed = false;
};

/// The loops over the reduced axes for one position of the parallel ones.
class ReductionNest {
public:
  ReductionNest(KernelContext &context, const ReductionPlan &plan, llvm::ArrayRef<LaneIndex> parallel)
      : context(context), plan(plan), b(context.builder, context.loc), parallel(parallel) {}

  /// Emits the kernel's loops over units and parallel points. Where the plan is
  /// split, units are parts, and `body` sees each point in every part.
  static void emit(KernelContext &context, const ReductionPlan &plan, llvm::function_ref<void(ReductionNest &)> body);
  /// Emits the loops over all parallel points once.
  static void emitPoints(KernelContext &context, const ReductionPlan &plan,
                         llvm::function_ref<void(ReductionNest &)> body);

  using Element = llvm::function_ref<mlir::Value(const ReductionPoint &)>;

  /// Combines `element` over all points. Elements have compute type; float sums
  /// are grouped so that the error stays small for any extent. The result has the
  /// elements' type: a scalar for rows, a vector for columns.
  mlir::Value reduce(Combiner combiner, mlir::Type type, Element element);

  /// The same for a split plan: combines the nest's part of the points and keeps the
  /// result in scratch memory, or combines what all parts have kept.
  void reducePart(Combiner combiner, mlir::Type type, Element element);
  mlir::Value reduceParts(Combiner combiner, mlir::Type type, Element element);
  /// Bytes that the parts keep of elements of `type`.
  static int64_t partBytes(const ReductionPlan &plan, Combiner combiner, mlir::Type type);

  /// Visits all points.
  void forEach(llvm::function_ref<void(const ReductionPoint &)> visit);
  /// The same for a pass that writes results, at aligned addresses where the plan
  /// allows that; it may visit points twice.
  void forEachResult(llvm::function_ref<void(const ReductionPoint &)> visit);

  /// Points of the only reduced axis.
  ReductionPoint pointAt(mlir::Value column, int64_t lanes) { return makePoint({}, column, lanes, lanes); }

  /// Fetches what the next row of `input` has at this point, or what follows in so many lines (0: no limit), for passes
  /// that have more to compute than to load; only where rows come from far away.
  void prefetchNextRow(const ReductionPoint &point, mlir::Value input, int64_t mostLines = 0);
  /// Fetches where a later pass over the row writes results.
  void prefetchResult(const ReductionPoint &point);
  /// Fetches where the next row ends, if results are streamed and that is within a
  /// line of the cache: stores that follow would wait for it.
  void prefetchNextEnd();
  /// Writes the kernel's result, of which `emitter` knows the root's value.
  void storeResult(const ReductionPoint &point, ElementEmitter &emitter);

  /// The input's index with 0 on all reduced dims, for the result.
  llvm::SmallVector<LaneIndex> resultIndex();
  /// Lanes of a result.
  int64_t resultLanes() const { return plan.isRow ? 1 : plan.lanes; }
  /// A result (scalar or vector) in all lanes of a point.
  mlir::Value spreadTo(const ReductionPoint &point, mlir::Value result);

private:
  struct Reducer;
  ReductionPoint makePoint(llvm::ArrayRef<mlir::Value> outer, mlir::Value last, int64_t fresh, int64_t lanes);
  ReductionPoint makePoint(llvm::ArrayRef<mlir::Value> outer, mlir::Value last, int64_t fresh) {
    return makePoint(outer, last, fresh, plan.lanes);
  }
  void forEachStreamed(llvm::function_ref<void(const ReductionPoint &)> visit);
  mlir::Value unalignedHead(int64_t lanes);
  mlir::Value reduceInnermost(const Reducer &reducer, llvm::ArrayRef<mlir::Value> outer, mlir::Value total,
                              Element element);
  mlir::Value reduceRange(const Reducer &reducer, llvm::ArrayRef<mlir::Value> outer, mlir::Value lower,
                          mlir::Value upper, mlir::Value init, Element element);
  mlir::Value addTail(const Reducer &reducer, llvm::ArrayRef<mlir::Value> outer, mlir::Value partial, Element element);
  void keepLong(mlir::Value iteration);
  /// Fetches what a tensor that does not fit the second cache has `ahead` elements behind a point of a row.
  void prefetch(const ReductionPoint &point, mlir::RankedTensorType type, mlir::Value buffer, int64_t ahead,
                bool isWrite);
  mlir::Value reduceAll(const Reducer &reducer, Element element);
  static Reducer makeReducer(Combiner combiner, mlir::Type type);
  /// First iteration and end of reduced axis `number` in the nest's part.
  std::pair<mlir::Value, mlir::Value> bounds(size_t number);
  /// What `part` has kept of this point.
  mlir::Value partBuffer(mlir::Type type);
  LaneIndex partOffset(mlir::Value part);

  KernelContext &context;
  const ReductionPlan &plan;
  IndexBuilder b;
  llvm::SmallVector<LaneIndex> parallel;
  /// Null where all points are reduced at once.
  mlir::Value part;
};

/// Values of one row (or of neighbouring columns) between two passes over it: in
/// the output buffer where its type allows that and no pass that follows writes
/// aligned results (`freesOutput`), else in scratch memory.
class RowBuffer {
public:
  /// Bytes of scratch memory that the kernel needs for values like the elements
  /// of `input`, whose type is also the result's.
  static int64_t scratchBytes(exec::KernelOp kernel, const ReductionPlan &plan, mlir::Value input,
                              bool freesOutput = false);

  RowBuffer(KernelContext &context, const ReductionPlan &plan, mlir::Value input, bool freesOutput = false);
  mlir::Value load(const ReductionPoint &point);
  /// Writes fresh lanes only.
  void store(const ReductionPoint &point, mlir::Value value);
  /// Whether the values are in the output buffer.
  bool isInOutput() const { return isOutput; }

private:
  LaneIndex offset(const ReductionPoint &point, ElementEmitter &emitter);

  KernelContext &context;
  const ReductionPlan &plan;
  mlir::RankedTensorType type;
  mlir::Type element;
  mlir::Value buffer;
  bool isOutput;
};

/// Whether evaluating `tensor` is no more than a load.
bool isPlainLoad(mlir::Value tensor);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_REDUCTIONNEST_H
