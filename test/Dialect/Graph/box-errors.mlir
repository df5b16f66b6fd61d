// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @no_starts(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice without starts}}
  // expected-note @+1 {{hint: give either `starts = [...]` or `at %offsets`}}
  %0 = hgc.slice %x sizes = [2] : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @two_starts(%x: tensor<4xf32>, %i: tensor<1xi64>) {
  // expected-error @+2 {{slice with both 'starts' and an operand in `at`}}
  // expected-note @+1 {{hint: give either `starts = [...]` or `at %offsets`}}
  %0 = hgc.slice %x at %i starts = [1] sizes = [2] : (tensor<4xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @sizes_count(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{'sizes' has 1 entries, expected 2}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.slice %x starts = [0, 0] sizes = [2] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @starts_count(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{'starts' has 1 entries, expected 2}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.slice %x starts = [0] sizes = [2, 4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @strides_count(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{'strides' has 3 entries, expected 2}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.slice %x starts = [0, 0] sizes = [2, 4] strides = [1, 1, 1] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @offsets_shape(%x: tensor<4x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+2 {{offsets of shape 3 for an input of rank 2}}
  // expected-note @+1 {{hint: give a one-dimensional tensor with one offset per dim}}
  %0 = hgc.slice %x at %i sizes = [2, 4] : (tensor<4x4xf32>, tensor<3xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @outside(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice of dim 0 takes 3 elements from 2 by 1, outside of extent 4}}
  // expected-note @+1 {{hint: move the start or take fewer elements}}
  %0 = hgc.slice %x starts = [2] sizes = [3] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @outside_backwards(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice of dim 0 takes 3 elements from 1 by -1, outside of extent 4}}
  // expected-note @+1 {{hint: move the start or take fewer elements}}
  %0 = hgc.slice %x starts = [1] sizes = [3] strides = [-1] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @never_fits(%x: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{slice of dim 0 takes 3 elements from 0 by 2, outside of extent 4}}
  // expected-note @+1 {{hint: move the start or take fewer elements}}
  %0 = hgc.slice %x at %i sizes = [3] strides = [2] : (tensor<4xf32>, tensor<1xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @zero_stride(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice of dim 0 has stride 0}}
  // expected-note @+1 {{hint: use 1 to take every element, -1 to walk backwards}}
  %0 = hgc.slice %x starts = [0] sizes = [2] strides = [0] : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @huge_stride(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice of dim 0 has stride -9223372036854775808}}
  // expected-note @+1 {{hint: use 1 to take every element, -1 to walk backwards}}
  %0 = hgc.slice %x starts = [0] sizes = [2] strides = [-9223372036854775808] : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @negative_size(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice of dim 0 has size -2}}
  // expected-note @+1 {{hint: use -1 for the rest of the dim}}
  %0 = hgc.slice %x starts = [0] sizes = [-2] : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @negative_start(%x: tensor<4xf32>) {
  // expected-error @+2 {{slice of dim 0 starts at -1}}
  // expected-note @+1 {{hint: count from the first element, which is 0}}
  %0 = hgc.slice %x starts = [-1] sizes = [1] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @open_size(%x: tensor<4xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{slice of dim 0 has size -1, but its start is an operand}}
  // expected-note @+1 {{hint: write the size}}
  %0 = hgc.slice %x at %i sizes = [-1] : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @pad_count(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{'low' has 2 entries, expected 1}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.pad constant %x, %z low = [1, 1] high = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_count_high(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{'high' has 0 entries, expected 1}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.pad constant %x, %z low = [1] high = [] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>, %z: tensor<1xf32>) {
  // expected-error @+2 {{padding value is not a scalar of the input's element type}}
  // expected-note @+1 {{hint: make it a constant such as}}
  %0 = hgc.pad constant %x, %z low = [1] high = [1] : (tensor<4xf32>, tensor<1xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_crop(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{pad of dim 0 crops more than its extent of 4}}
  // expected-note @+1 {{hint: crop less; negative amounts remove elements}}
  %0 = hgc.pad constant %x, %z low = [-5] high = [3] : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_huge(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{pad of dim 0 by 9223372036854775807}}
  // expected-note @+1 {{hint: use amounts below 2^40}}
  %0 = hgc.pad constant %x, %z low = [9223372036854775807] high = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_reflect(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{mode 'reflect' cannot pad extent 4 of dim 0 by 4}}
  // expected-note @+1 {{hint: use mode 'constant', or pad by at most 3}}
  %0 = hgc.pad reflect %x, %z low = [0] high = [4] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @pad_edge_of_nothing(%x: tensor<0xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{mode 'edge' cannot pad extent 0 of dim 0 by 1}}
  // expected-note @+1 {{hint: use mode 'constant', or pad by at most 0}}
  %0 = hgc.pad edge %x, %z low = [1] high = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<1xf32>
  return
}
