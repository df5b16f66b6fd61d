//===- DecomposeAttention.h - attention as matrix products ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_DECOMPOSEATTENTION_H
#define HGC_LIB_TRANSFORMS_DECOMPOSEATTENTION_H

#include "dialects/Graph/GraphOps.h"

namespace hgc {

/// Replaces `op` by two products with a softmax between them.
void decomposeAttention(graph::AttentionOp op);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_DECOMPOSEATTENTION_H
