// Functions that JAX leaves to the compiler, and the first of an order.

// RUN: hgc run %s --input arg0=4xf32=-0.75,0.125,0.5,0.99 --input arg1=4xf32=-3,0.5,2.5,5 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/chlo.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// CHECK: square: 4xf32=0.5625,0.015625{{[0-9]*}},0.25,0.98010{{[0-9]*}}
// CHECK: erf: 4xf32=-0.99997{{[0-9]*}},0.52049{{[0-9]*}},0.99959{{[0-9]*}},1
// CHECK: erfc: 4xf32=1.9999{{[0-9]*}},0.47950{{[0-9]*}},0.00040695{{[0-9]*}},1.5374{{[0-9]*}}e-12
// CHECK: erf_inv: 4xf32=-0.81341{{[0-9]*}},0.11123{{[0-9]*}},0.47693{{[0-9]*}},1.8213{{[0-9]*}}
// CHECK: tan: 4xf32=-0.93159{{[0-9]*}},0.12565{{[0-9]*}},0.54630{{[0-9]*}},1.5236{{[0-9]*}}
// CHECK: asin: 4xf32=-0.84806{{[0-9]*}},0.12532{{[0-9]*}},0.52359{{[0-9]*}},1.4292{{[0-9]*}}
// CHECK: acos: 4xf32=2.4188{{[0-9]*}},1.4454{{[0-9]*}},1.0471{{[0-9]*}},0.14153{{[0-9]*}}
// CHECK: atan: 4xf32=-1.2490{{[0-9]*}},0.46364{{[0-9]*}},1.1902{{[0-9]*}},1.3734{{[0-9]*}}
// CHECK: sinh: 4xf32=-10.017{{[0-9]*}},0.52109{{[0-9]*}},6.0502{{[0-9]*}},74.203{{[0-9]*}}
// CHECK: cosh: 4xf32=10.067{{[0-9]*}},1.1276{{[0-9]*}},6.1322{{[0-9]*}},74.209{{[0-9]*}}
// CHECK: asinh: 4xf32=-1.8184{{[0-9]*}},0.48121{{[0-9]*}},1.6472{{[0-9]*}},2.3124{{[0-9]*}}
// CHECK: acosh: 4xf32=3,0.49999{{[0-9]*}},2.5,5
// CHECK: atanh: 4xf32=-0.97295{{[0-9]*}},0.12565{{[0-9]*}},0.54930{{[0-9]*}},2.6466{{[0-9]*}}
// CHECK: infinite: 4xi1=1,1,0,0
// CHECK: above: 4xi1=0,1,0,0
// CHECK: below: 4xi1=1,0,0,0
// CHECK: next: 4xf32=-0.75000{{[0-9]*}},0.12500{{[0-9]*}},0.50000{{[0-9]*}},0.99000{{[0-9]*}}
// CHECK: top: 2xf32=0.99000{{[0-9]*}},0.5
// CHECK: places: 2xi32=3,2

module @chlo {
  func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "square"}, tensor<4xf32> {jax.result_info = "erf"}, tensor<4xf32> {jax.result_info = "erfc"}, tensor<4xf32> {jax.result_info = "erf_inv"}, tensor<4xf32> {jax.result_info = "tan"}, tensor<4xf32> {jax.result_info = "asin"}, tensor<4xf32> {jax.result_info = "acos"}, tensor<4xf32> {jax.result_info = "atan"}, tensor<4xf32> {jax.result_info = "sinh"}, tensor<4xf32> {jax.result_info = "cosh"}, tensor<4xf32> {jax.result_info = "asinh"}, tensor<4xf32> {jax.result_info = "acosh"}, tensor<4xf32> {jax.result_info = "atanh"}, tensor<4xi1> {jax.result_info = "infinite"}, tensor<4xi1> {jax.result_info = "above"}, tensor<4xi1> {jax.result_info = "below"}, tensor<4xf32> {jax.result_info = "next"}, tensor<2xf32> {jax.result_info = "top"}, tensor<2xi32> {jax.result_info = "places"}) {
    %square = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
    %erf = chlo.erf %y : tensor<4xf32> -> tensor<4xf32>
    %erfc = chlo.erfc %y : tensor<4xf32> -> tensor<4xf32>
    %erf_inv = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
    %tan = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
    %asin = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
    %acos = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
    %atan = chlo.atan %y : tensor<4xf32> -> tensor<4xf32>
    %sinh = chlo.sinh %y : tensor<4xf32> -> tensor<4xf32>
    %cosh = chlo.cosh %y : tensor<4xf32> -> tensor<4xf32>
    %asinh = chlo.asinh %y : tensor<4xf32> -> tensor<4xf32>
    %acosh = chlo.acosh %cosh : tensor<4xf32> -> tensor<4xf32>
    %atanh = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
    %zero = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0]> : tensor<4xf32>
    %quotient = stablehlo.divide %y, %zero : tensor<4xf32>
    %infinite = chlo.is_inf %quotient : tensor<4xf32> -> tensor<4xi1>
    %above = chlo.is_pos_inf %quotient : tensor<4xf32> -> tensor<4xi1>
    %below = chlo.is_neg_inf %quotient : tensor<4xf32> -> tensor<4xi1>
    %next = chlo.next_after %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %top, %places = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    return %square, %erf, %erfc, %erf_inv, %tan, %asin, %acos, %atan, %sinh, %cosh, %asinh, %acosh, %atanh, %infinite, %above, %below, %next, %top, %places : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<2xf32>, tensor<2xi32>
  }
}
