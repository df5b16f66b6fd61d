// Models of whose tensors only parts are read, on both devices against the evaluator, which computes
// everything: a token of an encoder, the last one of a decoder, parts of products, windows, indices.
//
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc compile %s --verify -O0 -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device=emulated --verify --strict-placement --arena=separate -o %t.so
//
// What is read is all that is computed: no kernel makes 12 rows of the last layer.
// RUN: hgc compile %s --emit=graph | FileCheck %s
// CHECK-LABEL: @encoder
// CHECK:         hgc.softmax {{.*}} : tensor<2x2x1x12xf32>
// CHECK-NOT:     -> tensor<2x12x16xf32>
// CHECK:         return

module @narrow {
  hgc.parameter @qkv : tensor<16x48xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @out : tensor<16x16xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @up : tensor<16x32xf32> = #hgc.init<glorot_uniform, seed = 3>
  hgc.parameter @down : tensor<32x16xf32> = #hgc.init<glorot_uniform, seed = 4>
  hgc.parameter @scale : tensor<16xf32> = #hgc.init<uniform, seed = 5>
  hgc.parameter @head : tensor<16x100xf32> = #hgc.init<glorot_uniform, seed = 6>
  hgc.parameter @filter : tensor<8x4x3x3xf32> = #hgc.init<glorot_uniform, seed = 7>

  func.func @encoder(%x: tensor<2x12x16xf32>) -> tensor<2x16xf32> attributes {hgc.entry} {
    %s = hgc.read @scale : tensor<16xf32>
    %wi = hgc.read @qkv : tensor<16x48xf32>
    %wo = hgc.read @out : tensor<16x16xf32>
    %wu = hgc.read @up : tensor<16x32xf32>
    %wd = hgc.read @down : tensor<32x16xf32>
    %p = hgc.matmul %x, %wi : (tensor<2x12x16xf32>, tensor<16x48xf32>) -> tensor<2x12x48xf32>
    %h = hgc.reshape %p shape [2, 12, 3, 2, 8] : (tensor<2x12x48xf32>) -> tensor<2x12x3x2x8xf32>
    %t = hgc.transpose %h permutation = [2, 0, 3, 1, 4] : (tensor<2x12x3x2x8xf32>) -> tensor<3x2x2x12x8xf32>
    %c0 = hgc.constant dense<0> : tensor<i64>
    %c1 = hgc.constant dense<1> : tensor<i64>
    %c2 = hgc.constant dense<2> : tensor<i64>
    %q = hgc.gather %t, %c0 axis 0 : (tensor<3x2x2x12x8xf32>, tensor<i64>) -> tensor<2x2x12x8xf32>
    %k = hgc.gather %t, %c1 axis 0 : (tensor<3x2x2x12x8xf32>, tensor<i64>) -> tensor<2x2x12x8xf32>
    %v = hgc.gather %t, %c2 axis 0 : (tensor<3x2x2x12x8xf32>, tensor<i64>) -> tensor<2x2x12x8xf32>
    %0 = hgc.matmul %q, %k transpose_rhs : (tensor<2x2x12x8xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x12xf32>
    %1 = hgc.softmax %0 axis 3 : tensor<2x2x12x12xf32>
    %2 = hgc.matmul %1, %v : (tensor<2x2x12x12xf32>, tensor<2x2x12x8xf32>) -> tensor<2x2x12x8xf32>
    %3 = hgc.transpose %2 permutation = [0, 2, 1, 3] : (tensor<2x2x12x8xf32>) -> tensor<2x12x2x8xf32>
    %4 = hgc.reshape %3 shape [2, 12, 16] : (tensor<2x12x2x8xf32>) -> tensor<2x12x16xf32>
    %5 = hgc.matmul %4, %wo : (tensor<2x12x16xf32>, tensor<16x16xf32>) -> tensor<2x12x16xf32>
    %d = hgc.dropout %5 rate 1.0e-01 : tensor<2x12x16xf32>
    %6 = hgc.add %d, %x : (tensor<2x12x16xf32>, tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %7 = hgc.layer_norm %6, %s, %s axis 2 epsilon 1.0e-05 : (tensor<2x12x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x12x16xf32>
    %8 = hgc.matmul %7, %wu : (tensor<2x12x16xf32>, tensor<16x32xf32>) -> tensor<2x12x32xf32>
    %9 = hgc.gelu %8 : tensor<2x12x32xf32>
    %10 = hgc.matmul %9, %wd : (tensor<2x12x32xf32>, tensor<32x16xf32>) -> tensor<2x12x16xf32>
    %11 = hgc.add %10, %6 : (tensor<2x12x16xf32>, tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
    %12 = hgc.layer_norm %11, %s, %s axis 2 epsilon 1.0e-05 : (tensor<2x12x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x12x16xf32>
    %13 = hgc.gather %12, %c0 axis 1 : (tensor<2x12x16xf32>, tensor<i64>) -> tensor<2x16xf32>
    return %13 : tensor<2x16xf32>
  }

  func.func @decoder(%q: tensor<2x9x16xf32>, %k: tensor<2x9x16xf32>, %m: tensor<9x9xi1>) -> (tensor<2x1x100xf32>, tensor<2x3x5xf32>, tensor<2x1x16xf32>) attributes {hgc.entry} {
    %w = hgc.read @head : tensor<16x100xf32>
    %0 = hgc.attention %q, %k, %k causal : (tensor<2x9x16xf32>, tensor<2x9x16xf32>, tensor<2x9x16xf32>) -> tensor<2x9x16xf32>
    %1 = hgc.matmul %0, %w : (tensor<2x9x16xf32>, tensor<16x100xf32>) -> tensor<2x9x100xf32>
    %2 = hgc.slice %1 starts = [0, 8, 0] sizes = [2, 1, 100] : (tensor<2x9x100xf32>) -> tensor<2x1x100xf32>
    %3 = hgc.attention %q, %k, %k scale = 0.5 causal : (tensor<2x9x16xf32>, tensor<2x9x16xf32>, tensor<2x9x16xf32>) -> tensor<2x9x16xf32>
    %4 = hgc.slice %3 starts = [0, 5, 10] sizes = [2, 3, 5] strides = [1, -2, 1] : (tensor<2x9x16xf32>) -> tensor<2x3x5xf32>
    %i = hgc.iota shape [9, 9] axis 1 of i32 : tensor<9x9xi32>
    %c = hgc.constant dense<0> : tensor<i32>
    %z = hgc.compare eq %i, %c : (tensor<9x9xi32>, tensor<i32>) -> tensor<9x9xi1>
    %n = hgc.or %m, %z : (tensor<9x9xi1>, tensor<9x9xi1>) -> tensor<9x9xi1>
    %5 = hgc.attention %q, %k, %k mask %n causal : (tensor<2x9x16xf32>, tensor<2x9x16xf32>, tensor<2x9x16xf32>, tensor<9x9xi1>) -> tensor<2x9x16xf32>
    %6 = hgc.slice %5 starts = [0, 4, 0] sizes = [2, 1, 16] : (tensor<2x9x16xf32>) -> tensor<2x1x16xf32>
    return %2, %4, %6 : tensor<2x1x100xf32>, tensor<2x3x5xf32>, tensor<2x1x16xf32>
  }

  func.func @products(%x: tensor<7x16xf32>, %a: tensor<4x32x8xf32>, %b: tensor<1x24x32xf32>) -> (tensor<7x3xf32>, tensor<7x100xf32>, tensor<2x2x5xf32>, tensor<7x2x3xf32>) attributes {hgc.entry} {
    // Both a part of the columns and all of them.
    %w = hgc.read @head : tensor<16x100xf32>
    %0 = hgc.matmul %x, %w : (tensor<7x16xf32>, tensor<16x100xf32>) -> tensor<7x100xf32>
    %r = hgc.relu %x : tensor<7x16xf32>
    %1 = hgc.matmul %r, %w : (tensor<7x16xf32>, tensor<16x100xf32>) -> tensor<7x100xf32>
    %2 = hgc.slice %1 starts = [0, 40] sizes = [7, 3] strides = [1, 7] : (tensor<7x100xf32>) -> tensor<7x3xf32>
    %3 = hgc.matmul %a, %b transpose_lhs transpose_rhs : (tensor<4x32x8xf32>, tensor<1x24x32xf32>) -> tensor<4x8x24xf32>
    %4 = hgc.slice %3 starts = [1, 4, 3] sizes = [2, 2, 5] strides = [2, 1, 4] : (tensor<4x8x24xf32>) -> tensor<2x2x5xf32>
    %u = hgc.read @up : tensor<16x32xf32>
    %5 = hgc.matmul %x, %u : (tensor<7x16xf32>, tensor<16x32xf32>) -> tensor<7x32xf32>
    %6 = hgc.reshape %5 shape [7, 8, 4] : (tensor<7x32xf32>) -> tensor<7x8x4xf32>
    %7 = hgc.sigmoid %6 : tensor<7x8x4xf32>
    %8 = hgc.slice %7 starts = [0, 2, 1] sizes = [7, 2, 3] : (tensor<7x8x4xf32>) -> tensor<7x2x3xf32>
    return %2, %0, %4, %8 : tensor<7x3xf32>, tensor<7x100xf32>, tensor<2x2x5xf32>, tensor<7x2x3xf32>
  }

  func.func @windows(%x: tensor<3x4x8x8xf32>, %y: tensor<3x2x8x8xf32>) -> (tensor<1x3x3x3xf32>, tensor<2x2x3xf32>, tensor<1x1x2x8xf32>) attributes {hgc.entry} {
    %w = hgc.read @filter : tensor<8x4x3x3xf32>
    %0 = hgc.conv %x, %w channels_first oihw : (tensor<3x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<3x8x6x6xf32>
    %1 = hgc.relu %0 : tensor<3x8x6x6xf32>
    %2 = hgc.pool max %1 window = [2, 2] strides = [2, 2] channels_first : (tensor<3x8x6x6xf32>) -> tensor<3x8x3x3xf32>
    %3 = hgc.slice %2 starts = [1, 2, 0, 0] sizes = [1, 3, 3, 3] : (tensor<3x8x3x3xf32>) -> tensor<1x3x3x3xf32>
    %i = hgc.constant dense<[2, 0]> : tensor<2xi64>
    %4 = hgc.reduce mean %x axes = [3] : (tensor<3x4x8x8xf32>) -> tensor<3x4x8xf32>
    %5 = hgc.reduce max %4 axes = [1] : (tensor<3x4x8xf32>) -> tensor<3x8xf32>
    %6 = hgc.gather %5, %i axis 0 : (tensor<3x8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
    %7 = hgc.reshape %6 shape [2, 2, 4] : (tensor<2x8xf32>) -> tensor<2x2x4xf32>
    %8 = hgc.slice %7 starts = [0, 1, 3] sizes = [2, 2, 3] strides = [1, -1, -1] : (tensor<2x2x4xf32>) -> tensor<2x2x3xf32>
    %9 = hgc.concat %x, %y, %x axis 1 : (tensor<3x4x8x8xf32>, tensor<3x2x8x8xf32>, tensor<3x4x8x8xf32>) -> tensor<3x10x8x8xf32>
    %10 = hgc.log_softmax %9 axis 3 : tensor<3x10x8x8xf32>
    %11 = hgc.slice %10 starts = [2, 5, 1, 0] sizes = [1, 1, 2, 8] strides = [1, 1, 5, 1] : (tensor<3x10x8x8xf32>) -> tensor<1x1x2x8xf32>
    return %3, %8, %11 : tensor<1x3x3x3xf32>, tensor<2x2x3xf32>, tensor<1x1x2x8xf32>
  }

  // Pixels that no window reaches: of two layers of windows, of padding, and at one side of a pad.
  func.func @leftovers(%x: tensor<2x4x11x14xf32>) -> (tensor<2x8x2x3xf32>, tensor<2x4x3x3xf32>, tensor<2x4x2x2xf32>) attributes {hgc.entry} {
    %w = hgc.read @filter : tensor<8x4x3x3xf32>
    %0 = hgc.pool avg %x window = [3, 3] strides = [2, 2] pads = [1, 1, 0, 0] channels_first : (tensor<2x4x11x14xf32>) -> tensor<2x4x5x7xf32>
    %1 = hgc.silu %0 : tensor<2x4x5x7xf32>
    %2 = hgc.conv %1, %w pads = [1, 1, 1, 1] channels_first oihw : (tensor<2x4x5x7xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x5x7xf32>
    %3 = hgc.relu %2 : tensor<2x8x5x7xf32>
    %4 = hgc.pool max %3 window = [2, 2] strides = [2, 2] channels_first : (tensor<2x8x5x7xf32>) -> tensor<2x8x2x3xf32>
    %5 = hgc.exp %x : tensor<2x4x11x14xf32>
    %6 = hgc.pool max %5 window = [3, 3] strides = [3, 4] channels_first : (tensor<2x4x11x14xf32>) -> tensor<2x4x3x3xf32>
    %7 = hgc.softmax %x axis 1 : tensor<2x4x11x14xf32>
    %v = hgc.constant dense<2.5> : tensor<f32>
    %8 = hgc.pad constant %7, %v low = [0, 0, 1, -2] high = [0, 0, -7, -5] : (tensor<2x4x11x14xf32>, tensor<f32>) -> tensor<2x4x5x7xf32>
    %9 = hgc.pool avg %8 window = [2, 2] strides = [2, 3] channels_first : (tensor<2x4x5x7xf32>) -> tensor<2x4x2x2xf32>
    return %4, %6, %9 : tensor<2x8x2x3xf32>, tensor<2x4x3x3xf32>, tensor<2x4x2x2xf32>
  }

  // Pixels of windows: borders, padding and strides.
  func.func @pixels(%x: tensor<2x4x9x11xf32>, %y: tensor<2x16x6xf32>) -> (tensor<2x8x4x2xf32>, tensor<1x4x1x6xf32>, tensor<2x4x3x4xf32>, tensor<2x14x6xf32>, tensor<2x5x6xf32>) attributes {hgc.entry} {
    %w = hgc.read @filter : tensor<8x4x3x3xf32>
    %0 = hgc.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] channels_first oihw : (tensor<2x4x9x11xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x5x6xf32>
    %1 = hgc.silu %0 : tensor<2x8x5x6xf32>
    %2 = hgc.slice %1 starts = [0, 0, 0, 3] sizes = [2, 8, 4, 2] : (tensor<2x8x5x6xf32>) -> tensor<2x8x4x2xf32>
    %3 = hgc.pool avg %x window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_first : (tensor<2x4x9x11xf32>) -> tensor<2x4x5x6xf32>
    %4 = hgc.slice %3 starts = [1, 0, 4, 0] sizes = [1, 4, 1, 6] : (tensor<2x4x5x6xf32>) -> tensor<1x4x1x6xf32>
    %5 = hgc.pool max %x window = [2, 2] strides = [1, 1] dilations = [2, 3] channels_first : (tensor<2x4x9x11xf32>) -> tensor<2x4x7x8xf32>
    %6 = hgc.slice %5 starts = [0, 0, 6, 1] sizes = [2, 4, 3, 4] strides = [1, 1, -2, 2] : (tensor<2x4x7x8xf32>) -> tensor<2x4x3x4xf32>
    %f = hgc.constant dense<0.25> : tensor<3x6x6xf32>
    %7 = hgc.conv %y, %f pads = [4, 4] dilations = [2] channels_last hwio : (tensor<2x16x6xf32>, tensor<3x6x6xf32>) -> tensor<2x20x6xf32>
    %8 = hgc.slice %7 starts = [0, 2, 0] sizes = [2, 14, 6] : (tensor<2x20x6xf32>) -> tensor<2x14x6xf32>
    %v = hgc.constant dense<2.5> : tensor<f32>
    %9 = hgc.pad constant %y, %v low = [0, 2, 0] high = [0, -3, 0] : (tensor<2x16x6xf32>, tensor<f32>) -> tensor<2x15x6xf32>
    %10 = hgc.slice %9 starts = [0, 8, 0] sizes = [2, 5, 6] strides = [1, -2, 1] : (tensor<2x15x6xf32>) -> tensor<2x5x6xf32>
    return %2, %4, %6, %8, %10 : tensor<2x8x4x2xf32>, tensor<1x4x1x6xf32>, tensor<2x4x3x4xf32>, tensor<2x14x6xf32>, tensor<2x5x6xf32>
  }
}
