// Convolutions by register tiles whose windows look past the border: with strides, dilation,
// groups, uneven padding and padding wider than the image, over rows of one pixel, of one tile and of many,
// and in three dims. Results agree with the evaluator's, and are the same for every number of
// threads.
// RUN: hgc compile %s --verify --force-conv=direct --arena=separate -o %t.so
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result4=@%t.4.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --expect=result4=@%t.4.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --force-conv=direct --target-cpu=x86-64-v2 -o %t.so

module @padding {
  hgc.parameter @w0 : tensor<3x3x20x40xf32> = #hgc.init<uniform, seed = 0>
  hgc.parameter @w1 : tensor<3x3x16x33xf32> = #hgc.init<uniform, seed = 1>
  hgc.parameter @w2 : tensor<7x7x3x20xf32> = #hgc.init<uniform, seed = 2>
  hgc.parameter @w3 : tensor<3x3x8x16xf32> = #hgc.init<uniform, seed = 3>
  hgc.parameter @w4 : tensor<5x5x6x24xf32> = #hgc.init<uniform, seed = 4>
  hgc.parameter @w5 : tensor<3x3x3x16xf32> = #hgc.init<uniform, seed = 5>
  hgc.parameter @w6 : tensor<3x3x8x16xf32> = #hgc.init<uniform, seed = 6>
  hgc.parameter @w7 : tensor<3x3x8x16xf32> = #hgc.init<uniform, seed = 7>
  hgc.parameter @w8 : tensor<3x3x8x16xf32> = #hgc.init<uniform, seed = 8>
  hgc.parameter @w9 : tensor<3x3x3x4x16xf32> = #hgc.init<uniform, seed = 9>
  hgc.parameter @w10 : tensor<3x2x3x4x16xf32> = #hgc.init<uniform, seed = 10>
  hgc.parameter @w11 : tensor<1x5x8x16xf32> = #hgc.init<uniform, seed = 11>
  hgc.parameter @w12 : tensor<3x3x40x16xf32> = #hgc.init<uniform, seed = 12>
  hgc.parameter @w13 : tensor<3x3x64x20xf32> = #hgc.init<uniform, seed = 13>
  func.func @padding(%x0: tensor<1x14x14x20xf32>, %x1: tensor<2x7x7x16xf32>, %x2: tensor<1x30x31x3xf32>, %x3: tensor<1x13x16x8xf32>,
                    %x4: tensor<1x19x29x6xf32>, %x5: tensor<1x12x15x12xf32>, %x6: tensor<1x5x6x8xf32>, %x7: tensor<1x4x4x8xf32>,
                    %x8: tensor<1x20x20x8xf32>, %x9: tensor<1x5x8x9x4xf32>, %x10: tensor<1x6x9x10x4xf32>, %x11: tensor<1x1x25x8xf32>,
                    %x12: tensor<1x2x2x40xf32>, %x13: tensor<2x1x1x64xf32>)
      -> (tensor<1x14x14x40xf32>, tensor<2x7x7x33xf32>, tensor<1x15x16x20xf32>, tensor<1x6x8x16xf32>,
          tensor<1x20x30x24xf32>, tensor<1x12x15x16xf32>, tensor<1x9x10x16xf32>, tensor<1x20x20x16xf32>,
          tensor<1x20x20x16xf32>, tensor<1x5x8x9x16xf32>, tensor<1x3x9x10x16xf32>, tensor<1x1x25x16xf32>,
          tensor<1x2x2x16xf32>, tensor<2x1x1x20xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @w0 : tensor<3x3x20x40xf32>
    %0 = hgc.conv %x0, %w0 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x14x14x20xf32>, tensor<3x3x20x40xf32>) -> tensor<1x14x14x40xf32>
    %w1 = hgc.read @w1 : tensor<3x3x16x33xf32>
    %1 = hgc.conv %x1, %w1 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x7x7x16xf32>, tensor<3x3x16x33xf32>) -> tensor<2x7x7x33xf32>
    %w2 = hgc.read @w2 : tensor<7x7x3x20xf32>
    %2 = hgc.conv %x2, %w2 strides = [2, 2] pads = [3, 3, 3, 3] channels_last hwio
        : (tensor<1x30x31x3xf32>, tensor<7x7x3x20xf32>) -> tensor<1x15x16x20xf32>
    %w3 = hgc.read @w3 : tensor<3x3x8x16xf32>
    %3 = hgc.conv %x3, %w3 strides = [2, 2] pads = [0, 0, 1, 1] channels_last hwio
        : (tensor<1x13x16x8xf32>, tensor<3x3x8x16xf32>) -> tensor<1x6x8x16xf32>
    %w4 = hgc.read @w4 : tensor<5x5x6x24xf32>
    %4 = hgc.conv %x4, %w4 pads = [4, 2, 1, 3] channels_last hwio
        : (tensor<1x19x29x6xf32>, tensor<5x5x6x24xf32>) -> tensor<1x20x30x24xf32>
    %w5 = hgc.read @w5 : tensor<3x3x3x16xf32>
    %5 = hgc.conv %x5, %w5 pads = [2, 2, 2, 2] dilations = [2, 2] groups = 4 channels_last hwio
        : (tensor<1x12x15x12xf32>, tensor<3x3x3x16xf32>) -> tensor<1x12x15x16xf32>
    %w6 = hgc.read @w6 : tensor<3x3x8x16xf32>
    %6 = hgc.conv %x6, %w6 pads = [3, 3, 3, 3] channels_last hwio
        : (tensor<1x5x6x8xf32>, tensor<3x3x8x16xf32>) -> tensor<1x9x10x16xf32>
    %w7 = hgc.read @w7 : tensor<3x3x8x16xf32>
    %7 = hgc.conv %x7, %w7 pads = [9, 9, 9, 9] channels_last hwio
        : (tensor<1x4x4x8xf32>, tensor<3x3x8x16xf32>) -> tensor<1x20x20x16xf32>
    %w8 = hgc.read @w8 : tensor<3x3x8x16xf32>
    %8 = hgc.conv %x8, %w8 pads = [6, 6, 6, 6] dilations = [6, 6] channels_last hwio
        : (tensor<1x20x20x8xf32>, tensor<3x3x8x16xf32>) -> tensor<1x20x20x16xf32>
    %w9 = hgc.read @w9 : tensor<3x3x3x4x16xf32>
    %9 = hgc.conv %x9, %w9 pads = [1, 1, 1, 1, 1, 1] channels_last hwio
        : (tensor<1x5x8x9x4xf32>, tensor<3x3x3x4x16xf32>) -> tensor<1x5x8x9x16xf32>
    %w10 = hgc.read @w10 : tensor<3x2x3x4x16xf32>
    %10 = hgc.conv %x10, %w10 strides = [2, 1, 1] pads = [1, 0, 2, 1, 1, 0] channels_last hwio
        : (tensor<1x6x9x10x4xf32>, tensor<3x2x3x4x16xf32>) -> tensor<1x3x9x10x16xf32>
    %w11 = hgc.read @w11 : tensor<1x5x8x16xf32>
    %11 = hgc.conv %x11, %w11 pads = [0, 2, 0, 2] channels_last hwio
        : (tensor<1x1x25x8xf32>, tensor<1x5x8x16xf32>) -> tensor<1x1x25x16xf32>
    %w12 = hgc.read @w12 : tensor<3x3x40x16xf32>
    %12 = hgc.conv %x12, %w12 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x2x2x40xf32>, tensor<3x3x40x16xf32>) -> tensor<1x2x2x16xf32>
    %w13 = hgc.read @w13 : tensor<3x3x64x20xf32>
    %13 = hgc.conv %x13, %w13 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x1x1x64xf32>, tensor<3x3x64x20xf32>) -> tensor<2x1x1x20xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<1x14x14x40xf32>, tensor<2x7x7x33xf32>, tensor<1x15x16x20xf32>, tensor<1x6x8x16xf32>,
        tensor<1x20x30x24xf32>, tensor<1x12x15x16xf32>, tensor<1x9x10x16xf32>, tensor<1x20x20x16xf32>,
        tensor<1x20x20x16xf32>, tensor<1x5x8x9x16xf32>, tensor<1x3x9x10x16xf32>, tensor<1x1x25x16xf32>,
        tensor<1x2x2x16xf32>, tensor<2x1x1x20xf32>
  }
}
