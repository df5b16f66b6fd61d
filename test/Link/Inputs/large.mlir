// Eight megabytes of weights.
module @large {
  hgc.parameter @w : tensor<1024x2048xf32> = #hgc.init<uniform, seed = 3>
  func.func @run(%x: tensor<2x1024xf32> {hgc.name = "x"}) -> (tensor<2x2048xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<1024x2048xf32>
    %0 = hgc.matmul %x, %w : (tensor<2x1024xf32>, tensor<1024x2048xf32>) -> tensor<2x2048xf32>
    return %0 : tensor<2x2048xf32>
  }
}
