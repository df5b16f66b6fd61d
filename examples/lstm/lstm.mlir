// An LSTM cell scanned over a sequence: the state travels through the loop,
// every step's hidden vector is stacked into the second result.
module @lstm attributes {hgc.dims = {batch = [1, 4]}} {
  hgc.parameter @input.weight : tensor<16x128xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @hidden.weight : tensor<32x128xf32> = #hgc.init<glorot_uniform, seed = 2>
  hgc.parameter @bias : tensor<128xf32> = dense<0.05>

  func.func @encode(%xs: tensor<20x?x16xf32> {hgc.name = "xs", hgc.shape = [20, "batch", 16]})
      -> (tensor<?x32xf32> {hgc.name = "last"}, tensor<20x?x32xf32> {hgc.name = "states"}) attributes {hgc.entry} {
    %wx = hgc.read @input.weight : tensor<16x128xf32>
    %wh = hgc.read @hidden.weight : tensor<32x128xf32>
    %b = hgc.read @bias : tensor<128xf32>
    %zero = hgc.constant dense<0.0> : tensor<f32>
    %h0 = hgc.broadcast %zero shape ["batch", 32] : (tensor<f32>) -> tensor<?x32xf32>
    %h, %c, %hs = hgc.scan init(%h0, %h0 : tensor<?x32xf32>, tensor<?x32xf32>) over(%xs : tensor<20x?x16xf32>)
        -> (tensor<?x32xf32>, tensor<?x32xf32>, tensor<20x?x32xf32>) {
    ^bb0(%hp: tensor<?x32xf32>, %cp: tensor<?x32xf32>, %x: tensor<?x16xf32>):
      %0 = hgc.matmul %x, %wx : (tensor<?x16xf32>, tensor<16x128xf32>) -> tensor<?x128xf32>
      %1 = hgc.matmul %hp, %wh : (tensor<?x32xf32>, tensor<32x128xf32>) -> tensor<?x128xf32>
      %2 = hgc.add %0, %1 : (tensor<?x128xf32>, tensor<?x128xf32>) -> tensor<?x128xf32>
      %gates = hgc.add %2, %b : (tensor<?x128xf32>, tensor<128xf32>) -> tensor<?x128xf32>
      %gi = hgc.slice %gates starts = [0, 0] sizes = [-1, 32] : (tensor<?x128xf32>) -> tensor<?x32xf32>
      %gf = hgc.slice %gates starts = [0, 32] sizes = [-1, 32] : (tensor<?x128xf32>) -> tensor<?x32xf32>
      %gg = hgc.slice %gates starts = [0, 64] sizes = [-1, 32] : (tensor<?x128xf32>) -> tensor<?x32xf32>
      %go = hgc.slice %gates starts = [0, 96] sizes = [-1, 32] : (tensor<?x128xf32>) -> tensor<?x32xf32>
      %i = hgc.sigmoid %gi : tensor<?x32xf32>
      %f = hgc.sigmoid %gf : tensor<?x32xf32>
      %g = hgc.tanh %gg : tensor<?x32xf32>
      %o = hgc.sigmoid %go : tensor<?x32xf32>
      %fc = hgc.mul %f, %cp : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
      %ig = hgc.mul %i, %g : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
      %cn = hgc.add %fc, %ig : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
      %tc = hgc.tanh %cn : tensor<?x32xf32>
      %hn = hgc.mul %o, %tc : (tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
      hgc.yield %hn, %cn, %hn : tensor<?x32xf32>, tensor<?x32xf32>, tensor<?x32xf32>
    }
    return %h, %hs : tensor<?x32xf32>, tensor<20x?x32xf32>
  }
}
