// A table too large for the GPU stays in host memory; what is looked up there
// goes to dense layers.
module @embedding_dense {
  hgc.parameter @table : tensor<50000x32xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @dense1.weight : tensor<256x128xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @dense1.bias : tensor<128xf32> = dense<0.0>
  hgc.parameter @dense2.weight : tensor<128x1xf32> = #hgc.init<glorot_uniform, seed = 3>

  func.func @score(%ids: tensor<64x8xi32> {hgc.name = "ids"}) -> (tensor<64x1xf32> {hgc.name = "score"})
      attributes {hgc.entry} {
    %t = hgc.read @table : tensor<50000x32xf32>
    %rows = hgc.gather %t, %ids axis 0 {hgc.name = "embedding"} : (tensor<50000x32xf32>, tensor<64x8xi32>) -> tensor<64x8x32xf32>
    %flat = hgc.reshape %rows shape [64, 256] : (tensor<64x8x32xf32>) -> tensor<64x256xf32>
    %w1 = hgc.read @dense1.weight : tensor<256x128xf32>
    %b1 = hgc.read @dense1.bias : tensor<128xf32>
    %w2 = hgc.read @dense2.weight : tensor<128x1xf32>
    %0 = hgc.matmul %flat, %w1 {hgc.name = "dense1"} : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
    %1 = hgc.add %0, %b1 {hgc.name = "dense1.add"} : (tensor<64x128xf32>, tensor<128xf32>) -> tensor<64x128xf32>
    %2 = hgc.relu %1 {hgc.name = "dense1.relu"} : tensor<64x128xf32>
    %3 = hgc.matmul %2, %w2 {hgc.name = "dense2"} : (tensor<64x128xf32>, tensor<128x1xf32>) -> tensor<64x1xf32>
    %4 = hgc.sigmoid %3 {hgc.name = "score"} : tensor<64x1xf32>
    return %4 : tensor<64x1xf32>
  }
}
