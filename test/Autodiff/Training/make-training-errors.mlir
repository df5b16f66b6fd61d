// RUN: hgc-opt --hgc-make-training="loss=sparse_categorical_crossentropy optimizer=adam metrics=accuracy" --split-input-file --verify-diagnostics %s

// expected-error @+2 {{entry 'predict' has no parameters to train}}
// expected-note @+1 {{hint: its first result must depend on float parameters without hgc.frozen}}
func.func @predict(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
  %0 = hgc.softmax %x axis 1 : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

hgc.parameter @w : tensor<3xf32> = dense<1.0> {hgc.frozen}
// expected-error @+2 {{entry 'predict' has no parameters to train}}
// expected-note @+1 {{hint: its first result must depend}}
func.func @predict(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3xf32>
  %0 = hgc.mul %x, %w : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

hgc.parameter @w : tensor<3xf32> = dense<1.0>
// expected-error @+2 {{the output of type tensor<4x3xi1> does not fit the loss 'sparse_categorical_crossentropy': it holds no floats}}
// expected-note @+1 {{hint: let the first result be the prediction}}
func.func @predict(%x: tensor<4x3xf32>) -> tensor<4x3xi1> attributes {hgc.entry, hgc.variant_of = "predict"} {
  %w = hgc.read @w : tensor<3xf32>
  %0 = hgc.compare lt %x, %w : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xi1>
  return %0 : tensor<4x3xi1>
}

// -----

hgc.parameter @w : tensor<f32> = dense<1.0>
// expected-error @+2 {{does not fit the loss 'sparse_categorical_crossentropy': it has no rows}}
// expected-note @+1 {{hint: let the first dim of the first result be the batch}}
func.func @predict(%x: tensor<f32>) -> tensor<f32> attributes {hgc.entry, hgc.variant_of = "predict"} {
  %w = hgc.read @w : tensor<f32>
  %0 = hgc.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

hgc.parameter @w : tensor<1xf32> = dense<1.0>
// expected-error @+2 {{does not fit the loss 'sparse_categorical_crossentropy': its last dim holds no classes}}
// expected-note @+1 {{hint: use binary_crossentropy for a single probability}}
func.func @predict(%x: tensor<4x1xf32>) -> tensor<4x1xf32> attributes {hgc.entry, hgc.variant_of = "predict"} {
  %w = hgc.read @w : tensor<1xf32>
  %0 = hgc.mul %x, %w : (tensor<4x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// -----

// expected-error @+2 {{the model has an entry 'evaluate' of its own}}
// expected-note @+1 {{hint: rename it, or compile without --train}}
func.func @evaluate(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
  return %x : tensor<4x3xf32>
}

// -----

hgc.parameter @w : tensor<3xf32> = dense<1.0>
// expected-error @+2 {{the model has an input 'step', as train_step has}}
// expected-note @+1 {{hint: rename the input}}
func.func @predict(%x: tensor<4x3xf32> {hgc.name = "step"}) -> tensor<4x3xf32> attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3xf32>
  %0 = hgc.mul %x, %w : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// expected-error @+2 {{entry 'predict' returns nothing to train}}
// expected-note @+1 {{hint: let its first result be the prediction}}
func.func @predict(%x: tensor<4x3xf32>) attributes {hgc.entry} {
  return
}

// -----

hgc.parameter @w : tensor<3xf32> = dense<1.0>
func.func @predict(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
  %w = hgc.read @w : tensor<3xf32>
  %0 = hgc.mul %x, %w : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  // expected-error @+2 {{entry 'predict' assigns 'w', which training changes, too}}
  // expected-note @+1 {{hint: mark the parameter with hgc.frozen, or do not assign it}}
  hgc.assign @w, %w : tensor<3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// Of several entries it is the one called `predict`.
// expected-error @+2 {{the model has no entry 'predict' to train}}
// expected-note @+1 {{hint: name one with --train-entry: a, b}}
module {
  func.func @a(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
    return %x : tensor<4x3xf32>
  }
  func.func @b(%x: tensor<4x3xf32>) -> tensor<4x3xf32> attributes {hgc.entry} {
    return %x : tensor<4x3xf32>
  }
}
