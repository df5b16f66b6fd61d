//===- Passes.td - where each op runs --------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PASSES_TD
#define HGC_PLACEMENT_PASSES_TD

include "mlir/Pass/PassBase.td"

def Place : Pass<"hgc-place", "::mlir::ModuleOp"> {
  let summary = "give every op a device";
  let description = [{
    Writes `hgc.device` on every op of the entries and changes nothing else. A pin
    is the device that `rules` give the op's name, else the one it carries before
    the pass, else that of the nearest op around it, else the function's.

    An entry of the CPU plan is all on the CPU: a pin to another device is void,
    which is reported once (an error with `strict`) when the module has no GPU plan
    either. An entry of the GPU plan (`hgc.plan = "gpu"`) honours pins; what is not
    pinned goes to `gpu:0`, except what only computes predicates. Parameters and
    constants go where they are read; a parameter that some entry assigns has one
    home for all entries: a GPU if any reads or assigns it, else the host. The
    device of a branch or loop is that of the values it carries.

    Needs `hgc-bind-dims`. Guarantees a device on every op.

    ```mlir
    %0 = hgc.relu %x : tensor<4xf32>
    // becomes
    %0 = hgc.relu %x {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
    ```
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "a pin that the plan cannot honour is an error">,
    Option<"rules", "rules", "std::string", "\"\"",
           "pins by name, such as 'gpu(encoder.*); cpu(=probs)'; the first match wins">,
  ];
}

#endif // HGC_PLACEMENT_PASSES_TD
