module @jit_g {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<4x2xf32> {
    %0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
    return %1 : tensor<4x2xf32>
  }
}
