// Pools that make the rows they read of a pointwise convolution's result themselves: rows that end inside a
// tile, windows that share rows, several images. Results agree with the evaluator's, and are the same for
// every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: FileCheck %s < %t.plan.json
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result2=@%t.2.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native --matrix-unit=never -o %t.so
// CHECK-COUNT-3: "schedule": "pool channels {{.*}} at a time, of a direct convolution

module @pixels {
  hgc.parameter @w0 : tensor<1x1x33x32xf32> = #hgc.init<normal, seed = 10>
  hgc.parameter @b0 : tensor<32xf32> = #hgc.init<normal, seed = 20>
  hgc.parameter @w1 : tensor<1x1x3x48xf32> = #hgc.init<normal, seed = 11>
  hgc.parameter @w2 : tensor<1x1x40x8xf64> = #hgc.init<normal, seed = 12>
  func.func @run(%x0: tensor<2x31x13x33xf32>, %x1: tensor<1x44x29x3xf32>, %x2: tensor<3x20x8x40xf64>)
      -> (tensor<2x16x7x32xf32>, tensor<1x22x14x48xf32>, tensor<3x10x4x8xf64>) attributes {hgc.entry} {
    %w0 = hgc.read @w0 : tensor<1x1x33x32xf32>
    %b0 = hgc.read @b0 : tensor<32xf32>
    %0 = hgc.conv %x0, %w0 channels_last hwio : (tensor<2x31x13x33xf32>, tensor<1x1x33x32xf32>) -> tensor<2x31x13x32xf32>
    %1 = hgc.add %0, %b0 : (tensor<2x31x13x32xf32>, tensor<32xf32>) -> tensor<2x31x13x32xf32>
    %2 = hgc.silu %1 : tensor<2x31x13x32xf32>
    %3 = hgc.pool max %2 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last
        : (tensor<2x31x13x32xf32>) -> tensor<2x16x7x32xf32>
    %w1 = hgc.read @w1 : tensor<1x1x3x48xf32>
    %4 = hgc.conv %x1, %w1 channels_last hwio : (tensor<1x44x29x3xf32>, tensor<1x1x3x48xf32>) -> tensor<1x44x29x48xf32>
    %5 = hgc.pool avg %4 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x44x29x48xf32>) -> tensor<1x22x14x48xf32>
    %6 = hgc.gelu %5 : tensor<1x22x14x48xf32>
    %w2 = hgc.read @w2 : tensor<1x1x40x8xf64>
    %7 = hgc.conv %x2, %w2 channels_last hwio : (tensor<3x20x8x40xf64>, tensor<1x1x40x8xf64>) -> tensor<3x20x8x8xf64>
    %8 = hgc.pool sum %7 window = [2, 2] strides = [2, 2] channels_last : (tensor<3x20x8x8xf64>) -> tensor<3x10x4x8xf64>
    return %3, %6, %8 : tensor<2x16x7x32xf32>, tensor<1x22x14x48xf32>, tensor<3x10x4x8xf64>
  }
}
