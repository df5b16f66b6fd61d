// RUN: hgc-opt --hgc-bind-dims --hgc-make-training="loss=mse optimizer=sgd:lr=0.5,momentum=0.9 metrics=mae" %s | FileCheck %s
// RUN: hgc-opt --hgc-bind-dims --hgc-make-training="loss=sparse_categorical_crossentropy optimizer=adam" %s | FileCheck %s --check-prefix=SPARSE

// The slot stands behind its parameter; what is trained is marked, what is frozen is not.
// CHECK: module @line
// CHECK: hgc.parameter @w : tensor<4x2xf32> = #hgc.init<glorot_uniform, seed = 1> {hgc.trained}
// CHECK: hgc.parameter @w.sgd_momentum : tensor<4x2xf32> = #hgc.init<zeros> {hgc.trained}
// CHECK: hgc.parameter @b : tensor<2xf32> = dense<0.000000e+00> {hgc.trained}
// CHECK: hgc.parameter @random.seed : tensor<i64> = dense<0> {hgc.trained}
// CHECK: hgc.parameter @b.sgd_momentum
// CHECK: hgc.parameter @f : tensor<2xf32> = dense<1.000000e+00> {hgc.frozen}
module @line attributes {hgc.dims = {batch = [3]}} {
  hgc.parameter @w : tensor<4x2xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @b : tensor<2xf32> = dense<0.0>
  hgc.parameter @f : tensor<2xf32> = dense<1.0> {hgc.frozen}

  // What prepares data stays on the CPU.
  // CHECK: func.func @preprocess{{.*}}hgc.device = #hgc.device<cpu>
  func.func @preprocess(%x: tensor<4xui8>) -> tensor<4xf32> attributes {hgc.entry} {
    %0 = hgc.cast %x to f32 : (tensor<4xui8>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // CHECK: func.func @predict_batch3
  // CHECK: hgc.dropout
  func.func @predict(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]}) -> (tensor<?x2xf32> {hgc.name = "y"})
      attributes {hgc.entry} {
    %w = hgc.read @w : tensor<4x2xf32>
    %b = hgc.read @b : tensor<2xf32>
    %f = hgc.read @f : tensor<2xf32>
    %d = hgc.dropout %x rate 5.0e-01 : tensor<?x4xf32>
    %0 = hgc.matmul %d, %w : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
    %1 = hgc.add %0, %b : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
    %2 = hgc.mul %1, %f : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
    return %2 : tensor<?x2xf32>
  }
}

// CHECK: func.func @train_step_batch3(%[[X:.*]]: tensor<3x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]},
// CHECK-SAME: %[[Y:.*]]: tensor<3x2xf32> {hgc.name = "labels", hgc.shape = ["batch", 2]}, %[[STEP:.*]]: tensor<i64> {hgc.name = "step"},
// CHECK-SAME: %[[ROWS:.*]]: tensor<i64> {hgc.name = "valid_rows"}) -> (tensor<f32> {hgc.name = "loss"}, tensor<f32> {hgc.name = "mae"})
// CHECK: hgc.check {{.*}}"valid_rows is not from 1 to 3
// The mask is a function of the seed, the step and the place.
// CHECK: %[[SEED:.*]] = hgc.read @random.seed
// CHECK: hgc.random
// CHECK-NOT: hgc.dropout
// CHECK: hgc.matmul {{.*}} transpose_lhs
// CHECK: hgc.assign @w.sgd_momentum
// CHECK: hgc.assign @w,
// CHECK: hgc.assign @b.sgd_momentum
// CHECK: hgc.assign @b,
// CHECK-NOT: hgc.assign @f
// CHECK: return

// CHECK: func.func @evaluate_batch3(%{{.*}}: tensor<3x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]},
// CHECK-SAME: {hgc.name = "labels", hgc.shape = ["batch", 2]}, %{{.*}}: tensor<i64> {hgc.name = "valid_rows"})
// CHECK-NOT: hgc.assign
// CHECK: hgc.dropout
// CHECK: return

// CHECK: func.func @init(%[[KEY:.*]]: tensor<i64> {hgc.name = "seed"}) attributes
// CHECK: hgc.random
// CHECK: hgc.assign @w,
// CHECK: hgc.assign @b,
// CHECK: hgc.assign @w.sgd_momentum
// CHECK: hgc.assign @random.seed, %[[KEY]]

// Class numbers are checked.
// SPARSE: hgc.parameter @w.adam_m
// SPARSE: hgc.parameter @w.adam_v
// SPARSE: func.func @train_step_batch3({{.*}}tensor<3xi32> {hgc.name = "labels", hgc.shape = ["batch"]}
// SPARSE: hgc.check {{.*}}"a label is not from 0 to 1
