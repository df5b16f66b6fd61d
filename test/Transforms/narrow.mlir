// RUN: hgc-opt --hgc-narrow --split-input-file %s | FileCheck %s

// One token of the end of an encoder: the norm, the layer and both ways around it compute
// one row, and one slice of what comes in is left for all.
// CHECK-LABEL: func @token
// CHECK-SAME:    (%[[X:.*]]: tensor<2x197x64xf32>
// CHECK-DAG:     %[[A:.*]] = hgc.slice %[[X]] starts = [0, 0, 0] sizes = [2, 1, 64]
// CHECK:         %[[N:.*]] = hgc.layer_norm {{.*}} -> tensor<2x1x64xf32>
// CHECK:         %[[M:.*]] = hgc.matmul %[[N]], {{.*}} -> tensor<2x1x256xf32>
// CHECK:         %[[B:.*]] = hgc.add %[[M]], {{.*}} -> tensor<2x1x256xf32>
// CHECK:         %[[G:.*]] = hgc.gelu %[[B]] : tensor<2x1x256xf32>
// CHECK:         %[[P:.*]] = hgc.matmul %[[G]], {{.*}} -> tensor<2x1x64xf32>
// CHECK:         hgc.add {{.*}}, %[[P]] : {{.*}} -> tensor<2x1x64xf32>
// CHECK:         %[[Y:.*]] = hgc.layer_norm {{.*}} -> tensor<2x1x64xf32>
// CHECK:         %[[R:.*]] = hgc.reshape %[[Y]] shape [2, 64]
// CHECK:         return %[[R]]
func.func @token(%x: tensor<2x197x64xf32>, %s: tensor<64xf32>, %w: tensor<64x256xf32>, %b: tensor<256xf32>, %v: tensor<256x64xf32>) -> tensor<2x64xf32> {
  %0 = hgc.layer_norm %x, %s, %s axis 2 epsilon 1.0e-05 : (tensor<2x197x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x197x64xf32>
  %1 = hgc.matmul %0, %w : (tensor<2x197x64xf32>, tensor<64x256xf32>) -> tensor<2x197x256xf32>
  %2 = hgc.add %1, %b : (tensor<2x197x256xf32>, tensor<256xf32>) -> tensor<2x197x256xf32>
  %3 = hgc.gelu %2 : tensor<2x197x256xf32>
  %4 = hgc.matmul %3, %v : (tensor<2x197x256xf32>, tensor<256x64xf32>) -> tensor<2x197x64xf32>
  %5 = hgc.add %x, %4 : (tensor<2x197x64xf32>, tensor<2x197x64xf32>) -> tensor<2x197x64xf32>
  %6 = hgc.layer_norm %5, %s, %s axis 2 epsilon 1.0e-05 : (tensor<2x197x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x197x64xf32>
  %i = hgc.constant dense<0> : tensor<i64>
  %7 = hgc.gather %6, %i axis 1 : (tensor<2x197x64xf32>, tensor<i64>) -> tensor<2x64xf32>
  return %7 : tensor<2x64xf32>
}

// -----

// What something else needs as a whole is computed as a whole.
// CHECK-LABEL: func @other_reader
// CHECK:         hgc.softmax {{.*}} : tensor<8x16xf32>
// CHECK:         hgc.slice
func.func @other_reader(%x: tensor<8x16xf32>) -> (tensor<1x16xf32>, tensor<8x16xf32>) {
  %0 = hgc.softmax %x axis 1 : tensor<8x16xf32>
  %1 = hgc.slice %0 starts = [3, 0] sizes = [1, 16] : (tensor<8x16xf32>) -> tensor<1x16xf32>
  return %1, %0 : tensor<1x16xf32>, tensor<8x16xf32>
}

// -----

// Different slices need what lies around both.
// CHECK-LABEL: func @two_readers
// CHECK:         %[[X:.*]] = hgc.slice %{{.*}} starts = [2, 0] sizes = [3, 16] strides = [2, 1]
// CHECK:         %[[S:.*]] = hgc.softmax %[[X]] axis 1 : tensor<3x16xf32>
// CHECK-DAG:     hgc.slice %[[S]] starts = [0, 0] sizes = [1, 16]
// CHECK-DAG:     hgc.slice %[[S]] starts = [2, 0] sizes = [2, 16] strides = [-1, 1]
func.func @two_readers(%x: tensor<8x16xf32>) -> (tensor<1x16xf32>, tensor<2x16xf32>) {
  %0 = hgc.softmax %x axis 1 : tensor<8x16xf32>
  %1 = hgc.slice %0 starts = [2, 0] sizes = [1, 16] : (tensor<8x16xf32>) -> tensor<1x16xf32>
  %2 = hgc.slice %0 starts = [6, 0] sizes = [2, 16] strides = [-2, 1] : (tensor<8x16xf32>) -> tensor<2x16xf32>
  return %1, %2 : tensor<1x16xf32>, tensor<2x16xf32>
}

// -----

// The parts of a projection are all of it together.
// CHECK-LABEL: func @projection
// CHECK:         hgc.matmul {{.*}} -> tensor<8x48xf32>
// CHECK-COUNT-3: hgc.slice
// CHECK-NOT:     hgc.slice
func.func @projection(%x: tensor<8x16xf32>, %w: tensor<16x48xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = hgc.matmul %x, %w : (tensor<8x16xf32>, tensor<16x48xf32>) -> tensor<8x48xf32>
  %q = hgc.slice %0 starts = [0, 0] sizes = [8, 16] : (tensor<8x48xf32>) -> tensor<8x16xf32>
  %k = hgc.slice %0 starts = [0, 16] sizes = [8, 16] : (tensor<8x48xf32>) -> tensor<8x16xf32>
  %v = hgc.slice %0 starts = [0, 32] sizes = [8, 16] : (tensor<8x48xf32>) -> tensor<8x16xf32>
  return %q, %k, %v : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// The normalised dim stays whole; a slice of it is left behind the op.
// CHECK-LABEL: func @normalised
// CHECK:         hgc.slice %{{.*}} starts = [1, 0] sizes = [2, 16]
// CHECK:         %[[S:.*]] = hgc.log_softmax {{.*}} : tensor<2x16xf32>
// CHECK:         hgc.slice %[[S]] starts = [0, 4] sizes = [2, 3]
// CHECK:         hgc.layer_norm {{.*}} -> tensor<8x16xf32>
func.func @normalised(%x: tensor<8x16xf32>, %s: tensor<16xf32>) -> (tensor<2x3xf32>, tensor<8x3xf32>) {
  %0 = hgc.log_softmax %x axis 1 : tensor<8x16xf32>
  %1 = hgc.slice %0 starts = [1, 4] sizes = [2, 3] : (tensor<8x16xf32>) -> tensor<2x3xf32>
  %2 = hgc.layer_norm %x, %s, %s axis 1 epsilon 1.0e-05 : (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %3 = hgc.slice %2 starts = [0, 4] sizes = [8, 3] : (tensor<8x16xf32>) -> tensor<8x3xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<8x3xf32>
}

// -----

// Batches that one side repeats, rows and columns of transposed operands.
// CHECK-LABEL: func @product
// CHECK-DAG:     %[[A:.*]] = hgc.slice %{{.*}} starts = [2, 0, 4] sizes = [1, 32, 2] : (tensor<4x32x8xf32>)
// CHECK-DAG:     %[[B:.*]] = hgc.slice %{{.*}} starts = [0, 3, 0] sizes = [1, 5, 32] : (tensor<1x16x32xf32>)
// CHECK:         hgc.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs : {{.*}} -> tensor<1x2x5xf32>
func.func @product(%a: tensor<4x32x8xf32>, %b: tensor<1x16x32xf32>) -> tensor<1x2x5xf32> {
  %0 = hgc.matmul %a, %b transpose_lhs transpose_rhs : (tensor<4x32x8xf32>, tensor<1x16x32xf32>) -> tensor<4x8x16xf32>
  %1 = hgc.slice %0 starts = [2, 4, 3] sizes = [1, 2, 5] : (tensor<4x8x16xf32>) -> tensor<1x2x5xf32>
  return %1 : tensor<1x2x5xf32>
}

// -----

// Weights that another entry reads as a whole are not stored a second time; the rows are left out all the same.
hgc.parameter @shared : tensor<64x512xf32> = #hgc.init<glorot_uniform, seed = 1>
hgc.parameter @own : tensor<64x512xf32> = #hgc.init<glorot_uniform, seed = 2>
// CHECK-LABEL: func @columns
// CHECK-DAG:     %[[S:.*]] = hgc.read @shared
// CHECK-DAG:     %[[O:.*]] = hgc.read @own
// CHECK-DAG:     %[[C:.*]] = hgc.slice %[[O]] starts = [0, 7] sizes = [64, 1]
// CHECK-DAG:     hgc.matmul %{{.*}}, %[[C]] : {{.*}} -> tensor<1x1xf32>
// CHECK-DAG:     %[[P:.*]] = hgc.matmul %{{.*}}, %[[S]] : {{.*}} -> tensor<1x512xf32>
// CHECK-DAG:     hgc.slice %[[P]] starts = [0, 7] sizes = [1, 1]
func.func @columns(%x: tensor<8x64xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) attributes {hgc.entry} {
  %s = hgc.read @shared : tensor<64x512xf32>
  %o = hgc.read @own : tensor<64x512xf32>
  %0 = hgc.matmul %x, %s : (tensor<8x64xf32>, tensor<64x512xf32>) -> tensor<8x512xf32>
  %1 = hgc.slice %0 starts = [7, 7] sizes = [1, 1] : (tensor<8x512xf32>) -> tensor<1x1xf32>
  %2 = hgc.matmul %x, %o : (tensor<8x64xf32>, tensor<64x512xf32>) -> tensor<8x512xf32>
  %3 = hgc.slice %2 starts = [7, 7] sizes = [1, 1] : (tensor<8x512xf32>) -> tensor<1x1xf32>
  return %1, %3 : tensor<1x1xf32>, tensor<1x1xf32>
}
func.func @whole(%x: tensor<8x64xf32>) -> tensor<8x512xf32> attributes {hgc.entry} {
  %s = hgc.read @shared : tensor<64x512xf32>
  %0 = hgc.matmul %x, %s : (tensor<8x64xf32>, tensor<64x512xf32>) -> tensor<8x512xf32>
  return %0 : tensor<8x512xf32>
}

// -----

// Queries take their rows of the mask with them; columns are the value's.
// CHECK-LABEL: func @attention
// CHECK-DAG:     %[[Q:.*]] = hgc.slice %{{.*}} starts = [0, 8, 0] sizes = [2, 1, 16]
// CHECK-DAG:     %[[V:.*]] = hgc.slice %{{.*}} starts = [0, 0, 4] sizes = [2, 13, 4]
// CHECK-DAG:     %[[M:.*]] = hgc.slice %{{.*}} starts = [8, 0] sizes = [1, 13]
// CHECK:         hgc.attention %[[Q]], %{{.*}}, %[[V]] mask %[[M]] : (tensor<2x1x16xf32>, tensor<2x13x16xf32>, tensor<2x13x4xf32>, tensor<1x13xf32>) -> tensor<2x1x4xf32>
func.func @attention(%q: tensor<2x9x16xf32>, %k: tensor<2x13x16xf32>, %v: tensor<2x13x24xf32>, %m: tensor<9x13xf32>) -> tensor<2x1x4xf32> {
  %0 = hgc.attention %q, %k, %v mask %m : (tensor<2x9x16xf32>, tensor<2x13x16xf32>, tensor<2x13x24xf32>, tensor<9x13xf32>) -> tensor<2x9x24xf32>
  %1 = hgc.slice %0 starts = [0, 8, 4] sizes = [2, 1, 4] : (tensor<2x9x24xf32>) -> tensor<2x1x4xf32>
  return %1 : tensor<2x1x4xf32>
}

// -----

// Causality counts queries: one query sees the keys up to its own, the first ones no others than before,
// and those between begin with the first one.
// CHECK-LABEL: func @causal
// CHECK-DAG:     %[[K:.*]] = hgc.slice %{{.*}} starts = [0, 0] sizes = [6, 16] : (tensor<9x16xf32>)
// CHECK-DAG:     %[[Q:.*]] = hgc.slice %{{.*}} starts = [5, 0] sizes = [1, 16] : (tensor<9x16xf32>)
// CHECK:         hgc.attention %[[Q]], %[[K]], %{{.*}} : (tensor<1x16xf32>, tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<1x16xf32>
// CHECK:         %[[R:.*]] = hgc.attention %{{.*}}, %{{.*}}, %{{.*}} causal : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK:         hgc.slice %[[R]] starts = [2, 0] sizes = [2, 16]
// CHECK:         hgc.attention %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1x16xf32>, tensor<9x16xf32>, tensor<9x16xf32>) -> tensor<1x16xf32>
func.func @causal(%q: tensor<9x16xf32>, %k: tensor<9x16xf32>) -> (tensor<1x16xf32>, tensor<2x16xf32>, tensor<1x16xf32>) {
  %0 = hgc.attention %q, %k, %k causal : (tensor<9x16xf32>, tensor<9x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  %1 = hgc.slice %0 starts = [5, 0] sizes = [1, 16] : (tensor<9x16xf32>) -> tensor<1x16xf32>
  %2 = hgc.attention %q, %k, %k scale = 2.0 causal : (tensor<9x16xf32>, tensor<9x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  %3 = hgc.slice %2 starts = [2, 0] sizes = [2, 16] : (tensor<9x16xf32>) -> tensor<2x16xf32>
  %4 = hgc.attention %q, %k, %k scale = 3.0 causal : (tensor<9x16xf32>, tensor<9x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  %5 = hgc.slice %4 starts = [8, 0] sizes = [1, 16] : (tensor<9x16xf32>) -> tensor<1x16xf32>
  return %1, %3, %5 : tensor<1x16xf32>, tensor<2x16xf32>, tensor<1x16xf32>
}

// -----

// With all its queries it keeps all keys, and the mask of them, though they see some only.
// CHECK-LABEL: func @causal_columns
// CHECK-DAG:     %[[V:.*]] = hgc.slice %{{.*}} starts = [0, 0] sizes = [8, 2] : (tensor<8x16xf32>)
// CHECK-DAG:     %[[M:.*]] = hgc.exp %{{.*}} : tensor<1x8xf32>
// CHECK:         hgc.attention %{{.*}}, %{{.*}}, %[[V]] mask %[[M]] causal : (tensor<5x16xf32>, tensor<8x16xf32>, tensor<8x2xf32>, tensor<1x8xf32>) -> tensor<5x2xf32>
func.func @causal_columns(%q: tensor<5x16xf32>, %k: tensor<8x16xf32>, %m: tensor<1x8xf32>) -> tensor<4x2xf32> {
  %0 = hgc.exp %m : tensor<1x8xf32>
  %1 = hgc.attention %q, %k, %k mask %0 causal
      : (tensor<5x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<1x8xf32>) -> tensor<5x16xf32>
  %2 = hgc.slice %1 starts = [1, 0] sizes = [4, 2] : (tensor<5x16xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// -----

// Dynamic extents have no parts.
// CHECK-LABEL: func @dynamic
// CHECK:         hgc.softmax {{.*}} : tensor<?x16xf32>
func.func @dynamic(%x: tensor<?x16xf32>) -> tensor<1x16xf32> {
  %0 = hgc.softmax %x axis 1 : tensor<?x16xf32>
  %1 = hgc.slice %0 starts = [0, 0] sizes = [1, 16] : (tensor<?x16xf32>) -> tensor<1x16xf32>
  return %1 : tensor<1x16xf32>
}

// -----

// Leaving out one of many rows is not worth a slice of each operand.
// CHECK-LABEL: func @nearly_all
// CHECK:         hgc.softmax {{.*}} : tensor<9x16xf32>
func.func @nearly_all(%x: tensor<9x16xf32>) -> tensor<8x16xf32> {
  %0 = hgc.softmax %x axis 1 : tensor<9x16xf32>
  %1 = hgc.slice %0 starts = [1, 0] sizes = [8, 16] : (tensor<9x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// A pointwise op that may end the kernel of its maker stays there, if that one computes everything.
// CHECK-LABEL: func @epilogue
// CHECK:         %[[C:.*]] = hgc.conv_transpose
// CHECK:         %[[R:.*]] = hgc.relu %[[C]]
// CHECK:         hgc.slice %[[R]]
func.func @epilogue(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x8x4xf32>) -> tensor<1x2x2x8xf32> {
  %0 = hgc.conv_transpose %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x8x8x4xf32>, tensor<3x3x8x4xf32>) -> tensor<1x8x8x8xf32>
  %1 = hgc.relu %0 : tensor<1x8x8x8xf32>
  %2 = hgc.slice %1 starts = [0, 2, 2, 0] sizes = [1, 2, 2, 8] : (tensor<1x8x8x8xf32>) -> tensor<1x2x2x8xf32>
  return %2 : tensor<1x2x2x8xf32>
}
