// A perceptron as it is for inference, with a layer that drops while training.
module @mlp attributes {hgc.dims = {batch = [8]}} {
  hgc.parameter @fc1.weight : tensor<4x16xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @fc1.bias : tensor<16xf32> = dense<0.0>
  hgc.parameter @fc2.weight : tensor<16x3xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @fc2.bias : tensor<3xf32> = dense<0.0>
  func.func @predict(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]})
      -> (tensor<?x3xf32> {hgc.name = "probs"}) attributes {hgc.entry} {
    %w1 = hgc.read @fc1.weight : tensor<4x16xf32>
    %b1 = hgc.read @fc1.bias : tensor<16xf32>
    %w2 = hgc.read @fc2.weight : tensor<16x3xf32>
    %b2 = hgc.read @fc2.bias : tensor<3xf32>
    %0 = hgc.matmul %x, %w1 {hgc.name = "fc1"} : (tensor<?x4xf32>, tensor<4x16xf32>) -> tensor<?x16xf32>
    %1 = hgc.add %0, %b1 : (tensor<?x16xf32>, tensor<16xf32>) -> tensor<?x16xf32>
    %2 = hgc.relu %1 : tensor<?x16xf32>
    %3 = hgc.dropout %2 rate 2.0e-01 : tensor<?x16xf32>
    %4 = hgc.matmul %3, %w2 {hgc.name = "fc2"} : (tensor<?x16xf32>, tensor<16x3xf32>) -> tensor<?x3xf32>
    %5 = hgc.add %4, %b2 : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
    %6 = hgc.softmax %5 axis 1 : tensor<?x3xf32>
    return %6 : tensor<?x3xf32>
  }
}
