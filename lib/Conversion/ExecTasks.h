//===- ExecTasks.h - actions of a program as tasks --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_EXECTASKS_H
#define HGC_LIB_CONVERSION_EXECTASKS_H

#include "StreamClock.h"

#include "hgc/Conversion/ExecTimeline.h"

#include <map>

namespace hgc {

/// The tasks of `region` in program order. What they wait for is what the IR
/// says: streams, events and syncs.
std::vector<TimelineTask> collectTasks(mlir::Region &region, const ActionPrices &prices);

/// Orders actions by data, as they are added in program order.
class DataDependences {
public:
  /// Numbers of earlier actions that `op` must stay behind: those that wrote what
  /// it reads, and those that read or wrote what it writes.
  llvm::SmallVector<unsigned, 4> add(mlir::Operation *op);

private:
  struct History {
    std::optional<unsigned> writer;
    llvm::SmallVector<unsigned> readers;
  };
  std::map<MemoryRoot, History> histories;
  unsigned count = 0;
};

/// Moves actions of one block to a new place, each with the buffers it needs.
class ActionMover {
public:
  /// Everything goes before `end`. `declarations` stand among the actions.
  ActionMover(mlir::Block *block, mlir::Block::iterator end, llvm::ArrayRef<mlir::Operation *> declarations)
      : block(block), end(end), declarations(declarations), left(declarations.begin(), declarations.end()) {}

  void move(mlir::Operation *action);
  /// Only the buffers it needs.
  void moveDeclarations(mlir::ValueRange buffers);
  /// Buffers that no action needed: they may be parts of others, and follow them.
  void finish();

private:
  mlir::Block *block;
  mlir::Block::iterator end;
  llvm::ArrayRef<mlir::Operation *> declarations;
  /// Those that have their old place.
  llvm::DenseSet<mlir::Operation *> left;
};

/// Whether `op` only says where a buffer is.
bool isDeclaration(mlir::Operation *op);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_EXECTASKS_H
