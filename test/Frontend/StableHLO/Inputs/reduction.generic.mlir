"builtin.module"() <{sym_name = "reduction"}> ({
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<2x4xi32>, tensor<2x4xi1>) -> (tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>), res_attrs = [{jax.result_info = "sum"}, {jax.result_info = "product"}, {jax.result_info = "maximum"}, {jax.result_info = "minimum"}, {jax.result_info = "any"}, {jax.result_info = "all"}, {jax.result_info = "from_ten"}, {jax.result_info = "xor"}, {jax.result_info = "greatest"}, {jax.result_info = "place"}, {jax.result_info = "least"}, {jax.result_info = "longest"}, {jax.result_info = "shortest"}, {jax.result_info = "empty"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x4xi1>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %7 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %8 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %56 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%56) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %9 = "stablehlo.reduce"(%arg0, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %55 = "stablehlo.multiply"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%55) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = "stablehlo.reduce"(%arg0, %3) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %54 = "stablehlo.maximum"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%54) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %53 = "stablehlo.minimum"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %12 = "stablehlo.reduce"(%arg2, %6) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg23: tensor<i1>, %arg24: tensor<i1>):
      %52 = "stablehlo.or"(%arg23, %arg24) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%52) : (tensor<i1>) -> ()
    }) : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %13 = "stablehlo.reduce"(%arg2, %7) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg21: tensor<i1>, %arg22: tensor<i1>):
      %51 = "stablehlo.and"(%arg21, %arg22) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%51) : (tensor<i1>) -> ()
    }) : (tensor<2x4xi1>, tensor<i1>) -> tensor<2xi1>
    %14 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %50 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %15 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x4xi32>) -> tensor<2x3xi32>
    %16 = "stablehlo.reduce"(%15, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg17: tensor<i32>, %arg18: tensor<i32>):
      %49 = "stablehlo.xor"(%arg17, %arg18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%49) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %17 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x4xi32>
    %18:2 = "stablehlo.reduce"(%arg0, %17, %3, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<i32>, %arg15: tensor<f32>, %arg16: tensor<i32>):
      %40 = "stablehlo.compare"(%arg13, %arg15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %41 = "stablehlo.compare"(%arg13, %arg13) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %42 = "stablehlo.or"(%40, %41) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %43 = "stablehlo.compare"(%arg13, %arg15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %44 = "stablehlo.compare"(%arg14, %arg16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %45 = "stablehlo.and"(%43, %44) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %46 = "stablehlo.or"(%42, %45) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %47 = "stablehlo.select"(%42, %arg13, %arg15) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %48 = "stablehlo.select"(%46, %arg14, %arg16) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%47, %48) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    %19 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x4xi32>
    %20:2 = "stablehlo.reduce"(%arg0, %19, %4, %5) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<i32>, %arg11: tensor<f32>, %arg12: tensor<i32>):
      %31 = "stablehlo.compare"(%arg9, %arg11) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %32 = "stablehlo.compare"(%arg9, %arg9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %33 = "stablehlo.or"(%31, %32) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %34 = "stablehlo.compare"(%arg9, %arg11) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %35 = "stablehlo.compare"(%arg10, %arg12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %36 = "stablehlo.and"(%34, %35) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %37 = "stablehlo.or"(%33, %36) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %38 = "stablehlo.select"(%33, %arg9, %arg11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %39 = "stablehlo.select"(%37, %arg10, %arg12) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%38, %39) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    %21:2 = "stablehlo.reduce"(%arg0, %arg0, %0, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
      %25 = "stablehlo.abs"(%arg5) : (tensor<f32>) -> tensor<f32>
      %26 = "stablehlo.abs"(%arg7) : (tensor<f32>) -> tensor<f32>
      %27 = "stablehlo.maximum"(%25, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %28 = "stablehlo.abs"(%arg6) : (tensor<f32>) -> tensor<f32>
      %29 = "stablehlo.abs"(%arg8) : (tensor<f32>) -> tensor<f32>
      %30 = "stablehlo.minimum"(%28, %29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27, %30) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
    %22 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 2>, strides = array<i64: 1, 1>}> : (tensor<2x4xf32>) -> tensor<2x0xf32>
    %23 = "stablehlo.reduce"(%22, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %24 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24) : (tensor<f32>) -> ()
    }) : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
    "func.return"(%8, %9, %10, %11, %12, %13, %14, %16, %18#0, %18#1, %20#1, %21#0, %21#1, %23) : (tensor<2xf32>, tensor<4xf32>, tensor<f32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<4xi32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
