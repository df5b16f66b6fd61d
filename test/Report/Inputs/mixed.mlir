// An embedding and a dense layer: what reads little and computes nothing beside
// what computes much.
module @mixed attributes {hgc.dims = {batch = [1, 32]}} {
  hgc.parameter @dense.weight : tensor<1024x1024xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @dense.bias : tensor<1024xf32> = dense<0.5>

  func.func @predict(%x: tensor<?x1024xf32> {hgc.name = "x", hgc.shape = ["batch", 1024]})
      -> (tensor<?x1024xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %w = hgc.read @dense.weight : tensor<1024x1024xf32>
    %b = hgc.read @dense.bias : tensor<1024xf32>
    %0 = hgc.relu %x {hgc.name = "clip"} : tensor<?x1024xf32>
    %1 = hgc.matmul %0, %w {hgc.name = "dense"} : (tensor<?x1024xf32>, tensor<1024x1024xf32>) -> tensor<?x1024xf32>
    %2 = hgc.add %1, %b {hgc.name = "bias"} : (tensor<?x1024xf32>, tensor<1024xf32>) -> tensor<?x1024xf32>
    %3 = hgc.tanh %2 {hgc.name = "act"} : tensor<?x1024xf32>
    return %3 : tensor<?x1024xf32>
  }
}
