// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @arg_reduce_axis(%x: tensor<8x4xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-note @+1 {{hint: use an axis from 0 to 1}}
  %0 = hgc.arg_reduce max %x axis 2 : (tensor<8x4xf32>) -> tensor<8xi64>
  return
}

// -----

func.func @arg_reduce_nothing(%x: tensor<8x0xf32>) {
  // expected-error @+2 {{extreme along axis 1, which has no elements}}
  // expected-note @+1 {{hint: give the input at least one element along 'axis'}}
  %0 = hgc.arg_reduce max %x axis 1 : (tensor<8x0xf32>) -> tensor<8xi64>
  return
}

// -----

func.func @arg_reduce_shape(%x: tensor<8x4xf32>) {
  // expected-error @+2 {{has result type 'tensor<4xi64>', but its operands and attributes give 'tensor<8xi64>'}}
  // expected-note @+1 {{hint: declare the result as 'tensor<8xi64>'}}
  %0 = hgc.arg_reduce max %x axis 1 : (tensor<8x4xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @arg_sort_axis(%x: tensor<f32>) {
  // expected-error @+2 {{axis 0 of a scalar, which has none}}
  // expected-note @+1 {{hint: reshape the operand to rank one first}}
  %0 = hgc.arg_sort %x axis 0 : (tensor<f32>) -> tensor<i64>
  return
}

// -----

func.func @arg_sort_k(%x: tensor<8x4xf32>) {
  // expected-error @+2 {{'k' is 5, but dim 1 has extent 4}}
  // expected-note @+1 {{hint: use a 'k' from 0 to the extent of dim 'axis'}}
  %0 = hgc.arg_sort %x axis 1 k = 5 : (tensor<8x4xf32>) -> tensor<8x5xi64>
  return
}

// -----

func.func @arg_sort_negative(%x: tensor<8x?xf32>) {
  // expected-error @+2 {{'k' is -1, but dim 1 has extent ?}}
  // expected-note @+1 {{hint: use a 'k' from 0 to the extent of dim 'axis'}}
  %0 = hgc.arg_sort %x axis 1 k = -1 : (tensor<8x?xf32>) -> tensor<8x?xi64>
  return
}
