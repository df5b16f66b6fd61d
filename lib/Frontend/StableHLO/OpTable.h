//===- OpTable.h - which ops hgc imports, and by what -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPTABLE_H
#define HGC_FRONTEND_STABLEHLO_OPTABLE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LogicalResult.h"

namespace hgc::stablehlo {

class Node;

/// Creates the ops of a node and sets its results. Fails after reporting.
using ImportFn = llvm::LogicalResult (*)(Node &);

struct OpEntry {
  /// Null for an op hgc knows and does not import.
  ImportFn import = nullptr;
  /// What of the op is not imported, or why nothing is; for the documentation.
  llvm::StringRef note;
  /// Whether the function works on elements: given tensors of another shape than the program says, it gives
  /// that shape. Bodies of reductions are imported so.
  bool isPointwise = false;
};

/// The one table from op names to import functions.
class OpTable {
public:
  static const OpTable &get();

  const OpEntry *lookup(llvm::StringRef op) const;
  const llvm::StringMap<OpEntry> &getEntries() const { return entries; }

  void add(llvm::StringRef op, ImportFn import, llvm::StringRef note = "") { entries[op] = {import, note, false}; }
  void addPointwise(llvm::StringRef op, ImportFn import, llvm::StringRef note = "") {
    entries[op] = {import, note, true};
  }
  /// An op that is known and not imported, and why.
  void refuse(llvm::StringRef op, llvm::StringRef reason) { entries[op] = {nullptr, reason, false}; }

private:
  llvm::StringMap<OpEntry> entries;
};

// One function a family, each in the file of that name in Ops/.
void addElementwiseOps(OpTable &table);
void addIntegerOps(OpTable &table);
void addChloOps(OpTable &table);
void addShapeOps(OpTable &table);
void addDynamicOps(OpTable &table);
void addContractionOps(OpTable &table);
void addConvolutionOps(OpTable &table);
void addReductionOps(OpTable &table);
void addNormalizationOps(OpTable &table);
void addWindowOps(OpTable &table);
void addGatherOps(OpTable &table);
void addScatterOps(OpTable &table);
void addOrderingOps(OpTable &table);
void addControlFlowOps(OpTable &table);
void addRefusedOps(OpTable &table);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPTABLE_H
