// Pools, cumulative sums, windows of any body, and the gradient of a maximum.

// RUN: hgc run %s --input arg0=1x4x4x1xf32=0,7,14,5,12,3,10,1,8,15,6,13,4,11,2,9 --input arg1=20xf32=-2,-1,0,1,2,3,4,-2,-1,0,1,2,3,4,-2,-1,0,1,2,3 --input arg2=6xf32=2,7,1,8,2,8 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/windows.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: hgc.pool max {{.*}}window = [2, 2]
// GRAPH: hgc.pool max
// GRAPH: hgc.pool sum
// CHECK: max: 1x2x2x1xf32=12,14,15,13
// CHECK: min: 1x2x2x1xf32=0,1,3,1
// CHECK: sum: 1x4x4x1xf32=22,46,40,30,45,75,74,49,53,71,70,41,38,46,56,30
// CHECK: product: 3xf32=14,8,16
// CHECK: dilated: 4xf32=3,15,3,16
// CHECK: gaps: 10xf32=2,7,7,1,1,8,8,2,2,8
// CHECK: from_five: 3xf32=7,8,8
// CHECK: cumulative: 20xf32=-2,-3,-3,-2,0,3,7,5,4,4,5,7,10,14,12,11,11,12,14,17
// CHECK: backwards: 6xf32=28,26,19,18,10,8
// CHECK: products: 6xf32=1792,896,128,128,16,8
// CHECK: apart: 1x4x4x1xf32=0,0,14,0,12,0,0,0,0,15,0,13,0,0,0,0
// CHECK: overlapping: 6xf32=1,15,1,25,1,1

module @windows {
  func.func public @main(%x: tensor<1x4x4x1xf32>, %y: tensor<20xf32>, %z: tensor<6xf32>) -> (tensor<1x2x2x1xf32> {jax.result_info = "max"}, tensor<1x2x2x1xf32> {jax.result_info = "min"}, tensor<1x4x4x1xf32> {jax.result_info = "sum"}, tensor<3xf32> {jax.result_info = "product"}, tensor<4xf32> {jax.result_info = "dilated"}, tensor<10xf32> {jax.result_info = "gaps"}, tensor<3xf32> {jax.result_info = "from_five"}, tensor<20xf32> {jax.result_info = "cumulative"}, tensor<6xf32> {jax.result_info = "backwards"}, tensor<6xf32> {jax.result_info = "products"}, tensor<1x4x4x1xf32> {jax.result_info = "apart"}, tensor<6xf32> {jax.result_info = "overlapping"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %five = stablehlo.constant dense<5.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %max = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x2x2x1xf32>
    %min = "stablehlo.reduce_window"(%x, %high) <{padding = dense<[[0, 0], [1, 0], [1, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.minimum %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x2x2x1xf32>
    %sum = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>
    %product = "stablehlo.reduce_window"(%z, %one) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<3xf32>
    %dilated = "stablehlo.reduce_window"(%z, %zero) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %b, %a : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
    %gaps = "stablehlo.reduce_window"(%z, %zero) <{base_dilations = array<i64: 2>, window_dimensions = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<10xf32>
    %from_five = "stablehlo.reduce_window"(%z, %five) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<3xf32>
    %cumulative = "stablehlo.reduce_window"(%y, %zero) <{padding = dense<[[19, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 20>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<20xf32>, tensor<f32>) -> tensor<20xf32>
    %backwards = "stablehlo.reduce_window"(%z, %zero) <{padding = dense<[[0, 5]]> : tensor<1x2xi64>, window_dimensions = array<i64: 6>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %products = "stablehlo.reduce_window"(%z, %one) <{padding = dense<[[0, 5]]> : tensor<1x2xi64>, window_dimensions = array<i64: 6>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    %apart = "stablehlo.select_and_scatter"(%x, %max, %zero) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<1x4x4x1xf32>, tensor<1x2x2x1xf32>, tensor<f32>) -> tensor<1x4x4x1xf32>
    %overlapping = "stablehlo.select_and_scatter"(%z, %product, %one) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    return %max, %min, %sum, %product, %dilated, %gaps, %from_five, %cumulative, %backwards, %products, %apart, %overlapping : tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1x4x4x1xf32>, tensor<3xf32>, tensor<4xf32>, tensor<10xf32>, tensor<3xf32>, tensor<20xf32>, tensor<6xf32>, tensor<6xf32>, tensor<1x4x4x1xf32>, tensor<6xf32>
  }
}
