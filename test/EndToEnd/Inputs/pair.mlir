// Small enough for many calls under a sanitizer, with a product, a loop and state.
module @pair attributes {hgc.dims = {n = [1, 4]}} {
  hgc.parameter @w : tensor<8x8xf32> = dense<0.125>
  hgc.parameter @calls : tensor<i64> = dense<0>
  func.func @run(%x: tensor<?x8xf32> {hgc.name = "x", hgc.shape = ["n", 8]}) -> (tensor<?x8xf32> {hgc.name = "y"})
      attributes {hgc.entry} {
    %w = hgc.read @w : tensor<8x8xf32>
    %c = hgc.read @calls : tensor<i64>
    %one = hgc.constant dense<1> : tensor<i64>
    %d = hgc.add %c, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    hgc.assign @calls, %d : tensor<i64>
    %0 = hgc.matmul %x, %w : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
    %1 = hgc.softmax %0 axis 1 : tensor<?x8xf32>
    return %1 : tensor<?x8xf32>
  }
}
