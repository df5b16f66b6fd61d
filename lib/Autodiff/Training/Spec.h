//===- Spec.h - `name:key=value,...` as a user writes it --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_SPEC_H
#define HGC_LIB_AUTODIFF_TRAINING_SPEC_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LogicalResult.h"
#include <limits>
#include <string>

namespace hgc::training {

/// An argument of a kind: its default and the values it may have.
struct Argument {
  llvm::StringLiteral name;
  double value = 0;
  double least = 0;
  double most = std::numeric_limits<double>::max();
};

/// A loss, optimiser, schedule, ... that a spec may name. Several names may stand
/// for one kind.
struct Kind {
  llvm::StringLiteral name;
  int id;
  llvm::ArrayRef<Argument> arguments;
};

/// A kind and the values of its arguments.
class Settings {
public:
  int id = 0;
  std::string name;

  double get(llvm::StringRef argument) const { return values.lookup(argument); }
  bool has(llvm::StringRef argument) const { return values.contains(argument); }
  void set(llvm::StringRef argument, double value) { values[argument] = value; }

private:
  llvm::StringMap<double> values;
};

/// Reads `text`; `what` names such things in messages ("optimizer").
llvm::FailureOr<Settings> parseSpec(mlir::Location loc, llvm::StringRef what, llvm::StringRef text,
                                    llvm::ArrayRef<Kind> kinds);

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_SPEC_H
