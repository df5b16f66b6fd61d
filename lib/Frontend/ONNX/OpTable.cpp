//===- OpTable.cpp - which ONNX ops hgc imports, and by what --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "Ops/Sequences.h"

using namespace hgc::onnx;

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable result;
    addElementwiseOps(result);
    addConstantOps(result);
    addControlFlowOps(result);
    addRecurrentOps(result);
    addRandomOps(result);
    addSignalOps(result);
    addTrainingOps(result);
    addRefusedOps(result);
    addContractionOps(result);
    addConvolutionOps(result);
    addPoolingOps(result);
    addNormalizationOps(result);
    addAttentionOps(result);
    addQuantizationOps(result);
    addLossOps(result);
    addReductionOps(result);
    addShapeOps(result);
    addRepeatOps(result);
    addSlicingOps(result);
    addGatherOps(result);
    addScatterOps(result);
    addPaddingOps(result);
    addResizeOps(result);
    addSamplingOps(result);
    addRoiOps(result);
    addOrderingOps(result);
    addDynamicOps(result);
    addDetectionOps(result);
    addClassicalOps(result);
    addSequenceOps(result);
    return result;
  }();
  return table;
}

const OpEntry *OpTable::lookup(llvm::StringRef domain, llvm::StringRef op) const {
  auto found = entries.find(domain.empty() ? op.str() : (domain + "::" + op).str());
  return found == entries.end() ? nullptr : &found->second;
}

std::string OpTable::explainRefusal(const OpEntry *entry, llvm::StringRef domain, int64_t opset) {
  if (!entry)
    return "hgc does not know the op";
  if (opset == 0)
    return ("the model does not say which version of the ops of '" + (domain.empty() ? "ai.onnx" : domain) + "' it has")
        .str();
  if (!entry->import)
    return entry->note.str();
  return opset < entry->since ? "its form of opset " + std::to_string(opset) + " is not imported" : "";
}
