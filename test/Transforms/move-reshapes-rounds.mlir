// RUN: hgc-opt --hgc-move-reshapes=max-rounds=1 --verify-diagnostics %s

// Rounds that are not enough are told.
// expected-warning @+2 {{reshapes still move after 1 rounds}}
// expected-note @+1 {{hint: results are right, but may take longer than they need; report this with the model}}
module {
  func.func @f(%x: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
    %0 = hgc.transpose %x permutation = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %1 = hgc.reshape %0 shape [4, 6] : (tensor<4x2x3xf32>) -> tensor<4x6xf32>
    %2 = hgc.transpose %1 permutation = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %3 = hgc.transpose %2 permutation = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    return %3 : tensor<4x6xf32>
  }
}
