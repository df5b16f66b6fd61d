// Convolutions over one long row, and over rows of one pixel, which are taken as one row:
// a row is cut into blocks of pixels, whose ends see each other's pixels and the padding.
// Results agree with the evaluator's, and are the same for every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --entry=rows --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result2=@%t.2.npy --output=result3=@%t.3.npy
// RUN: hgc run %t.so --entry=rows --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify -O0 --target-cpu x86-64-v2 -o %t.so

module @rows {
  hgc.parameter @w0 : tensor<1x9x5x33xf32> = #hgc.init<uniform, seed = 0>
  hgc.parameter @w1 : tensor<3x1x16x20xf32> = #hgc.init<uniform, seed = 1>
  hgc.parameter @w2 : tensor<1x4x8x16xf32> = #hgc.init<uniform, seed = 2>
  hgc.parameter @w3 : tensor<2x5x3x7xf32> = #hgc.init<uniform, seed = 3>
  func.func @rows(%x0: tensor<1x1x331x5xf32>, %x1: tensor<2x257x1x16xf32>, %x2: tensor<1x1x603x8xf32>, %x3: tensor<1x1x150x3xf32>)
      -> (tensor<1x1x331x33xf32>, tensor<2x257x1x20xf32>, tensor<1x1x200x16xf32>, tensor<1x1x146x7xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @w0 : tensor<1x9x5x33xf32>
    %w1 = hgc.read @w1 : tensor<3x1x16x20xf32>
    %w2 = hgc.read @w2 : tensor<1x4x8x16xf32>
    %w3 = hgc.read @w3 : tensor<2x5x3x7xf32>
    %0 = hgc.conv %x0, %w0 pads = [0, 4, 0, 4] channels_last hwio
        : (tensor<1x1x331x5xf32>, tensor<1x9x5x33xf32>) -> tensor<1x1x331x33xf32>
    %1 = hgc.conv %x1, %w1 pads = [2, 0, 2, 0] dilations = [2, 1] channels_last hwio
        : (tensor<2x257x1x16xf32>, tensor<3x1x16x20xf32>) -> tensor<2x257x1x20xf32>
    // No padding: the input is read in place.
    %2 = hgc.conv %x2, %w2 strides = [1, 3] channels_last hwio
        : (tensor<1x1x603x8xf32>, tensor<1x4x8x16xf32>) -> tensor<1x1x200x16xf32>
    // A row of the window lies in the padding.
    %3 = hgc.conv %x3, %w3 pads = [1, 0, 0, 0] dilations = [1, 1] channels_last hwio
        : (tensor<1x1x150x3xf32>, tensor<2x5x3x7xf32>) -> tensor<1x1x146x7xf32>
    return %0, %1, %2, %3 : tensor<1x1x331x33xf32>, tensor<2x257x1x20xf32>, tensor<1x1x200x16xf32>, tensor<1x1x146x7xf32>
  }
}
