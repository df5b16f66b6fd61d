//===- ExecSimulator.h - runs a program on abstract memory ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_EXECSIMULATOR_H
#define HGC_LIB_CONVERSION_EXECSIMULATOR_H

#include "StreamClock.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace hgc {

/// Executes a program with one fact per buffer: does it hold what was written to
/// it? A write makes its buffer valid and every other buffer that shares bytes
/// with it invalid. Branches are run both ways and joined, loops often enough
/// for the facts to settle. Writing a part counts as writing the buffer.
///
/// Beside that, every access of a stream is remembered until the host has waited
/// for it: a later access of the same bytes, one of the two a write, must be
/// ordered behind it by its stream, an event or the host.
class ExecSimulator {
public:
  /// `symbols` resolves blobs.
  ExecSimulator(exec::ProgramOp program, mlir::SymbolTable &symbols) : program(program), symbols(symbols) {}

  /// Reports the first access that a correct plan does not have.
  llvm::LogicalResult run();

private:
  /// What is known of a buffer.
  struct Fact {
    bool isWritten = false;
    /// The op that overwrote it, if one did.
    mlir::Operation *clobberedBy = nullptr;
  };
  /// Bytes [begin, end) of one memory: an arena, a slot, a blob or an argument.
  struct Place {
    const void *memory = nullptr;
    int64_t number = 0, begin = 0, end = 0;
    bool overlaps(const Place &other) const {
      return memory == other.memory && number == other.number && begin < other.end && other.begin < end;
    }
  };
  using Facts = llvm::MapVector<mlir::Value, Fact>;
  /// An access by a stream that the host has not waited for.
  struct Touch {
    Place place;
    bool isWrite = false;
    int64_t stream = 0, position = 0;
    mlir::Operation *op = nullptr;
  };
  struct State {
    Facts facts;
    StreamTracker tracker;
    std::vector<Touch> touches;
  };

  llvm::LogicalResult simulate(mlir::Region &region);
  llvm::LogicalResult simulateOp(mlir::Operation *op);
  llvm::LogicalResult simulateIf(exec::IfOp op);
  llvm::LogicalResult simulateFor(exec::ForOp op);
  llvm::LogicalResult simulateWhile(exec::WhileOp op);
  llvm::LogicalResult simulateParallel(exec::ParallelOp op);
  llvm::LogicalResult simulateAccesses(mlir::Operation *op);
  void addUpdated(exec::LaunchOp launch, llvm::SmallVectorImpl<mlir::Value> &reads);
  /// Whether the program gives the weight its value.
  bool isLoading(exec::WeightOp weight);
  llvm::LogicalResult read(mlir::Value buffer, mlir::Operation *op);
  llvm::LogicalResult write(mlir::Value buffer, mlir::Operation *op);
  llvm::LogicalResult checkOrder(mlir::Operation *op, mlir::ValueRange reads, mlir::ValueRange writes);
  llvm::LogicalResult checkOverlap(mlir::Operation *op, mlir::ValueRange inputs, mlir::ValueRange outputs);
  llvm::LogicalResult checkOutputs();
  llvm::LogicalResult checkFinished();

  /// The buffer an alias is part of. Weights of one blob are one buffer.
  mlir::Value findBuffer(mlir::Value value);
  /// All bytes `value` may stand for: the whole buffer when an index is involved.
  Place findPlace(mlir::Value value);
  /// What is known after one of two ways was taken.
  static State join(const State &a, const State &b);

  exec::ProgramOp program;
  mlir::SymbolTable &symbols;
  State state;
  /// By blob and memory space.
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>, mlir::Value> weights;
};

} // namespace hgc

#endif // HGC_LIB_CONVERSION_EXECSIMULATOR_H
