//===- Dialects.h - StableHLO's text as generic operations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialects accept every op, and keep what they read as generic operations
// with builtin attributes: lists of integers are `array<i64>`, enumerators and
// what is not understood strings, structured attributes dictionaries. Whether a
// program was printed in generic or in pretty form is not seen afterwards.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_DIALECTS_H
#define HGC_FRONTEND_STABLEHLO_DIALECTS_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

namespace hgc::stablehlo {

/// Makes the dialects of JAX's programs known to the context.
void loadDialects(mlir::MLIRContext &context);

/// Reads an op in pretty form, after its name.
mlir::ParseResult parsePrettyOp(mlir::OpAsmParser &parser, mlir::OperationState &state);

/// A number, word, list, or any attribute. Lists joined by `x` and `->` are a list of lists.
mlir::ParseResult parseValue(mlir::AsmParser &parser, mlir::Attribute &value);

/// `key = value, ...`; nothing is fine, too.
mlir::ParseResult parsePairs(mlir::AsmParser &parser, mlir::NamedAttrList &pairs);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_DIALECTS_H
