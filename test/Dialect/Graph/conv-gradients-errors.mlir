// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @rank(%x: tensor<4x4xf32>, %w: tensor<3x4xf32>) {
  // expected-error @+2 {{convolution of data of rank 2, expected 3 to 5}}
  // expected-note @+1 {{hint: data has a batch dim, one to three spatial dims and a channel dim}}
  %0 = hgc.conv_transpose %x, %w channels_last hwio : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @elements(%x: tensor<1x4x4xf32>, %w: tensor<3x4x4xf16>) {
  // expected-error @+2 {{operands have element types 'f32' and 'f16'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.conv_transpose %x, %w channels_last hwio : (tensor<1x4x4xf32>, tensor<3x4x4xf16>) -> tensor<1x6x4xf32>
  return
}

// -----

// The data has the channels that the convolution results in.
func.func @channels(%x: tensor<1x4x3xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{data has 3 channels, but the filter has 4 output channels}}
  // expected-note @+1 {{hint: a transposed convolution reads what the convolution with this filter results in}}
  %0 = hgc.conv_transpose %x, %w channels_last hwio : (tensor<1x4x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x3xf32>
  return
}

// -----

func.func @groups(%x: tensor<1x4x9xf32>, %w: tensor<3x2x9xf32>) {
  // expected-error @+2 {{9 output channels do not divide into 2 groups}}
  // expected-note @+1 {{hint: choose 'groups'}}
  %0 = hgc.conv_transpose %x, %w groups = 2 channels_last hwio : (tensor<1x4x9xf32>, tensor<3x2x9xf32>) -> tensor<1x6x4xf32>
  return
}

// -----

func.func @window(%x: tensor<1x4x4xf32>, %w: tensor<?x3x4xf32>) {
  // expected-error @+2 {{filter has a dynamic spatial extent}}
  // expected-note @+1 {{hint: only batch, image and channel extents may be dynamic}}
  %0 = hgc.conv_transpose %x, %w channels_last hwio : (tensor<1x4x4xf32>, tensor<?x3x4xf32>) -> tensor<1x6x3xf32>
  return
}

// -----

func.func @extents_count(%x: tensor<1x4x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{'extents' has 2 entries, expected 1}}
  // expected-note @+1 {{hint: give one entry per dim}}
  %0 = hgc.conv_transpose %x, %w extents = [6, 6] channels_last hwio : (tensor<1x4x4xf32>, tensor<3x3x4xf32>) -> tensor<1x6x3xf32>
  return
}

// -----

func.func @extents_small(%x: tensor<1x4x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{'extents' holds 8 for spatial dim 0, which can have 9 to 10}}
  // expected-note @+1 {{hint: check 'strides' and 'pads', or leave out 'extents' for the smallest result}}
  %0 = hgc.conv_transpose %x, %w extents = [8] strides = [2] channels_last hwio : (tensor<1x4x4xf32>, tensor<3x3x4xf32>) -> tensor<1x8x3xf32>
  return
}

// -----

func.func @extents_large(%x: tensor<1x4x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{'extents' holds 11 for spatial dim 0, which can have 9 to 10}}
  // expected-note @+1 {{hint: check 'strides' and 'pads'}}
  %0 = hgc.conv_transpose %x, %w extents = [11] strides = [2] channels_last hwio : (tensor<1x4x4xf32>, tensor<3x3x4xf32>) -> tensor<1x11x3xf32>
  return
}

// -----

func.func @nothing_left(%x: tensor<1x2x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{spatial dim 0 of the result has the extent 0}}
  // expected-note @+1 {{hint: use smaller 'pads', or give the extents with 'extents'}}
  %0 = hgc.conv_transpose %x, %w pads = [2, 2] channels_last hwio : (tensor<1x2x4xf32>, tensor<3x3x4xf32>) -> tensor<1x0x3xf32>
  return
}

// -----

func.func @no_pixels(%x: tensor<1x0x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{data has no elements along spatial dim 0}}
  // expected-note @+1 {{hint: no convolution results in such data}}
  %0 = hgc.conv_transpose %x, %w channels_last hwio : (tensor<1x0x4xf32>, tensor<3x3x4xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @strides(%x: tensor<1x2x4xf32>, %w: tensor<3x3x4xf32>) {
  // expected-error @+2 {{'strides' has 2 entries, expected 1}}
  // expected-note @+1 {{hint: give one entry per spatial dim}}
  %0 = hgc.conv_transpose %x, %w strides = [2, 2] channels_last hwio : (tensor<1x2x4xf32>, tensor<3x3x4xf32>) -> tensor<1x5x3xf32>
  return
}

// -----

func.func @packed(%x: tensor<1x2x4xf32>, %w: tensor<1x1x12x8xf32>) {
  // expected-error @+2 {{packed operand has shape 1x1x12x8, but 'packed' says 1x1x15x8}}
  // expected-note @+1 {{hint: the operand must be the result of hgc.pack with the same width and shape}}
  %0 = hgc.conv_transpose %x, %w channels_last hwio packed <8, [3, 5, 3]> : (tensor<1x2x4xf32>, tensor<1x1x12x8xf32>) -> tensor<1x4x3xf32>
  return
}

// -----

func.func @gradient_rank(%x: tensor<1x4x4xf32>, %y: tensor<1x2x2x4xf32>) {
  // expected-error @+2 {{filter gradient of data of rank 3 and 4}}
  // expected-note @+1 {{hint: both have a batch dim, one to three spatial dims and a channel dim}}
  %0 = hgc.conv_filter_grad %x, %y window = [3] channels_last hwio : (tensor<1x4x4xf32>, tensor<1x2x2x4xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @gradient_batch(%x: tensor<2x4x4xf32>, %y: tensor<1x2x4xf32>) {
  // expected-error @+2 {{input has 2 images, gradient has 1}}
  // expected-note @+1 {{hint: both belong to the same batch}}
  %0 = hgc.conv_filter_grad %x, %y window = [3] channels_last hwio : (tensor<2x4x4xf32>, tensor<1x2x4xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @gradient_extent(%x: tensor<1x4x4xf32>, %y: tensor<1x3x4xf32>) {
  // expected-error @+2 {{gradient has the extent 3 in spatial dim 0, the convolution gives 2}}
  // expected-note @+1 {{hint: use the window, strides, pads and dilations of the convolution}}
  %0 = hgc.conv_filter_grad %x, %y window = [3] channels_last hwio : (tensor<1x4x4xf32>, tensor<1x3x4xf32>) -> tensor<3x4x4xf32>
  return
}

// -----

func.func @gradient_window(%x: tensor<1x4x4xf32>, %y: tensor<1x2x4xf32>) {
  // expected-error @+2 {{'window' has 2 entries, expected 1}}
  // expected-note @+1 {{hint: give one entry per spatial dim}}
  %0 = hgc.conv_filter_grad %x, %y window = [3, 3] channels_last hwio : (tensor<1x4x4xf32>, tensor<1x2x4xf32>) -> tensor<3x3x4x4xf32>
  return
}

// -----

func.func @gradient_inputs(%x: tensor<1x4x3xf32>, %y: tensor<1x2x4xf32>) {
  // expected-error @+2 {{3 input channels do not divide into 2 groups}}
  // expected-note @+1 {{hint: choose 'groups' so that it divides both channel counts}}
  %0 = hgc.conv_filter_grad %x, %y window = [3] groups = 2 channels_last hwio : (tensor<1x4x3xf32>, tensor<1x2x4xf32>) -> tensor<3x1x4xf32>
  return
}

// -----

// The declared type follows from the op.
func.func @gradient_result(%x: tensor<1x4x4xf16>, %y: tensor<1x2x4xf16>) {
  // expected-error @+2 {{has result type 'tensor<3x4x5xf32>', but its operands and attributes give 'tensor<3x4x4xf32>'}}
  // expected-note @+1 {{hint: declare the result as 'tensor<3x4x4xf32>'}}
  %0 = hgc.conv_filter_grad %x, %y window = [3] channels_last hwio : (tensor<1x4x4xf16>, tensor<1x2x4xf16>) -> tensor<3x4x5xf32>
  return
}
