//===- GraphOps.td - all op families of the graph dialect ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

include "dialects/Graph/Attention.td"
include "dialects/Graph/Contraction.td"
include "dialects/Graph/Elementwise.td"
include "dialects/Graph/Ordering.td"
include "dialects/Graph/Random.td"
include "dialects/Graph/Reduction.td"
include "dialects/Graph/Shape.td"
include "dialects/Graph/Structure.td"
