//===- Attention.td - scaled dot-product attention -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_ATTENTION_TD
#define HGC_GRAPH_ATTENTION_TD

include "dialects/Graph/GraphDialect.td"

def HGC_MaskTensor : RankedTensorOf<[F32, F64, F16, BF16, I1]>;

def HGC_AttentionOp : HGC_KindedOp<"attention", "Root"> {
  let summary = "scaled dot-product attention";
  let description = [{
    `softmax(scale * query * key^T + mask) * value` over the last two dims:
    `query` is `[..., Lq, D]`, `key` `[..., Lk, D]`, `value` `[..., Lk, Dv]` and
    the result `[..., Lq, Dv]`. Leading dims broadcast as in NumPy. All four have
    one element type; products, softmax and sums are in f32 at least. An absent
    `scale` is `1 / sqrt(D)`.

    `mask` broadcasts to `[..., Lq, Lk]`: numbers of the element type are added to
    the scores, of an i1 mask true means that the key takes part. With `causal`
    query `i` sees the keys `0` to `i`. A query that sees no key has a result of
    NaN, as the softmax of its scores is. The values of keys that are not seen must be
    finite.

    ```mlir
    %y = hgc.attention %q, %k, %v causal
        : (tensor<8x64x32xf32>, tensor<8x64x32xf32>, tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
    %z = hgc.attention %q, %k, %v mask %m scale = 0.125
        : (tensor<8x64x32xf32>, tensor<8x64x32xf32>, tensor<8x64x32xf32>, tensor<64x64xi1>) -> tensor<8x64x32xf32>
    ```

    `hgc-decompose` rewrites it where the device has no kernel for it.
  }];
  let arguments = (ins HGC_FloatTensor:$query, HGC_FloatTensor:$key, HGC_FloatTensor:$value,
                       Optional<HGC_MaskTensor>:$mask, OptionalAttr<F64Attr>:$scale, UnitAttr:$causal);
  let results = (outs HGC_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`scale` `=` $scale^)? (`causal` $causal^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
    /// Factor of the scores; needs a static head size when the attribute is absent.
    double getFactor();
  }];
}

#endif // HGC_GRAPH_ATTENTION_TD
