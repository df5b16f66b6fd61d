//===- EvalContract.h - what contractions share -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to dialects/Graph/Eval.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_EVALCONTRACT_H
#define HGC_GRAPH_EVAL_EVALCONTRACT_H

#include "dialects/Graph/Eval/HostTensor.h"

namespace hgc::graph {

/// Writes columns in panels as `hgc.pack` does: [..., K, N] with N split into
/// `groups` becomes [..., groups, ceil(N / groups / width), K, width]. `shape` is
/// the declared result's. `rows` is K, `run` of which are interleaved on their own.
HostTensor packPanels(const HostTensor &input, llvm::ArrayRef<int64_t> shape, int64_t rows, int64_t run, int64_t width,
                      int64_t groups, int64_t interleave);

/// Undoes packPanels for a matrix or filter of the given logical shape; a filter
/// has all dims but the last as rows when `groups` is given.
HostTensor unpackPanels(const HostTensor &packed, llvm::ArrayRef<int64_t> shape, int64_t width, int64_t groups,
                        bool isFilter = true);

/// Runs `kernel(a, b)` on both operands in the type a contraction accumulates
/// in: int64_t for integers, long double for f64, double for other floats.
template <typename Kernel>
HostTensor contract(mlir::Type element, llvm::ArrayRef<int64_t> shape, const HostTensor &lhs, const HostTensor &rhs,
                    Kernel &&kernel) {
  if (!lhs.isFloat()) {
    std::vector<int64_t> a = lhs.toInts(), b = rhs.toInts();
    return HostTensor::fromInts(element, shape, kernel(llvm::ArrayRef<int64_t>(a), llvm::ArrayRef<int64_t>(b)));
  }
  std::vector<double> a = lhs.toDoubles(), b = rhs.toDoubles();
  if (!lhs.getElementType().isF64())
    return HostTensor::fromDoubles(element, shape, kernel(llvm::ArrayRef<double>(a), llvm::ArrayRef<double>(b)));
  std::vector<long double> wideA(a.begin(), a.end()), wideB(b.begin(), b.end());
  std::vector<long double> out = kernel(llvm::ArrayRef<long double>(wideA), llvm::ArrayRef<long double>(wideB));
  return HostTensor::fromDoubles(element, shape, std::vector<double>(out.begin(), out.end()));
}

} // namespace hgc::graph

#endif // HGC_GRAPH_EVAL_EVALCONTRACT_H
