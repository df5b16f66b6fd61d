// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @rank(%x: tensor<4x4xf32>, %w: tensor<3x4xf32>) {
  // expected-error @+2 {{convolution of data of rank 2, expected 3 to 5}}
  // expected-note @+1 {{hint: data has a batch dim, one to three spatial dims and a channel dim}}
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @filter_rank(%x: tensor<1x8x8x4xf32>, %w: tensor<3x4x4xf32>) {
  // expected-error @+2 {{filter has rank 3, data has rank 4}}
  // expected-note @+1 {{hint: a filter has as many dims as the data}}
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x4x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @channels(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x3x8xf32>) {
  // expected-error @+2 {{data has 4 channels, but the filter takes 3 in each of 1 groups}}
  // expected-note @+1 {{hint: check 'groups' and the layouts}}
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x3x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @groups(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x2x9xf32>) {
  // expected-error @+2 {{9 output channels do not divide into 2 groups}}
  // expected-note @+1 {{hint: choose 'groups'}}
  %0 = hgc.conv %x, %w groups = 2 channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x2x9xf32>) -> tensor<1x6x6x9xf32>
  return
}

// -----

func.func @no_groups(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{'groups' is 0}}
  // expected-note @+1 {{hint: use 1 for an ungrouped convolution}}
  %0 = hgc.conv %x, %w groups = 0 channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @strides_count(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{'strides' has 1 entries, expected 2}}
  // expected-note @+1 {{hint: give one entry per spatial dim}}
  %0 = hgc.conv %x, %w strides = [2] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @pads_count(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{'pads' has 2 entries, expected 4}}
  // expected-note @+1 {{hint: give the low pads of all spatial dims, then the high ones}}
  %0 = hgc.conv %x, %w pads = [1, 1] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @zero_stride(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{'strides' holds 0}}
  // expected-note @+1 {{hint: use values from 1 to 2^24}}
  %0 = hgc.conv %x, %w strides = [1, 0] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @huge_dilation(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{'dilations' holds 9223372036854775807}}
  // expected-note @+1 {{hint: use values from 1 to 2^24}}
  %0 = hgc.conv %x, %w dilations = [9223372036854775807, 1] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @negative_pad(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{'pads' holds -1}}
  // expected-note @+1 {{hint: use values from 0 to 2^24}}
  %0 = hgc.conv %x, %w pads = [0, 0, 0, -1] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @window_too_large(%x: tensor<1x8x2x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error @+2 {{window of spatial dim 1 spans 3 elements, but the padded input has only 2}}
  // expected-note @+1 {{hint: enlarge 'pads' or use a smaller window or dilation}}
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x8x2x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x1x8xf32>
  return
}

// -----

func.func @dynamic_window(%x: tensor<1x8x8x4xf32>, %w: tensor<?x3x4x8xf32>) {
  // expected-error @+2 {{filter has a dynamic spatial extent}}
  // expected-note @+1 {{hint: only batch, image and channel extents may be dynamic}}
  %0 = hgc.conv %x, %w channels_last hwio : (tensor<1x8x8x4xf32>, tensor<?x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @packed_layout(%x: tensor<1x8x8x4xf32>, %w: tensor<1x1x36x8xf32>) {
  // expected-error @+2 {{packed filter in layout 'oihw'}}
  // expected-note @+1 {{hint: a packed filter is 'hwio'}}
  %0 = hgc.conv %x, %w channels_last oihw packed <8, [3, 3, 4, 8]> : (tensor<1x8x8x4xf32>, tensor<1x1x36x8xf32>) -> tensor<1x6x6x8xf32>
  return
}
