"builtin.module"() <{sym_name = "integers"}> ({
  "func.func"() <{function_type = (tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xf32>), res_attrs = [{jax.result_info = "and"}, {jax.result_info = "or"}, {jax.result_info = "xor"}, {jax.result_info = "not"}, {jax.result_info = "left"}, {jax.result_info = "logical"}, {jax.result_info = "arithmetic"}, {jax.result_info = "right"}, {jax.result_info = "ones"}, {jax.result_info = "leading"}, {jax.result_info = "divide"}, {jax.result_info = "rest"}, {jax.result_info = "power"}, {jax.result_info = "sum"}, {jax.result_info = "greater"}, {jax.result_info = "either"}, {jax.result_info = "both"}, {jax.result_info = "differ"}, {jax.result_info = "narrow"}, {jax.result_info = "float"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>, %arg2: tensor<4xui32>, %arg3: tensor<4xi1>, %arg4: tensor<4xi1>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %3 = "stablehlo.not"(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    %4 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %5 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.constant"() <{value = dense<3> : tensor<4xui32>}> : () -> tensor<4xui32>
    %8 = "stablehlo.shift_right_logical"(%arg2, %7) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %9 = "stablehlo.popcnt"(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    %10 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<4xi32>) -> tensor<4xi32>
    %11 = "stablehlo.divide"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %12 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %13 = "stablehlo.power"(%arg0, %arg1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %14 = "stablehlo.add"(%arg2, %7) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %15 = "stablehlo.compare"(%arg2, %7) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
    %16 = "stablehlo.add"(%arg3, %arg4) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %17 = "stablehlo.multiply"(%arg3, %arg4) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %18 = "stablehlo.compare"(%arg3, %arg4) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %19 = "stablehlo.convert"(%arg0) : (tensor<4xi32>) -> tensor<4xi8>
    %20 = "stablehlo.convert"(%arg2) : (tensor<4xui32>) -> tensor<4xf32>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20) : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi8>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
