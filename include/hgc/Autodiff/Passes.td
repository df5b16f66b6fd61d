//===- Passes.td - differentiation of entries ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_AUTODIFF_PASSES_TD
#define HGC_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def Differentiate : Pass<"hgc-differentiate", "::mlir::ModuleOp"> {
  let summary = "add an entry of gradients for each entry with hgc.grad";
  let description = [{
    For an entry `@f` whose first result is a loss (one float of rank 0), adds
    `@f_grad`: the same arguments, and behind the results of `@f` the gradient of
    the loss by each value that `hgc.grad` names, in that order, called
    `grad_<name>`. A name is that of an argument or of a parameter; without a list
    these are all float arguments and all float parameters that the entry reads.
    `@f_grad` assigns nothing. Removes `hgc.grad` from `@f`.

    Run it behind `hgc-bind-dims`: shapes are static, and each variant of `@f` gets
    one of `@f_grad`.

    ```mlir
    func.func @f(%x: tensor<4xf32> {hgc.name = "x"}) -> (tensor<f32> {hgc.name = "loss"})
        attributes {hgc.entry, hgc.grad = ["x"]} { ... }
    // adds
    func.func @f_grad(%x: tensor<4xf32> {hgc.name = "x"})
        -> (tensor<f32> {hgc.name = "loss"}, tensor<4xf32> {hgc.name = "grad_x"})
        attributes {hgc.entry} { ... }
    ```
  }];
}

#endif // HGC_AUTODIFF_PASSES_TD
