// Libraries that are not made for training are told apart, and so are NaNs.
// RUN: rm -rf %t && %python %S/Inputs/data.py %t
// RUN: split-file %s %t
// RUN: hgc compile %t/none.mlir -o %t/none.so
// RUN: %exits 1 hgc train %t/none.so --data x=%t/x.npy 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: the model has no entry 'train_step'
// NONE: hint: compile it for training: hgc compile --train
// RUN: hgc compile %t/loss.mlir -o %t/loss.so
// RUN: %exits 1 hgc train %t/loss.so --data x=%t/x.npy 2>&1 | FileCheck --check-prefix=LOSS %s
// LOSS: entry 'train_step' does not give 'loss' and metrics as f32 numbers
// RUN: hgc compile %t/scalar.mlir -o %t/scalar.so
// RUN: %exits 1 hgc train %t/scalar.so --data x=%t/x.npy 2>&1 | FileCheck --check-prefix=SCALAR %s
// SCALAR: entry 'train_step' takes no batch of rows
// RUN: hgc compile %t/mixed.mlir -o %t/mixed.so
// RUN: %exits 1 hgc train %t/mixed.so --data x=%t/x.npy 2>&1 | FileCheck --check-prefix=MIXED %s
// MIXED: input 'c' of entry 'train_step' takes no batch of 8 rows
// RUN: hgc compile %t/preprocess.mlir -o %t/preprocess.so
// RUN: %exits 1 hgc train %t/preprocess.so --data x=%t/x.npy 2>&1 | FileCheck --check-prefix=PREPROCESS %s
// PREPROCESS: entry 'preprocess' makes 'x' in another type or shape than it is taken in

// Without valid_rows only whole batches will do; no evaluate, no validation.
// RUN: hgc compile %t/whole.mlir -o %t/whole.so
// RUN: %exits 1 hgc train %t/whole.so --data x=%t/x.npy 2>&1 | FileCheck --check-prefix=WHOLE %s
// WHOLE: entry 'train_step' has no input 'valid_rows', and 61 rows are no multiple of 8
// RUN: hgc train %t/whole.so --data x=%t/x-none.npy 2>&1 | FileCheck --check-prefix=EMPTY %s || true
// EMPTY: the data has no rows
// RUN: %exits 1 hgc train %t/whole.so --data x=%t/x.npy --validation-split 0.1 2>&1 | FileCheck --check-prefix=EVALUATE %s
// EVALUATE: the model has no entry 'evaluate'
// RUN: %exits 1 hgc train %t/whole.so --data x=%t/x.npy --start init --validation-split 0 2>&1 | FileCheck --check-prefix=WHOLE %s

// A loss that is not finite stops the run; what it comes from is found on request.
// RUN: hgc compile -O0 --dim batch=8 %S/Inputs/softmax.mlir -o %t/softmax.so
// RUN: %exits 1 hgc train %t/softmax.so --data x=%t/x-huge.npy --labels %t/y.npy --batch-size 8 --shuffle off --history %t/h.json 2>&1 | FileCheck --check-prefix=NAN %s
// NAN: hgc: error: the loss of step [[STEP:[34]]] (epoch 1) is {{NaN|infinite}}
// NAN: hint: lower the learning rate, or look at the data; --check-numerics says which op it comes from
// RUN: FileCheck --check-prefix=KEPT %s < %t/h.json
// KEPT: "per_epoch": 8
// RUN: %exits 1 hgc train %t/softmax.so --data x=%t/x-huge.npy --labels %t/y.npy --batch-size 8 --shuffle off --check-numerics 2>&1 | FileCheck --check-prefix=WATCH %s
// WATCH: hgc: error: the loss of step [[STEP:[34]]] (epoch 1) is {{NaN|infinite}}; the first kernel with {{NaN|infinite}} results is '{{.*}}logits{{.*}}' (matmul) at {{.*}}softmax.mlir:{{[0-9]+}}:{{[0-9]+}}, in step 3
// WATCH: hint: lower the learning rate, clip gradients, or look at the data

// A step of a GPU is made again on the CPU, where kernels can be looked at; so is one that spoils a parameter alone.
// RUN: hgc compile -O0 --dim batch=8 %S/Inputs/softmax.mlir --gpu sm_80 --place 'gpu(.*)' -o %t/gpu.so
// RUN: %exits 1 hgc train %t/gpu.so --device emulated --data x=%t/x-huge.npy --labels %t/y.npy --batch-size 8 --shuffle off --check-numerics 2>&1 | FileCheck --check-prefix=GPU %s
// GPU: hgc: error: the loss of step 3 (epoch 1) is NaN; made again on the CPU, the first kernel with NaN results is '{{.*}}logits{{.*}}' (matmul) at {{.*}}softmax.mlir:{{[0-9]+}}:{{[0-9]+}}, in step 3
// GPU: hint: lower the learning rate, clip gradients, or look at the data
// RUN: hgc compile -O0 %t/infinite.mlir --gpu sm_80 --place 'gpu(.*)' -o %t/gpu.so
// RUN: %exits 1 hgc train %t/gpu.so --device emulated --data x=%t/x.npy --check-numerics 2>&1 | FileCheck --check-prefix=SPOILT %s
// SPOILT: hgc: error: parameter 'p' is infinite after step 2 (epoch 1); made again on the CPU, the first kernel with infinite results is '{{.*}}' (mul) at {{.*}}infinite.mlir:{{[0-9]+}}:{{[0-9]+}}, in step 2

// Nothing that is not finite gets into a checkpoint.
// RUN: hgc compile %t/infinite.mlir -o %t/infinite.so
// RUN: %exits 1 hgc train %t/infinite.so --data x=%t/x.npy --checkpoint %t/run 2>&1 | FileCheck --check-prefix=INFINITE %s
// INFINITE: step 8: parameter 'p' is no longer finite
// RUN: ls %t/run | count 0
// RUN: %exits 1 hgc train %t/infinite.so --data x=%t/x.npy --start init 2>&1 | FileCheck --check-prefix=INIT %s
// INIT: the model has no entry 'init'
// RUN: %exits 1 hgc train %t/infinite.so --data x=%t/x.npy --start %t/run.safetensors 2>&1 | FileCheck --check-prefix=NOFILE %s
// NOFILE: cannot read

//--- none.mlir
module @none {
  func.func @predict(%x: tensor<8x4xf32> {hgc.name = "x"}) -> (tensor<8x4xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.neg %x : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
//--- loss.mlir
module @loss {
  func.func @train_step(%x: tensor<8x4xf32> {hgc.name = "x"}) -> (tensor<8x4xf32> {hgc.name = "loss"}) attributes {hgc.entry} {
    %0 = hgc.neg %x : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
//--- scalar.mlir
module @scalar {
  func.func @train_step(%x: tensor<f32> {hgc.name = "x"}) -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry} {
    %0 = hgc.neg %x : tensor<f32>
    return %0 : tensor<f32>
  }
}
//--- mixed.mlir
module @mixed {
  func.func @train_step(%x: tensor<8x4xf32> {hgc.name = "x"}, %c: tensor<4xf32> {hgc.name = "c"})
      -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry} {
    %0 = hgc.mul %x, %c : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %1 = hgc.reduce mean %0 axes = [0, 1] : (tensor<8x4xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
//--- preprocess.mlir
module @preprocess {
  func.func @preprocess(%x: tensor<8x4xf32> {hgc.name = "raw_x"}) -> (tensor<8x2xf32> {hgc.name = "x"}) attributes {hgc.entry} {
    %0 = hgc.slice %x starts = [0, 0] sizes = [8, 2] : (tensor<8x4xf32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
  func.func @train_step(%x: tensor<8x4xf32> {hgc.name = "x"}) -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry} {
    %0 = hgc.reduce mean %x axes = [0, 1] : (tensor<8x4xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
//--- whole.mlir
module @whole {
  func.func @train_step(%x: tensor<8x4xf32> {hgc.name = "x"}) -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry} {
    %0 = hgc.reduce mean %x axes = [0, 1] : (tensor<8x4xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
//--- infinite.mlir
module @infinite {
  hgc.parameter @p : tensor<f32> = dense<1.0e+10>
  func.func @train_step(%x: tensor<8x4xf32> {hgc.name = "x"}, %valid: tensor<i64> {hgc.name = "valid_rows"})
      -> (tensor<f32> {hgc.name = "loss"}) attributes {hgc.entry} {
    %p = hgc.read @p : tensor<f32>
    %q = hgc.mul %p, %p : (tensor<f32>, tensor<f32>) -> tensor<f32>
    hgc.assign @p, %q : tensor<f32>
    %0 = hgc.reduce mean %x axes = [0, 1] : (tensor<8x4xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
