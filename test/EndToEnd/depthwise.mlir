// One filter a channel: tiles at the borders and between them, windows of all shapes.
// Results agree with the evaluator's, and are the same for every number of threads.
// RUN: hgc compile %s --verify --force-conv=depthwise --arena=separate -o %t.so 2>&1 | FileCheck %s
// RUN: hgc compile %s --verify --force-conv=depthwise --target-cpu=x86-64-v2 -o %t.so 2>&1 | FileCheck %s
// RUN: hgc run %t.so --num-threads=1 --output=result2=@%t.2.npy --output=result3=@%t.3.npy
// RUN: hgc run %t.so --num-threads=2 --expect=result2=@%t.2.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --num-threads=5 --expect=result2=@%t.2.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0

// CHECK: warning: 1 of 12 convolutions cannot have the form 'depthwise'

func.func @depthwise(
    %x0: tensor<1x2x2x1xf32>, %w0: tensor<3x3x1x1xf32>, %x1: tensor<2x7x7x23xf32>, %w1: tensor<5x5x1x23xf32>,
    %x2: tensor<1x9x61x131xf32>, %w2: tensor<3x3x1x131xf32>, %b: tensor<131xf32>, %x3: tensor<1x22x57x40xf32>,
    %w3: tensor<3x3x1x40xf32>, %x4: tensor<1x19x40x17xf32>, %w4: tensor<3x5x1x17xf32>, %x5: tensor<1x3x4x16xf32>,
    %w5: tensor<2x2x1x16xf32>, %x6: tensor<1x50x35xf32>, %w6: tensor<7x1x35xf32>, %x7: tensor<1x50x35xf32>,
    %w7: tensor<17x1x35xf32>, %x8: tensor<2x4x5x9x12xf32>, %w8: tensor<3x2x3x1x12xf32>, %x9: tensor<1x33x1x70xf32>,
    %w9: tensor<3x1x1x70xf32>, %x10: tensor<1x10x12x19xf16>, %w10: tensor<3x3x1x19xf16>, %x11: tensor<1x10x12x19xi8>,
    %w11: tensor<3x3x1x19xi8>)
    -> (
    tensor<1x2x2x1xf32>, tensor<2x7x7x23xf32>, tensor<1x9x61x131xf32>, tensor<1x11x28x40xf32>, tensor<1x17x13x17xf32>,
    tensor<1x8x9x16xf32>, tensor<1x50x35xf32>, tensor<1x50x35xf32>, tensor<2x4x3x9x12xf32>, tensor<1x33x1x70xf32>,
    tensor<1x10x12x19xf32>, tensor<1x10x12x19xi32>)
    attributes {hgc.entry} {
    // One pixel, one channel, and a window larger than the image.
    %0 = hgc.conv %x0, %w0 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last hwio
        : (tensor<1x2x2x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
    // Rows of one tile, all of it at the border; channels that fill no vector.
    %1 = hgc.conv %x1, %w1 strides = [1, 1] pads = [2, 2, 2, 2] dilations = [1, 1] groups = 23 channels_last hwio
        : (tensor<2x7x7x23xf32>, tensor<5x5x1x23xf32>) -> tensor<2x7x7x23xf32>
    // Inner tiles between borders, several blocks of channels.
    %2 = hgc.conv %x2, %w2 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 131 channels_last hwio
        : (tensor<1x9x61x131xf32>, tensor<3x3x1x131xf32>) -> tensor<1x9x61x131xf32>
    // Bias, activation and residual follow in the same kernel.
    %bias = hgc.add %2, %b : (tensor<1x9x61x131xf32>, tensor<131xf32>) -> tensor<1x9x61x131xf32>
    %act = hgc.silu %bias : tensor<1x9x61x131xf32>
    %sum = hgc.add %act, %x2 : (tensor<1x9x61x131xf32>, tensor<1x9x61x131xf32>) -> tensor<1x9x61x131xf32>
    // Every second pixel, with more padding behind than before.
    %3 = hgc.conv %x3, %w3 strides = [2, 2] pads = [0, 0, 1, 1] dilations = [1, 1] groups = 40 channels_last hwio
        : (tensor<1x22x57x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x11x28x40xf32>
    // Windows with holes, wider steps than the window.
    %4 = hgc.conv %x4, %w4 strides = [1, 3] pads = [2, 3, 0, 4] dilations = [2, 2] groups = 17 channels_last hwio
        : (tensor<1x19x40x17xf32>, tensor<3x5x1x17xf32>) -> tensor<1x17x13x17xf32>
    // Only padding for some results.
    %5 = hgc.conv %x5, %w5 strides = [1, 1] pads = [3, 3, 3, 3] dilations = [1, 1] groups = 16 channels_last hwio
        : (tensor<1x3x4x16xf32>, tensor<2x2x1x16xf32>) -> tensor<1x8x9x16xf32>
    // One spatial dim; a short window, and a long one that is taken pixel by pixel.
    %6 = hgc.conv %x6, %w6 strides = [1] pads = [3, 3] dilations = [1] groups = 35 channels_last hwio
        : (tensor<1x50x35xf32>, tensor<7x1x35xf32>) -> tensor<1x50x35xf32>
    %7 = hgc.conv %x7, %w7 strides = [1] pads = [8, 8] dilations = [1] groups = 35 channels_last hwio
        : (tensor<1x50x35xf32>, tensor<17x1x35xf32>) -> tensor<1x50x35xf32>
    // Three.
    %8 = hgc.conv %x8, %w8 strides = [1, 2, 1] pads = [1, 0, 1, 1, 1, 1] groups = 12 channels_last hwio
        : (tensor<2x4x5x9x12xf32>, tensor<3x2x3x1x12xf32>) -> tensor<2x4x3x9x12xf32>
    // Rows of one pixel.
    %9 = hgc.conv %x9, %w9 strides = [1, 1] pads = [1, 0, 1, 0] dilations = [1, 1] groups = 70 channels_last hwio
        : (tensor<1x33x1x70xf32>, tensor<3x1x1x70xf32>) -> tensor<1x33x1x70xf32>
    // Sums are wider than what is summed.
    %10 = hgc.conv %x10, %w10 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 19 channels_last hwio
        : (tensor<1x10x12x19xf16>, tensor<3x3x1x19xf16>) -> tensor<1x10x12x19xf32>
    %11 = hgc.conv %x11, %w11 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 19 channels_last hwio
        : (tensor<1x10x12x19xi8>, tensor<3x3x1x19xi8>) -> tensor<1x10x12x19xi32>
    return %0, %1, %sum, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : tensor<1x2x2x1xf32>, tensor<2x7x7x23xf32>, tensor<1x9x61x131xf32>, tensor<1x11x28x40xf32>,
        tensor<1x17x13x17xf32>, tensor<1x8x9x16xf32>, tensor<1x50x35xf32>, tensor<1x50x35xf32>,
        tensor<2x4x3x9x12xf32>, tensor<1x33x1x70xf32>, tensor<1x10x12x19xf32>, tensor<1x10x12x19xi32>
}
