// Sums and the like over whole dims, positions of extremes, and bodies of several ops.

// RUN: hgc run %s --input arg0=2x4xf32=3,-1,4,1,5,9,2,6 --input arg1=2x4xi32=3,1,4,1,5,9,2,6 --input arg2=2x4xi1=1,0,1,1,1,1,1,1 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/reduction.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: hgc.reduce sum
// GRAPH: hgc.reduce prod
// GRAPH: hgc.reduce max
// GRAPH: hgc.reduce min
// GRAPH: hgc.reduce any
// GRAPH: hgc.reduce all
// GRAPH: hgc.arg_reduce max {{.*}} axis 1
// GRAPH: hgc.arg_reduce min {{.*}} axis 0
// CHECK: sum: 2xf32=7,22
// CHECK: product: 4xf32=15,-9,8,6
// CHECK: maximum: f32=9
// CHECK: minimum: 2xf32=-1,2
// CHECK: any: 2xi1=1,1
// CHECK: all: 2xi1=0,1
// CHECK: from_ten: 2xf32=17,32
// CHECK: xor: 2xi32=6,14
// CHECK: greatest: 2xf32=4,9
// CHECK: place: 2xi32=2,1
// CHECK: least: 4xi32=0,0,1,0
// CHECK: longest: 2xf32=4,9
// CHECK: shortest: 2xf32=1,2
// CHECK: empty: 2xf32=10,10

module @reduction {
  func.func public @main(%x: tensor<2x4xf32>, %i: tensor<2x4xi32>, %p: tensor<2x4xi1>) -> (tensor<2xf32> {jax.result_info = "sum"}, tensor<4xf32> {jax.result_info = "product"}, tensor<f32> {jax.result_info = "maximum"}, tensor<2xf32> {jax.result_info = "minimum"}, tensor<2xi1> {jax.result_info = "any"}, tensor<2xi1> {jax.result_info = "all"}, tensor<2xf32> {jax.result_info = "from_ten"}, tensor<2xi32> {jax.result_info = "xor"}, tensor<2xf32> {jax.result_info = "greatest"}, tensor<2xi32> {jax.result_info = "place"}, tensor<4xi32> {jax.result_info = "least"}, tensor<2xf32> {jax.result_info = "longest"}, tensor<2xf32> {jax.result_info = "shortest"}, tensor<2xf32> {jax.result_info = "empty"}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %ten = stablehlo.constant dense<10.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %false = stablehlo.constant dense<false> : tensor<i1>
    %true = stablehlo.constant dense<true> : tensor<i1>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %product = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %maximum = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
    %minimum = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %any = stablehlo.reduce(%p init: %false) applies stablehlo.or across dimensions = [1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %all = stablehlo.reduce(%p init: %true) applies stablehlo.and across dimensions = [1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %from_ten = stablehlo.reduce(%x init: %ten) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %three = stablehlo.slice %i [0:2, 0:3] : (tensor<2x4xi32>) -> tensor<2x3xi32>
    %xor = stablehlo.reduce(%three init: %none) applies stablehlo.xor across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %count = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %extreme:2 = stablehlo.reduce(%x init: %low), (%count init: %none) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>)  {
      %2 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    %rows = stablehlo.iota dim = 0 : tensor<2x4xi32>
    %lowest:2 = stablehlo.reduce(%x init: %high), (%rows init: %none) across dimensions = [0] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>)  {
      %2 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    %ends:2 = stablehlo.reduce(%x init: %zero), (%x init: %ten) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>)  {
      %2 = stablehlo.abs %a : tensor<f32>
      %3 = stablehlo.abs %b : tensor<f32>
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.abs %c : tensor<f32>
      %6 = stablehlo.abs %d : tensor<f32>
      %7 = stablehlo.minimum %5, %6 : tensor<f32>
      stablehlo.return %4, %7 : tensor<f32>, tensor<f32>
    }
    %nothing = stablehlo.slice %x [0:2, 2:2] : (tensor<2x4xf32>) -> tensor<2x0xf32>
    %empty = stablehlo.reduce(%nothing init: %ten) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
    return %sum, %product, %maximum, %minimum, %any, %all, %from_ten, %xor, %extreme#0, %extreme#1, %lowest#1, %ends#0, %ends#1, %empty : tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
