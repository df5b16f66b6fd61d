// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @pool_rank(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{pooling of data of rank 2, expected 3 to 5}}
  // expected-note @+1 {{hint: data has a batch dim, one to three spatial dims and a channel dim}}
  %0 = hgc.pool max %x window = [] channels_last : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @pool_count(%x: tensor<1x8x8x4xf32>) {
  // expected-error @+2 {{'window' has 1 entries, expected 2}}
  // expected-note @+1 {{hint: give one entry per spatial dim}}
  %0 = hgc.pool max %x window = [2] channels_last : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

func.func @pool_empty(%x: tensor<1x8x8x4xf32>) {
  // expected-error @+2 {{'window' holds 0}}
  // expected-note @+1 {{hint: use values from 1 to 2^24}}
  %0 = hgc.pool max %x window = [0, 2] channels_last : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

func.func @pool_low_padding(%x: tensor<1x8x8x4xf32>) {
  // expected-error @+2 {{'hgc.pool' op has a window of spatial dim 1 that lies in the padding}}
  // expected-note @+1 {{hint: pad by less than the window spans}}
  %0 = hgc.pool max %x window = [2, 2] pads = [0, 2, 0, 0] channels_last : (tensor<1x8x8x4xf32>) -> tensor<1x7x9x4xf32>
  return
}

// -----

func.func @pool_high_padding(%x: tensor<1x8x8x4xf32>) {
  // expected-error @+2 {{'hgc.pool' op has a window of spatial dim 0 that lies in the padding}}
  // expected-note @+1 {{hint: pad by less than the window spans}}
  %0 = hgc.pool avg %x window = [2, 2] pads = [0, 0, 2, 0] channels_last : (tensor<1x8x8x4xf32>) -> tensor<1x9x7x4xf32>
  return
}

// -----

// A dilated window steps over the only element.
func.func @pool_steps_over(%x: tensor<1x1x4xf32>) {
  // expected-error @+2 {{'hgc.pool' op has a window of spatial dim 0 that lies in the padding}}
  // expected-note @+1 {{hint: pad by less than the window spans}}
  %0 = hgc.pool max %x window = [2] pads = [1, 1] dilations = [2] channels_last : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @reduce_axis(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-note @+1 {{hint: use an axis from 0 to 1}}
  %0 = hgc.reduce sum %x axes = [2] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_order(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{axis 0 follows axis 1}}
  // expected-note @+1 {{hint: list each axis once, in ascending order}}
  %0 = hgc.reduce sum %x axes = [1, 0] : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_twice(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{axis 1 follows axis 1}}
  // expected-note @+1 {{hint: list each axis once, in ascending order}}
  %0 = hgc.reduce sum %x axes = [1, 1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scalar(%x: tensor<f32>) {
  // expected-error @+2 {{axis 0 of a scalar, which has none}}
  // expected-note @+1 {{hint: reshape the operand to rank one first}}
  %0 = hgc.reduce sum %x axes = [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @sum_of_bools(%x: tensor<2xi1>) {
  // expected-error @+2 {{'sum' of elements of type 'i1'}}
  // expected-note @+1 {{hint: reduce i1 with 'any' or 'all', or convert it with hgc.cast}}
  %0 = hgc.reduce sum %x axes = [0] : (tensor<2xi1>) -> tensor<i1>
  return
}

// -----

func.func @any_of_floats(%x: tensor<2xf32>) {
  // expected-error @+2 {{'any' of elements of type 'f32'}}
  // expected-note @+1 {{hint: compare the operand with hgc.compare first}}
  %0 = hgc.reduce any %x axes = [0] : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{axis -1 is out of range for rank 2}}
  // expected-note @+1 {{hint: use an axis from 0 to 1}}
  %0 = hgc.softmax %x axis -1 : tensor<2x3xf32>
  return
}

// -----

func.func @log_softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{axis 7 is out of range for rank 2}}
  // expected-note @+1 {{hint: use an axis from 0 to 1}}
  %0 = hgc.log_softmax %x axis 7 : tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_shape(%x: tensor<8x64xf32>, %s: tensor<32xf32>) {
  // expected-error @+2 {{'scale' has shape 32, expected 64}}
  // expected-note @+1 {{hint: it has the shape of the normalised dims; check 'axis'}}
  %0 = hgc.layer_norm %x, %s, %s axis 1 epsilon 1.0e-05 : (tensor<8x64xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @batch_norm_element(%x: tensor<8x64xf32>, %s: tensor<64xf32>, %h: tensor<64xf16>) {
  // expected-error @+2 {{'mean' has element type 'f16', the input has 'f32'}}
  // expected-note @+1 {{hint: convert it with hgc.cast}}
  %0 = hgc.batch_norm %x, %s, %s, %h, %s axis 1 epsilon 1.0e-05
      : (tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf16>, tensor<64xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @epsilon(%x: tensor<8x64xf32>, %s: tensor<64xf32>) {
  // expected-error @+2 {{'epsilon' is negative or not finite}}
  // expected-note @+1 {{hint: use a small positive value such as 1.0e-05}}
  %0 = hgc.layer_norm %x, %s, %s axis 1 epsilon -1.0 : (tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  return
}
