// Problems of what the user asks for.

// RUN: not hgc-opt --hgc-make-training="loss=mean" %s 2>&1 | FileCheck %s --check-prefix=LOSS
// LOSS: error: unknown loss 'mean'
// LOSS: hint: the known ones are sparse_categorical_crossentropy, categorical_crossentropy, binary_crossentropy, mean_squared_error, mse,
// LOSS-SAME: huber, {{.*}}kl_divergence, cosine_similarity

// RUN: not hgc-opt --hgc-make-training="loss=mse:delta=1" %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: loss 'mse' has no argument 'delta'
// NONE: hint: it takes none

// RUN: not hgc-opt --hgc-make-training="optimizer=adamm" %s 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// OPTIMIZER: error: unknown optimizer 'adamm'
// OPTIMIZER: hint: the known ones are sgd, adam, adamw, rmsprop, adagrad, adadelta, adamax, lion

// RUN: not hgc-opt --hgc-make-training="optimizer=sgd:beta_1=0.9" %s 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: error: optimizer 'sgd' has no argument 'beta_1'
// ARGUMENT: hint: its arguments are lr, momentum, nesterov, weight_decay, clipvalue, clipnorm, global_clipnorm

// RUN: not hgc-opt --hgc-make-training="optimizer=adam:lr=fast" %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: argument 'lr' of optimizer 'adam' is 'fast', which is no number
// NUMBER: hint: write it as in adam:lr=

// RUN: not hgc-opt --hgc-make-training="optimizer=sgd:momentum=1.5" %s 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: argument 'momentum' of optimizer 'sgd' is '1.5', which is out of range
// RANGE: hint: use a value from {{0.*}} to {{1.*}}

// RUN: not hgc-opt --hgc-make-training="optimizer=adam:lr=-1" %s 2>&1 | FileCheck %s --check-prefix=LEAST
// LEAST: error: argument 'lr' of optimizer 'adam' is '-1', which is out of range
// LEAST: hint: use a value of at least 0

// RUN: not hgc-opt --hgc-make-training="schedule=linear" %s 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: error: unknown schedule 'linear'
// SCHEDULE: hint: the known ones are constant, exponential, cosine, step, inverse_time, polynomial

// RUN: not hgc-opt --hgc-make-training="regularize=l3=1" %s 2>&1 | FileCheck %s --check-prefix=PENALTY
// PENALTY: error: penalty of 'weights' has no argument 'l3'
// PENALTY: hint: its arguments are l1, l2

// RUN: not hgc-opt --hgc-make-training="metrics=auc" %s 2>&1 | FileCheck %s --check-prefix=METRIC
// METRIC: error: unknown metric 'auc'
// METRIC: hint: the known ones are accuracy, top_5_accuracy with any number, mse, mae

// RUN: not hgc-opt --hgc-make-training="metrics=mse,mse" %s 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: metric 'mse' is given twice
// TWICE: hint: name each metric once

// RUN: not hgc-opt --hgc-bind-dims --hgc-make-training="metrics=top_2_accuracy" %s 2>&1 | FileCheck %s --check-prefix=CLASSES
// CLASSES: error: metric 'top_2_accuracy' needs a loss over classes
// CLASSES: hint: use it with sparse_categorical_crossentropy or categorical_crossentropy

// RUN: not hgc-opt --hgc-bind-dims --hgc-make-training="loss=categorical_crossentropy metrics=top_3_accuracy" %s 2>&1 | FileCheck %s --check-prefix=ALWAYS
// ALWAYS: error: metric 'top_3_accuracy' is always 1: the output has 3 classes
// ALWAYS: hint: use a smaller number

// RUN: not hgc-opt --hgc-bind-dims --hgc-make-training="loss=sparse_categorical_crossentropy metrics=mae" %s 2>&1 | FileCheck %s --check-prefix=SPARSE
// SPARSE: error: metric 'mae' cannot compare class numbers with an output
// SPARSE: hint: use accuracy, or labels of the output's shape

hgc.parameter @w : tensor<3xf32> = dense<1.0>
func.func @predict(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3xf32>
  %0 = hgc.mul %x, %w : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
