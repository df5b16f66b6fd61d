// Products over any dims, of floats and integers.

// RUN: hgc run %s --input arg0=2x3xf32=1,2,3,4,5,6 --input arg1=3x2xf32=1,0,-1,2,0.5,1 --input arg2=2x2x3xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input arg3=2x3xi32=1,2,3,4,5,6 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/contraction.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: hgc.matmul %{{[^ ]*}}, %{{[^ ]*}} :
// GRAPH: hgc.matmul {{.*}} transpose_lhs
// GRAPH: hgc.matmul {{.*}} transpose_rhs
// CHECK: plain: 2x2xf32=0.5,7,2,16
// CHECK: left: 3x3xf32=17,22,27,22,29,36,27,36,45
// CHECK: right: 2x2xf32=14,32,32,77
// CHECK: batched: 2x2x2xf32=14,50,50,194,77,167,167,365
// CHECK: rows: 2x2x2xf32=0.5,7,2,16,3.5,25,5,34
// CHECK: sums: 2xf32=32,167
// CHECK: outer: 2x3x3x2xf32=1,0,-1,2,0.5,1,2,0,-2,4,1,2,3,0,-3,6,1.5,3,4,0,-4,8,2,4,5,0,-5,10,2.5,5,6,0,...
// CHECK: integers: 2x2xi32=14,32,32,77
// CHECK: dot: 2x2xf32=0.5,7,2,16
// CHECK: half: 2x2xf16=0.5,7,2,16

module @contraction {
  func.func public @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2x3xf32>, %i: tensor<2x3xi32>) -> (tensor<2x2xf32> {jax.result_info = "plain"}, tensor<3x3xf32> {jax.result_info = "left"}, tensor<2x2xf32> {jax.result_info = "right"}, tensor<2x2x2xf32> {jax.result_info = "batched"}, tensor<2x2x2xf32> {jax.result_info = "rows"}, tensor<2xf32> {jax.result_info = "sums"}, tensor<2x3x3x2xf32> {jax.result_info = "outer"}, tensor<2x2xi32> {jax.result_info = "integers"}, tensor<2x2xf32> {jax.result_info = "dot"}, tensor<2x2xf16> {jax.result_info = "half"}) {
    %plain = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %left = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %right = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %batched = stablehlo.dot_general %c, %c, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x2xf32>
    %rows = stablehlo.dot_general %c, %b, contracting_dims = [2] x [0] : (tensor<2x2x3xf32>, tensor<3x2xf32>) -> tensor<2x2x2xf32>
    %sums = stablehlo.dot_general %c, %a, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %column = stablehlo.slice %sums [0:2, 1:2] : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %last = stablehlo.reshape %column : (tensor<2x1xf32>) -> tensor<2xf32>
    %outer = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3x3x2xf32>
    %integers = stablehlo.dot_general %i, %i, contracting_dims = [1] x [1] : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>
    %dot = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %ah = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xf16>
    %bh = stablehlo.convert %b : (tensor<3x2xf32>) -> tensor<3x2xf16>
    %half = stablehlo.dot_general %ah, %bh, contracting_dims = [1] x [0] : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf16>
    return %plain, %left, %right, %batched, %rows, %last, %outer, %integers, %dot, %half : tensor<2x2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2xf32>, tensor<2x3x3x2xf32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<2x2xf16>
  }
}
