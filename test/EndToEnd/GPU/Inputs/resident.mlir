// One layer whose input and output are of one shape, so that calls can be chained.
module @layer {
  hgc.parameter @w : tensor<16x16xf32> = #hgc.init<glorot_uniform, seed = 7>
  func.func @step(%x: tensor<8x16xf32> {hgc.name = "x", hgc.device = #hgc.device<gpu:0>}, %b: tensor<16xf32> {hgc.name = "b"})
      -> (tensor<8x16xf32> {hgc.name = "y", hgc.device = #hgc.device<gpu>}) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<16x16xf32>
    %0 = hgc.matmul %x, %w {hgc.name = "product"} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1 = hgc.add %0, %b {hgc.name = "sum"} : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
    %2 = hgc.tanh %1 {hgc.name = "act"} : tensor<8x16xf32>
    return %2 : tensor<8x16xf32>
  }
}
