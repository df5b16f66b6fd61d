// Batch normalisation, bodies for each element, and extents.

// RUN: hgc run %s --input arg0=2x3xf32=1,2,3,5,-2,3 --input arg1=3xf32=1,2,0.5 --input arg2=3xf32=0,1,-1 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/normalization.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// CHECK: inference: 2x3xf32=1,2,3,5,-2,3
// CHECK: training: 2x3xf32=-0.94280{{[0-9]*}},2.8856{{[0-9]*}},-1,0.94280{{[0-9]*}},-0.88561{{[0-9]*}},-1
// CHECK: mean: 3xf32=3,0,3
// CHECK: variance: 3xf32=4,4,0
// CHECK: map: 3xf32=1,4,0
// CHECK: extent: i32=3

module @normalization {
  func.func public @main(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<2x3xf32> {jax.result_info = "inference"}, tensor<2x3xf32> {jax.result_info = "training"}, tensor<3xf32> {jax.result_info = "mean"}, tensor<3xf32> {jax.result_info = "variance"}, tensor<3xf32> {jax.result_info = "map"}, tensor<i32> {jax.result_info = "extent"}) {
    %v = stablehlo.constant dense<[1.0, 4.0, 0.25]> : tensor<3xf32>
    %inference = "stablehlo.batch_norm_inference"(%x, %s, %o, %o, %v) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %training:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.5 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
    %map = "stablehlo.map"(%s, %o) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.multiply %a, %b : tensor<f32>
      %1 = stablehlo.add %0, %a : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %extent = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    return %inference, %training#0, %training#1, %training#2, %map, %extent : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>
  }
}
