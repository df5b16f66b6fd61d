//===- JoinTransposes.h - permutations on both sides of a reshape -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_JOINTRANSPOSES_H
#define HGC_LIB_TRANSFORMS_JOINTRANSPOSES_H

#include "mlir/IR/PatternMatch.h"

namespace hgc {

/// transpose(reshape(transpose(x)))  ==>  transpose(reshape(x)), or reshape(x), where the reshape joins dims that
/// follow each other in x, too.
void populateJoinTransposes(mlir::RewritePatternSet &patterns);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_JOINTRANSPOSES_H
