//===- Names.h - what arguments and results are called ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_NAMES_H
#define HGC_FRONTEND_STABLEHLO_NAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>
#include <vector>

namespace hgc::stablehlo {

/// Names of arguments: as their locations have them when the program was printed with debug info, `params['w']` as
/// `params.w`; `arg0`, `arg1`, ... otherwise.
std::vector<std::string> nameArguments(mlir::func::FuncOp function);

/// Names of results: as `jax.result_info` has them, `result[0]` as `result.0`; none is an argument's.
std::vector<std::string> nameResults(mlir::func::FuncOp function, const std::vector<std::string> &arguments);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_NAMES_H
