module {
  func.func @run(%x: tensor<1xf32> {hgc.name = "x"}) -> (tensor<1xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.add %x, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}
