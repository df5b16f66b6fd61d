//===- Ordering.td - positions of extremes, sorting ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results are positions: what is at them comes through hgc.gather_along.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_ORDERING_TD
#define HGC_GRAPH_ORDERING_TD

include "dialects/Graph/GraphDialect.td"

def HGC_ArgReduceKind : HGC_Enum<"ArgReduceKind", "which extreme is looked for", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">]>;
def HGC_ArgReduceKindAttr : HGC_EnumAttr<HGC_ArgReduceKind, "arg_reduce_kind">;
def HGC_PositionTensor : RankedTensorOf<[I64]>;

def HGC_ArgReduceOp : HGC_KindedOp<"arg_reduce", "Root"> {
  let summary = "position of the extreme along an axis, as NumPy's argmax and argmin";
  let description = [{
    Of equal elements (0.0 and -0.0 are equal) the first one counts. A NaN is
    the extreme of both kinds, so that the position of the first NaN is given.

    ```mlir
    %i = hgc.arg_reduce max %x axis 1 keepdims : (tensor<8x4xf32>) -> tensor<8x1xi64>
    ```
  }];
  let arguments = (ins HGC_ArgReduceKindAttr:$kind, HGC_Tensor:$input, I64Attr:$axis, UnitAttr:$keepdims);
  let results = (outs HGC_PositionTensor:$result);
  let assemblyFormat = "$kind $input `axis` $axis (`keepdims` $keepdims^)? attr-dict `:` functional-type(operands, results)";
}

def HGC_ArgSortOp : HGC_KindedOp<"arg_sort", "Root"> {
  let summary = "positions in sorted order along an axis, or the first k of them";
  let description = [{
    Element `i` along `axis` is the position of the `i`-th least element, with
    `descending` of the `i`-th greatest. Equal elements (0.0 and -0.0 are equal)
    stay in the order of their positions in both directions. A NaN counts as
    greater than all numbers: it is last, with `descending` first. With `k` only
    the first `k` positions are given.

    ```mlir
    %i = hgc.arg_sort %x axis 1 : (tensor<8x10xf32>) -> tensor<8x10xi64>
    %top = hgc.arg_sort %x axis 1 descending k = 3 : (tensor<8x10xf32>) -> tensor<8x3xi64>
    %values = hgc.gather_along %x, %top axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>) -> tensor<8x3xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, I64Attr:$axis, UnitAttr:$descending, OptionalAttr<I64Attr>:$k);
  let results = (outs HGC_PositionTensor:$result);
  let assemblyFormat = [{
    $input `axis` $axis (`descending` $descending^)? (`k` `=` $k^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // HGC_GRAPH_ORDERING_TD
