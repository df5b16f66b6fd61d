// Convolutions in each form that the CPU has, on images of one to nine pixels and more,
// with one to a hundred channels, several images, groups and uneven padding. Results
// agree with the evaluator's, and are the same for every number of threads.
// RUN: hgc compile %s --verify --force-conv=winograd2 --arena=separate -o %t.so 2>&1 | FileCheck %s --check-prefix=SQUARES -DFORM=winograd2
// RUN: hgc run %t.so --num-threads=1 --output=result4=@%t.4.npy --output=result9=@%t.9.npy
// RUN: hgc run %t.so --num-threads=2 --expect=result4=@%t.4.npy --expect=result9=@%t.9.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --force-conv=winograd4 -o %t.so 2>&1 | FileCheck %s --check-prefix=SQUARES -DFORM=winograd4
// RUN: hgc run %t.so --num-threads=1 --output=result4=@%t.4.npy --output=result9=@%t.9.npy
// RUN: hgc run %t.so --num-threads=2 --expect=result4=@%t.4.npy --expect=result9=@%t.9.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --num-threads=5 --expect=result4=@%t.4.npy --expect=result9=@%t.9.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --force-conv=winograd2-compact --arena=separate -o %t.so 2>&1 | FileCheck %s --check-prefix=SQUARES -DFORM=winograd2-compact
// RUN: hgc compile %s --verify --force-conv=winograd4-compact -o %t.so 2>&1 | FileCheck %s --check-prefix=SQUARES -DFORM=winograd4-compact
// RUN: hgc run %t.so --num-threads=1 --output=result4=@%t.4.npy --output=result9=@%t.9.npy
// RUN: hgc run %t.so --num-threads=2 --expect=result4=@%t.4.npy --expect=result9=@%t.9.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --num-threads=5 --expect=result4=@%t.4.npy --expect=result9=@%t.9.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd4-compact -o %t.so 2>&1 | FileCheck %s --check-prefix=SQUARES -DFORM=winograd4-compact
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd4 -o %t.so 2>&1 | FileCheck %s --check-prefix=SQUARES -DFORM=winograd4
// RUN: hgc compile %s --verify --force-conv=direct -o %t.so 2>&1 | count 0
// RUN: hgc compile %s --verify --force-conv=gemm -o %t.so 2>&1 | FileCheck %s --check-prefix=GEMM
// RUN: hgc compile %s --verify --force-conv=depthwise -o %t.so 2>&1 | FileCheck %s --check-prefix=DEPTHWISE
// RUN: hgc compile %s --verify --force-conv=generic -o %t.so 2>&1 | count 0

// SQUARES:   warning: 2 of 12 convolutions cannot have the form '[[FORM]]'
// GEMM:      warning: 11 of 12 convolutions cannot have the form 'gemm'
// DEPTHWISE: warning: 11 of 12 convolutions cannot have the form 'depthwise'

module @forms {
  hgc.parameter @w0 : tensor<3x3x1x1xf32> = #hgc.init<normal, seed = 10>
  hgc.parameter @w1 : tensor<3x3x3x17xf32> = #hgc.init<normal, seed = 11>
  hgc.parameter @w2 : tensor<3x3x17x64xf32> = #hgc.init<normal, seed = 12>
  hgc.parameter @w3 : tensor<3x3x64x100xf32> = #hgc.init<normal, seed = 13>
  hgc.parameter @w4 : tensor<3x3x100x17xf32> = #hgc.init<normal, seed = 14>
  hgc.parameter @w5 : tensor<3x3x3x34xf32> = #hgc.init<normal, seed = 15>
  hgc.parameter @w6 : tensor<3x3x64x64xf32> = #hgc.init<normal, seed = 16>
  hgc.parameter @b6 : tensor<64xf32> = #hgc.init<normal, seed = 26>
  hgc.parameter @w7 : tensor<3x3x16x1xf32> = #hgc.init<normal, seed = 17>
  hgc.parameter @w8 : tensor<3x3x20x24xf32> = #hgc.init<normal, seed = 18>
  hgc.parameter @w9 : tensor<3x3x8x40xf32> = #hgc.init<normal, seed = 19>
  hgc.parameter @w10 : tensor<1x1x17x18xf32> = #hgc.init<normal, seed = 20>
  hgc.parameter @w11 : tensor<3x3x1x20xf32> = #hgc.init<normal, seed = 21>
  func.func @forms(%x0: tensor<1x1x1x1xf32>, %x1: tensor<1x2x3x3xf32>, %x2: tensor<3x4x5x17xf32>, %x3: tensor<1x9x9x64xf32>,
                   %x4: tensor<3x7x8x100xf32>, %x5: tensor<1x6x6x6xf32>, %x6: tensor<1x5x9x64xf32>, %x7: tensor<2x8x3x16xf32>,
                   %x8: tensor<1x3x3x20xf32>, %x9: tensor<1x41x43x8xf32>, %x10: tensor<1x4x4x17xf32>, %x11: tensor<1x4x4x20xf32>)
      -> (tensor<1x1x1x1xf32>, tensor<1x2x3x17xf32>, tensor<3x4x6x64xf32>, tensor<1x9x9x100xf32>, tensor<3x5x6x17xf32>,
          tensor<1x6x6x34xf32>, tensor<1x5x9x64xf32>, tensor<2x8x3x1xf32>, tensor<1x1x1x24xf32>, tensor<1x41x43x40xf32>,
          tensor<1x4x4x18xf32>, tensor<1x4x4x20xf32>) attributes {hgc.entry} {
    %w0 = hgc.read @w0 : tensor<3x3x1x1xf32>
    %w1 = hgc.read @w1 : tensor<3x3x3x17xf32>
    %w2 = hgc.read @w2 : tensor<3x3x17x64xf32>
    %w3 = hgc.read @w3 : tensor<3x3x64x100xf32>
    %w4 = hgc.read @w4 : tensor<3x3x100x17xf32>
    %w5 = hgc.read @w5 : tensor<3x3x3x34xf32>
    %w6 = hgc.read @w6 : tensor<3x3x64x64xf32>
    %b6 = hgc.read @b6 : tensor<64xf32>
    %w7 = hgc.read @w7 : tensor<3x3x16x1xf32>
    %w8 = hgc.read @w8 : tensor<3x3x20x24xf32>
    %w9 = hgc.read @w9 : tensor<3x3x8x40xf32>
    %w10 = hgc.read @w10 : tensor<1x1x17x18xf32>
    %w11 = hgc.read @w11 : tensor<3x3x1x20xf32>
    %0 = hgc.conv %x0, %w0 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x1x1x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x1x1x1xf32>
    %1 = hgc.conv %x1, %w1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x2x3x3xf32>, tensor<3x3x3x17xf32>) -> tensor<1x2x3x17xf32>
    // More padding on one side than the window is wide.
    %2 = hgc.conv %x2, %w2 pads = [0, 3, 2, 0] channels_last hwio : (tensor<3x4x5x17xf32>, tensor<3x3x17x64xf32>) -> tensor<3x4x6x64xf32>
    %3 = hgc.conv %x3, %w3 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x9x9x64xf32>, tensor<3x3x64x100xf32>) -> tensor<1x9x9x100xf32>
    %4 = hgc.conv %x4, %w4 channels_last hwio : (tensor<3x7x8x100xf32>, tensor<3x3x100x17xf32>) -> tensor<3x5x6x17xf32>
    %5 = hgc.conv %x5, %w5 pads = [1, 1, 1, 1] groups = 2 channels_last hwio : (tensor<1x6x6x6xf32>, tensor<3x3x3x34xf32>) -> tensor<1x6x6x34xf32>
    // Bias, residual and activation follow in the same kernel.
    %6 = hgc.conv %x6, %w6 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x5x9x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x5x9x64xf32>
    %60 = hgc.add %6, %b6 : (tensor<1x5x9x64xf32>, tensor<64xf32>) -> tensor<1x5x9x64xf32>
    %61 = hgc.add %60, %x6 : (tensor<1x5x9x64xf32>, tensor<1x5x9x64xf32>) -> tensor<1x5x9x64xf32>
    %62 = hgc.relu %61 : tensor<1x5x9x64xf32>
    %7 = hgc.conv %x7, %w7 pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x8x3x16xf32>, tensor<3x3x16x1xf32>) -> tensor<2x8x3x1xf32>
    %8 = hgc.conv %x8, %w8 channels_last hwio : (tensor<1x3x3x20xf32>, tensor<3x3x20x24xf32>) -> tensor<1x1x1x24xf32>
    %9 = hgc.conv %x9, %w9 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x41x43x8xf32>, tensor<3x3x8x40xf32>) -> tensor<1x41x43x40xf32>
    %10 = hgc.conv %x10, %w10 channels_last hwio : (tensor<1x4x4x17xf32>, tensor<1x1x17x18xf32>) -> tensor<1x4x4x18xf32>
    %11 = hgc.conv %x11, %w11 pads = [1, 1, 1, 1] groups = 20 channels_last hwio : (tensor<1x4x4x20xf32>, tensor<3x3x1x20xf32>) -> tensor<1x4x4x20xf32>
    return %0, %1, %2, %3, %4, %5, %62, %7, %8, %9, %10, %11 : tensor<1x1x1x1xf32>, tensor<1x2x3x17xf32>, tensor<3x4x6x64xf32>, tensor<1x9x9x100xf32>,
        tensor<3x5x6x17xf32>, tensor<1x6x6x34xf32>, tensor<1x5x9x64xf32>, tensor<2x8x3x1xf32>, tensor<1x1x1x24xf32>, tensor<1x41x43x40xf32>,
        tensor<1x4x4x18xf32>, tensor<1x4x4x20xf32>
  }
}
