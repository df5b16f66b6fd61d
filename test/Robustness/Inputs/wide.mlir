// Large enough that every kernel is split between threads.
module @wide {
  hgc.parameter @weight : tensor<512x512xf32> = #hgc.init<glorot_uniform, seed = 1>

  func.func @run(%x: tensor<256x512xf32> {hgc.name = "x"}) -> (tensor<256x512xf32> {hgc.name = "y"})
      attributes {hgc.entry} {
    %w = hgc.read @weight : tensor<512x512xf32>
    %0 = hgc.matmul %x, %w : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
    %1 = hgc.tanh %0 : tensor<256x512xf32>
    %2 = hgc.softmax %1 axis 1 : tensor<256x512xf32>
    %3 = hgc.transpose %2 permutation = [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
    %4 = hgc.exp %3 : tensor<512x256xf32>
    %5 = hgc.transpose %4 permutation = [1, 0] : (tensor<512x256xf32>) -> tensor<256x512xf32>
    return %5 : tensor<256x512xf32>
  }
}
