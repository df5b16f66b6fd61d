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

def UpdateInPlace : Pass<"hgc-update-in-place", "::mlir::ModuleOp"> {
  let summary = "compute new state where the old one is";
  let description = [{
    In programs of the CPU plan, a launch whose result is copied to a mutable blob
    writes there itself, if nobody reads the old value behind it and nothing behind
    it can fail. A kernel that reads the old value, too, must do so element by
    element; it then loads from its output.

    Needs `hgc-convert-to-exec`; runs before `hgc-merge-kernels`.

    ```mlir
    exec.launch @k ins(%g, %w : memref<8xf32>, memref<8xf32>) outs(%v : memref<8xf32>)
    exec.copy %v to %w : memref<8xf32>, memref<8xf32>
    // becomes
    exec.launch @k_0 ins(%g : memref<8xf32>) outs(%w : memref<8xf32>)
    ```
  }];
}

def MergeKernels : Pass<"hgc-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "make launches that share data one pass over memory";
  let description = [{
    In programs of the CPU plan, an elementwise kernel is merged with an earlier one
    of the same shape that makes what it reads, or that is elementwise and reads what
    it reads. The merged kernel has several outputs; results that nobody else reads
    are no more written. The earlier kernel may be elementwise, a product or a filter
    gradient. So an optimiser updates all it keeps of a parameter where the gradient
    is computed.

    A depthwise convolution is merged with the pointwise one (and what follows that
    element by element) whose result it alone reads, where that result is larger than
    the second-level cache and the rows in use fit in it: the merged kernel makes some
    rows at a time and has no buffer for the whole. So is a pool with the convolution
    (direct, in Winograd's form, or pointwise with few channels) whose result it alone
    reads, however large that is: where weights and the rows that a window sees fit in
    half of the second-level cache, and there is enough for threads to share.

    A product reads an operand that an earlier kernel only cuts out of a tensor, or
    turns, in that tensor itself: slices, transposes and reshapes are strides of its
    loops then. The operand's rows must stay whole and be of 256 bytes at least, so
    that fetching them is as fast as a copy.

    An attention becomes one kernel: a product, what follows it element by element, the
    softmax of its rows and the product of that, in f32 or f64, of 32 rows at least. The
    merged kernel has some rows of scores at a time, and no buffer for all; it scales the
    sums instead of the weights. Its operands may be parts of tensors with rows of any
    length. Without a first product in reach it reads the scores. Where another kernel only
    puts the rows of its result in another order, such as heads side by side, and rows
    are whole lines of the cache, it stores them there.

    Data decides whether two launches may meet. They meet near the first of them, so
    that its operands' memory is free soon; kernels with results of a few bytes go
    along. Bits do not change, but for those of attentions. `parts` of a merged launch says which kernels of stage
    `fused` it stands for.

    Needs `hgc-convert-to-exec`; runs before `hgc-group-kernels` and
    `hgc-plan-memory`.

    ```mlir
    exec.launch @a ins(%g : memref<8xf32>) outs(%m : memref<8xf32>)
    exec.launch @b ins(%g, %m : memref<8xf32>, memref<8xf32>) outs(%w : memref<8xf32>)
    // becomes
    exec.launch @a_and_1_more ins(%g : memref<8xf32>) outs(%m, %w : memref<8xf32>, memref<8xf32>)
    ```
  }];
}

def GroupKernels : Pass<"hgc-group-kernels", "::mlir::ModuleOp"> {
  let summary = "let small CPU kernels that are independent run side by side";
  let description = [{
    In programs of the CPU plan, launches of kernels that are too small to be shared
    by several threads (less than four times what handing over work takes) are put
    into branches of an `exec.parallel` where none needs what another makes. Each
    branch has launches that depend on each other, in order; there are at most
    `threads` of them. A group is made only where the modelled time it saves is more
    than handing over costs. Results do not depend on it.

    Needs `hgc-convert-to-exec`; runs before `hgc-plan-memory`, which keeps the
    buffers of all branches apart.

    ```mlir
    exec.launch @a ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    exec.launch @b ins(%x : memref<8xf32>) outs(%z : memref<8xf32>)
    // becomes
    exec.parallel {
      exec.launch @a ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    }, {
      exec.launch @b ins(%x : memref<8xf32>) outs(%z : memref<8xf32>)
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "1", "most branches of a group; 1 makes none">,
  ];
}

def ScheduleExec : Pass<"hgc-schedule-exec", "::mlir::ModuleOp"> {
  let summary = "reorder the actions of GPU programs so that they overlap";
  let description = [{
    The issuing thread hands work to GPUs and runs CPU kernels itself, so the order
    of actions decides what overlaps. In programs of the GPU plan, actions between
    two loops, branches or calls of libraries are put into the order that list
    scheduling finds with the modelled times: copies start early, kernels are queued
    before a long CPU kernel keeps the thread busy. The order changes only where that
    shortens the modelled time by at least 1 %, and never against data: who reads a
    buffer stays behind who writes it, and before who writes it again.

    Needs `hgc-convert-to-exec`; runs before `hgc-assign-streams`, and leaves
    programs alone that have events or waits already.

    ```mlir
    exec.launch @long ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    exec.copy %x to %gx : memref<8xf32>, memref<8xf32, #exec.space<gpu>>
    // becomes
    exec.copy %x to %gx : memref<8xf32>, memref<8xf32, #exec.space<gpu>>
    exec.launch @long ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    ```
  }];
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
  let options = [
    Option<"serial", "serial", "bool", "false", "let the host wait behind every action, so that nothing overlaps">,
  ];
}

def SimulateExec : Pass<"hgc-simulate-exec", "::mlir::ModuleOp"> {
  let summary = "write the modelled time of each program on it";
  let description = [{
    Runs every program on the modelled machine and sets its `makespan_ps`: streams
    are queues, an event lets one wait for another, the host waits at `exec.sync` and
    while it runs CPU kernels. Kernels take their `price_ps`, copies what the link
    needs. Loops take their body as often as they run (`exec.while`: `trip_hint`), a
    branch its dearer side, a parallel op its longest branch.

    Needs `hgc-convert-to-exec` and, for overlap, `hgc-assign-streams`. The program
    that loads weights is left alone: it is no part of a call.

    ```mlir
    exec.program @f entry "f" inputs 1 attributes {tensors = [...]} { ... }
    // becomes
    exec.program @f entry "f" inputs 1 attributes {makespan_ps = 12000000 : i64, tensors = [...]} { ... }
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
    in bytes) for `arena=separate`; the same for each GPU under `gpu_<n>`. Where
    kernels declare scratch memory there is `scratch_bytes` (on the host per
    thread, on a GPU in all), and `workspace_bytes` where cuBLAS may be used. On a
    GPU the sum of all is what an instance allocates.

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
