// y = 2 * x + w, with a weight so that libraries have a section of them.
module @scale {
  hgc.parameter @w : tensor<64xf32> = dense<0.5>
  func.func @run(%x: tensor<64xf32> {hgc.name = "x"}) -> (tensor<64xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<64xf32>
    %0 = hgc.add %x, %x : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %1 = hgc.add %0, %w : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    return %1 : tensor<64xf32>
  }
}
