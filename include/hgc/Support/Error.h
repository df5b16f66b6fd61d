//===- Error.h - errors that say what to do ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_ERROR_H
#define HGC_SUPPORT_ERROR_H

#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace hgc {

/// A user's mistake: what is wrong, and what to do about it.
class HintedError : public llvm::ErrorInfo<HintedError> {
public:
  static char ID;
  HintedError(std::string message, std::string hint) : message(std::move(message)), hint(std::move(hint)) {}

  llvm::StringRef getMessage() const { return message; }
  llvm::StringRef getHint() const { return hint; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message, hint;
};

/// `message`, then on the next line `hint: <hint>` when printed as text.
llvm::Error makeError(const llvm::Twine &message, const llvm::Twine &hint);

/// Emits `error` at `loc`, its hint as the last note. Returns failure.
llvm::LogicalResult emitError(mlir::Location loc, llvm::Error error);

/// Prefixes the message of `error` with `context: `, keeping its hint.
llvm::Error addContext(const llvm::Twine &context, llvm::Error error);

} // namespace hgc

#endif // HGC_SUPPORT_ERROR_H
