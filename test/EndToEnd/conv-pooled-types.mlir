// Pools that make the rows they read of a convolution's result themselves, for narrow elements: of the
// convolution, of the pool, and of both. Results agree with the evaluator's, and are the same for
// every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so --name=types
// RUN: %python -c "import json; print(open('%t.plan.json').read().count('at a time, of a'))" | FileCheck %s
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy --output=result2=@%t.2.npy --output=result3=@%t.3.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --expect=result2=@%t.2.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native -o %t.so
// CHECK: 4

module @types {
  hgc.parameter @w0 : tensor<3x3x4x24xi8> = dense<3>
  hgc.parameter @w1 : tensor<3x3x3x20xf16> = #hgc.init<normal, seed = 1>
  hgc.parameter @w2 : tensor<3x3x5x18xbf16> = #hgc.init<normal, seed = 2>
  hgc.parameter @w3 : tensor<3x3x2x10xi8> = dense<2>
  func.func @run(%x0: tensor<1x34x30x4xi8>, %x1: tensor<2x33x17x3xf16>, %x2: tensor<1x41x13x5xbf16>, %x3: tensor<3x21x14x2xi8>)
      -> (tensor<1x16x14x24xf32>, tensor<2x17x9x20xf16>, tensor<1x20x6x18xbf16>, tensor<3x9x6x10xi32>) attributes {hgc.entry} {
    %w0 = hgc.read @w0 : tensor<3x3x4x24xi8>
    %0 = hgc.conv %x0, %w0 channels_last hwio : (tensor<1x34x30x4xi8>, tensor<3x3x4x24xi8>) -> tensor<1x32x28x24xi32>
    %1 = hgc.cast %0 to f32 : (tensor<1x32x28x24xi32>) -> tensor<1x32x28x24xf32>
    %2 = hgc.sigmoid %1 : tensor<1x32x28x24xf32>
    %3 = hgc.pool max %2 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x32x28x24xf32>) -> tensor<1x16x14x24xf32>
    %w1 = hgc.read @w1 : tensor<3x3x3x20xf16>
    %4 = hgc.conv %x1, %w1 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<2x33x17x3xf16>, tensor<3x3x3x20xf16>) -> tensor<2x33x17x20xf32>
    %c4 = hgc.cast %4 to f16 : (tensor<2x33x17x20xf32>) -> tensor<2x33x17x20xf16>
    %5 = hgc.pool avg %c4 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last
        : (tensor<2x33x17x20xf16>) -> tensor<2x17x9x20xf16>
    %w2 = hgc.read @w2 : tensor<3x3x5x18xbf16>
    %6 = hgc.conv %x2, %w2 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x41x13x5xbf16>, tensor<3x3x5x18xbf16>) -> tensor<1x41x13x18xf32>
    %c6 = hgc.cast %6 to bf16 : (tensor<1x41x13x18xf32>) -> tensor<1x41x13x18xbf16>
    %7 = hgc.relu %c6 : tensor<1x41x13x18xbf16>
    %8 = hgc.pool sum %7 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x41x13x18xbf16>) -> tensor<1x20x6x18xbf16>
    %w3 = hgc.read @w3 : tensor<3x3x2x10xi8>
    %9 = hgc.conv %x3, %w3 channels_last hwio : (tensor<3x21x14x2xi8>, tensor<3x3x2x10xi8>) -> tensor<3x19x12x10xi32>
    %10 = hgc.pool max %9 window = [2, 2] strides = [2, 2] channels_last : (tensor<3x19x12x10xi32>) -> tensor<3x9x6x10xi32>
    return %3, %5, %8, %10 : tensor<1x16x14x24xf32>, tensor<2x17x9x20xf16>, tensor<1x20x6x18xbf16>, tensor<3x9x6x10xi32>
  }
}
