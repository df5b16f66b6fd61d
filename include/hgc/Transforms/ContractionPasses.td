//===- ContractionPasses.td - passes over contractions ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of Passes.td: what matmul and conv multiply, and how it lies in memory.
//===----------------------------------------------------------------------===//

#ifndef HGC_TRANSFORMS_CONTRACTIONPASSES_TD
#define HGC_TRANSFORMS_CONTRACTIONPASSES_TD

include "mlir/Pass/PassBase.td"

def IntegerContractions : Pass<"hgc-integer-contractions", "::mlir::ModuleOp"> {
  let summary = "compute products of quantized operands in integers";
  let description = [{
    A `matmul` or `conv` of f32 whose operands are dequantized 8-bit integers,
    `scale * (x - zero)`, multiplies the integers and sums in i32. Weights must be known
    while compiling; they have one scale, or one per output channel, activations have
    one. What zero points add is part of the bias, and a bias in units of the sums is
    added to them. Sums are scaled once; if activations (`relu`, `min`, `max`) and a
    quantization follow, its division is part of that factor, and all limits follow the
    conversion to integers. Integer sums are exact, so that results are at least as
    accurate.

    Needs `hgc-bind-dims`.

    ```mlir
    %0 = hgc.cast %q to i32 : (tensor<2x64xi8>) -> tensor<2x64xi32>
    %1 = hgc.cast %0 to f32 : (tensor<2x64xi32>) -> tensor<2x64xf32>
    %x = hgc.mul %1, %sx : (tensor<2x64xf32>, tensor<f32>) -> tensor<2x64xf32>
    %y = hgc.matmul %x, %w : (tensor<2x64xf32>, tensor<64x32xf32>) -> tensor<2x32xf32>
    // becomes, with %w made from %v in the same way
    %0 = hgc.matmul %q, %v : (tensor<2x64xi8>, tensor<64x32xi8>) -> tensor<2x32xi32>
    %1 = hgc.cast %0 to f32 : (tensor<2x32xi32>) -> tensor<2x32xf32>
    %y = hgc.mul %1, %sxsw : (tensor<2x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    ```
  }];
  let options = [
    Option<"baseDir", "base-dir", "std::string", "\".\"",
           "folder that paths of weights files are relative to">,
  ];
}

def UseMatrixUnit : Pass<"hgc-use-matrix-unit", "::mlir::ModuleOp"> {
  let summary = "let the CPU's matrix unit compute products of weights";
  let description = [{
    A `matmul` whose right operand no entry assigns gets `hgc.form = "matrix"` where the target has a matrix unit for
    its type and the cost model expects that to be faster. Products with the same weights, in all variants,
    get it together or not at all, so that these are stored once. `hgc-pack-contractions` then writes the
    weights in tiles; f32 has three parts of bf16. Convolutions are the business of `hgc-choose-conv-forms`.

    A right operand of f32 that is known only at run time is written in tiles at every call, if it is one matrix that at
    least 256 rows share.

    With `mode` `always` all products get it that can, with `never` none.

    Run it before `hgc-place`, which prices what is chosen here.

    ```mlir
    %c = hgc.matmul %a, %w : (tensor<128x384xf32>, tensor<384x384xf32>) -> tensor<128x384xf32>
    // becomes
    %c = hgc.matmul %a, %w {hgc.form = "matrix"} : ...
    ```
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"auto\"", "auto, always or never">,
  ];
}

def PackContractions : Pass<"hgc-pack-contractions", "::mlir::ModuleOp"> {
  let summary = "give contractions their weights in panels";
  let description = [{
    A right operand of `matmul` or a filter of `conv` that depends on parameters and
    constants only goes through `hgc.pack`, in panels as wide as the target's table
    says. The pack of an assigned parameter runs at every call, and only when at
    least four rows share it; that of any other operand when it does not fit the
    second-level cache and at least 256 rows share it. The filter of a `conv_transpose` with a window is
    always packed, with its channels exchanged; that of a `conv` in one of Winograd's
    forms is transformed first.

    Run it after `hgc-choose-layouts` and before `hgc-fold-packs`.

    ```mlir
    %c = hgc.matmul %a, %w : (tensor<32x784xf32>, tensor<784x128xf32>) -> tensor<32x128xf32>
    // becomes
    %p = hgc.pack matmul_rhs %w width 16 : (tensor<784x128xf32>) -> tensor<8x784x16xf32>
    %c = hgc.matmul %a, %p packed <16, [784, 128]> : ...
    ```
  }];
}

#endif // HGC_TRANSFORMS_CONTRACTIONPASSES_TD
