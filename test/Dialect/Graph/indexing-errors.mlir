// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @along_axis(%x: tensor<3xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{axis 1 is out of range for rank 1}}
  // expected-note @+1 {{hint: use an axis from 0 to 0}}
  %0 = hgc.gather_along %x, %i axis 1 : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @along_rank(%x: tensor<8x10xf32>, %i: tensor<3xi64>) {
  // expected-error @+2 {{indices of shape 3 for an input of shape 8x10}}
  // expected-note @+1 {{hint: indices have the input's extents in all dims but 'axis'}}
  %0 = hgc.gather_along %x, %i axis 1 : (tensor<8x10xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @along_extent(%x: tensor<8x10xf32>, %i: tensor<7x3xi64>) {
  // expected-error @+2 {{indices of shape 7x3 for an input of shape 8x10}}
  // expected-note @+1 {{hint: indices have the input's extents in all dims but 'axis'}}
  %0 = hgc.gather_along %x, %i axis 1 : (tensor<8x10xf32>, tensor<7x3xi64>) -> tensor<7x3xf32>
  return
}

// -----

func.func @along_nothing(%x: tensor<3x0xf32>, %i: tensor<3x2xi64>) {
  // expected-error @+2 {{gather_along along axis 1, which has no elements}}
  // expected-note @+1 {{hint: an index needs at least one element to pick}}
  %0 = hgc.gather_along %x, %i axis 1 : (tensor<3x0xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
  return
}

// -----

func.func @scatter_nothing(%x: tensor<0xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) {
  // expected-error @+2 {{scatter along axis 0, which has no elements}}
  // expected-note @+1 {{hint: an index needs at least one element to pick}}
  %0 = hgc.scatter set %x, %i, %u axis 0 : (tensor<0xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @scatter_updates(%x: tensor<8x10xf32>, %i: tensor<3xi64>, %u: tensor<3xf32>) {
  // expected-error @+2 {{updates of shape 3, expected 3x10}}
  // expected-note @+1 {{hint: updates have the shape that the indices pick of the input; check 'axis' and 'slices'}}
  %0 = hgc.scatter set %x, %i, %u axis 0 slices : (tensor<8x10xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<8x10xf32>
  return
}

// -----

func.func @scatter_element(%x: tensor<8xf32>, %i: tensor<3xi64>, %u: tensor<3xf64>) {
  // expected-error @+2 {{operands have element types 'f32' and 'f64'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.scatter set %x, %i, %u axis 0 : (tensor<8xf32>, tensor<3xi64>, tensor<3xf64>) -> tensor<8xf32>
  return
}

// -----

func.func @scatter_bool(%x: tensor<8xi1>, %i: tensor<3xi64>, %u: tensor<3xi1>) {
  // expected-error @+2 {{scatter 'add' of elements of type i1}}
  // expected-note @+1 {{hint: use 'set', or convert the operands with hgc.cast}}
  %0 = hgc.scatter add %x, %i, %u axis 0 : (tensor<8xi1>, tensor<3xi64>, tensor<3xi1>) -> tensor<8xi1>
  return
}
