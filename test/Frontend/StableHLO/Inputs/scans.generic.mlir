"builtin.module"() <{sym_name = "scans"}> ({
  "func.func"() <{function_type = (tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>), res_attrs = [{jax.result_info = "sum"}, {jax.result_info = "sums"}, {jax.result_info = "count"}, {jax.result_info = "backwards"}, {jax.result_info = "shifted"}, {jax.result_info = "long"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x2xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.constant"() <{value = dense<5000> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<2xf32>}> : () -> tensor<2xf32>
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %6:3 = "stablehlo.while"(%0, %4, %5) ({
    ^bb0(%arg18: tensor<i32>, %arg19: tensor<2xf32>, %arg20: tensor<3x2xf32>):
      %40 = "stablehlo.compare"(%arg18, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%40) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<2xf32>, %arg17: tensor<3x2xf32>):
      %31 = "stablehlo.dynamic_slice"(%arg0, %arg15, %0) <{slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %32 = "stablehlo.reshape"(%31) : (tensor<1x2xf32>) -> tensor<2xf32>
      %33 = "stablehlo.convert"(%arg15) : (tensor<i32>) -> tensor<f32>
      %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %35 = "stablehlo.multiply"(%32, %34) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %36 = "stablehlo.add"(%arg16, %35) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %37 = "stablehlo.reshape"(%36) : (tensor<2xf32>) -> tensor<1x2xf32>
      %38 = "stablehlo.dynamic_update_slice"(%arg17, %37, %arg15, %0) : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
      %39 = "stablehlo.add"(%arg15, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%39, %36, %38) : (tensor<i32>, tensor<2xf32>, tensor<3x2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>, tensor<3x2xf32>) -> (tensor<i32>, tensor<2xf32>, tensor<3x2xf32>)
    %7:3 = "stablehlo.while"(%0, %4, %5) ({
    ^bb0(%arg12: tensor<i32>, %arg13: tensor<2xf32>, %arg14: tensor<3x2xf32>):
      %30 = "stablehlo.compare"(%arg12, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%30) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<2xf32>, %arg11: tensor<3x2xf32>):
      %19 = "stablehlo.subtract"(%2, %arg9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %20 = "stablehlo.subtract"(%19, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %21 = "stablehlo.compare"(%20, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %22 = "stablehlo.add"(%20, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %23 = "stablehlo.select"(%21, %22, %20) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %24 = "stablehlo.dynamic_slice"(%arg0, %23, %0) <{slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %25 = "stablehlo.reshape"(%24) : (tensor<1x2xf32>) -> tensor<2xf32>
      %26 = "stablehlo.add"(%arg10, %25) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %27 = "stablehlo.reshape"(%26) : (tensor<2xf32>) -> tensor<1x2xf32>
      %28 = "stablehlo.dynamic_update_slice"(%arg11, %27, %23, %0) : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
      %29 = "stablehlo.add"(%arg9, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%29, %26, %28) : (tensor<i32>, tensor<2xf32>, tensor<3x2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>, tensor<3x2xf32>) -> (tensor<i32>, tensor<2xf32>, tensor<3x2xf32>)
    %8:2 = "stablehlo.while"(%0, %4) ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<2xf32>):
      %18 = "stablehlo.compare"(%arg7, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%18) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<2xf32>):
      %14 = "stablehlo.add"(%arg5, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %15 = "stablehlo.dynamic_slice"(%arg0, %14, %0) <{slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %16 = "stablehlo.reshape"(%15) : (tensor<1x2xf32>) -> tensor<2xf32>
      %17 = "stablehlo.add"(%arg6, %16) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%14, %17) : (tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
    %9 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2xf32>}> : () -> tensor<2xf32>
    %10:2 = "stablehlo.while"(%0, %4) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<2xf32>):
      %13 = "stablehlo.compare"(%arg3, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%13) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<2xf32>):
      %11 = "stablehlo.add"(%arg1, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %12 = "stablehlo.add"(%arg2, %9) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%11, %12) : (tensor<i32>, tensor<2xf32>) -> ()
    }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
    "func.return"(%6#1, %6#2, %6#0, %7#2, %8#1, %10#1) : (tensor<2xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
