// Row by row, behind a batch of one, with as many bytes in as out.
module @rows {
  func.func @f(%x: tensor<1x2048x1024xf32> {hgc.name = "x"}) -> (tensor<1x2048x1024xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %s = hgc.constant dense<0.5> : tensor<f32>
    %0 = hgc.mul %x, %s {hgc.device = #hgc.device<gpu>} : (tensor<1x2048x1024xf32>, tensor<f32>) -> tensor<1x2048x1024xf32>
    %1 = hgc.abs %0 {hgc.device = #hgc.device<gpu>} : tensor<1x2048x1024xf32>
    return %1 : tensor<1x2048x1024xf32>
  }
}
