// Contractions of i8 by weights that are known, in panels whose rows hold two or four
// elements of the depth: depths, rows and columns that leave rests, weights of -128 and 127,
// convolutions with few and many channels. Sums are exact, so results are the evaluator's, and the
// same for every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc compile %s --verify --arena=separate --target-cpu=native -o %t.so
// RUN: hgc run %t.so --entry=products --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy
// RUN: hgc run %t.so --entry=products --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu x86-64-v2 -o %t.so
// RUN: hgc compile %s --verify --gpu=sm_80 --device=emulated --strict-placement '--place=gpu(.*)' -o %t.so
// RUN: hgc compile %s --emit=asm --target-cpu sapphirerapids -o - | FileCheck %s --check-prefix=DOTS
// RUN: hgc compile %s --emit=asm --target-cpu x86-64-v3 -o - | FileCheck %s --check-prefix=PAIRS
// RUN: hgc compile %s --emit=asm --target-cpu x86-64-v4 -o - | FileCheck %s --check-prefix=LONG
// RUN: hgc compile %s --emit=obj --target-cpu armv8-a -o %t.o

// DOTS: vpdpbusd {{.*}}%zmm
// PAIRS-NOT: vpdpbusd
// PAIRS: vpmaddwd {{.*}}%ymm
// LONG: vpmaddwd {{.*}}%zmm

module @integers {
  hgc.parameter @w0 : tensor<97x70xf32> = #hgc.init<uniform, seed = 0>
  hgc.parameter @w1 : tensor<3x130xf32> = #hgc.init<uniform, seed = 1>
  hgc.parameter @w2 : tensor<40x514xf32> = #hgc.init<uniform, seed = 2>
  hgc.parameter @w3 : tensor<300x1024xf32> = #hgc.init<uniform, seed = 3>
  hgc.parameter @f0 : tensor<1x1x26x20xf32> = #hgc.init<uniform, seed = 4>
  hgc.parameter @f1 : tensor<3x3x3x34xf32> = #hgc.init<uniform, seed = 5>
  hgc.parameter @f2 : tensor<3x3x8x40xf32> = #hgc.init<uniform, seed = 6>
  hgc.parameter @f3 : tensor<3x3x6x40xf32> = #hgc.init<uniform, seed = 7>
  hgc.parameter @f4 : tensor<3x3x1x36xf32> = #hgc.init<uniform, seed = 8>
  func.func @products(%x0: tensor<67x97xi8>, %x1: tensor<5x13x3xi8>, %x2: tensor<1x514xi8>, %x3: tensor<30x1024xi8>)
      -> (tensor<67x70xi32>, tensor<5x13x130xi32>, tensor<1x40xi32>, tensor<30x300xi32>) attributes {hgc.entry} {
    %s = hgc.constant dense<300.0> : tensor<f32>
    %r0 = hgc.read @w0 : tensor<97x70xf32>
    %m0 = hgc.mul %r0, %s : (tensor<97x70xf32>, tensor<f32>) -> tensor<97x70xf32>
    %w0 = hgc.cast %m0 to i8 : (tensor<97x70xf32>) -> tensor<97x70xi8>
    %0 = hgc.matmul %x0, %w0 : (tensor<67x97xi8>, tensor<97x70xi8>) -> tensor<67x70xi32>
    %r1 = hgc.read @w1 : tensor<3x130xf32>
    %m1 = hgc.mul %r1, %s : (tensor<3x130xf32>, tensor<f32>) -> tensor<3x130xf32>
    %w1 = hgc.cast %m1 to i8 : (tensor<3x130xf32>) -> tensor<3x130xi8>
    %1 = hgc.matmul %x1, %w1 : (tensor<5x13x3xi8>, tensor<3x130xi8>) -> tensor<5x13x130xi32>
    %r2 = hgc.read @w2 : tensor<40x514xf32>
    %m2 = hgc.mul %r2, %s : (tensor<40x514xf32>, tensor<f32>) -> tensor<40x514xf32>
    %w2 = hgc.cast %m2 to i8 : (tensor<40x514xf32>) -> tensor<40x514xi8>
    %2 = hgc.matmul %x2, %w2 transpose_rhs : (tensor<1x514xi8>, tensor<40x514xi8>) -> tensor<1x40xi32>
    %r3 = hgc.read @w3 : tensor<300x1024xf32>
    %m3 = hgc.mul %r3, %s : (tensor<300x1024xf32>, tensor<f32>) -> tensor<300x1024xf32>
    %w3 = hgc.cast %m3 to i8 : (tensor<300x1024xf32>) -> tensor<300x1024xi8>
    %3 = hgc.matmul %x3, %w3 transpose_rhs : (tensor<30x1024xi8>, tensor<300x1024xi8>) -> tensor<30x300xi32>
    return %0, %1, %2, %3 : tensor<67x70xi32>, tensor<5x13x130xi32>, tensor<1x40xi32>, tensor<30x300xi32>
  }
  func.func @convolutions(%x0: tensor<2x9x11x26xi8>, %x1: tensor<1x15x17x3xi8>, %x2: tensor<1x10x9x8xi8>,
      %x3: tensor<1x12x13x12xi8>, %x4: tensor<1x9x10x36xi8>)
      -> (tensor<2x9x11x20xi32>, tensor<1x8x9x34xi32>, tensor<1x10x9x40xi32>, tensor<1x8x9x40xi32>,
          tensor<1x5x5x36xi32>) attributes {hgc.entry} {
    %s = hgc.constant dense<300.0> : tensor<f32>
    %r0 = hgc.read @f0 : tensor<1x1x26x20xf32>
    %m0 = hgc.mul %r0, %s : (tensor<1x1x26x20xf32>, tensor<f32>) -> tensor<1x1x26x20xf32>
    %w0 = hgc.cast %m0 to i8 : (tensor<1x1x26x20xf32>) -> tensor<1x1x26x20xi8>
    %0 = hgc.conv %x0, %w0 channels_last hwio : (tensor<2x9x11x26xi8>, tensor<1x1x26x20xi8>) -> tensor<2x9x11x20xi32>
    %r1 = hgc.read @f1 : tensor<3x3x3x34xf32>
    %m1 = hgc.mul %r1, %s : (tensor<3x3x3x34xf32>, tensor<f32>) -> tensor<3x3x3x34xf32>
    %w1 = hgc.cast %m1 to i8 : (tensor<3x3x3x34xf32>) -> tensor<3x3x3x34xi8>
    %1 = hgc.conv %x1, %w1 strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x15x17x3xi8>, tensor<3x3x3x34xi8>) -> tensor<1x8x9x34xi32>
    %r2 = hgc.read @f2 : tensor<3x3x8x40xf32>
    %m2 = hgc.mul %r2, %s : (tensor<3x3x8x40xf32>, tensor<f32>) -> tensor<3x3x8x40xf32>
    %w2 = hgc.cast %m2 to i8 : (tensor<3x3x8x40xf32>) -> tensor<3x3x8x40xi8>
    %2 = hgc.conv %x2, %w2 pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x10x9x8xi8>, tensor<3x3x8x40xi8>) -> tensor<1x10x9x40xi32>
    %r3 = hgc.read @f3 : tensor<3x3x6x40xf32>
    %m3 = hgc.mul %r3, %s : (tensor<3x3x6x40xf32>, tensor<f32>) -> tensor<3x3x6x40xf32>
    %w3 = hgc.cast %m3 to i8 : (tensor<3x3x6x40xf32>) -> tensor<3x3x6x40xi8>
    %3 = hgc.conv %x3, %w3 dilations = [2, 2] groups = 2 channels_last hwio
        : (tensor<1x12x13x12xi8>, tensor<3x3x6x40xi8>) -> tensor<1x8x9x40xi32>
    %r4 = hgc.read @f4 : tensor<3x3x1x36xf32>
    %m4 = hgc.mul %r4, %s : (tensor<3x3x1x36xf32>, tensor<f32>) -> tensor<3x3x1x36xf32>
    %w4 = hgc.cast %m4 to i8 : (tensor<3x3x1x36xf32>) -> tensor<3x3x1x36xi8>
    %4 = hgc.conv %x4, %w4 strides = [2, 2] pads = [1, 1, 1, 1] groups = 36 channels_last hwio
        : (tensor<1x9x10x36xi8>, tensor<3x3x1x36xi8>) -> tensor<1x5x5x36xi32>
    return %0, %1, %2, %3, %4 : tensor<2x9x11x20xi32>, tensor<1x8x9x34xi32>, tensor<1x10x9x40xi32>,
        tensor<1x8x9x40xi32>, tensor<1x5x5x36xi32>
  }
}
