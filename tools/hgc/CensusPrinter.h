//===- CensusPrinter.h - the census of a model as text or JSON --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_CENSUSPRINTER_H
#define HGC_TOOLS_CENSUSPRINTER_H

#include "hgc/Frontend/OnnxCensus.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

namespace hgc::driver {

/// What one call of a variant takes; shapes are static.
struct CallEstimate {
  std::string name;
  double flops = 0;
  /// Most bytes of values that are live at once when ops run in order, unfused.
  int64_t liveBytes = 0;
};

/// One for each entry of a model at stage graph.
std::vector<CallEstimate> estimateCalls(mlir::ModuleOp module);

/// `flops` with a unit that leaves one to three digits before the point.
std::string describeWork(double flops);

void printCensus(const OnnxCensus &census, llvm::raw_ostream &os);
llvm::json::Object toJson(const OnnxCensus &census);

} // namespace hgc::driver

#endif // HGC_TOOLS_CENSUSPRINTER_H
