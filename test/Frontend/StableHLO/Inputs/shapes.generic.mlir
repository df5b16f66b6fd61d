"builtin.module"() <{sym_name = "shapes"}> ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<2x3xi32>, tensor<3x2xf32>, tensor<3x2x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x2xf32>, tensor<4x5xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>), res_attrs = [{jax.result_info = "constant"}, {jax.result_info = "iota"}, {jax.result_info = "reshape"}, {jax.result_info = "repeated"}, {jax.result_info = "splat"}, {jax.result_info = "transpose"}, {jax.result_info = "reverse"}, {jax.result_info = "concatenate"}, {jax.result_info = "slice"}, {jax.result_info = "pad"}, {jax.result_info = "dynamic"}, {jax.result_info = "row"}, {jax.result_info = "box"}, {jax.result_info = "whole"}, {jax.result_info = "barrier"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>):
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.500000e+00, -3.000000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
    %2 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %3 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2x2xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2xf32>
    %6 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %7 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = "stablehlo.concatenate"(%arg0, %7) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %9 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<1x2xf32>
    %10 = "stablehlo.pad"(%arg0, %4) <{edge_padding_high = array<i64: 0, 1>, edge_padding_low = array<i64: 1, -1>, interior_padding = array<i64: 1, 1>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
    %11 = "stablehlo.dynamic_slice"(%arg0, %arg1, %arg1) <{slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.constant"() <{value = dense<[[7.000000e+00, 8.000000e+00, 9.000000e+00]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %14 = "stablehlo.dynamic_update_slice"(%arg0, %13, %arg1, %12) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %15 = "stablehlo.dynamic_update_slice"(%arg0, %9, %arg1, %arg1) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %16 = "stablehlo.dynamic_update_slice"(%arg0, %7, %arg1, %arg1) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %17:2 = "stablehlo.optimization_barrier"(%arg0, %4) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<f32>)
    "func.return"(%0, %1, %2, %3, %5, %6, %7, %8, %9, %10, %11, %14, %15, %16, %17#0) : (tensor<3xf32>, tensor<2x3xi32>, tensor<3x2xf32>, tensor<3x2x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x2xf32>, tensor<4x5xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
