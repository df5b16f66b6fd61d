//===- Passes.td - training entries ----------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_AUTODIFF_TRAINING_PASSES_TD
#define HGC_AUTODIFF_TRAINING_PASSES_TD

include "mlir/Pass/PassBase.td"

def MakeTraining : Pass<"hgc-make-training", "::mlir::ModuleOp"> {
  let summary = "add the entries that train a model";
  let description = [{
    For each variant of the entry to train (the only one, or `predict`) adds
    `train_step` and `evaluate`, and once `init`:

    * `train_step(inputs..., labels, step, valid_rows) -> (loss, metrics...)` runs
      the entry in training mode (`hgc.dropout` drops, `hgc.batch_norm` uses the
      statistics of the batch), differentiates the loss of the first result by each
      parameter it depends on, and assigns parameters, slots of the optimiser
      (`<parameter>.<slot>`) and running statistics. `step` counts from 1.
    * `evaluate(inputs..., labels, valid_rows) -> (loss, metrics...)` assigns
      nothing.
    * `init(seed)` assigns new values from Philox to what is trained, and starts
      the optimiser again.

    Rows from `valid_rows` on count nowhere. Parameters with `hgc.frozen` stay as
    they are.

    Needs `hgc-bind-dims`. Run it before constants are folded: what is trained is no
    constant.

    ```mlir
    hgc.parameter @w : tensor<4x1xf32> = dense<0.0>
    func.func @predict(%x: tensor<8x4xf32> {hgc.name = "x"}) -> tensor<8x1xf32> attributes {hgc.entry} { ... }
    // adds, with loss=mse optimizer=adam
    hgc.parameter @w.adam_m : tensor<4x1xf32> = #hgc.init<zeros>
    hgc.parameter @w.adam_v : tensor<4x1xf32> = #hgc.init<zeros>
    func.func @train_step(%x: tensor<8x4xf32> {hgc.name = "x"}, %labels: tensor<8x1xf32> {hgc.name = "labels"},
        %step: tensor<i64> {hgc.name = "step"}, %rows: tensor<i64> {hgc.name = "valid_rows"})
        -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry} { ... }
    ```
  }];
  let options = [
    Option<"loss", "loss", "std::string", "\"mse\"", "loss, `huber:delta=2`">,
    Option<"optimizer", "optimizer", "std::string", "\"sgd\"", "optimiser, `adam:lr=1e-3`">,
    Option<"schedule", "schedule", "std::string", "\"\"", "learning rate over steps, `cosine:decay_steps=1000`">,
    Option<"regularize", "regularize", "std::string", "\"\"", "penalties of weights, `l1=1e-5,l2=1e-4`">,
    Option<"metrics", "metrics", "std::string", "\"\"", "numbers reported beside the loss, `accuracy,mae`">,
    Option<"entry", "entry", "std::string", "\"\"", "entry to train; empty: the only one, or `predict`">,
  ];
}

#endif // HGC_AUTODIFF_TRAINING_PASSES_TD
