//===- Random.td - random numbers and what they are for --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_RANDOM_TD
#define HGC_GRAPH_RANDOM_TD

include "dialects/Graph/GraphDialect.td"

def HGC_CounterTensor : RankedTensorOf<[UI64]>;

def HGC_RandomOp : HGC_InferredOp<"random", [DeclareOpInterfaceMethods<FusibleOp, ["buildScalar"]>]> {
  let summary = "random bits of a counter";
  let description = [{
    Philox4x32-10: the 128-bit counter is `counter` (low half) and `stream` (high
    half), the key is `key`; the result is the first two words of the block, the
    first one in the high half. There is no state: equal operands give equal bits,
    on every device. All three operands broadcast against each other.

    ```mlir
    %bits = hgc.random %counter, %stream, %key : (tensor<8x4xui64>, tensor<ui64>, tensor<ui64>) -> tensor<8x4xui64>
    ```
  }];
  let arguments = (ins HGC_CounterTensor:$counter, HGC_CounterTensor:$stream, HGC_CounterTensor:$key);
  let results = (outs HGC_CounterTensor:$result);
  let assemblyFormat = "$counter `,` $stream `,` $key attr-dict `:` functional-type(operands, results)";
}

def HGC_DropoutOp : HGC_Op<"dropout", [Pure, CostOp, FusibleOp, SameOperandsAndResultType]> {
  let summary = "set elements to zero at random while training";
  let description = [{
    In `train_step` (`hgc compile --train`) each element is zero with probability
    `rate`, and the others are divided by `1 - rate`; in every other entry the
    result is the input, and `hgc-simplify` or `hgc-decompose` removes the op.

    ```mlir
    %y = hgc.dropout %x rate 2.0e-01 : tensor<8x64xf32>
    ```
  }];
  let arguments = (ins HGC_FloatTensor:$input, F64Attr:$rate);
  let results = (outs HGC_FloatTensor:$result);
  let assemblyFormat = "$input `rate` $rate attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Opaque; }
  }];
}

#endif // HGC_GRAPH_RANDOM_TD
