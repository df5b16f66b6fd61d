//===- Error.cpp - errors that say what to do -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Error.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace hgc;

char HintedError::ID = 0;

void HintedError::log(llvm::raw_ostream &os) const {
  os << message;
  if (!hint.empty())
    os << "\nhint: " << hint;
}

std::error_code HintedError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

llvm::Error hgc::makeError(const llvm::Twine &message, const llvm::Twine &hint) {
  return llvm::make_error<HintedError>(message.str(), hint.str());
}

llvm::LogicalResult hgc::emitError(mlir::Location loc, llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const HintedError &info) {
        mlir::InFlightDiagnostic diag = mlir::emitError(loc) << info.getMessage();
        if (!info.getHint().empty())
          diag.attachNote() << "hint: " << info.getHint();
      },
      [&](const llvm::ErrorInfoBase &info) { mlir::emitError(loc) << info.message(); });
  return llvm::failure();
}

llvm::Error hgc::addContext(const llvm::Twine &context, llvm::Error error) {
  std::string prefix = context.str() + ": ";
  return llvm::handleErrors(
      std::move(error), [&](const HintedError &info) { return makeError(prefix + info.getMessage(), info.getHint()); },
      [&](const llvm::ErrorInfoBase &info) { return makeError(prefix + info.message(), ""); });
}
