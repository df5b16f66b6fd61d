// Products and convolutions on tensor cores for tf32, in the forms that differ in
// code: results agree with the evaluator's within the bound of tf32, and the
// emulator finds nothing. Where there is no such tensor core, f32 stays exact.
// RUN: hgc compile %s --gpu sm_80 --allow-tf32 '--place=gpu(.*)' --device emulated --strict-placement --verify -o %t.so
// RUN: hgc compile %s --gpu sm_90 --allow-tf32 '--place=gpu(.*)' --device emulated:h100 --strict-placement --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_75 --allow-tf32 '--place=gpu(.*)' --device emulated:t4 --strict-placement --verify -o %t.so 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: warning: tf32 is allowed

// What is allowed is seen at every stage.
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --allow-tf32 --emit=graph | FileCheck %s --check-prefix=STAGE
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --allow-tf32 --emit=fused | FileCheck %s --check-prefix=STAGE
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --allow-tf32 --emit=exec | FileCheck %s --check-prefix=STAGE
// STAGE: module @tf32 attributes {{.*}}hgc.allow_tf32

// The exact kernels would be found out: rounding shows.
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --allow-tf32 -o %t.tf32.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' -o %t.exact.so
// RUN: hgc run %t.tf32.so --entry odd --device emulated --seed 3 > %t.tf32.txt
// RUN: hgc run %t.exact.so --entry odd --device emulated --seed 3 > %t.exact.txt
// RUN: not cmp %t.tf32.txt %t.exact.txt

module @tf32 {
  func.func @odd(%a: tensor<131x77xf32>, %b: tensor<77x93xf32>) -> tensor<131x93xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<131x77xf32>, tensor<77x93xf32>) -> tensor<131x93xf32>
    return %0 : tensor<131x93xf32>
  }
  func.func @plain(%a: tensor<256x128xf32>, %b: tensor<128x384xf32>) -> tensor<256x384xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<256x128xf32>, tensor<128x384xf32>) -> tensor<256x384xf32>
    return %0 : tensor<256x384xf32>
  }
  func.func @small(%a: tensor<48x64xf32>, %b: tensor<64x96xf32>) -> tensor<48x96xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<48x64xf32>, tensor<64x96xf32>) -> tensor<48x96xf32>
    return %0 : tensor<48x96xf32>
  }
  func.func @rows(%a: tensor<136x132xf32>, %b: tensor<136x260xf32>) -> tensor<132x260xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b transpose_lhs : (tensor<136x132xf32>, tensor<136x260xf32>) -> tensor<132x260xf32>
    return %0 : tensor<132x260xf32>
  }
  func.func @depths(%a: tensor<129x100xf32>, %b: tensor<67x100xf32>) -> tensor<129x67xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b transpose_rhs : (tensor<129x100xf32>, tensor<67x100xf32>) -> tensor<129x67xf32>
    return %0 : tensor<129x67xf32>
  }
  func.func @both(%a: tensor<100x36xf32>, %b: tensor<40x100xf32>) -> tensor<36x40xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b transpose_lhs transpose_rhs : (tensor<100x36xf32>, tensor<40x100xf32>) -> tensor<36x40xf32>
    return %0 : tensor<36x40xf32>
  }
  func.func @batch(%a: tensor<3x2x70x40xf32>, %b: tensor<2x40x50xf32>) -> tensor<3x2x70x50xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<3x2x70x40xf32>, tensor<2x40x50xf32>) -> tensor<3x2x70x50xf32>
    return %0 : tensor<3x2x70x50xf32>
  }
  func.func @shares(%a: tensor<64x4100xf32>, %b: tensor<4100x64xf32>) -> tensor<64x64xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<64x4100xf32>, tensor<4100x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
  func.func @square(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
  func.func @skinny(%a: tensor<5x300xf32>, %b: tensor<300x200xf32>) -> tensor<5x200xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<5x300xf32>, tensor<300x200xf32>) -> tensor<5x200xf32>
    return %0 : tensor<5x200xf32>
  }
  func.func @epilogue(%a: tensor<130x64xf32>, %b: tensor<64x72xf32>, %c: tensor<72xf32>, %r: tensor<130x72xf32>) -> tensor<130x72xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<130x64xf32>, tensor<64x72xf32>) -> tensor<130x72xf32>
    %1 = hgc.add %0, %c : (tensor<130x72xf32>, tensor<72xf32>) -> tensor<130x72xf32>
    %2 = hgc.gelu %1 : tensor<130x72xf32>
    %3 = hgc.add %2, %r : (tensor<130x72xf32>, tensor<130x72xf32>) -> tensor<130x72xf32>
    return %3 : tensor<130x72xf32>
  }
  func.func @windows(%x: tensor<2x13x11x20xf32>, %w: tensor<3x3x20x36xf32>) -> tensor<2x13x11x36xf32> attributes {hgc.entry} {
    %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] groups = 1 channels_last hwio : (tensor<2x13x11x20xf32>, tensor<3x3x20x36xf32>) -> tensor<2x13x11x36xf32>
    return %0 : tensor<2x13x11x36xf32>
  }
  func.func @strides(%x: tensor<2x15x15x6xf32>, %w: tensor<5x5x6x18xf32>) -> tensor<2x6x6x18xf32> attributes {hgc.entry} {
    %0 = hgc.conv %x, %w strides = [2, 2] groups = 1 channels_last hwio : (tensor<2x15x15x6xf32>, tensor<5x5x6x18xf32>) -> tensor<2x6x6x18xf32>
    return %0 : tensor<2x6x6x18xf32>
  }
  func.func @first(%x: tensor<2x3x20x20xf32>, %w: tensor<24x3x7x7xf32>) -> tensor<2x24x10x10xf32> attributes {hgc.entry} {
    %0 = hgc.conv %x, %w strides = [2, 2] pads = [3, 3, 3, 3] groups = 1 channels_first oihw : (tensor<2x3x20x20xf32>, tensor<24x3x7x7xf32>) -> tensor<2x24x10x10xf32>
    return %0 : tensor<2x24x10x10xf32>
  }
  func.func @groups(%x: tensor<2x10x10x48xf32>, %w: tensor<3x3x24x64xf32>) -> tensor<2x10x10x64xf32> attributes {hgc.entry} {
    %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] groups = 2 channels_last hwio : (tensor<2x10x10x48xf32>, tensor<3x3x24x64xf32>) -> tensor<2x10x10x64xf32>
    return %0 : tensor<2x10x10x64xf32>
  }
  func.func @points(%x: tensor<2x8x8x64xf32>, %w: tensor<1x1x64x48xf32>) -> tensor<2x8x8x48xf32> attributes {hgc.entry} {
    %0 = hgc.conv %x, %w groups = 1 channels_last hwio : (tensor<2x8x8x64xf32>, tensor<1x1x64x48xf32>) -> tensor<2x8x8x48xf32>
    return %0 : tensor<2x8x8x48xf32>
  }
}
