// The mean of the squares of a million numbers.
module @square_mean {
  func.func @run(%x: tensor<1000x1000xf32> {hgc.name = "x"}) -> (tensor<f32> {hgc.name = "mean"}) attributes {hgc.entry} {
    %0 = hgc.mul %x, %x {hgc.name = "square"} : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
    %1 = hgc.reduce mean %0 axes = [0, 1] {hgc.name = "mean"} : (tensor<1000x1000xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
