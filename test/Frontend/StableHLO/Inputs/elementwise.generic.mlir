"builtin.module"() <{sym_name = "elementwise"}> ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>), res_attrs = [{jax.result_info = "abs"}, {jax.result_info = "negate"}, {jax.result_info = "sign"}, {jax.result_info = "exp"}, {jax.result_info = "expm1"}, {jax.result_info = "log"}, {jax.result_info = "log1p"}, {jax.result_info = "logistic"}, {jax.result_info = "sqrt"}, {jax.result_info = "rsqrt"}, {jax.result_info = "cbrt"}, {jax.result_info = "sine"}, {jax.result_info = "cosine"}, {jax.result_info = "tan"}, {jax.result_info = "tanh"}, {jax.result_info = "floor"}, {jax.result_info = "ceil"}, {jax.result_info = "even"}, {jax.result_info = "away"}, {jax.result_info = "finite"}, {jax.result_info = "add"}, {jax.result_info = "subtract"}, {jax.result_info = "multiply"}, {jax.result_info = "divide"}, {jax.result_info = "maximum"}, {jax.result_info = "minimum"}, {jax.result_info = "remainder"}, {jax.result_info = "power"}, {jax.result_info = "atan2"}, {jax.result_info = "less"}, {jax.result_info = "equal"}, {jax.result_info = "total"}, {jax.result_info = "select"}, {jax.result_info = "clamp"}, {jax.result_info = "convert"}, {jax.result_info = "reduced"}, {jax.result_info = "bits"}, {jax.result_info = "number"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>):
    %0 = "stablehlo.abs"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.sign"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.exponential"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.log"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.log_plus_one"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.logistic"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.sqrt"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.rsqrt"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.cbrt"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %11 = "stablehlo.sine"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %12 = "stablehlo.cosine"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %13 = "stablehlo.tan"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %14 = "stablehlo.tanh"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %15 = "stablehlo.floor"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %16 = "stablehlo.ceil"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %17 = "stablehlo.round_nearest_even"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %18 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %21 = "stablehlo.is_finite"(%20) : (tensor<4xf32>) -> tensor<4xi1>
    %22 = "stablehlo.add"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %23 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %24 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %25 = "stablehlo.divide"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %26 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %27 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %28 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %29 = "stablehlo.power"(%0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %30 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %31 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %32 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %33 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 0x7FC00000, 0x7FC00000, 2.000000e+00]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %34 = "stablehlo.compare"(%33, %arg0) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %35 = "stablehlo.select"(%31, %arg0, %19) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %36 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.clamp"(%36, %arg0, %37) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %39 = "stablehlo.convert"(%arg0) : (tensor<4xf32>) -> tensor<4xi32>
    %40 = "stablehlo.reduce_precision"(%3) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    %41 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4xf32>) -> tensor<4xi32>
    %42 = "stablehlo.bitcast_convert"(%41) : (tensor<4xi32>) -> tensor<4xf32>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %34, %35, %38, %39, %40, %41, %42) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
