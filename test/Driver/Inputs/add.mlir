// Two entries, a dim with two variants, an entry with two outputs.
module @add attributes {hgc.dims = {rows = [2, 4]}} {
  func.func @add(%x: tensor<?x3xf32> {hgc.name = "x", hgc.shape = ["rows", 3]},
                 %y: tensor<?x3xf32> {hgc.name = "y", hgc.shape = ["rows", 3]})
      -> (tensor<?x3xf32> {hgc.name = "sum"}) attributes {hgc.entry} {
    %0 = hgc.add %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
  func.func @double(%x: tensor<2xf32> {hgc.name = "x"})
      -> (tensor<2xf32> {hgc.name = "double"}, tensor<2xf32> {hgc.name = "triple"}) attributes {hgc.entry} {
    %0 = hgc.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = hgc.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %0, %1 : tensor<2xf32>, tensor<2xf32>
  }
}
