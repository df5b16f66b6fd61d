module @rows {
  func.func @softmax(%x: tensor<7x301xf32>) -> tensor<7x301xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<7x301xf32>
    return %0 : tensor<7x301xf32>
  }
  func.func @even(%x: tensor<7x320xf32>) -> tensor<7x320xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<7x320xf32>
    return %0 : tensor<7x320xf32>
  }
  func.func @norm(%x: tensor<7x320xf32>) -> tensor<7x320xf32> attributes {hgc.entry} {
    %s = hgc.constant dense<1.5> : tensor<320xf32>
    %b = hgc.constant dense<4.0> : tensor<320xf32>
    %0 = hgc.layer_norm %x, %s, %b axis 1 epsilon 1.0e-05
        : (tensor<7x320xf32>, tensor<320xf32>, tensor<320xf32>) -> tensor<7x320xf32>
    return %0 : tensor<7x320xf32>
  }
  func.func @one(%x: tensor<1x320xf32>) -> tensor<1x320xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<1x320xf32>
    return %0 : tensor<1x320xf32>
  }
}
