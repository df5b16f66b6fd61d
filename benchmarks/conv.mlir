// A 3x3 convolution of a residual network, with fused bias and relu.
module @conv {
  hgc.parameter @filter : tensor<3x3x64x64xf32> = #hgc.init<he_uniform, seed = 1>
  hgc.parameter @bias : tensor<64xf32> = dense<0.1>
  func.func @run(%x: tensor<1x56x56x64xf32> {hgc.name = "x"}) -> (tensor<1x56x56x64xf32> {hgc.name = "y"})
      attributes {hgc.entry} {
    %w = hgc.read @filter : tensor<3x3x64x64xf32>
    %b = hgc.read @bias : tensor<64xf32>
    %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    %1 = hgc.add %0, %b : (tensor<1x56x56x64xf32>, tensor<64xf32>) -> tensor<1x56x56x64xf32>
    %2 = hgc.relu %1 : tensor<1x56x56x64xf32>
    return %2 : tensor<1x56x56x64xf32>
  }
}
