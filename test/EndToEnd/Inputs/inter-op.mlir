// Three branches of small kernels with a common input.
module @inter_op {
  func.func @f(%x: tensor<64x1024xf32> {hgc.name = "x"}) -> (tensor<64xf32> {hgc.name = "s"},
      tensor<64xf32> {hgc.name = "t"}, tensor<64xf32> {hgc.name = "u"}) attributes {hgc.entry} {
    %a0 = hgc.tanh %x : tensor<64x1024xf32>
    %a1 = hgc.reduce sum %a0 axes = [1] : (tensor<64x1024xf32>) -> tensor<64xf32>
    %a2 = hgc.exp %a1 : tensor<64xf32>
    %b0 = hgc.sin %x : tensor<64x1024xf32>
    %b1 = hgc.reduce max %b0 axes = [1] : (tensor<64x1024xf32>) -> tensor<64xf32>
    %c0 = hgc.softmax %x axis 1 : tensor<64x1024xf32>
    %c1 = hgc.reduce max %c0 axes = [1] : (tensor<64x1024xf32>) -> tensor<64xf32>
    return %a2, %b1, %c1 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
  }
}
