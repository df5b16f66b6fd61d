module @rows {
  func.func @softmax(%x: tensor<7x301xf32>) -> tensor<7x301xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<7x301xf32>
    return %0 : tensor<7x301xf32>
  }
}
