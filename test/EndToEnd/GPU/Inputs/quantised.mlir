// A product with weights of eight bits.
module @quantised {
  hgc.parameter @w : tensor<128x64xi8> = dense<3>
  func.func @f(%x: tensor<16x128xf32> {hgc.name = "x"}) -> (tensor<16x64xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %q = hgc.read @w : tensor<128x64xi8>
    %s = hgc.constant dense<0.05> : tensor<f32>
    %f = hgc.cast %q to f32 {hgc.name = "widen"} : (tensor<128x64xi8>) -> tensor<128x64xf32>
    %m = hgc.mul %f, %s {hgc.name = "scale"} : (tensor<128x64xf32>, tensor<f32>) -> tensor<128x64xf32>
    %y = hgc.matmul %x, %m {hgc.name = "product"} : (tensor<16x128xf32>, tensor<128x64xf32>) -> tensor<16x64xf32>
    return %y : tensor<16x64xf32>
  }
}
