// A classifier of rows with 100 features, called in batches of 1000.
module @classifier {
  hgc.parameter @hidden.weight : tensor<100x64xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @hidden.bias : tensor<64xf32> = dense<0.1>
  hgc.parameter @out.weight : tensor<64x10xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @out.bias : tensor<10xf32> = dense<0.0>

  func.func @predict(%x: tensor<1000x100xf32> {hgc.name = "x"}) -> (tensor<1000x10xf32> {hgc.name = "probs"})
      attributes {hgc.entry} {
    %w1 = hgc.read @hidden.weight : tensor<100x64xf32>
    %b1 = hgc.read @hidden.bias : tensor<64xf32>
    %w2 = hgc.read @out.weight : tensor<64x10xf32>
    %b2 = hgc.read @out.bias : tensor<10xf32>
    %0 = hgc.matmul %x, %w1 {hgc.name = "hidden"} : (tensor<1000x100xf32>, tensor<100x64xf32>) -> tensor<1000x64xf32>
    %1 = hgc.add %0, %b1 {hgc.name = "hidden.add"} : (tensor<1000x64xf32>, tensor<64xf32>) -> tensor<1000x64xf32>
    %2 = hgc.relu %1 {hgc.name = "hidden.relu"} : tensor<1000x64xf32>
    %3 = hgc.matmul %2, %w2 {hgc.name = "out"} : (tensor<1000x64xf32>, tensor<64x10xf32>) -> tensor<1000x10xf32>
    %4 = hgc.add %3, %b2 {hgc.name = "out.add"} : (tensor<1000x10xf32>, tensor<10xf32>) -> tensor<1000x10xf32>
    %5 = hgc.softmax %4 axis 1 {hgc.name = "probs"} : tensor<1000x10xf32>
    return %5 : tensor<1000x10xf32>
  }
}
