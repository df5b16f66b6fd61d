"builtin.module"() <{sym_name = "chlo"}> ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<2xf32>, tensor<2xi32>), res_attrs = [{jax.result_info = "square"}, {jax.result_info = "erf"}, {jax.result_info = "erfc"}, {jax.result_info = "erf_inv"}, {jax.result_info = "tan"}, {jax.result_info = "asin"}, {jax.result_info = "acos"}, {jax.result_info = "atan"}, {jax.result_info = "sinh"}, {jax.result_info = "cosh"}, {jax.result_info = "asinh"}, {jax.result_info = "acosh"}, {jax.result_info = "atanh"}, {jax.result_info = "infinite"}, {jax.result_info = "above"}, {jax.result_info = "below"}, {jax.result_info = "next"}, {jax.result_info = "top"}, {jax.result_info = "places"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>):
    %0 = "chlo.square"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "chlo.erf"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "chlo.erfc"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "chlo.erf_inv"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "chlo.tan"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "chlo.asin"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "chlo.acos"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %7 = "chlo.atan"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "chlo.sinh"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %9 = "chlo.cosh"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %10 = "chlo.asinh"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
    %11 = "chlo.acosh"(%9) : (tensor<4xf32>) -> tensor<4xf32>
    %12 = "chlo.atanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %13 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %14 = "stablehlo.divide"(%arg1, %13) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %15 = "chlo.is_inf"(%14) : (tensor<4xf32>) -> tensor<4xi1>
    %16 = "chlo.is_pos_inf"(%14) : (tensor<4xf32>) -> tensor<4xi1>
    %17 = "chlo.is_neg_inf"(%14) : (tensor<4xf32>) -> tensor<4xi1>
    %18 = "chlo.next_after"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %19:2 = "chlo.top_k"(%arg0) <{k = 2 : i64}> : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %15, %16, %17, %18, %19#0, %19#1) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<2xf32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
