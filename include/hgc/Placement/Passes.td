//===- Passes.td - where each op runs --------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PASSES_TD
#define HGC_PLACEMENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def RecordPins : Pass<"hgc-record-pins", "::mlir::ModuleOp"> {
  let summary = "note which ops carry a pin";
  let description = [{
    Lists the locations of the ops that carry `hgc.device` in `hgc.pinned_ops` of
    the module, so that `hgc-resolve-pins` can tell which of them have vanished.

    Run it behind `hgc-name-ops`, before anything folds ops.

    ```mlir
    %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32> loc("act")
    // adds
    module attributes {hgc.pinned_ops = [loc("act")]}
    ```
  }];
}

def ResolvePins : Pass<"hgc-resolve-pins", "::mlir::ModuleOp"> {
  let summary = "write on every op the device it must be on";
  let description = [{
    Sets `hgc.pin` on the ops of the GPU plan that compute or control, and removes
    `hgc.device` from ops and functions. A pin is the device that `rules` give the
    op's name, else the one it carries, else that of the nearest op around it, else
    the function's. State, constants and views have no pins: they follow. The home
    of a parameter is pinned by `hgc.device` on the parameter.

    A pin to a device the plan lacks is void, which is reported once (an error with
    `strict`) when the module has no GPU plan. A pinned op that was folded away, and a
    rule that matches no op, are reported.

    Needs `hgc-bind-dims`; for the report of folded ops `hgc-record-pins`.

    ```mlir
    %0 = hgc.relu %x {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
    // becomes
    %0 = hgc.relu %x {hgc.pin = #hgc.device<gpu>} : tensor<4xf32>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "a pin that the plan cannot honour is an error">,
    Option<"rules", "rules", "std::string", "\"\"",
           "pins by name, such as 'gpu(encoder.*); cpu(=probs)'; the first match wins">,
  ];
}

def ResolveResidents : Pass<"hgc-resolve-residents", "::mlir::ModuleOp"> {
  let summary = "write on arguments and results of the GPU plan where the caller has them";
  let description = [{
    Gives `hgc.device` to the arguments and results that `rules` name, in addition to
    those that carry it, and takes it from those of the CPU plan: a caller passes
    device memory to the GPU plan only. An argument without a name is `arg0`, a result
    `result0`, as in the C header.

    When the module has no GPU plan, residence on a GPU is void, which is reported (an
    error with `strict`).

    Needs `hgc-split-plans`; `hgc-place` then takes such values as being there.

    ```mlir
    func.func @f.gpu(%x: tensor<4xf32> {hgc.name = "x"}) -> tensor<4xf32> // with rules=x=gpu
    // becomes
    func.func @f.gpu(%x: tensor<4xf32> {hgc.device = #hgc.device<gpu>, hgc.name = "x"}) -> tensor<4xf32>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "residence on a GPU that the library has no plan for is an error">,
    Option<"rules", "rules", "std::string", "\"\"",
           "residence by name, such as x=gpu,y=gpu:1">,
  ];
}

def Place : Pass<"hgc-place", "::mlir::ModuleOp"> {
  let summary = "give every op a device";
  let description = [{
    Writes `hgc.device` on every op of the entries. An entry of the CPU plan is all on
    the CPU. The entries of the GPU plan (`hgc.plan = "gpu"`) are placed together so
    that the modelled time of one call of each is the least possible: kernels,
    launches, transfers, and what fusion saves. It is found by one minimum cut
    (docs/placement.md), so it is exact; with `gpus` above 1 by several, so it is not.

    `hgc.pin` is honoured, or an error. Inputs start and results end on the host, which
    also reads predicates, unless `hgc.device` of the argument or result names a GPU. A parameter that some entry assigns has one home for all
    entries; others are where they are read. The device of a branch or loop is that
    of the values it carries.

    Also writes on ops that compute `hgc.decision` (`cpu_ps`, `gpu_ps`; `switch_ps`: how
    much dearer the plan gets if this op alone changes sides; `reason`), `hgc.fuses` on
    ops that join the kernel of their reader, `hgc.also_on` on ops that are computed
    on both sides, and on entries `hgc.certificate`: `serial_ps`, `bound_ps` (no plan is
    cheaper) and the cost of `alternatives`.

    With `memory-price` the module gets `hgc.memory_cost`: the cut's value
    (`total_ps`) and the part of it that is the price of memory (`memory_ps`).

    Needs `hgc-bind-dims` and `hgc-resolve-pins`. Guarantees a device on every op.

    ```mlir
    %0 = hgc.relu %x : tensor<4xf32>
    // becomes
    %0 = hgc.relu %x {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
    ```
  }];
  let options = [
    Option<"gpus", "gpus", "unsigned", "1", "GPUs the plan may use; pins may name more">,
    Option<"memoryPrice", "memory-price", "int64_t", "0",
           "picoseconds that a KiB on a GPU costs, for results and immutable parameters">,
    Option<"weightsOnly", "weights-only", "bool", "false",
           "memory-price counts immutable parameters alone: what a plan surely allocates">,
    Option<"keepApart", "keep-apart", "bool", "false", "no op will be fused with another">,
    Option<"missingOnly", "missing-only", "bool", "false",
           "do nothing when every op of the GPU plan has a device already">,
    Option<"objective", "objective", "std::string", "\"serial\"",
           "serial: the least time without overlap, exactly; makespan: searches from there, and from the "
           "alternatives, for the least time with overlap">,
  ];
}

#endif // HGC_PLACEMENT_PASSES_TD
