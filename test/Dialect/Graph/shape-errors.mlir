// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @constant_vector() {
  // expected-error @+2 {{constant is not a ranked tensor}}
  // expected-note @+1 {{hint: write its type as in dense<0.0> : tensor<4xf32>}}
  %0 = "hgc.constant"() {value = dense<0.0> : vector<4xf32>} : () -> tensor<4xf32>
  return
}

// -----

func.func @iota_axis() {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-note @+1 {{hint: use an axis from 0 to 1}}
  %0 = hgc.iota shape [4, 8] axis 2 of i32 : tensor<4x8xi32>
  return
}

// -----

func.func @iota_element() {
  // expected-error @+2 {{iota of a type that is no number}}
  // expected-note @+1 {{hint: name an element type such as i32 after `of`}}
  %0 = hgc.iota shape [4, 8] axis 1 of index : tensor<4x8xi32>
  return
}

// -----

func.func @iota_open() {
  // expected-error @+2 {{'shape' holds -1, but nothing determines that extent}}
  // expected-note @+1 {{hint: write an extent or a dim name}}
  %0 = hgc.iota shape [-1] axis 0 of i32 : tensor<4xi32>
  return
}

// -----

func.func @reshape_count(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{input of shape 2x3 has 6 elements, shape 2x4 has 8}}
  // expected-note @+1 {{hint: both must be equal; one extent may be -1 and follows from the others}}
  %0 = hgc.reshape %x shape [2, 4] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @reshape_open_twice(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'shape' holds -1 more than once}}
  // expected-note @+1 {{hint: write all extents but one}}
  %0 = hgc.reshape %x shape [-1, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_remainder(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{6 elements do not divide into the extents of 'shape'}}
  // expected-note @+1 {{hint: the other extents hold 4 elements; change one of them}}
  %0 = hgc.reshape %x shape [-1, 4] : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @reshape_zero(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{6 elements do not divide into the extents of 'shape'}}
  // expected-note @+1 {{hint: the other extents hold 0 elements; change one of them}}
  %0 = hgc.reshape %x shape [-1, 0] : (tensor<2x3xf32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @reshape_negative(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'shape' holds an extent outside of [0, 2^40]}}
  // expected-note @+1 {{hint: use -1 for an extent that follows from the others}}
  %0 = hgc.reshape %x shape [-2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_entry(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'shape' holds an entry that is neither an extent nor a dim name}}
  // expected-note @+1 {{hint: write it as in ["batch", 784]}}
  %0 = hgc.reshape %x shape [2.0, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_empty_name(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'shape' holds an empty dim name}}
  // expected-note @+1 {{hint: name the dim as in hgc.shape}}
  %0 = hgc.reshape %x shape ["", 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_count(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'permutation' has 1 entries, expected 2}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.transpose %x permutation = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_axis(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-note @+1 {{hint: use an axis from 0 to 1}}
  %0 = hgc.transpose %x permutation = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'permutation' names axis 1 twice}}
  // expected-note @+1 {{hint: name each axis exactly once}}
  %0 = hgc.transpose %x permutation = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @broadcast_extent(%x: tensor<3xf32>) {
  // expected-error @+2 {{shape 3 does not broadcast to 2x4}}
  // expected-note @+1 {{hint: each extent must equal the last extents of 'shape' or be 1}}
  %0 = hgc.broadcast %x shape [2, 4] : (tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_rank(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{shape 2x3 does not broadcast to 3}}
  // expected-note @+1 {{hint: each extent must equal}}
  %0 = hgc.broadcast %x shape [3] : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @concat_none() {
  // expected-error @+2 {{concat of no inputs}}
  // expected-note @+1 {{hint: give at least one input}}
  %0 = "hgc.concat"() {axis = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concat_rank(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+2 {{input 1 has rank 1, input 0 has rank 2}}
  // expected-note @+1 {{hint: reshape the inputs to the same rank}}
  %0 = hgc.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @concat_extent(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+2 {{input 1 has extent 4 in dim 1, expected 3}}
  // expected-note @+1 {{hint: inputs may differ along 'axis' only}}
  %0 = hgc.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @concat_element(%x: tensor<2x3xf32>, %y: tensor<2x3xf16>) {
  // expected-error @+2 {{input 1 has element type 'f16', input 0 has 'f32'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.concat %x, %y axis 0 : (tensor<2x3xf32>, tensor<2x3xf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @gather_nothing(%x: tensor<0x3xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{gather along axis 0, which has no elements}}
  // expected-note @+1 {{hint: an index needs at least one element to pick}}
  %0 = hgc.gather %x, %i axis 0 : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @gather_axis(%x: tensor<3xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{axis 1 is out of range for rank 1}}
  // expected-note @+1 {{hint: use an axis from 0 to 0}}
  %0 = hgc.gather %x, %i axis 1 : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}
