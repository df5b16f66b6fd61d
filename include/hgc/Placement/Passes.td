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
    is the device an op carries before the pass, else that of the nearest op
    around it, else the function's. The plan has the CPU as its only device: a pin
    to another one is void and reported, or an error with `strict`.

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
  ];
}

#endif // HGC_PLACEMENT_PASSES_TD
