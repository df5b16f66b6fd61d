// Sorts by one key or several, with values that follow.

// RUN: hgc run %s --input arg0=2x4xf32=3,-1,4,1,0,9,2,6 --input arg1=4xi32=10,20,30,40 --input arg2=4xi32=2,1,2,0 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/ordering.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: hgc.arg_sort {{.*}} axis 1 :
// GRAPH: hgc.arg_sort {{.*}} axis 0 descending
// CHECK: ascending: 2x4xf32=-1,1,3,4,0,2,6,9
// CHECK: columns: 2x4xf32=3,9,4,6,0,-1,2,1
// CHECK: keys: 4xi32=2,2,1,0
// CHECK: followed: 4xi32=10,30,20,40
// CHECK: second: 4xi32=40,20,30,10

module @ordering {
  func.func public @main(%x: tensor<2x4xf32>, %v: tensor<4xi32>, %k: tensor<4xi32>) -> (tensor<2x4xf32> {jax.result_info = "ascending"}, tensor<2x4xf32> {jax.result_info = "columns"}, tensor<4xi32> {jax.result_info = "keys"}, tensor<4xi32> {jax.result_info = "followed"}, tensor<4xi32> {jax.result_info = "second"}) {
    %ascending = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.select %3, %zero, %b : tensor<i1>, tensor<f32>
      %5 = stablehlo.compare LT, %2, %4, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %columns = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare LT, %b, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %pair:2 = "stablehlo.sort"(%v, %k) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %1 = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    %both:2 = "stablehlo.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %1 = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.and %3, %1 : tensor<i1>
      %5 = stablehlo.or %2, %4 : tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    return %ascending, %columns, %pair#1, %pair#0, %both#1 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}
