//===- ShapePasses.td - passes over views of data --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of Passes.td: where reshapes, transposes and slices stand.
//===----------------------------------------------------------------------===//

#ifndef HGC_TRANSFORMS_SHAPEPASSES_TD
#define HGC_TRANSFORMS_SHAPEPASSES_TD

include "mlir/Pass/PassBase.td"

def MoveReshapes : Pass<"hgc-move-reshapes", "::mlir::ModuleOp"> {
  let summary = "move reshapes and slices to where they do not end a kernel";
  let description = [{
    Reshapes that split dims move up through transposes and slices; reshapes that
    add or drop dims of extent 1 move down through transposes, slices and pointwise
    ops whose other operands are numbers or stored anyway. Slices that together
    read a transpose move above it, and so do gathers of one known index. Transposes
    on both sides of a reshape that joins dims become one, or none. What
    cuts parts out of a product then is one kernel per part, and ops behind a
    product join it. All these rewrites are exact. Where they do not come to an end
    in `max-rounds` over the module, there is a warning.

    Known numbers that scale such a part, in f32 or f64 and in rows of 256 bytes at
    least, move behind the product that reads it: `matmul(a * x, b * y)` becomes
    `(a * b) * matmul(x, y)`, and the product can read x and y where they are.

    Needs static shapes.

    ```mlir
    %t = hgc.transpose %x permutation = [1, 0, 2] : (tensor<8x2x4xf32>) -> tensor<2x8x4xf32>
    %a = hgc.slice %t starts = [0, 0, 0] sizes = [1, 8, 4] : (tensor<2x8x4xf32>) -> tensor<1x8x4xf32>
    %b = hgc.slice %t starts = [1, 0, 0] sizes = [1, 8, 4] : (tensor<2x8x4xf32>) -> tensor<1x8x4xf32>
    // becomes
    %0 = hgc.slice %x starts = [0, 0, 0] sizes = [8, 1, 4] : (tensor<8x2x4xf32>) -> tensor<8x1x4xf32>
    %a = hgc.transpose %0 permutation = [1, 0, 2] : (tensor<8x1x4xf32>) -> tensor<1x8x4xf32>
    %1 = hgc.slice %x starts = [0, 1, 0] sizes = [8, 1, 4] : (tensor<8x2x4xf32>) -> tensor<8x1x4xf32>
    %b = hgc.transpose %1 permutation = [1, 0, 2] : (tensor<8x1x4xf32>) -> tensor<1x8x4xf32>
    ```
  }];
  let options = [
    Option<"maxRounds", "max-rounds", "int64_t", "10", "rounds of rewrites over the module at most">,
  ];
}

def Narrow : Pass<"hgc-narrow", "::mlir::ModuleOp"> {
  let summary = "compute only the parts of tensors that are read";
  let description = [{
    Where all readers of an op take parts of its result, with slices or with gathers
    of known indices, the op computes the smallest box that holds those: the slices
    move above it, as far as this goes. A dim passes through ops that compute its
    positions one by one: through pointwise ops, reductions and normalisations
    over other dims, rows, columns and batches of products, queries of attention,
    images, pixels and channels of windows, transposes, reshapes that keep the dim
    or split and join it in whole steps, concats, pads, and others. Positions that
    are not evenly spaced count as the run that holds them. Random numbers, state and
    control flow are left alone, as is an op that would compute more than seven
    eighths all the same, unless it then needs no slices.

    The last windows of a pool or convolution may end before its input does. Where
    that leaves out an eighth of the input or more, the input is read in part.

    Pointwise and moving ops follow the ops that they may be fused with. Columns of
    weights that something else reads as a whole are not cut out: they would be
    stored twice.

    Needs static shapes; known indices are constants. Guarantees that no op is
    computed more often than before.

    ```mlir
    %0 = hgc.matmul %x, %w : (tensor<197x64xf32>, tensor<64x64xf32>) -> tensor<197x64xf32>
    %1 = hgc.slice %0 starts = [0, 0] sizes = [1, 64] : (tensor<197x64xf32>) -> tensor<1x64xf32>
    // becomes
    %0 = hgc.slice %x starts = [0, 0] sizes = [1, 64] : (tensor<197x64xf32>) -> tensor<1x64xf32>
    %1 = hgc.matmul %0, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    ```
  }];
}

#endif // HGC_TRANSFORMS_SHAPEPASSES_TD
