// Constants, counts, and elements at other places.

// RUN: hgc run %s --input arg0=2x3xf32=1,2,3,4,5,6 --input arg1=i32=1 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/shapes.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// CHECK: constant: 3xf32=1,2.5,-3
// CHECK: iota: 2x3xi32=0,1,2,0,1,2
// CHECK: reshape: 3x2xf32=1,2,3,4,5,6
// CHECK: repeated: 3x2x2xf32=1,1,4,4,2,2,5,5,3,3,6,6
// CHECK: splat: 2x2xf32=1.5,1.5,1.5,1.5
// CHECK: transpose: 3x2xf32=1,4,2,5,3,6
// CHECK: reverse: 2x3xf32=3,2,1,6,5,4
// CHECK: concatenate: 2x6xf32=1,2,3,3,2,1,4,5,6,6,5,4
// CHECK: slice: 1x2xf32=4,6
// CHECK: pad: 4x5xf32=1.5,1.5,1.5,1.5,1.5,1.5,2,1.5,3,1.5,1.5,1.5,1.5,1.5,1.5,1.5,5,1.5,6,1.5
// CHECK: dynamic: 1x2xf32=5,6
// CHECK: row: 2x3xf32=1,2,3,7,8,9
// CHECK: box: 2x3xf32=1,2,3,4,4,6
// CHECK: whole: 2x3xf32=3,2,1,6,5,4
// CHECK: barrier: 2x3xf32=1,2,3,4,5,6

module @shapes {
  func.func public @main(%x: tensor<2x3xf32>, %i: tensor<i32>) -> (tensor<3xf32> {jax.result_info = "constant"}, tensor<2x3xi32> {jax.result_info = "iota"}, tensor<3x2xf32> {jax.result_info = "reshape"}, tensor<3x2x2xf32> {jax.result_info = "repeated"}, tensor<2x2xf32> {jax.result_info = "splat"}, tensor<3x2xf32> {jax.result_info = "transpose"}, tensor<2x3xf32> {jax.result_info = "reverse"}, tensor<2x6xf32> {jax.result_info = "concatenate"}, tensor<1x2xf32> {jax.result_info = "slice"}, tensor<4x5xf32> {jax.result_info = "pad"}, tensor<1x2xf32> {jax.result_info = "dynamic"}, tensor<2x3xf32> {jax.result_info = "row"}, tensor<2x3xf32> {jax.result_info = "box"}, tensor<2x3xf32> {jax.result_info = "whole"}, tensor<2x3xf32> {jax.result_info = "barrier"}) {
    %constant = stablehlo.constant dense<[1.0, 2.5, -3.0]> : tensor<3xf32>
    %iota = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %reshape = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %repeated = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2x2xf32>
    %one = stablehlo.constant dense<1.5> : tensor<f32>
    %splat = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %transpose = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %reverse = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
    %concatenate = stablehlo.concatenate %x, %reverse, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %slice = stablehlo.slice %x [1:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
    %pad = stablehlo.pad %x, %one, low = [1, -1], high = [0, 1], interior = [1, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
    %dynamic = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %line = stablehlo.constant dense<[[7.0, 8.0, 9.0]]> : tensor<1x3xf32>
    %row = stablehlo.dynamic_update_slice %x, %line, %i, %zero : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %box = stablehlo.dynamic_update_slice %x, %slice, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %whole = stablehlo.dynamic_update_slice %x, %reverse, %i, %i : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %barrier:2 = stablehlo.optimization_barrier %x, %one : tensor<2x3xf32>, tensor<f32>
    return %constant, %iota, %reshape, %repeated, %splat, %transpose, %reverse, %concatenate, %slice, %pad, %dynamic, %row, %box, %whole, %barrier#0 : tensor<3xf32>, tensor<2x3xi32>, tensor<3x2xf32>, tensor<3x2x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x2xf32>, tensor<4x5xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
