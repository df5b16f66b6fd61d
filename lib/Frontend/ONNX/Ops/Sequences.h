//===- Sequences.h - sequences that are known while importing ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence is a value of a tuple type that stands for its tensors. Nothing of it
// is left when the import is done, so its length is known at each place.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_SEQUENCES_H
#define HGC_FRONTEND_ONNX_OPS_SEQUENCES_H

#include "mlir/IR/BuiltinOps.h"

namespace hgc::onnx {

class OpTable;

void addSequenceOps(OpTable &table);

inline bool isSequence(mlir::Value value) { return value && mlir::isa<mlir::TupleType>(value.getType()); }

/// Whether the import function of the op accepts sequences.
bool takesSequences(llvm::StringRef op);

/// Removes what stood for sequences.
void eraseSequences(mlir::Operation *root);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_SEQUENCES_H
