// A two-layer perceptron: 784 pixels in, probabilities of 10 classes out.
// Compiled for batches of 1 and 32; the caller's batch picks the variant.
module @mlp attributes {hgc.dims = {batch = [1, 32]}} {
  hgc.parameter @fc1.weight : tensor<784x128xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @fc1.bias : tensor<128xf32> = dense<0.1>
  hgc.parameter @fc2.weight : tensor<128x10xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @fc2.bias : tensor<10xf32> = dense<0.0>

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
