// Ops whose attributes and operands do not match.

// RUN: split-file %s %t
// RUN: not hgc compile %t/top.mlir 2>&1 | FileCheck %t/top.mlir
// RUN: not hgc compile %t/match.mlir 2>&1 | FileCheck %t/match.mlir
// RUN: not hgc compile %t/both.mlir 2>&1 | FileCheck %t/both.mlir
// RUN: not hgc compile %t/scalars.mlir 2>&1 | FileCheck %t/scalars.mlir
// RUN: not hgc compile %t/numbers.mlir 2>&1 | FileCheck %t/numbers.mlir
// RUN: not hgc compile %t/stride.mlir 2>&1 | FileCheck %t/stride.mlir
// RUN: not hgc compile %t/groups.mlir 2>&1 | FileCheck %t/groups.mlir
// RUN: not hgc compile %t/start.mlir 2>&1 | FileCheck %t/start.mlir
// RUN: not hgc compile %t/slice.mlir 2>&1 | FileCheck %t/slice.mlir
// RUN: not hgc compile %t/update.mlir 2>&1 | FileCheck %t/update.mlir
// RUN: not hgc compile %t/comparison.mlir 2>&1 | FileCheck %t/comparison.mlir
// RUN: not hgc compile %t/indices.mlir 2>&1 | FileCheck %t/indices.mlir
// RUN: not hgc compile %t/inits.mlir 2>&1 | FileCheck %t/inits.mlir
// RUN: not hgc compile %t/updates.mlir 2>&1 | FileCheck %t/updates.mlir
// RUN: not hgc compile %t/source.mlir 2>&1 | FileCheck %t/source.mlir
// RUN: not hgc compile %t/constant.mlir 2>&1 | FileCheck %t/constant.mlir
// RUN: not hgc compile %t/elided.mlir 2>&1 | FileCheck %t/elided.mlir
// RUN: not hgc compile %t/iota.mlir 2>&1 | FileCheck %t/iota.mlir
// RUN: not hgc compile %t/reshape.mlir 2>&1 | FileCheck %t/reshape.mlir
// RUN: not hgc compile %t/broadcast.mlir 2>&1 | FileCheck %t/broadcast.mlir
// RUN: not hgc compile %t/transpose.mlir 2>&1 | FileCheck %t/transpose.mlir
// RUN: not hgc compile %t/concatenate.mlir 2>&1 | FileCheck %t/concatenate.mlir
// RUN: not hgc compile %t/window.mlir 2>&1 | FileCheck %t/window.mlir
// RUN: not hgc compile %t/interior.mlir 2>&1 | FileCheck %t/interior.mlir
// RUN: not hgc compile %t/extent.mlir 2>&1 | FileCheck %t/extent.mlir
// RUN: not hgc compile %t/windows.mlir 2>&1 | FileCheck %t/windows.mlir
// RUN: not hgc compile %t/channels.mlir 2>&1 | FileCheck %t/channels.mlir
// RUN: not hgc compile %t/results.mlir 2>&1 | FileCheck %t/results.mlir
// RUN: not hgc compile %t/axis.mlir 2>&1 | FileCheck %t/axis.mlir

//--- top.mlir
// CHECK: error: {{.*}}there are no 5 elements along the last dim
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %0, %1 = chlo.top_k(%x, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)
  return %0 : tensor<5xf32>
}

//--- match.mlir
// CHECK: error: {{.*}}dims of the operands and of the result do not match
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>, %y: tensor<3xf32>) -> tensor<f32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

//--- both.mlir
// CHECK: error: {{.*}}dim 0 is both a batch and contracted
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- scalars.mlir
// CHECK: error: {{.*}}operands are scalars
// CHECK: hint: 
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.dot %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

//--- numbers.mlir
// CHECK: error: {{.*}}dimension numbers do not name each dim once
// CHECK: hint: 
func.func @main(%x: tensor<1x4x2xf32>, %w: tensor<3x2x2xf32>) -> tensor<1x2x2xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, b]x[0, i, o]->[b, 0, f], window = {} : (tensor<1x4x2xf32>, tensor<3x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

//--- stride.mlir
// CHECK: error: {{.*}}a stride, dilation or number of groups is less than one
// CHECK: hint: 
func.func @main(%x: tensor<1x4x2xf32>, %w: tensor<3x2x2xf32>) -> tensor<1x2x2xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} : (tensor<1x4x2xf32>, tensor<3x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

//--- groups.mlir
// CHECK: error: {{.*}}features do not divide into groups
// CHECK: hint: 
func.func @main(%x: tensor<1x4x2xf32>, %w: tensor<3x2x2xf32>) -> tensor<1x5x2xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]} {feature_group_count = 3 : i64} : (tensor<1x4x2xf32>, tensor<3x2x2xf32>) -> tensor<1x5x2xf32>
  return %r : tensor<1x5x2xf32>
}

//--- start.mlir
// CHECK: error: {{.*}}start 0 is no integer
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- slice.mlir
// CHECK: error: {{.*}}the slice is larger than the operand
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.dynamic_slice %x, %i, sizes = [5] : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

//--- update.mlir
// CHECK: error: {{.*}}the update does not fit into the operand
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.dynamic_update_slice %x, %y, %i : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- comparison.mlir
// CHECK: error: {{.*}}there is no comparison 'XX'
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %r = stablehlo.compare XX, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

//--- indices.mlir
// CHECK: error: {{.*}}dimension numbers do not match the operands
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- inits.mlir
// CHECK: error: {{.*}}inputs have different shapes, or a start value is no scalar of its input's type
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %r = stablehlo.reduce(%x init: %x) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

//--- updates.mlir
// CHECK: error: {{.*}}updates have another type than the operand
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf64>) -> tensor<4xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- source.mlir
// CHECK: error: {{.*}}operand, source and window do not match
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- constant.mlir
// CHECK: error: {{.*}}a constant needs a value of its type
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- elided.mlir
// CHECK: error: {{.*}}the elements of a constant were left out of the text
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- iota.mlir
// CHECK: error: {{.*}}attribute 'iota_dimension' is missing
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.iota"() : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- reshape.mlir
// CHECK: error: {{.*}}the result has another number of elements
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %r = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

//--- broadcast.mlir
// CHECK: error: {{.*}}the operand does not broadcast to the result
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %r = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

//--- transpose.mlir
// CHECK: error: {{.*}}attribute 'permutation' does not have all dims
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.transpose %x, dims = [] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- concatenate.mlir
// CHECK: error: {{.*}}there is nothing to join, or no dim to join along
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.concatenate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- window.mlir
// CHECK: error: {{.*}}the range 3:2:1 is not inside of 4 elements
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
  %r = stablehlo.slice %x [3:2] : (tensor<4xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

//--- interior.mlir
// CHECK: error: {{.*}}padding between elements is negative
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.pad %x, %z, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- extent.mlir
// CHECK: error: {{.*}}an extent, stride or dilation of the window is less than one
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- windows.mlir
// CHECK: error: {{.*}}the result does not follow from the window
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- channels.mlir
// CHECK: error: {{.*}}attributes 'feature_index' and 'epsilon' and the operands do not match
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.batch_norm_inference"(%x, %x, %x, %x, %x) <{feature_index = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- results.mlir
// CHECK: error: {{.*}}has other than three results
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.batch_norm_training"(%x, %x, %x) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

//--- axis.mlir
// CHECK: error: {{.*}}dim 3 is out of range
// CHECK: hint: 
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%x) <{dimension = 3 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
