//===- TransferPasses.td - passes over transfers ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of Passes.td: copies between devices are made naively, then improved.
//===----------------------------------------------------------------------===//

#ifndef HGC_TRANSFORMS_TRANSFERPASSES_TD
#define HGC_TRANSFORMS_TRANSFERPASSES_TD

include "mlir/Pass/PassBase.td"

def MaterializeTransfers : Pass<"hgc-materialize-transfers", "::mlir::ModuleOp"> {
  let summary = "copy values to the devices that read them";
  let description = [{
    Where an operand of an entry of the GPU plan is not on the device its reader
    expects, the reader gets a copy: an `hgc.transfer` behind the value, one per
    value and device. Constants and parameters that no entry assigns are not moved
    during a call: they get a second op on the other device.

    Needs `hgc-place`. Guarantees that every operand is where it is read. May run
    again behind passes that merge constants of two devices.

    ```mlir
    %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    // becomes
    %1 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    %0 = hgc.relu %1 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    ```
  }];
}

def ShareTransfers : Pass<"hgc-share-transfers", "::mlir::ModuleOp"> {
  let summary = "copy a value to a device once";
  let description = [{
    A copy leaves the loops whose body does not change what it copies. Then one copy
    serves every other of the same bytes that it dominates, in nested regions and
    through views. Copies in both branches of an `if`, or in a branch and behind it,
    become one before it; copies in two different branches stay, because neither
    may run.

    Needs `hgc-materialize-transfers`. Never raises the bytes that are copied.

    ```mlir
    %0 = hgc.transfer %x from <cpu> to <gpu> : tensor<4xf32>
    %1 = hgc.transfer %x from <cpu> to <gpu> : tensor<4xf32>  // becomes %0
    ```
  }];
}

def CancelRoundTrips : Pass<"hgc-cancel-round-trips", "::mlir::ModuleOp"> {
  let summary = "remove transfers that bring a value back where it came from";
  let description = [{
    Rewrites A -> B -> A into the original value on A, through views. The first copy
    goes as well when nobody on B reads it.

    Needs `hgc-materialize-transfers`. Adds no transfer.

    ```mlir
    %c = hgc.transfer %g from <gpu> to <cpu> : tensor<4xf32>
    %b = hgc.transfer %c from <cpu> to <gpu> : tensor<4xf32>  // becomes %g
    ```
  }];
}

def NarrowTransfers : Pass<"hgc-narrow-transfers", "::mlir::ModuleOp"> {
  let summary = "move ops to the side of a copy where fewer bytes travel";
  let description = [{
    Ops that shrink what a copy brings (slices, reductions, casts to fewer bits) run
    before it when all its readers do; an op that enlarges what only a copy reads
    (broadcasts, casts to more bits) runs behind it. An op moves when the modelled
    time gets lower, with all that fusion saves where it is counted; an op with
    `hgc.pin` never moves. Entries that change get `hgc.refined`.

    Needs `hgc-materialize-transfers`. Lowers the bytes that are copied.

    ```mlir
    %0 = hgc.transfer %x from <gpu> to <cpu> : tensor<1024x1024xf32>
    %1 = hgc.reduce sum %0 axes = [0, 1] {hgc.device = #hgc.device<cpu>} : (tensor<1024x1024xf32>) -> tensor<f32>
    // becomes
    %0 = hgc.reduce sum %x axes = [0, 1] {hgc.device = #hgc.device<gpu>} : (tensor<1024x1024xf32>) -> tensor<f32>
    %1 = hgc.transfer %0 from <gpu> to <cpu> : tensor<f32>
    ```
  }];
}

def Recompute : Pass<"hgc-recompute", "::mlir::ModuleOp"> {
  let summary = "compute on both devices instead of copying";
  let description = [{
    The copy of an op's result to the device `hgc.also_on` names becomes a clone of
    the op there. Other ops without `hgc.pin` are cloned when all their operands are
    on the other device anyway, and computing takes less time than the copy; entries
    where that happens get `hgc.refined`.

    Needs `hgc-materialize-transfers`. Clones that the placement did not ask for add
    no transfer. Guarantees that no `hgc.also_on` is left.

    ```mlir
    %0 = hgc.iota shape [64] axis 0 of f32 {hgc.device = #hgc.device<cpu>} : tensor<64xf32>
    %1 = hgc.transfer %0 from <cpu> to <gpu> : tensor<64xf32>
    // becomes
    %1 = hgc.iota shape [64] axis 0 of f32 {hgc.device = #hgc.device<gpu>} : tensor<64xf32>
    ```
  }];
}

def BatchTransfers : Pass<"hgc-batch-transfers", "::mlir::ModuleOp"> {
  let summary = "let small copies travel together";
  let description = [{
    Copies between the same devices whose latency counts more than their bytes, and
    of which none is read before the last is made, become one: the values are joined
    on one side and cut apart on the other. Done where the modelled time of joining,
    cutting and of waiting for the last one is below that of the copies saved.
    Entries that change get `hgc.refined`.

    Needs `hgc-materialize-transfers`. Copies the same bytes as before.

    ```mlir
    %0 = hgc.transfer %a from <gpu> to <cpu> : tensor<4xf32>
    %1 = hgc.transfer %b from <gpu> to <cpu> : tensor<2xf32>
    // becomes
    %c = hgc.concat %a, %b axis 0 : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
    %t = hgc.transfer %c from <gpu> to <cpu> : tensor<6xf32>
    %0 = hgc.slice %t starts = [0] sizes = [4] : (tensor<6xf32>) -> tensor<4xf32>
    %1 = hgc.slice %t starts = [4] sizes = [2] : (tensor<6xf32>) -> tensor<2xf32>
    ```
  }];
}

def SplitTransfers : Pass<"hgc-split-transfers", "::mlir::ModuleOp"> {
  let summary = "copy and compute large tensors in pieces that overlap";
  let description = [{
    A large copy to a GPU, the ops that compute row by row from it, and the copies of
    their results to the host become a scan over 2, 4 or 8 pieces along the rows, the
    first dim that is not 1. The scan carries `hgc.unroll`: `hgc-convert-to-exec` writes its iterations
    out one by one, so that a piece is copied while the one before it is computed.
    Done where the modelled time of the pipeline is below that of one copy, kernel
    and copy after the other. Entries that change get `hgc.refined`.

    Run it last of the passes over transfers. Copies the same bytes as before.

    ```mlir
    %0 = hgc.transfer %x from <cpu> to <gpu> : tensor<65536x64xf32>
    %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
    %2 = hgc.transfer %1 from <gpu> to <cpu> : tensor<65536x64xf32>
    // becomes
    %xs = hgc.reshape %x shape [2, 32768, 64] : (tensor<65536x64xf32>) -> tensor<2x32768x64xf32>
    %ys = hgc.scan over(%xs : tensor<2x32768x64xf32>) -> (tensor<2x32768x64xf32>) attributes {hgc.unroll} {
    ^bb0(%p: tensor<32768x64xf32>):
      %3 = hgc.transfer %p from <cpu> to <gpu> : tensor<32768x64xf32>
      %4 = hgc.exp %3 {hgc.device = #hgc.device<gpu>} : tensor<32768x64xf32>
      %5 = hgc.transfer %4 from <gpu> to <cpu> : tensor<32768x64xf32>
      hgc.yield %5 : tensor<32768x64xf32>
    }
    %2 = hgc.reshape %ys shape [65536, 64] : (tensor<2x32768x64xf32>) -> tensor<65536x64xf32>
    ```
  }];
}

#endif // HGC_TRANSFORMS_TRANSFERPASSES_TD
