// Two convolutions with max pooling and two dense layers; images and labels of
// one byte become its inputs in the entry `preprocess` while the model trains.
module @fashion_cnn attributes {hgc.dims = {batch = [64]}} {
  hgc.parameter @conv1.weight : tensor<3x3x1x32xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @conv1.bias : tensor<32xf32> = dense<0.0>
  hgc.parameter @conv2.weight : tensor<3x3x32x64xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @conv2.bias : tensor<64xf32> = dense<0.0>
  hgc.parameter @fc1.weight : tensor<1600x128xf32> = #hgc.init<glorot_uniform, seed = 3>
  hgc.parameter @fc1.bias : tensor<128xf32> = dense<0.0>
  hgc.parameter @fc2.weight : tensor<128x10xf32> = #hgc.init<glorot_uniform, seed = 4>
  hgc.parameter @fc2.bias : tensor<10xf32> = dense<0.0>

  func.func @preprocess(%images: tensor<?x28x28xui8> {hgc.name = "raw_x", hgc.shape = ["batch", 28, 28]},
                        %classes: tensor<?xui8> {hgc.name = "raw_labels", hgc.shape = ["batch"]})
      -> (tensor<?x28x28x1xf32> {hgc.name = "x"}, tensor<?xi32> {hgc.name = "labels"}) attributes {hgc.entry} {
    %0 = hgc.cast %images to f32 : (tensor<?x28x28xui8>) -> tensor<?x28x28xf32>
    %white = hgc.constant dense<255.0> : tensor<f32>
    %1 = hgc.div %0, %white : (tensor<?x28x28xf32>, tensor<f32>) -> tensor<?x28x28xf32>
    %2 = hgc.reshape %1 shape ["batch", 28, 28, 1] : (tensor<?x28x28xf32>) -> tensor<?x28x28x1xf32>
    %3 = hgc.cast %classes to i32 : (tensor<?xui8>) -> tensor<?xi32>
    return %2, %3 : tensor<?x28x28x1xf32>, tensor<?xi32>
  }

  func.func @predict(%x: tensor<?x28x28x1xf32> {hgc.name = "x", hgc.shape = ["batch", 28, 28, 1]})
      -> (tensor<?x10xf32> {hgc.name = "probs"}) attributes {hgc.entry} {
    %w1 = hgc.read @conv1.weight : tensor<3x3x1x32xf32>
    %b1 = hgc.read @conv1.bias : tensor<32xf32>
    %w2 = hgc.read @conv2.weight : tensor<3x3x32x64xf32>
    %b2 = hgc.read @conv2.bias : tensor<64xf32>
    %w3 = hgc.read @fc1.weight : tensor<1600x128xf32>
    %b3 = hgc.read @fc1.bias : tensor<128xf32>
    %w4 = hgc.read @fc2.weight : tensor<128x10xf32>
    %b4 = hgc.read @fc2.bias : tensor<10xf32>
    %0 = hgc.conv %x, %w1 channels_last hwio {hgc.name = "conv1"}
        : (tensor<?x28x28x1xf32>, tensor<3x3x1x32xf32>) -> tensor<?x26x26x32xf32>
    %1 = hgc.add %0, %b1 : (tensor<?x26x26x32xf32>, tensor<32xf32>) -> tensor<?x26x26x32xf32>
    %2 = hgc.relu %1 : tensor<?x26x26x32xf32>
    %3 = hgc.pool max %2 window = [2, 2] strides = [2, 2] channels_last {hgc.name = "pool1"}
        : (tensor<?x26x26x32xf32>) -> tensor<?x13x13x32xf32>
    %4 = hgc.conv %3, %w2 channels_last hwio {hgc.name = "conv2"}
        : (tensor<?x13x13x32xf32>, tensor<3x3x32x64xf32>) -> tensor<?x11x11x64xf32>
    %5 = hgc.add %4, %b2 : (tensor<?x11x11x64xf32>, tensor<64xf32>) -> tensor<?x11x11x64xf32>
    %6 = hgc.relu %5 : tensor<?x11x11x64xf32>
    %7 = hgc.pool max %6 window = [2, 2] strides = [2, 2] channels_last {hgc.name = "pool2"}
        : (tensor<?x11x11x64xf32>) -> tensor<?x5x5x64xf32>
    %8 = hgc.reshape %7 shape [-1, 1600] : (tensor<?x5x5x64xf32>) -> tensor<?x1600xf32>
    %9 = hgc.matmul %8, %w3 {hgc.name = "fc1"} : (tensor<?x1600xf32>, tensor<1600x128xf32>) -> tensor<?x128xf32>
    %10 = hgc.add %9, %b3 : (tensor<?x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
    %11 = hgc.relu %10 : tensor<?x128xf32>
    %12 = hgc.matmul %11, %w4 {hgc.name = "fc2"} : (tensor<?x128xf32>, tensor<128x10xf32>) -> tensor<?x10xf32>
    %13 = hgc.add %12, %b4 : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    %14 = hgc.softmax %13 axis 1 {hgc.name = "softmax"} : tensor<?x10xf32>
    return %14 : tensor<?x10xf32>
  }
}
