// A small convolutional network: 3x3 filters, a pool, a dense layer.
module @cnn attributes {hgc.dims = {batch = [32]}} {
  hgc.parameter @conv.weight : tensor<3x3x1x32xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @conv.bias : tensor<32xf32> = dense<0.0>
  hgc.parameter @fc.weight : tensor<5408x10xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @fc.bias : tensor<10xf32> = dense<0.0>

  func.func @predict(%x: tensor<?x28x28x1xf32> {hgc.name = "x", hgc.shape = ["batch", 28, 28, 1]})
      -> (tensor<?x10xf32> {hgc.name = "probs"}) attributes {hgc.entry} {
    %w1 = hgc.read @conv.weight : tensor<3x3x1x32xf32>
    %b1 = hgc.read @conv.bias : tensor<32xf32>
    %w2 = hgc.read @fc.weight : tensor<5408x10xf32>
    %b2 = hgc.read @fc.bias : tensor<10xf32>
    %0 = hgc.conv %x, %w1 channels_last hwio {hgc.name = "conv"}
        : (tensor<?x28x28x1xf32>, tensor<3x3x1x32xf32>) -> tensor<?x26x26x32xf32>
    %1 = hgc.add %0, %b1 : (tensor<?x26x26x32xf32>, tensor<32xf32>) -> tensor<?x26x26x32xf32>
    %2 = hgc.relu %1 : tensor<?x26x26x32xf32>
    %3 = hgc.pool max %2 window = [2, 2] strides = [2, 2] channels_last
        : (tensor<?x26x26x32xf32>) -> tensor<?x13x13x32xf32>
    %4 = hgc.reshape %3 shape ["batch", 5408] : (tensor<?x13x13x32xf32>) -> tensor<?x5408xf32>
    %6 = hgc.matmul %4, %w2 {hgc.name = "fc"} : (tensor<?x5408xf32>, tensor<5408x10xf32>) -> tensor<?x10xf32>
    %7 = hgc.add %6, %b2 : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    %8 = hgc.softmax %7 axis 1 : tensor<?x10xf32>
    return %8 : tensor<?x10xf32>
  }
}
