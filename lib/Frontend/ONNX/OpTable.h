//===- OpTable.h - which ONNX ops hgc imports, and by what ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPTABLE_H
#define HGC_FRONTEND_ONNX_OPTABLE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace hgc::onnx {

class Node;

/// Creates the ops of a node and sets its outputs. Fails after reporting.
using ImportFn = llvm::LogicalResult (*)(Node &);

struct OpEntry {
  /// Null for an op hgc knows and does not import.
  ImportFn import = nullptr;
  /// First opset whose form of the op is imported.
  int since = 1;
  /// What of the op is not imported, or why nothing is; for the documentation.
  llvm::StringRef note;
  /// Whether the import function propagates bounded dims of its inputs (see
  /// Node::getExtent); other ops refuse such inputs.
  bool takesBounded = false;
};

/// The one table from op names to import functions. Ops of the domain `ai.onnx`
/// have plain names, others are `domain::name`.
class OpTable {
public:
  static const OpTable &get();

  const OpEntry *lookup(llvm::StringRef domain, llvm::StringRef op) const;
  /// Why the op is not imported in the form of this opset, which is 0 when the
  /// model does not say it; empty if it is.
  static std::string explainRefusal(const OpEntry *entry, llvm::StringRef domain, int64_t opset);
  const llvm::StringMap<OpEntry> &getEntries() const { return entries; }

  void add(llvm::StringRef op, ImportFn import, int since = 1, llvm::StringRef note = "") {
    entries[op] = {import, since, note, false};
  }
  void addBounded(llvm::StringRef op, ImportFn import, int since = 1, llvm::StringRef note = "") {
    entries[op] = {import, since, note, true};
  }
  /// An op that is known and not imported, and why.
  void refuse(llvm::StringRef op, llvm::StringRef reason) { entries[op] = {nullptr, 1, reason, false}; }

private:
  llvm::StringMap<OpEntry> entries;
};

// One function a family, each in the file of that name in Ops/.
void addElementwiseOps(OpTable &table);
void addConstantOps(OpTable &table);
void addContractionOps(OpTable &table);
void addConvolutionOps(OpTable &table);
void addPoolingOps(OpTable &table);
void addNormalizationOps(OpTable &table);
void addAttentionOps(OpTable &table);
void addQuantizationOps(OpTable &table);
void addLossOps(OpTable &table);
void addReductionOps(OpTable &table);
void addShapeOps(OpTable &table);
void addRepeatOps(OpTable &table);
void addSlicingOps(OpTable &table);
void addGatherOps(OpTable &table);
void addScatterOps(OpTable &table);
void addPaddingOps(OpTable &table);
void addResizeOps(OpTable &table);
void addSamplingOps(OpTable &table);
void addRoiOps(OpTable &table);
void addOrderingOps(OpTable &table);
void addDynamicOps(OpTable &table);
void addDetectionOps(OpTable &table);
void addControlFlowOps(OpTable &table);
void addRecurrentOps(OpTable &table);
void addRandomOps(OpTable &table);
void addSignalOps(OpTable &table);
void addTrainingOps(OpTable &table);
void addClassicalOps(OpTable &table);
void addRefusedOps(OpTable &table);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPTABLE_H
