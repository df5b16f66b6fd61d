"builtin.module"() <{sym_name = "contraction"}> ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x2x3xf32>, tensor<2x3xi32>) -> (tensor<2x2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2xf32>, tensor<2x3x3x2xf32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<2x2xf16>), res_attrs = [{jax.result_info = "plain"}, {jax.result_info = "left"}, {jax.result_info = "right"}, {jax.result_info = "batched"}, {jax.result_info = "rows"}, {jax.result_info = "sums"}, {jax.result_info = "outer"}, {jax.result_info = "integers"}, {jax.result_info = "dot"}, {jax.result_info = "half"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2x2x3xf32>, %arg3: tensor<2x3xi32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = "stablehlo.dot_general"(%arg0, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %2 = "stablehlo.dot_general"(%arg0, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.dot_general"(%arg2, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x2xf32>
    %4 = "stablehlo.dot_general"(%arg2, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x2x3xf32>, tensor<3x2xf32>) -> tensor<2x2x2xf32>
    %5 = "stablehlo.dot_general"(%arg2, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %6 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<2x2xf32>) -> tensor<2x1xf32>
    %7 = "stablehlo.reshape"(%6) : (tensor<2x1xf32>) -> tensor<2xf32>
    %8 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3x3x2xf32>
    %9 = "stablehlo.dot_general"(%arg3, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>
    %10 = "stablehlo.dot"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %11 = "stablehlo.convert"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf16>
    %12 = "stablehlo.convert"(%arg1) : (tensor<3x2xf32>) -> tensor<3x2xf16>
    %13 = "stablehlo.dot_general"(%11, %12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf16>
    "func.return"(%0, %1, %2, %3, %4, %7, %8, %9, %10, %13) : (tensor<2x2xf32>, tensor<3x3xf32>, tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2xf32>, tensor<2x3x3x2xf32>, tensor<2x2xi32>, tensor<2x2xf32>, tensor<2x2xf16>) -> ()
  }) : () -> ()
}) : () -> ()
