// A square product with fused bias and relu.
module @gemm {
  hgc.parameter @weight : tensor<1024x1024xf32> = #hgc.init<uniform, seed = 1>
  hgc.parameter @bias : tensor<1024xf32> = dense<0.1>
  func.func @run(%x: tensor<1024x1024xf32> {hgc.name = "x"}) -> (tensor<1024x1024xf32> {hgc.name = "y"})
      attributes {hgc.entry} {
    %w = hgc.read @weight : tensor<1024x1024xf32>
    %b = hgc.read @bias : tensor<1024xf32>
    %0 = hgc.matmul %x, %w : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %1 = hgc.add %0, %b : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
    %2 = hgc.relu %1 : tensor<1024x1024xf32>
    return %2 : tensor<1024x1024xf32>
  }
}
