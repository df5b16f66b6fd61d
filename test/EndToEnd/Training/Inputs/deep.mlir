// Activations that the gradient needs are large beside the weights.
module @deep attributes {hgc.dims = {batch = [256]}} {
  hgc.parameter @w0 : tensor<16x16xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @w1 : tensor<16x16xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @w2 : tensor<16x16xf32> = #hgc.init<glorot_uniform, seed = 3>
  hgc.parameter @w3 : tensor<16x4xf32> = #hgc.init<glorot_uniform, seed = 4>
  func.func @predict(%x: tensor<?x16xf32> {hgc.name = "x", hgc.shape = ["batch", 16]})
      -> (tensor<?x4xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %w0 = hgc.read @w0 : tensor<16x16xf32>
    %w1 = hgc.read @w1 : tensor<16x16xf32>
    %w2 = hgc.read @w2 : tensor<16x16xf32>
    %w3 = hgc.read @w3 : tensor<16x4xf32>
    %0 = hgc.matmul %x, %w0 : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
    %1 = hgc.tanh %0 {hgc.name = "first"} : tensor<?x16xf32>
    %2 = hgc.matmul %1, %w1 : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
    %3 = hgc.tanh %2 {hgc.name = "second"} : tensor<?x16xf32>
    %4 = hgc.matmul %3, %w2 : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
    %5 = hgc.tanh %4 {hgc.name = "third"} : tensor<?x16xf32>
    %6 = hgc.matmul %5, %w3 : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
    return %6 : tensor<?x4xf32>
  }
}
