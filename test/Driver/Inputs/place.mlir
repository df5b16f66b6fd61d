func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {hgc.entry} {
  %c = hgc.constant dense<2.0> : tensor<8x8xf32>
  %t = hgc.add %c, %c {hgc.name = "twice", hgc.device = #hgc.device<cpu>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = hgc.relu %x {hgc.name = "act.first"} : tensor<8x8xf32>
  %1 = hgc.matmul %0, %t {hgc.name = "middle"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = hgc.tanh %1 {hgc.name = "last"} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
