//===- Passes.td - plans as inputs -----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_PASSES_TD
#define HGC_REPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApplyPlan : Pass<"hgc-apply-plan", "::mlir::ModuleOp"> {
  let summary = "pin every op to the device that a plan file gives it";
  let description = [{
    Writes `hgc.pin` on the ops of the GPU plan as `model.plan.json` has them, so
    that placement decides as it did when the file was written. Ops are found by
    entry, dims and name. A pin that an op has already must agree.

    The file must be of this model (`hgc.model_hash`), and know the variant of
    every entry; each op it names must exist. Ops it does not name stay free.

    Needs `hgc-split-plans` and `hgc-resolve-pins`; run it before `hgc-place`. Does
    nothing without a file.

    ```mlir
    %0 = hgc.relu %x : tensor<4xf32> loc("act")
    // becomes
    %0 = hgc.relu %x {hgc.pin = #hgc.device<gpu>} : tensor<4xf32> loc("act")
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"\"", "path of the plan">,
  ];
}

#endif // HGC_REPORT_PASSES_TD
