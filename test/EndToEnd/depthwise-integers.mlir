// Depthwise convolutions of i8, whose windows are taken by groups of rows: weights of -128 and 127,
// channels that leave rests, strides, holes, padding. Sums are exact, so results are the evaluator's, and the same for
// every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --entry=plain --num-threads=1 --output=result4=@%t.4.npy --output=result3=@%t.3.npy
// RUN: hgc run %t.so --entry=plain --num-threads=3 --expect=result4=@%t.4.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --arena=separate --target-cpu=native -o %t.so
// RUN: hgc run %t.so --entry=plain --num-threads=2 --expect=result4=@%t.4.npy --expect=result3=@%t.3.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=x86-64-v2 -o %t.so
// RUN: hgc compile %s --emit=asm --target-cpu=sapphirerapids -o - | FileCheck %s --check-prefix=DOTS
// RUN: hgc compile %s --emit=asm --target-cpu=x86-64-v3 -o - | FileCheck %s --check-prefix=PAIRS
// RUN: hgc compile %s --emit=asm --target-cpu=x86-64-v4 -o - | FileCheck %s --check-prefix=LONG
// RUN: hgc compile %s --emit=obj --target-cpu=armv8-a -o %t.o

// DOTS: vpdpbusd {{.*}}%zmm
// PAIRS-NOT: vpdpbusd
// PAIRS: vpmaddwd {{.*}}%ymm
// LONG: vpmaddwd {{.*}}%zmm

module @depthwise_integers {
  hgc.parameter @w0 : tensor<3x3x1x1xf32> = #hgc.init<uniform, seed = 0>
  hgc.parameter @w1 : tensor<3x3x1x3xf32> = #hgc.init<uniform, seed = 1>
  hgc.parameter @w2 : tensor<3x3x1x17xf32> = #hgc.init<uniform, seed = 2>
  hgc.parameter @w3 : tensor<5x5x1x100xf32> = #hgc.init<uniform, seed = 3>
  hgc.parameter @w4 : tensor<3x3x1x131xf32> = #hgc.init<uniform, seed = 4>
  hgc.parameter @w5 : tensor<5x5x1x40xf32> = #hgc.init<uniform, seed = 5>
  hgc.parameter @w6 : tensor<3x3x1x36xf32> = #hgc.init<uniform, seed = 6>
  hgc.parameter @w7 : tensor<7x3x1x24xf32> = #hgc.init<uniform, seed = 7>
  hgc.parameter @w8 : tensor<2x2x1x64xf32> = #hgc.init<uniform, seed = 8>
  hgc.parameter @w9 : tensor<2x2x1x16xf32> = #hgc.init<uniform, seed = 9>
  hgc.parameter @w10 : tensor<3x1x1x70xf32> = #hgc.init<uniform, seed = 10>
  func.func @plain(
      %x0: tensor<1x2x2x1xi8>, %x1: tensor<1x6x9x3xi8>, %x2: tensor<2x13x15x17xi8>,
      %x3: tensor<1x9x11x100xi8>, %x4: tensor<1x21x61x131xi8>, %x5: tensor<2x28x29x40xi8>,
      %x6: tensor<1x19x40x36xi8>, %x7: tensor<1x26x33x24xi8>, %x8: tensor<1x8x8x64xi8>,
      %x9: tensor<1x3x4x16xi8>, %x10: tensor<1x33x1x70xi8>)
      -> (
      tensor<1x2x2x1xi32>, tensor<1x6x9x3xi32>, tensor<2x7x8x17xi32>, tensor<1x11x14x100xi32>,
      tensor<1x21x61x131xi32>, tensor<2x14x15x40xi32>, tensor<1x19x40x36xi32>, tensor<1x8x16x24xi32>,
      tensor<1x7x7x64xi32>, tensor<1x8x9x16xi32>, tensor<1x33x1x70xi32>)
      attributes {hgc.entry} {
    %s = hgc.constant dense<300.0> : tensor<f32>
    // One pixel, one channel, and a window larger than the image.
    %r0 = hgc.read @w0 : tensor<3x3x1x1xf32>
    %m0 = hgc.mul %r0, %s : (tensor<3x3x1x1xf32>, tensor<f32>) -> tensor<3x3x1x1xf32>
    %w0 = hgc.cast %m0 to i8 : (tensor<3x3x1x1xf32>) -> tensor<3x3x1x1xi8>
    %0 = hgc.conv %x0, %w0 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] channels_last hwio
        : (tensor<1x2x2x1xi8>, tensor<3x3x1x1xi8>) -> tensor<1x2x2x1xi32>
    // Fewer channels than instructions take.
    %r1 = hgc.read @w1 : tensor<3x3x1x3xf32>
    %m1 = hgc.mul %r1, %s : (tensor<3x3x1x3xf32>, tensor<f32>) -> tensor<3x3x1x3xf32>
    %w1 = hgc.cast %m1 to i8 : (tensor<3x3x1x3xf32>) -> tensor<3x3x1x3xi8>
    %1 = hgc.conv %x1, %w1 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 3 channels_last hwio
        : (tensor<1x6x9x3xi8>, tensor<3x3x1x3xi8>) -> tensor<1x6x9x3xi32>
    // A vector and a channel; two images; every second pixel.
    %r2 = hgc.read @w2 : tensor<3x3x1x17xf32>
    %m2 = hgc.mul %r2, %s : (tensor<3x3x1x17xf32>, tensor<f32>) -> tensor<3x3x1x17xf32>
    %w2 = hgc.cast %m2 to i8 : (tensor<3x3x1x17xf32>) -> tensor<3x3x1x17xi8>
    %2 = hgc.conv %x2, %w2 strides = [2, 2] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 17 channels_last hwio
        : (tensor<2x13x15x17xi8>, tensor<3x3x1x17xi8>) -> tensor<2x7x8x17xi32>
    // Vectors of all lengths, four groups of rows or two, and more padding than data around some results.
    %r3 = hgc.read @w3 : tensor<5x5x1x100xf32>
    %m3 = hgc.mul %r3, %s : (tensor<5x5x1x100xf32>, tensor<f32>) -> tensor<5x5x1x100xf32>
    %w3 = hgc.cast %m3 to i8 : (tensor<5x5x1x100xf32>) -> tensor<5x5x1x100xi8>
    %3 = hgc.conv %x3, %w3 strides = [1, 1] pads = [4, 3, 2, 4] dilations = [1, 1] groups = 100 channels_last hwio
        : (tensor<1x9x11x100xi8>, tensor<5x5x1x100xi8>) -> tensor<1x11x14x100xi32>
    // Rows of tiles between borders, several blocks of rows and channels.
    %r4 = hgc.read @w4 : tensor<3x3x1x131xf32>
    %m4 = hgc.mul %r4, %s : (tensor<3x3x1x131xf32>, tensor<f32>) -> tensor<3x3x1x131xf32>
    %w4 = hgc.cast %m4 to i8 : (tensor<3x3x1x131xf32>) -> tensor<3x3x1x131xi8>
    %4 = hgc.conv %x4, %w4 strides = [1, 1] pads = [1, 1, 1, 1] dilations = [1, 1] groups = 131 channels_last hwio
        : (tensor<1x21x61x131xi8>, tensor<3x3x1x131xi8>) -> tensor<1x21x61x131xi32>
    // Every second pixel of five by five.
    %r5 = hgc.read @w5 : tensor<5x5x1x40xf32>
    %m5 = hgc.mul %r5, %s : (tensor<5x5x1x40xf32>, tensor<f32>) -> tensor<5x5x1x40xf32>
    %w5 = hgc.cast %m5 to i8 : (tensor<5x5x1x40xf32>) -> tensor<5x5x1x40xi8>
    %5 = hgc.conv %x5, %w5 strides = [2, 2] pads = [2, 2, 1, 2] dilations = [1, 1] groups = 40 channels_last hwio
        : (tensor<2x28x29x40xi8>, tensor<5x5x1x40xi8>) -> tensor<2x14x15x40xi32>
    // Windows with holes.
    %r6 = hgc.read @w6 : tensor<3x3x1x36xf32>
    %m6 = hgc.mul %r6, %s : (tensor<3x3x1x36xf32>, tensor<f32>) -> tensor<3x3x1x36xf32>
    %w6 = hgc.cast %m6 to i8 : (tensor<3x3x1x36xf32>) -> tensor<3x3x1x36xi8>
    %6 = hgc.conv %x6, %w6 strides = [1, 1] pads = [2, 2, 2, 2] dilations = [2, 2] groups = 36 channels_last hwio
        : (tensor<1x19x40x36xi8>, tensor<3x3x1x36xi8>) -> tensor<1x19x40x36xi32>
    // The same with steps, seven rows.
    %r7 = hgc.read @w7 : tensor<7x3x1x24xf32>
    %m7 = hgc.mul %r7, %s : (tensor<7x3x1x24xf32>, tensor<f32>) -> tensor<7x3x1x24xf32>
    %w7 = hgc.cast %m7 to i8 : (tensor<7x3x1x24xf32>) -> tensor<7x3x1x24xi8>
    %7 = hgc.conv %x7, %w7 strides = [3, 2] pads = [3, 1, 5, 3] dilations = [2, 3] groups = 24 channels_last hwio
        : (tensor<1x26x33x24xi8>, tensor<7x3x1x24xi8>) -> tensor<1x8x16x24xi32>
    // Two rows, no padding.
    %r8 = hgc.read @w8 : tensor<2x2x1x64xf32>
    %m8 = hgc.mul %r8, %s : (tensor<2x2x1x64xf32>, tensor<f32>) -> tensor<2x2x1x64xf32>
    %w8 = hgc.cast %m8 to i8 : (tensor<2x2x1x64xf32>) -> tensor<2x2x1x64xi8>
    %8 = hgc.conv %x8, %w8 strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 64 channels_last hwio
        : (tensor<1x8x8x64xi8>, tensor<2x2x1x64xi8>) -> tensor<1x7x7x64xi32>
    // Only padding for some results.
    %r9 = hgc.read @w9 : tensor<2x2x1x16xf32>
    %m9 = hgc.mul %r9, %s : (tensor<2x2x1x16xf32>, tensor<f32>) -> tensor<2x2x1x16xf32>
    %w9 = hgc.cast %m9 to i8 : (tensor<2x2x1x16xf32>) -> tensor<2x2x1x16xi8>
    %9 = hgc.conv %x9, %w9 strides = [1, 1] pads = [3, 3, 3, 3] dilations = [1, 1] groups = 16 channels_last hwio
        : (tensor<1x3x4x16xi8>, tensor<2x2x1x16xi8>) -> tensor<1x8x9x16xi32>
    // Rows of one pixel.
    %r10 = hgc.read @w10 : tensor<3x1x1x70xf32>
    %m10 = hgc.mul %r10, %s : (tensor<3x1x1x70xf32>, tensor<f32>) -> tensor<3x1x1x70xf32>
    %w10 = hgc.cast %m10 to i8 : (tensor<3x1x1x70xf32>) -> tensor<3x1x1x70xi8>
    %10 = hgc.conv %x10, %w10 strides = [1, 1] pads = [1, 0, 1, 0] dilations = [1, 1] groups = 70 channels_last hwio
        : (tensor<1x33x1x70xi8>, tensor<3x1x1x70xi8>) -> tensor<1x33x1x70xi32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<1x2x2x1xi32>, tensor<1x6x9x3xi32>, tensor<2x7x8x17xi32>, tensor<1x11x14x100xi32>,
      tensor<1x21x61x131xi32>, tensor<2x14x15x40xi32>, tensor<1x19x40x36xi32>, tensor<1x8x16x24xi32>,
      tensor<1x7x7x64xi32>, tensor<1x8x9x16xi32>, tensor<1x33x1x70xi32>
  }

  // Activations with zero points, which surround them: the sums become activations again in the same kernel.
  hgc.parameter @f_u8 : tensor<3x3x1x32xf32> = #hgc.init<uniform, seed = 32>
  func.func @u8(%q: tensor<1x17x19x32xui8>) -> tensor<1x17x19x32xui8> attributes {hgc.entry} {
    %zx = hgc.constant dense<117> : tensor<i32>
    %zy = hgc.constant dense<120.0> : tensor<f32>
    %lo = hgc.constant dense<0.0> : tensor<f32>
    %hi = hgc.constant dense<255.0> : tensor<f32>
    %sx = hgc.constant dense<0.03125> : tensor<f32>
    %sw = hgc.constant dense<0.0078125> : tensor<f32>
    %s = hgc.constant dense<300.0> : tensor<f32>
    %0 = hgc.cast %q to i32 : (tensor<1x17x19x32xui8>) -> tensor<1x17x19x32xi32>
    %1 = hgc.sub %0, %zx : (tensor<1x17x19x32xi32>, tensor<i32>) -> tensor<1x17x19x32xi32>
    %2 = hgc.cast %1 to f32 : (tensor<1x17x19x32xi32>) -> tensor<1x17x19x32xf32>
    %x = hgc.mul %2, %sx : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %r = hgc.read @f_u8 : tensor<3x3x1x32xf32>
    %m = hgc.mul %r, %s : (tensor<3x3x1x32xf32>, tensor<f32>) -> tensor<3x3x1x32xf32>
    %v = hgc.cast %m to i8 : (tensor<3x3x1x32xf32>) -> tensor<3x3x1x32xi8>
    %3 = hgc.cast %v to i32 : (tensor<3x3x1x32xi8>) -> tensor<3x3x1x32xi32>
    %4 = hgc.cast %3 to f32 : (tensor<3x3x1x32xi32>) -> tensor<3x3x1x32xf32>
    %w = hgc.mul %4, %sw : (tensor<3x3x1x32xf32>, tensor<f32>) -> tensor<3x3x1x32xf32>
    %5 = hgc.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] groups = 32 channels_last hwio
        : (tensor<1x17x19x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x17x19x32xf32>
    %6 = hgc.relu %5 : tensor<1x17x19x32xf32>
    %7 = hgc.div %6, %sx : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %8 = hgc.round %7 : tensor<1x17x19x32xf32>
    %9 = hgc.add %8, %zy : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %10 = hgc.max %9, %lo : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %11 = hgc.min %10, %hi : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %12 = hgc.cast %11 to ui8 : (tensor<1x17x19x32xf32>) -> tensor<1x17x19x32xui8>
    return %12 : tensor<1x17x19x32xui8>
  }
  hgc.parameter @f_u8b : tensor<5x5x1x35xf32> = #hgc.init<uniform, seed = 35>
  func.func @u8b(%q: tensor<2x14x14x35xui8>) -> tensor<2x7x7x35xui8> attributes {hgc.entry} {
    %zx = hgc.constant dense<0> : tensor<i32>
    %zy = hgc.constant dense<3.0> : tensor<f32>
    %lo = hgc.constant dense<0.0> : tensor<f32>
    %hi = hgc.constant dense<255.0> : tensor<f32>
    %sx = hgc.constant dense<0.03125> : tensor<f32>
    %sw = hgc.constant dense<0.0078125> : tensor<f32>
    %s = hgc.constant dense<300.0> : tensor<f32>
    %0 = hgc.cast %q to i32 : (tensor<2x14x14x35xui8>) -> tensor<2x14x14x35xi32>
    %1 = hgc.sub %0, %zx : (tensor<2x14x14x35xi32>, tensor<i32>) -> tensor<2x14x14x35xi32>
    %2 = hgc.cast %1 to f32 : (tensor<2x14x14x35xi32>) -> tensor<2x14x14x35xf32>
    %x = hgc.mul %2, %sx : (tensor<2x14x14x35xf32>, tensor<f32>) -> tensor<2x14x14x35xf32>
    %r = hgc.read @f_u8b : tensor<5x5x1x35xf32>
    %m = hgc.mul %r, %s : (tensor<5x5x1x35xf32>, tensor<f32>) -> tensor<5x5x1x35xf32>
    %v = hgc.cast %m to i8 : (tensor<5x5x1x35xf32>) -> tensor<5x5x1x35xi8>
    %3 = hgc.cast %v to i32 : (tensor<5x5x1x35xi8>) -> tensor<5x5x1x35xi32>
    %4 = hgc.cast %3 to f32 : (tensor<5x5x1x35xi32>) -> tensor<5x5x1x35xf32>
    %w = hgc.mul %4, %sw : (tensor<5x5x1x35xf32>, tensor<f32>) -> tensor<5x5x1x35xf32>
    %5 = hgc.conv %x, %w strides = [2, 2] pads = [2, 2, 2, 2] groups = 35 channels_last hwio
        : (tensor<2x14x14x35xf32>, tensor<5x5x1x35xf32>) -> tensor<2x7x7x35xf32>
    %6 = hgc.relu %5 : tensor<2x7x7x35xf32>
    %7 = hgc.div %6, %sx : (tensor<2x7x7x35xf32>, tensor<f32>) -> tensor<2x7x7x35xf32>
    %8 = hgc.round %7 : tensor<2x7x7x35xf32>
    %9 = hgc.add %8, %zy : (tensor<2x7x7x35xf32>, tensor<f32>) -> tensor<2x7x7x35xf32>
    %10 = hgc.max %9, %lo : (tensor<2x7x7x35xf32>, tensor<f32>) -> tensor<2x7x7x35xf32>
    %11 = hgc.min %10, %hi : (tensor<2x7x7x35xf32>, tensor<f32>) -> tensor<2x7x7x35xf32>
    %12 = hgc.cast %11 to ui8 : (tensor<2x7x7x35xf32>) -> tensor<2x7x7x35xui8>
    return %12 : tensor<2x7x7x35xui8>
  }
  hgc.parameter @f_s8 : tensor<3x3x1x48xf32> = #hgc.init<uniform, seed = 48>
  func.func @s8(%q: tensor<1x15x20x48xi8>) -> tensor<1x15x20x48xi8> attributes {hgc.entry} {
    %zx = hgc.constant dense<-7> : tensor<i32>
    %zy = hgc.constant dense<-4.0> : tensor<f32>
    %lo = hgc.constant dense<-128.0> : tensor<f32>
    %hi = hgc.constant dense<127.0> : tensor<f32>
    %sx = hgc.constant dense<0.03125> : tensor<f32>
    %sw = hgc.constant dense<0.0078125> : tensor<f32>
    %s = hgc.constant dense<300.0> : tensor<f32>
    %0 = hgc.cast %q to i32 : (tensor<1x15x20x48xi8>) -> tensor<1x15x20x48xi32>
    %1 = hgc.sub %0, %zx : (tensor<1x15x20x48xi32>, tensor<i32>) -> tensor<1x15x20x48xi32>
    %2 = hgc.cast %1 to f32 : (tensor<1x15x20x48xi32>) -> tensor<1x15x20x48xf32>
    %x = hgc.mul %2, %sx : (tensor<1x15x20x48xf32>, tensor<f32>) -> tensor<1x15x20x48xf32>
    %r = hgc.read @f_s8 : tensor<3x3x1x48xf32>
    %m = hgc.mul %r, %s : (tensor<3x3x1x48xf32>, tensor<f32>) -> tensor<3x3x1x48xf32>
    %v = hgc.cast %m to i8 : (tensor<3x3x1x48xf32>) -> tensor<3x3x1x48xi8>
    %3 = hgc.cast %v to i32 : (tensor<3x3x1x48xi8>) -> tensor<3x3x1x48xi32>
    %4 = hgc.cast %3 to f32 : (tensor<3x3x1x48xi32>) -> tensor<3x3x1x48xf32>
    %w = hgc.mul %4, %sw : (tensor<3x3x1x48xf32>, tensor<f32>) -> tensor<3x3x1x48xf32>
    %5 = hgc.conv %x, %w strides = [1, 1] pads = [1, 1, 1, 1] groups = 48 channels_last hwio
        : (tensor<1x15x20x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x15x20x48xf32>
    %6 = hgc.relu %5 : tensor<1x15x20x48xf32>
    %7 = hgc.div %6, %sx : (tensor<1x15x20x48xf32>, tensor<f32>) -> tensor<1x15x20x48xf32>
    %8 = hgc.round %7 : tensor<1x15x20x48xf32>
    %9 = hgc.add %8, %zy : (tensor<1x15x20x48xf32>, tensor<f32>) -> tensor<1x15x20x48xf32>
    %10 = hgc.max %9, %lo : (tensor<1x15x20x48xf32>, tensor<f32>) -> tensor<1x15x20x48xf32>
    %11 = hgc.min %10, %hi : (tensor<1x15x20x48xf32>, tensor<f32>) -> tensor<1x15x20x48xf32>
    %12 = hgc.cast %11 to i8 : (tensor<1x15x20x48xf32>) -> tensor<1x15x20x48xi8>
    return %12 : tensor<1x15x20x48xi8>
  }
  hgc.parameter @f_s8b : tensor<3x3x1x16xf32> = #hgc.init<uniform, seed = 16>
  func.func @s8b(%q: tensor<1x12x12x16xi8>) -> tensor<1x6x6x16xi8> attributes {hgc.entry} {
    %zx = hgc.constant dense<0> : tensor<i32>
    %zy = hgc.constant dense<3.0> : tensor<f32>
    %lo = hgc.constant dense<-128.0> : tensor<f32>
    %hi = hgc.constant dense<127.0> : tensor<f32>
    %sx = hgc.constant dense<0.03125> : tensor<f32>
    %sw = hgc.constant dense<0.0078125> : tensor<f32>
    %s = hgc.constant dense<300.0> : tensor<f32>
    %0 = hgc.cast %q to i32 : (tensor<1x12x12x16xi8>) -> tensor<1x12x12x16xi32>
    %1 = hgc.sub %0, %zx : (tensor<1x12x12x16xi32>, tensor<i32>) -> tensor<1x12x12x16xi32>
    %2 = hgc.cast %1 to f32 : (tensor<1x12x12x16xi32>) -> tensor<1x12x12x16xf32>
    %x = hgc.mul %2, %sx : (tensor<1x12x12x16xf32>, tensor<f32>) -> tensor<1x12x12x16xf32>
    %r = hgc.read @f_s8b : tensor<3x3x1x16xf32>
    %m = hgc.mul %r, %s : (tensor<3x3x1x16xf32>, tensor<f32>) -> tensor<3x3x1x16xf32>
    %v = hgc.cast %m to i8 : (tensor<3x3x1x16xf32>) -> tensor<3x3x1x16xi8>
    %3 = hgc.cast %v to i32 : (tensor<3x3x1x16xi8>) -> tensor<3x3x1x16xi32>
    %4 = hgc.cast %3 to f32 : (tensor<3x3x1x16xi32>) -> tensor<3x3x1x16xf32>
    %w = hgc.mul %4, %sw : (tensor<3x3x1x16xf32>, tensor<f32>) -> tensor<3x3x1x16xf32>
    %5 = hgc.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] groups = 16 channels_last hwio
        : (tensor<1x12x12x16xf32>, tensor<3x3x1x16xf32>) -> tensor<1x6x6x16xf32>
    %6 = hgc.relu %5 : tensor<1x6x6x16xf32>
    %7 = hgc.div %6, %sx : (tensor<1x6x6x16xf32>, tensor<f32>) -> tensor<1x6x6x16xf32>
    %8 = hgc.round %7 : tensor<1x6x6x16xf32>
    %9 = hgc.add %8, %zy : (tensor<1x6x6x16xf32>, tensor<f32>) -> tensor<1x6x6x16xf32>
    %10 = hgc.max %9, %lo : (tensor<1x6x6x16xf32>, tensor<f32>) -> tensor<1x6x6x16xf32>
    %11 = hgc.min %10, %hi : (tensor<1x6x6x16xf32>, tensor<f32>) -> tensor<1x6x6x16xf32>
    %12 = hgc.cast %11 to i8 : (tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xi8>
    return %12 : tensor<1x6x6x16xi8>
  }

  // One after the other.
  func.func @chain(%q: tensor<1x17x19x32xui8>) -> tensor<1x9x10x32xui8> attributes {hgc.entry} {
    %zx = hgc.constant dense<117> : tensor<i32>
    %zf = hgc.constant dense<117.0> : tensor<f32>
    %lo = hgc.constant dense<0.0> : tensor<f32>
    %hi = hgc.constant dense<255.0> : tensor<f32>
    %sx = hgc.constant dense<0.03125> : tensor<f32>
    %sw = hgc.constant dense<0.0078125> : tensor<f32>
    %s = hgc.constant dense<300.0> : tensor<f32>
    %r = hgc.read @f_u8 : tensor<3x3x1x32xf32>
    %m = hgc.mul %r, %s : (tensor<3x3x1x32xf32>, tensor<f32>) -> tensor<3x3x1x32xf32>
    %v = hgc.cast %m to i8 : (tensor<3x3x1x32xf32>) -> tensor<3x3x1x32xi8>
    %3 = hgc.cast %v to i32 : (tensor<3x3x1x32xi8>) -> tensor<3x3x1x32xi32>
    %4 = hgc.cast %3 to f32 : (tensor<3x3x1x32xi32>) -> tensor<3x3x1x32xf32>
    %w = hgc.mul %4, %sw : (tensor<3x3x1x32xf32>, tensor<f32>) -> tensor<3x3x1x32xf32>
    %a0 = hgc.cast %q to i32 : (tensor<1x17x19x32xui8>) -> tensor<1x17x19x32xi32>
    %b0 = hgc.sub %a0, %zx : (tensor<1x17x19x32xi32>, tensor<i32>) -> tensor<1x17x19x32xi32>
    %c0 = hgc.cast %b0 to f32 : (tensor<1x17x19x32xi32>) -> tensor<1x17x19x32xf32>
    %x0 = hgc.mul %c0, %sx : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %y0 = hgc.conv %x0, %w strides = [1, 1] pads = [1, 1, 1, 1] groups = 32 channels_last hwio
        : (tensor<1x17x19x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x17x19x32xf32>
    %d0 = hgc.div %y0, %sx : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %r0 = hgc.round %d0 : tensor<1x17x19x32xf32>
    %s0 = hgc.add %r0, %zf : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %l0 = hgc.max %s0, %lo : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %h0 = hgc.min %l0, %hi : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %q0 = hgc.cast %h0 to ui8 : (tensor<1x17x19x32xf32>) -> tensor<1x17x19x32xui8>
    %a1 = hgc.cast %q0 to i32 : (tensor<1x17x19x32xui8>) -> tensor<1x17x19x32xi32>
    %b1 = hgc.sub %a1, %zx : (tensor<1x17x19x32xi32>, tensor<i32>) -> tensor<1x17x19x32xi32>
    %c1 = hgc.cast %b1 to f32 : (tensor<1x17x19x32xi32>) -> tensor<1x17x19x32xf32>
    %x1 = hgc.mul %c1, %sx : (tensor<1x17x19x32xf32>, tensor<f32>) -> tensor<1x17x19x32xf32>
    %y1 = hgc.conv %x1, %w strides = [2, 2] pads = [1, 1, 1, 1] groups = 32 channels_last hwio
        : (tensor<1x17x19x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x9x10x32xf32>
    %d1 = hgc.div %y1, %sx : (tensor<1x9x10x32xf32>, tensor<f32>) -> tensor<1x9x10x32xf32>
    %r1 = hgc.round %d1 : tensor<1x9x10x32xf32>
    %s1 = hgc.add %r1, %zf : (tensor<1x9x10x32xf32>, tensor<f32>) -> tensor<1x9x10x32xf32>
    %l1 = hgc.max %s1, %lo : (tensor<1x9x10x32xf32>, tensor<f32>) -> tensor<1x9x10x32xf32>
    %h1 = hgc.min %l1, %hi : (tensor<1x9x10x32xf32>, tensor<f32>) -> tensor<1x9x10x32xf32>
    %q1 = hgc.cast %h1 to ui8 : (tensor<1x9x10x32xf32>) -> tensor<1x9x10x32xui8>
    return %q1 : tensor<1x9x10x32xui8>
  }
}
