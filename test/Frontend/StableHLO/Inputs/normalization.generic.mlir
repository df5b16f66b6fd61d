"builtin.module"() <{sym_name = "normalization"}> ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>), res_attrs = [{jax.result_info = "inference"}, {jax.result_info = "training"}, {jax.result_info = "mean"}, {jax.result_info = "variance"}, {jax.result_info = "map"}, {jax.result_info = "extent"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 4.000000e+00, 2.500000e-01]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %1 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg2, %0) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %2:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 5.000000e-01 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
    %3 = "stablehlo.map"(%arg1, %arg2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %5 = "stablehlo.multiply"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %6 = "stablehlo.add"(%5, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %4 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<i32>
    "func.return"(%1, %2#0, %2#1, %2#2, %3, %4) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()
