// A chain of named ops, for pins by name.
module @chain {
  hgc.parameter @w : tensor<8x8xf32> = #hgc.init<glorot_uniform, seed = 5>
  func.func @f(%x: tensor<4x8xf32> {hgc.name = "x"}) -> (tensor<4x8xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<8x8xf32>
    %a = hgc.tanh %x {hgc.name = "a"} : tensor<4x8xf32>
    %b = hgc.exp %a {hgc.name = "b1"} : tensor<4x8xf32>
    %c = hgc.abs %b {hgc.name = "c"} : tensor<4x8xf32>
    %d = hgc.matmul %c, %w {hgc.name = "d"} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %d : tensor<4x8xf32>
  }
}
