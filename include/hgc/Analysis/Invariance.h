//===- Invariance.h - what is known when the model is loaded ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_INVARIANCE_H
#define HGC_ANALYSIS_INVARIANCE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace hgc {

/// Which values depend on parameters and constants only. A value is
/// *load-time* when no argument of a call reaches it, and *invariant* when in
/// addition no entry assigns a parameter it is made from. Values made after the
/// analysis ran are neither.
class Invariance {
public:
  explicit Invariance(mlir::ModuleOp module);

  /// Whether some entry assigns the parameter.
  bool isMutable(mlir::StringAttr parameter) const { return assigned.contains(parameter); }
  bool isLoadTime(mlir::Value value) const { return loadTime.contains(value); }
  bool isInvariant(mlir::Value value) const { return invariant.contains(value); }

private:
  llvm::DenseSet<mlir::StringAttr> assigned;
  llvm::DenseSet<mlir::Value> loadTime, invariant;
};

} // namespace hgc

#endif // HGC_ANALYSIS_INVARIANCE_H
