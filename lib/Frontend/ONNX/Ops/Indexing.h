//===- Indexing.h - index arithmetic on run-time values ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose starts, pads, axes, ... are known only at run time compute where
// each element of their result comes from. Coordinates of one dim have extent 1
// elsewhere, so that they stay small until they are joined; all of it is
// evaluated while importing when the inputs are constants.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_INDEXING_H
#define HGC_FRONTEND_ONNX_OPS_INDEXING_H

#include "../Node.h"
#include "../OpTable.h"

namespace hgc::onnx {

// Lists by axis.
/// For each dim whether it is in the list of axes (negative: from the end).
mlir::Value axisFlags(Builder &b, mlir::Value axes, int64_t rank);
/// `values[i]` at dim `axes[i]`, `otherwise` at dims that are not in the list.
mlir::Value byAxis(Builder &b, mlir::Value axes, mlir::Value values, int64_t rank, mlir::Value otherwise);

// What a node must have.
/// Import function that needs the first `Count` inputs.
llvm::LogicalResult checkInputs(Node &node, unsigned count);
template <unsigned Count, ImportFn Import> llvm::LogicalResult withInputs(Node &node) {
  return mlir::failed(checkInputs(node, Count)) ? mlir::failure() : Import(node);
}

/// Axes counted from the front; nothing (reported) when one is out of range or
/// given twice.
std::optional<Extents> normalizeAxes(Node &node, Shape axes, int64_t rank);
/// Axes in attribute `axes`, or in input `index`; `otherwise` when not given or
/// known only at run time.
std::optional<Extents> readAxes(Node &node, unsigned index, int64_t rank, Shape otherwise);
/// Whether input `index` is given and known only at run time.
bool isRunTime(Node &node, unsigned index);
/// The declared type of a result whose shape run-time inputs give, of this rank;
/// null (reported) when the model declares none.
mlir::RankedTensorType needType(Node &node, unsigned output, std::optional<int64_t> rank = std::nullopt);
/// Fails (reported) when an extent of an input from `first` on is known only at run
/// time.
llvm::LogicalResult refuseBounded(Node &node, unsigned first);
/// Why shapes without a declaration are refused.
llvm::LogicalResult refuseUnbounded(Node &node);
/// A call fails, or the model is refused, when indices that are an argument or
/// constants are not below `extent` (one number, or one an entry of the last dim) and
/// not from its end.
void requireIndices(Node &node, mlir::Value indices, mlir::Value extent);
/// Run-time integers must be what the result's declared shape says.
void requireInts(Node &node, mlir::Value list, Shape expected, llvm::StringRef what);
/// The same for a flag that was computed.
void requireShape(Node &node, mlir::Value condition, llvm::StringRef what);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_INDEXING_H
