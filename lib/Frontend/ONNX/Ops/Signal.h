//===- Signal.h - import functions of signal processing ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_SIGNAL_H
#define HGC_FRONTEND_ONNX_OPS_SIGNAL_H

#include "lib/Frontend/ONNX/Node.h"

namespace hgc::onnx {

llvm::LogicalResult importDft(Node &node);
llvm::LogicalResult importStft(Node &node);
llvm::LogicalResult importDet(Node &node);

/// The one integer of input `index` if it is known at compile time.
std::optional<int64_t> getKnownInt(Node &node, unsigned index);

/// The run-time integer of input `index` is `expected`, or the call fails.
void requireInt(Node &node, unsigned index, int64_t expected, llvm::StringRef what);

/// The shape of output 0 that the model declares, of this rank; nothing, reported,
/// without one.
std::optional<Extents> needDeclaredShape(Node &node, int64_t rank, llvm::StringRef what);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_SIGNAL_H
