// Dense 784 -> 128 relu -> 10 softmax, and the entry that turns images and
// labels of one byte into its inputs while the model trains.
module @fashion_mlp attributes {hgc.dims = {batch = [32]}} {
  hgc.parameter @fc1.weight : tensor<784x128xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @fc1.bias : tensor<128xf32> = dense<0.0>
  hgc.parameter @fc2.weight : tensor<128x10xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @fc2.bias : tensor<10xf32> = dense<0.0>

  func.func @preprocess(%images: tensor<?x28x28xui8> {hgc.name = "raw_x", hgc.shape = ["batch", 28, 28]},
                        %classes: tensor<?xui8> {hgc.name = "raw_labels", hgc.shape = ["batch"]})
      -> (tensor<?x784xf32> {hgc.name = "x"}, tensor<?xi32> {hgc.name = "labels"}) attributes {hgc.entry} {
    %0 = hgc.cast %images to f32 : (tensor<?x28x28xui8>) -> tensor<?x28x28xf32>
    %white = hgc.constant dense<255.0> : tensor<f32>
    %1 = hgc.div %0, %white : (tensor<?x28x28xf32>, tensor<f32>) -> tensor<?x28x28xf32>
    %2 = hgc.reshape %1 shape ["batch", 784] : (tensor<?x28x28xf32>) -> tensor<?x784xf32>
    %3 = hgc.cast %classes to i32 : (tensor<?xui8>) -> tensor<?xi32>
    return %2, %3 : tensor<?x784xf32>, tensor<?xi32>
  }

  func.func @predict(%x: tensor<?x784xf32> {hgc.name = "x", hgc.shape = ["batch", 784]})
      -> (tensor<?x10xf32> {hgc.name = "probs"}) attributes {hgc.entry} {
    %w1 = hgc.read @fc1.weight : tensor<784x128xf32>
    %b1 = hgc.read @fc1.bias : tensor<128xf32>
    %w2 = hgc.read @fc2.weight : tensor<128x10xf32>
    %b2 = hgc.read @fc2.bias : tensor<10xf32>
    %0 = hgc.matmul %x, %w1 {hgc.name = "fc1"} : (tensor<?x784xf32>, tensor<784x128xf32>) -> tensor<?x128xf32>
    %1 = hgc.add %0, %b1 : (tensor<?x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
    %2 = hgc.relu %1 : tensor<?x128xf32>
    %3 = hgc.matmul %2, %w2 {hgc.name = "fc2"} : (tensor<?x128xf32>, tensor<128x10xf32>) -> tensor<?x10xf32>
    %4 = hgc.add %3, %b2 : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
    %5 = hgc.softmax %4 axis 1 {hgc.name = "softmax"} : tensor<?x10xf32>
    return %5 : tensor<?x10xf32>
  }
}
