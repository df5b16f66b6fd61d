// Transposed convolution and filter gradient in every form that has code of its own,
// on both devices: results agree with the evaluator's, and the emulator finds nothing
// to complain about. Sums do not depend on the number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --entry=deep --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result3=@%t.3.npy
// RUN: hgc run %t.so --entry=deep --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify -O0 --target-cpu x86-64-v2 -o %t.so
// RUN: hgc compile %s --gpu sm_75 --device emulated:t4 --strict-placement --place 'gpu(.*)' --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 --device emulated:a100 --strict-placement --place 'gpu(.*)' --verify -o %t.so

module @conv_gradients {
  hgc.parameter @strides.w0 : tensor<3x3x20x24xf32> = #hgc.init<uniform, seed = 0>
  hgc.parameter @strides.w3 : tensor<4x4x16x33xf32> = #hgc.init<uniform, seed = 3>
  // Phases of different length, windows smaller than the stride, steps and dilations with
  // and without a common divisor.
  func.func @strides(%x0: tensor<2x9x11x20xf32>, %y0: tensor<2x5x5x24xf32>,
      %x1: tensor<1x7x13x5xf32>, %y1: tensor<1x2x3x3xf32>, %w1: tensor<2x1x5x3xf32>,
      %x2: tensor<1x13x14x7xf32>, %y2: tensor<1x3x6x9xf32>, %w2: tensor<4x3x7x9xf32>,
      %x3: tensor<2x8x10x16xf32>, %y3: tensor<2x4x5x33xf32>)
      -> (tensor<2x9x11x20xf32>, tensor<3x3x20x24xf32>, tensor<1x7x13x5xf32>, tensor<2x1x5x3xf32>,
          tensor<1x13x14x7xf32>, tensor<4x3x7x9xf32>, tensor<2x8x10x16xf32>, tensor<4x4x16x33xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @strides.w0 : tensor<3x3x20x24xf32>
    %t0 = hgc.conv_transpose %y0, %w0 extents = [9, 11] strides = [2, 2] pads = [1, 1, 1, 0] channels_last hwio
        : (tensor<2x5x5x24xf32>, tensor<3x3x20x24xf32>) -> tensor<2x9x11x20xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 0] channels_last hwio
        : (tensor<2x9x11x20xf32>, tensor<2x5x5x24xf32>) -> tensor<3x3x20x24xf32>
    %u0 = hgc.sigmoid %t0 : tensor<2x9x11x20xf32>
    %h0 = hgc.tanh %g0 : tensor<3x3x20x24xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [7, 13] strides = [3, 5] channels_last hwio
        : (tensor<1x2x3x3xf32>, tensor<2x1x5x3xf32>) -> tensor<1x7x13x5xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [2, 1] strides = [3, 5] channels_last hwio
        : (tensor<1x7x13x5xf32>, tensor<1x2x3x3xf32>) -> tensor<2x1x5x3xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [13, 14] strides = [4, 2] pads = [1, 3, 3, 2] dilations = [2, 4] channels_last hwio
        : (tensor<1x3x6x9xf32>, tensor<4x3x7x9xf32>) -> tensor<1x13x14x7xf32>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [4, 3] strides = [4, 2] pads = [1, 3, 3, 2] dilations = [2, 4] channels_last hwio
        : (tensor<1x13x14x7xf32>, tensor<1x3x6x9xf32>) -> tensor<4x3x7x9xf32>
    %w3 = hgc.read @strides.w3 : tensor<4x4x16x33xf32>
    %t3 = hgc.conv_transpose %y3, %w3 extents = [8, 10] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x4x5x33xf32>, tensor<4x4x16x33xf32>) -> tensor<2x8x10x16xf32>
    %g3 = hgc.conv_filter_grad %x3, %y3 window = [4, 4] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x8x10x16xf32>, tensor<2x4x5x33xf32>) -> tensor<4x4x16x33xf32>
    return %u0, %h0, %t1, %g1, %t2, %g2, %t3, %g3
      : tensor<2x9x11x20xf32>, tensor<3x3x20x24xf32>, tensor<1x7x13x5xf32>, tensor<2x1x5x3xf32>,
          tensor<1x13x14x7xf32>, tensor<4x3x7x9xf32>, tensor<2x8x10x16xf32>, tensor<4x4x16x33xf32>
  }
  hgc.parameter @shapes.w0 : tensor<5x6x19xf32> = #hgc.init<uniform, seed = 0>
  // One to three spatial dims, extents of one, padding beyond the window, pixels that no
  // window reaches.
  func.func @shapes(%x0: tensor<3x17x6xf32>, %y0: tensor<3x6x19xf32>,
      %x1: tensor<1x4x5x6x3xf32>, %y1: tensor<1x4x2x3x17xf32>, %w1: tensor<2x3x2x3x17xf32>,
      %x2: tensor<1x1x1x1xf32>, %y2: tensor<1x1x1x1xf32>, %w2: tensor<1x1x1x1xf32>,
      %x3: tensor<2x3x2x4xf32>, %y3: tensor<2x11x3x6xf32>, %w3: tensor<2x2x4x6xf32>,
      %x4: tensor<1x5x4xf32>, %y4: tensor<1x5x3xf32>, %w4: tensor<1x4x3xf32>)
      -> (tensor<3x17x6xf32>, tensor<5x6x19xf32>, tensor<1x4x5x6x3xf32>, tensor<2x3x2x3x17xf32>, tensor<1x1x1x1xf32>,
          tensor<1x1x1x1xf32>, tensor<2x3x2x4xf32>, tensor<2x2x4x6xf32>, tensor<1x7x4xf32>, tensor<1x4x3xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @shapes.w0 : tensor<5x6x19xf32>
    %t0 = hgc.conv_transpose %y0, %w0 extents = [17] strides = [3] pads = [2, 2] channels_last hwio
        : (tensor<3x6x19xf32>, tensor<5x6x19xf32>) -> tensor<3x17x6xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [5] strides = [3] pads = [2, 2] channels_last hwio
        : (tensor<3x17x6xf32>, tensor<3x6x19xf32>) -> tensor<5x6x19xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [4, 5, 6] strides = [1, 2, 2] pads = [1, 0, 1, 0, 1, 1] dilations = [1, 1, 2] channels_last hwio
        : (tensor<1x4x2x3x17xf32>, tensor<2x3x2x3x17xf32>) -> tensor<1x4x5x6x3xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [2, 3, 2] strides = [1, 2, 2] pads = [1, 0, 1, 0, 1, 1] dilations = [1, 1, 2] channels_last hwio
        : (tensor<1x4x5x6x3xf32>, tensor<1x4x2x3x17xf32>) -> tensor<2x3x2x3x17xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [1, 1] channels_last hwio
        : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [1, 1] channels_last hwio
        : (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
    %t3 = hgc.conv_transpose %y3, %w3 extents = [3, 2] strides = [1, 2] pads = [4, 3, 5, 2] channels_last hwio
        : (tensor<2x11x3x6xf32>, tensor<2x2x4x6xf32>) -> tensor<2x3x2x4xf32>
    %g3 = hgc.conv_filter_grad %x3, %y3 window = [2, 2] strides = [1, 2] pads = [4, 3, 5, 2] channels_last hwio
        : (tensor<2x3x2x4xf32>, tensor<2x11x3x6xf32>) -> tensor<2x2x4x6xf32>
    %t4 = hgc.conv_transpose %y4, %w4 extents = [7] dilations = [3] channels_last hwio
        : (tensor<1x5x3xf32>, tensor<1x4x3xf32>) -> tensor<1x7x4xf32>
    %g4 = hgc.conv_filter_grad %x4, %y4 window = [1] dilations = [3] channels_last hwio
        : (tensor<1x5x4xf32>, tensor<1x5x3xf32>) -> tensor<1x4x3xf32>
    return %t0, %g0, %t1, %g1, %t2, %g2, %t3, %g3, %t4, %g4
      : tensor<3x17x6xf32>, tensor<5x6x19xf32>, tensor<1x4x5x6x3xf32>, tensor<2x3x2x3x17xf32>, tensor<1x1x1x1xf32>,
          tensor<1x1x1x1xf32>, tensor<2x3x2x4xf32>, tensor<2x2x4x6xf32>, tensor<1x7x4xf32>, tensor<1x4x3xf32>
  }
  hgc.parameter @groups.w0 : tensor<3x3x3x38xf32> = #hgc.init<uniform, seed = 0>
  // Groups, with panels that end inside of a vector; one filter a channel; several.
  func.func @groups(%x0: tensor<1x7x6x6xf32>, %y0: tensor<1x4x6x38xf32>,
      %x1: tensor<2x9x8x37xf32>, %y1: tensor<2x5x4x37xf32>, %w1: tensor<3x3x1x37xf32>,
      %x2: tensor<1x6x4xf32>, %y2: tensor<1x6x12xf32>, %w2: tensor<3x1x12xf32>,
      %x3: tensor<1x6x12xf32>, %y3: tensor<1x3x4xf32>, %w3: tensor<3x3x4xf32>)
      -> (tensor<1x7x6x6xf32>, tensor<3x3x3x38xf32>, tensor<2x9x8x37xf32>, tensor<3x3x1x37xf32>, tensor<1x6x4xf32>,
          tensor<3x1x12xf32>, tensor<1x6x12xf32>, tensor<3x3x4xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @groups.w0 : tensor<3x3x3x38xf32>
    %t0 = hgc.conv_transpose %y0, %w0 extents = [7, 6] strides = [2, 1] pads = [1, 1, 1, 1] groups = 2 channels_last hwio
        : (tensor<1x4x6x38xf32>, tensor<3x3x3x38xf32>) -> tensor<1x7x6x6xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [3, 3] strides = [2, 1] pads = [1, 1, 1, 1] groups = 2 channels_last hwio
        : (tensor<1x7x6x6xf32>, tensor<1x4x6x38xf32>) -> tensor<3x3x3x38xf32>
    %u0 = hgc.sigmoid %t0 : tensor<1x7x6x6xf32>
    %h0 = hgc.tanh %g0 : tensor<3x3x3x38xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [9, 8] strides = [2, 2] pads = [1, 1, 1, 1] groups = 37 channels_last hwio
        : (tensor<2x5x4x37xf32>, tensor<3x3x1x37xf32>) -> tensor<2x9x8x37xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] groups = 37 channels_last hwio
        : (tensor<2x9x8x37xf32>, tensor<2x5x4x37xf32>) -> tensor<3x3x1x37xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [6] pads = [1, 1] groups = 4 channels_last hwio
        : (tensor<1x6x12xf32>, tensor<3x1x12xf32>) -> tensor<1x6x4xf32>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [3] pads = [1, 1] groups = 4 channels_last hwio
        : (tensor<1x6x4xf32>, tensor<1x6x12xf32>) -> tensor<3x1x12xf32>
    %t3 = hgc.conv_transpose %y3, %w3 extents = [6] strides = [2] pads = [1, 1] groups = 4 channels_last hwio
        : (tensor<1x3x4xf32>, tensor<3x3x4xf32>) -> tensor<1x6x12xf32>
    %g3 = hgc.conv_filter_grad %x3, %y3 window = [3] strides = [2] pads = [1, 1] groups = 4 channels_last hwio
        : (tensor<1x6x12xf32>, tensor<1x3x4xf32>) -> tensor<3x3x4xf32>
    return %u0, %h0, %t1, %g1, %t2, %g2, %t3, %g3
      : tensor<1x7x6x6xf32>, tensor<3x3x3x38xf32>, tensor<2x9x8x37xf32>, tensor<3x3x1x37xf32>, tensor<1x6x4xf32>,
          tensor<3x1x12xf32>, tensor<1x6x12xf32>, tensor<3x3x4xf32>
  }
  hgc.parameter @layouts.w0 : tensor<10x6x3x2xf32> = #hgc.init<uniform, seed = 0>
  // Layouts that are converted first.
  func.func @layouts(%x0: tensor<2x6x7x9xf32>, %y0: tensor<2x10x3x9xf32>,
      %x1: tensor<1x3x8xf32>, %y1: tensor<1x5x3xf32>, %w1: tensor<3x3x5xf32>,
      %x2: tensor<1x5x6x8xf32>, %y2: tensor<1x2x3x4xf32>, %w2: tensor<4x8x2x2xf32>,
      %x3: tensor<1x8x6x5xf32>, %y3: tensor<1x8x4x3xf32>, %w3: tensor<8x4x3x3xf32>)
      -> (tensor<2x6x7x9xf32>, tensor<10x6x3x2xf32>, tensor<1x3x8xf32>, tensor<3x3x5xf32>, tensor<1x5x6x8xf32>,
          tensor<4x8x2x2xf32>, tensor<1x8x6x5xf32>, tensor<8x4x3x3xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @layouts.w0 : tensor<10x6x3x2xf32>
    %t0 = hgc.conv_transpose %y0, %w0 extents = [7, 9] strides = [2, 1] pads = [1, 0, 0, 1] channels_first oihw
        : (tensor<2x10x3x9xf32>, tensor<10x6x3x2xf32>) -> tensor<2x6x7x9xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [3, 2] strides = [2, 1] pads = [1, 0, 0, 1] channels_first oihw
        : (tensor<2x6x7x9xf32>, tensor<2x10x3x9xf32>) -> tensor<10x6x3x2xf32>
    %u0 = hgc.sigmoid %t0 : tensor<2x6x7x9xf32>
    %h0 = hgc.tanh %g0 : tensor<10x6x3x2xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [8] strides = [2] channels_first hwio
        : (tensor<1x5x3xf32>, tensor<3x3x5xf32>) -> tensor<1x3x8xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [3] strides = [2] channels_first hwio
        : (tensor<1x3x8xf32>, tensor<1x5x3xf32>) -> tensor<3x3x5xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [5, 6] strides = [2, 2] channels_last oihw
        : (tensor<1x2x3x4xf32>, tensor<4x8x2x2xf32>) -> tensor<1x5x6x8xf32>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [2, 2] strides = [2, 2] channels_last oihw
        : (tensor<1x5x6x8xf32>, tensor<1x2x3x4xf32>) -> tensor<4x8x2x2xf32>
    %t3 = hgc.conv_transpose %y3, %w3 extents = [6, 5] groups = 2 channels_first oihw
        : (tensor<1x8x4x3xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x6x5xf32>
    %g3 = hgc.conv_filter_grad %x3, %y3 window = [3, 3] groups = 2 channels_first oihw
        : (tensor<1x8x6x5xf32>, tensor<1x8x4x3xf32>) -> tensor<8x4x3x3xf32>
    return %u0, %h0, %t1, %g1, %t2, %g2, %t3, %g3
      : tensor<2x6x7x9xf32>, tensor<10x6x3x2xf32>, tensor<1x3x8xf32>, tensor<3x3x5xf32>, tensor<1x5x6x8xf32>,
          tensor<4x8x2x2xf32>, tensor<1x8x6x5xf32>, tensor<8x4x3x3xf32>
  }
  hgc.parameter @products.w0 : tensor<1x1x20x35xf32> = #hgc.init<uniform, seed = 0>
  // One pixel at a time.
  func.func @products(%x0: tensor<2x5x6x20xf32>, %y0: tensor<2x5x6x35xf32>,
      %x1: tensor<2x5x6x20xf32>, %y1: tensor<2x5x6x35xf32>, %w1: tensor<1x1x20x35xf32>,
      %x2: tensor<1x9x9x17xf32>, %y2: tensor<1x5x5x16xf32>, %w2: tensor<1x1x17x16xf32>)
      -> (tensor<2x5x6x20xf32>, tensor<1x1x20x35xf32>, tensor<2x5x6x20xf32>, tensor<1x1x20x35xf32>,
          tensor<1x9x9x17xf32>, tensor<1x1x17x16xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @products.w0 : tensor<1x1x20x35xf32>
    %t0 = hgc.conv_transpose %y0, %w0 extents = [5, 6] channels_last hwio
        : (tensor<2x5x6x35xf32>, tensor<1x1x20x35xf32>) -> tensor<2x5x6x20xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [1, 1] channels_last hwio
        : (tensor<2x5x6x20xf32>, tensor<2x5x6x35xf32>) -> tensor<1x1x20x35xf32>
    %u0 = hgc.sigmoid %t0 : tensor<2x5x6x20xf32>
    %h0 = hgc.tanh %g0 : tensor<1x1x20x35xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [5, 6] channels_last hwio
        : (tensor<2x5x6x35xf32>, tensor<1x1x20x35xf32>) -> tensor<2x5x6x20xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [1, 1] channels_last hwio
        : (tensor<2x5x6x20xf32>, tensor<2x5x6x35xf32>) -> tensor<1x1x20x35xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [9, 9] strides = [2, 2] channels_last hwio
        : (tensor<1x5x5x16xf32>, tensor<1x1x17x16xf32>) -> tensor<1x9x9x17xf32>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [1, 1] strides = [2, 2] channels_last hwio
        : (tensor<1x9x9x17xf32>, tensor<1x5x5x16xf32>) -> tensor<1x1x17x16xf32>
    return %u0, %h0, %t1, %g1, %t2, %g2
      : tensor<2x5x6x20xf32>, tensor<1x1x20x35xf32>, tensor<2x5x6x20xf32>, tensor<1x1x20x35xf32>,
          tensor<1x9x9x17xf32>, tensor<1x1x17x16xf32>
  }
  hgc.parameter @types.w0 : tensor<3x3x24x40xf16> = #hgc.init<uniform, seed = 0>
  // Sums in the type that products accumulate in.
  func.func @types(%x0: tensor<1x8x9x24xf16>, %y0: tensor<1x4x5x40xf16>,
      %x1: tensor<1x8x9x16xbf16>, %y1: tensor<1x8x9x17xbf16>, %w1: tensor<3x3x16x17xbf16>,
      %x2: tensor<1x6x7x9xf64>, %y2: tensor<1x3x3x11xf64>, %w2: tensor<3x2x9x11xf64>,
      %x3: tensor<1x6x7x9xi8>, %y3: tensor<1x3x8x11xi8>, %w3: tensor<3x2x9x11xi8>,
      %x4: tensor<1x6x7x8xf16>, %y4: tensor<1x6x7x8xf16>, %w4: tensor<1x1x8x8xf16>,
      %x5: tensor<1x6x7x8xbf16>, %y5: tensor<1x2x3x8xbf16>, %w5: tensor<3x3x1x8xbf16>)
      -> (tensor<1x8x9x24xf32>, tensor<3x3x24x40xf32>, tensor<1x8x9x16xf32>, tensor<3x3x16x17xf32>,
          tensor<1x6x7x9xf64>, tensor<3x2x9x11xf64>, tensor<1x6x7x9xi32>, tensor<3x2x9x11xi32>, tensor<1x6x7x8xf32>,
          tensor<1x1x8x8xf32>, tensor<1x6x7x8xf32>, tensor<3x3x1x8xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @types.w0 : tensor<3x3x24x40xf16>
    %t0 = hgc.conv_transpose %y0, %w0 extents = [8, 9] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x4x5x40xf16>, tensor<3x3x24x40xf16>) -> tensor<1x8x9x24xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x8x9x24xf16>, tensor<1x4x5x40xf16>) -> tensor<3x3x24x40xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [8, 9] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x8x9x17xbf16>, tensor<3x3x16x17xbf16>) -> tensor<1x8x9x16xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [3, 3] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x8x9x16xbf16>, tensor<1x8x9x17xbf16>) -> tensor<3x3x16x17xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [6, 7] strides = [2, 3] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x3x3x11xf64>, tensor<3x2x9x11xf64>) -> tensor<1x6x7x9xf64>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [3, 2] strides = [2, 3] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x6x7x9xf64>, tensor<1x3x3x11xf64>) -> tensor<3x2x9x11xf64>
    %t3 = hgc.conv_transpose %y3, %w3 extents = [6, 7] strides = [2, 1] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x3x8x11xi8>, tensor<3x2x9x11xi8>) -> tensor<1x6x7x9xi32>
    %g3 = hgc.conv_filter_grad %x3, %y3 window = [3, 2] strides = [2, 1] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x6x7x9xi8>, tensor<1x3x8x11xi8>) -> tensor<3x2x9x11xi32>
    %t4 = hgc.conv_transpose %y4, %w4 extents = [6, 7] channels_last hwio
        : (tensor<1x6x7x8xf16>, tensor<1x1x8x8xf16>) -> tensor<1x6x7x8xf32>
    %g4 = hgc.conv_filter_grad %x4, %y4 window = [1, 1] channels_last hwio
        : (tensor<1x6x7x8xf16>, tensor<1x6x7x8xf16>) -> tensor<1x1x8x8xf32>
    %t5 = hgc.conv_transpose %y5, %w5 extents = [6, 7] strides = [2, 2] groups = 8 channels_last hwio
        : (tensor<1x2x3x8xbf16>, tensor<3x3x1x8xbf16>) -> tensor<1x6x7x8xf32>
    %g5 = hgc.conv_filter_grad %x5, %y5 window = [3, 3] strides = [2, 2] groups = 8 channels_last hwio
        : (tensor<1x6x7x8xbf16>, tensor<1x2x3x8xbf16>) -> tensor<3x3x1x8xf32>
    return %t0, %g0, %t1, %g1, %t2, %g2, %t3, %g3, %t4, %g4, %t5, %g5
      : tensor<1x8x9x24xf32>, tensor<3x3x24x40xf32>, tensor<1x8x9x16xf32>, tensor<3x3x16x17xf32>,
          tensor<1x6x7x9xf64>, tensor<3x2x9x11xf64>, tensor<1x6x7x9xi32>, tensor<3x2x9x11xi32>, tensor<1x6x7x8xf32>,
          tensor<1x1x8x8xf32>, tensor<1x6x7x8xf32>, tensor<3x3x1x8xf32>
  }
  // Sums over many pixels, in chunks and in shares of the depth.
  func.func @deep(%x0: tensor<1x61x40x16xf32>, %y0: tensor<1x61x40x24xf32>, %w0: tensor<3x3x16x24xf32>,
      %x1: tensor<2x40x40x32xf16>, %y1: tensor<2x20x20x40xf16>, %w1: tensor<3x3x32x40xf16>,
      %x2: tensor<1x40x40x8xf32>, %y2: tensor<1x39x39x8xf32>, %w2: tensor<3x3x1x8xf32>)
      -> (tensor<1x61x40x16xf32>, tensor<3x3x16x24xf32>, tensor<2x40x40x32xf32>, tensor<3x3x32x40xf32>,
          tensor<1x40x40x8xf32>, tensor<3x3x1x8xf32>) attributes {hgc.entry} {
    %t0 = hgc.conv_transpose %y0, %w0 extents = [61, 40] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x61x40x24xf32>, tensor<3x3x16x24xf32>) -> tensor<1x61x40x16xf32>
    %g0 = hgc.conv_filter_grad %x0, %y0 window = [3, 3] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x61x40x16xf32>, tensor<1x61x40x24xf32>) -> tensor<3x3x16x24xf32>
    %t1 = hgc.conv_transpose %y1, %w1 extents = [40, 40] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x20x20x40xf16>, tensor<3x3x32x40xf16>) -> tensor<2x40x40x32xf32>
    %g1 = hgc.conv_filter_grad %x1, %y1 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x40x40x32xf16>, tensor<2x20x20x40xf16>) -> tensor<3x3x32x40xf32>
    %t2 = hgc.conv_transpose %y2, %w2 extents = [40, 40] pads = [1, 0, 0, 1] groups = 8 channels_last hwio
        : (tensor<1x39x39x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x40x40x8xf32>
    %g2 = hgc.conv_filter_grad %x2, %y2 window = [3, 3] pads = [1, 0, 0, 1] groups = 8 channels_last hwio
        : (tensor<1x40x40x8xf32>, tensor<1x39x39x8xf32>) -> tensor<3x3x1x8xf32>
    return %t0, %g0, %t1, %g1, %t2, %g2
      : tensor<1x61x40x16xf32>, tensor<3x3x16x24xf32>, tensor<2x40x40x32xf32>, tensor<3x3x32x40xf32>,
          tensor<1x40x40x8xf32>, tensor<3x3x1x8xf32>
  }
}
