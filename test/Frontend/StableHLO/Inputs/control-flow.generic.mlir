"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}, {}, {}], function_type = (tensor<3xf32>, tensor<i32>, tensor<i1>) -> (tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>), res_attrs = [{jax.result_info = "called"}, {jax.result_info = "count"}, {jax.result_info = "looped"}, {jax.result_info = "either"}, {jax.result_info = "case"}, {jax.result_info = "last"}, {jax.result_info = "sharded"}, {jax.result_info = "composite"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<3xf32>, %arg2: tensor<i32>, %arg3: tensor<i1>):
    %1 = "func.call"(%arg1) <{callee = @twice}> : (tensor<3xf32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3:3 = "stablehlo.while"(%2, %1, %arg1) ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<3xf32>, %arg9: tensor<3xf32>):
      %20 = "stablehlo.compare"(%arg7, %arg2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%20) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<3xf32>, %arg6: tensor<3xf32>):
      %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %17 = "stablehlo.add"(%arg4, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %18 = "func.call"(%arg6) <{callee = @twice}> : (tensor<3xf32>) -> tensor<3xf32>
      %19 = "stablehlo.add"(%18, %arg5) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%17, %arg5, %19) : (tensor<i32>, tensor<3xf32>, tensor<3xf32>) -> ()
    }) : (tensor<i32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>, tensor<3xf32>)
    %4 = "stablehlo.if"(%arg3) ({
      %15 = "stablehlo.negate"(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%15) : (tensor<3xf32>) -> ()
    }, {
      "stablehlo.return"(%arg1) : (tensor<3xf32>) -> ()
    }) : (tensor<i1>) -> tensor<3xf32>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.subtract"(%arg2, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.subtract"(%6, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.case"(%7) ({
      "stablehlo.return"(%arg1) : (tensor<3xf32>) -> ()
    }, {
      %14 = "stablehlo.negate"(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%14) : (tensor<3xf32>) -> ()
    }, {
      %13 = "stablehlo.multiply"(%arg1, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%13) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    %9 = "stablehlo.case"(%arg2) ({
      "stablehlo.return"(%arg1) : (tensor<3xf32>) -> ()
    }, {
      %12 = "stablehlo.negate"(%arg1) : (tensor<3xf32>) -> tensor<3xf32>
      "stablehlo.return"(%12) : (tensor<3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3xf32>
    %10 = "stablehlo.custom_call"(%arg1) <{backend_config = "", call_target_name = "Sharding"}> {mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
    %11 = "stablehlo.composite"(%arg1) <{decomposition = @twice, name = "my.twice"}> : (tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%1, %3#0, %3#2, %4, %8, %9, %10, %11) : (tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3xf32>) -> tensor<3xf32>, sym_name = "twice", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xf32>):
    %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
