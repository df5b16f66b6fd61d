// Softmax regression with gradients written by hand: what `hgc train` needs of
// a library. A batch of one step's rows, of which `valid_rows` count.
module @softmax attributes {hgc.dims = {batch = [8, 16]}} {
  hgc.parameter @w : tensor<4x3xf32> = dense<0.0>
  hgc.parameter @w.momentum : tensor<4x3xf32> = dense<0.0>

  func.func @init(%seed: tensor<i64> {hgc.name = "seed"}) attributes {hgc.entry} {
    %s = hgc.cast %seed to f32 : (tensor<i64>) -> tensor<f32>
    %i = hgc.iota shape [4, 3] axis 1 of f32 : tensor<4x3xf32>
    %h = hgc.constant dense<0.01> : tensor<f32>
    %0 = hgc.mul %s, %h : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = hgc.mul %i, %0 : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %z = hgc.constant dense<0.0> : tensor<4x3xf32>
    hgc.assign @w, %1 : tensor<4x3xf32>
    hgc.assign @w.momentum, %z : tensor<4x3xf32>
    return
  }

  func.func private @forward(%x: tensor<?x4xf32>) -> tensor<?x3xf32> {
    %w = hgc.read @w : tensor<4x3xf32>
    %0 = hgc.matmul %x, %w {hgc.name = "logits"} : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }

  // Loss, accuracy, one-hot labels times weights, weights: 1 / valid rows or 0.
  func.func private @measure(%logits: tensor<?x3xf32>, %labels: tensor<?xi32>, %valid: tensor<i64>)
      -> (tensor<f32>, tensor<f32>, tensor<?x3xf32>, tensor<?x1xf32>) {
    %row = hgc.iota shape ["batch", 1] axis 0 of i64 : tensor<?x1xi64>
    %counts = hgc.compare lt %row, %valid : (tensor<?x1xi64>, tensor<i64>) -> tensor<?x1xi1>
    %n = hgc.cast %valid to f32 : (tensor<i64>) -> tensor<f32>
    %ones = hgc.cast %counts to f32 : (tensor<?x1xi1>) -> tensor<?x1xf32>
    %weights = hgc.div %ones, %n : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
    %column = hgc.reshape %labels shape ["batch", 1] : (tensor<?xi32>) -> tensor<?x1xi32>
    %classes = hgc.iota shape [3] axis 0 of i32 : tensor<3xi32>
    %equal = hgc.compare eq %column, %classes : (tensor<?x1xi32>, tensor<3xi32>) -> tensor<?x3xi1>
    %onehot = hgc.cast %equal to f32 : (tensor<?x3xi1>) -> tensor<?x3xf32>
    %target = hgc.mul %onehot, %weights : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
    %logp = hgc.log_softmax %logits axis 1 : tensor<?x3xf32>
    %each = hgc.mul %logp, %target : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %sum = hgc.reduce sum %each axes = [0, 1] : (tensor<?x3xf32>) -> tensor<f32>
    %loss = hgc.neg %sum {hgc.name = "loss"} : tensor<f32>
    %best = hgc.arg_reduce max %logits axis 1 keepdims : (tensor<?x3xf32>) -> tensor<?x1xi64>
    %wide = hgc.cast %column to i64 : (tensor<?x1xi32>) -> tensor<?x1xi64>
    %hit = hgc.compare eq %best, %wide : (tensor<?x1xi64>, tensor<?x1xi64>) -> tensor<?x1xi1>
    %hits = hgc.cast %hit to f32 : (tensor<?x1xi1>) -> tensor<?x1xf32>
    %scored = hgc.mul %hits, %weights : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x1xf32>
    %accuracy = hgc.reduce sum %scored axes = [0, 1] : (tensor<?x1xf32>) -> tensor<f32>
    return %loss, %accuracy, %target, %weights : tensor<f32>, tensor<f32>, tensor<?x3xf32>, tensor<?x1xf32>
  }

  func.func @train_step(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]},
                        %labels: tensor<?xi32> {hgc.name = "labels", hgc.shape = ["batch"]},
                        %step: tensor<i64> {hgc.name = "step"}, %valid: tensor<i64> {hgc.name = "valid_rows"})
      -> (tensor<f32> {hgc.name = "loss"}, tensor<f32> {hgc.name = "accuracy"}) attributes {hgc.entry} {
    %logits = func.call @forward(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
    %loss, %accuracy, %target, %weights = func.call @measure(%logits, %labels, %valid)
        : (tensor<?x3xf32>, tensor<?xi32>, tensor<i64>) -> (tensor<f32>, tensor<f32>, tensor<?x3xf32>, tensor<?x1xf32>)
    %p = hgc.softmax %logits axis 1 : tensor<?x3xf32>
    %pw = hgc.mul %p, %weights : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
    %d = hgc.sub %pw, %target : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %g = hgc.matmul %x, %d transpose_lhs {hgc.name = "gradient"} : (tensor<?x4xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
    %m = hgc.read @w.momentum : tensor<4x3xf32>
    %w = hgc.read @w : tensor<4x3xf32>
    %beta = hgc.constant dense<0.9> : tensor<f32>
    // The rate falls with the step, so that a wrong step shows.
    %s = hgc.cast %step to f32 : (tensor<i64>) -> tensor<f32>
    %rate = hgc.constant dense<0.5> : tensor<f32>
    %r = hgc.div %rate, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %0 = hgc.mul %m, %beta : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %1 = hgc.add %0, %g : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %2 = hgc.mul %1, %r : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %3 = hgc.sub %w, %2 {hgc.name = "update"} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    hgc.assign @w.momentum, %1 : tensor<4x3xf32>
    hgc.assign @w, %3 : tensor<4x3xf32>
    return %loss, %accuracy : tensor<f32>, tensor<f32>
  }

  func.func @evaluate(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]},
                      %labels: tensor<?xi32> {hgc.name = "labels", hgc.shape = ["batch"]},
                      %valid: tensor<i64> {hgc.name = "valid_rows"})
      -> (tensor<f32> {hgc.name = "loss"}, tensor<f32> {hgc.name = "accuracy"}) attributes {hgc.entry} {
    %logits = func.call @forward(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
    %loss, %accuracy, %target, %weights = func.call @measure(%logits, %labels, %valid)
        : (tensor<?x3xf32>, tensor<?xi32>, tensor<i64>) -> (tensor<f32>, tensor<f32>, tensor<?x3xf32>, tensor<?x1xf32>)
    return %loss, %accuracy : tensor<f32>, tensor<f32>
  }

  func.func @predict(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]})
      -> (tensor<?x3xf32> {hgc.name = "p"}) attributes {hgc.entry} {
    %logits = func.call @forward(%x) : (tensor<?x4xf32>) -> tensor<?x3xf32>
    %p = hgc.softmax %logits axis 1 : tensor<?x3xf32>
    return %p : tensor<?x3xf32>
  }
}
