//===- Passes.td - from kernels to programs on buffers ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CONVERSION_PASSES_TD
#define HGC_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertToExec : Pass<"hgc-convert-to-exec", "::mlir::ModuleOp"> {
  let summary = "turn entries into programs on buffers";
  let description = [{
    Every entry becomes an `exec.program`, every `hgc.kernel` a launch of an
    `exec.kernel`; kernels with equal bodies are one. Parameters and constants
    become blobs, results are computed straight into the caller's buffers where
    possible, and what assigns state is copied last: until then every
    `hgc.read` still finds the old value.

    Needs `hgc-fuse` (no computing op outside a kernel) and static shapes.
    Guarantees that no graph op is left outside `exec.kernel`.

    ```mlir
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> attributes {hgc.entry} {
      %0 = hgc.kernel(%x : tensor<8xf32>) -> tensor<8xf32> { ... }
      return %0 : tensor<8xf32>
    }
    // becomes
    exec.program @f entry "f" inputs 1 attributes {tensors = [...]} {
    ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
      exec.launch @relu_0.relu ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
      exec.return
    }
    ```
  }];
  let dependentDialects = ["::hgc::exec::ExecDialect"];
}

def AssignStreams : Pass<"hgc-assign-streams", "::mlir::ModuleOp"> {
  let summary = "give the actions of GPU programs streams, events and waits";
  let description = [{
    In programs of the GPU plan, kernels run on the compute stream of their GPU,
    copies from and to the host on a stream of their own each. An action of one
    stream that needs (or overwrites) what another one made (or reads) waits for an
    event recorded behind it; the host waits for a stream before it reads or
    overwrites what that stream works on, and before the program ends. Nothing is
    waited for twice. Streams are idle where a branch or loop begins and ends, unless
    all that a loop with a fixed count does is on one stream.

    Needs `hgc-convert-to-exec`; runs before `hgc-plan-memory`, which lets buffers
    share bytes only where one waits for the other.

    ```mlir
    exec.copy %x to %gx : memref<8xf32>, memref<8xf32, #exec.space<gpu>>
    exec.launch @k ins(%gx : ...) outs(%gy : ...)
    // becomes
    exec.copy %x to %gx stream 1 : memref<8xf32>, memref<8xf32, #exec.space<gpu>>
    exec.record event 0 stream 1
    exec.wait event 0 stream 0
    exec.launch @k ins(%gx : ...) outs(%gy : ...)
    ```
  }];
}

def PlanMemory : Pass<"hgc-plan-memory", "::mlir::ModuleOp"> {
  let summary = "give every blob and view its place in memory";
  let description = [{
    Blobs get offsets in the weights or the state section, 64-byte aligned, page
    aligned when large. With `arena=packed` each view gets an offset in the
    program's arena such that buffers in use at the same time do not overlap;
    with `arena=separate` each view gets a slot, an allocation of its own.

    Each GPU has an arena, slots and places of blobs of its own; two buffers share
    bytes only if the last use of one is waited for before the first of the other.

    Sets `arena_bytes` of each program and `exec.memory` of the module:
    `arena_bytes` (largest of all programs), `lower_bound` (no plan of that
    program could be smaller), `weights_bytes`, `state_bytes`, and `slots` (sizes
    in bytes) for `arena=separate`; the same for each GPU under `gpu_<n>`.

    Needs `hgc-convert-to-exec`, and `hgc-assign-streams` for a GPU plan.

    ```mlir
    %b = exec.view : memref<8xf32>
    // becomes
    %b = exec.view offset 64 : memref<8xf32>
    ```
  }];
  let options = [
    Option<"arena", "arena", "std::string", "\"packed\"",
           "packed: one arena with reuse; separate: one allocation per view">,
  ];
}

def VerifyExec : Pass<"hgc-verify-exec", "::mlir::ModuleOp"> {
  let summary = "prove that the memory plan is sound";
  let description = [{
    Walks every program in execution order, branches and loops included, and
    tracks which buffer's contents each byte of the arena holds. Reports a read
    of a buffer that was never written or that another buffer overwrote, buffers
    of one launch that overlap, offsets that are missing, unaligned or out of
    range, outputs that are not written, and programs without `exec.return`. An
    access whose bytes another stream may still use is an error, too: a missing
    wait, or buffers that share memory without one.

    Ends the stage `exec` and changes nothing. Knows no lifetimes: its argument is
    another one than that of `hgc-plan-memory`.

    ```mlir
    %a = exec.view offset 0 : memref<8xf32>
    %b = exec.view offset 0 : memref<8xf32>
    exec.launch @k ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    exec.launch @k ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
    exec.launch @k ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)  // error: %a was overwritten
    ```
  }];
}

#endif // HGC_CONVERSION_PASSES_TD
