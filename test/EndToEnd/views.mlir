// Products that read slices, heads and other orders of a tensor in that tensor itself:
// many and few rows, broadcast matrices, masks after a scale, f64, backwards rows.
// Results agree with the evaluator's and do not depend on threads.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: hgc compile %s --verify --arena=separate -o views.so
// RUN: hgc compile %s --verify -O3 --target-cpu=x86-64-v2 -o old.so
// RUN: hgc compile %s --verify --target-cpu=native -o native.so
// RUN: hgc compile %s --emit=exec -o - | FileCheck %s
// RUN: hgc run views.so --entry=attention --num-threads=1 --seed=3 --output=y=@one.npy
// RUN: hgc run views.so --entry=attention --num-threads=3 --seed=3 --expect=y=@one.npy --rtol=0 --atol=0

module @views {
  // Heads of the result are stored in order.
  // CHECK-LABEL: exec.program @attention
  // CHECK-COUNT-2: exec.launch
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @attention(%x: tensor<2x37x40xf32> {hgc.name = "x"}, %w: tensor<40x576xf32> {hgc.name = "w"},
                       %m: tensor<37x37xf32> {hgc.name = "m"}) -> (tensor<2x37x192xf32> {hgc.name = "y"})
      attributes {hgc.entry} {
    %scale = hgc.constant dense<0.35> : tensor<1xf32>
    %0 = hgc.matmul %x, %w : (tensor<2x37x40xf32>, tensor<40x576xf32>) -> tensor<2x37x576xf32>
    %1 = hgc.reshape %0 shape [2, 37, 3, 3, 64] : (tensor<2x37x576xf32>) -> tensor<2x37x3x3x64xf32>
    %2 = hgc.transpose %1 permutation = [2, 0, 3, 1, 4] : (tensor<2x37x3x3x64xf32>) -> tensor<3x2x3x37x64xf32>
    %3 = hgc.slice %2 starts = [0, 0, 0, 0, 0] sizes = [1, 2, 3, 37, 64] : (tensor<3x2x3x37x64xf32>) -> tensor<1x2x3x37x64xf32>
    %4 = hgc.slice %2 starts = [1, 0, 0, 0, 0] sizes = [1, 2, 3, 37, 64] : (tensor<3x2x3x37x64xf32>) -> tensor<1x2x3x37x64xf32>
    %5 = hgc.slice %2 starts = [2, 0, 0, 0, 0] sizes = [1, 2, 3, 37, 64] : (tensor<3x2x3x37x64xf32>) -> tensor<1x2x3x37x64xf32>
    %6 = hgc.reshape %3 shape [2, 3, 37, 64] : (tensor<1x2x3x37x64xf32>) -> tensor<2x3x37x64xf32>
    %7 = hgc.reshape %4 shape [2, 3, 37, 64] : (tensor<1x2x3x37x64xf32>) -> tensor<2x3x37x64xf32>
    %8 = hgc.reshape %5 shape [2, 3, 37, 64] : (tensor<1x2x3x37x64xf32>) -> tensor<2x3x37x64xf32>
    %q = hgc.mul %6, %scale : (tensor<2x3x37x64xf32>, tensor<1xf32>) -> tensor<2x3x37x64xf32>
    %k = hgc.mul %7, %scale : (tensor<2x3x37x64xf32>, tensor<1xf32>) -> tensor<2x3x37x64xf32>
    %s = hgc.matmul %q, %k transpose_rhs : (tensor<2x3x37x64xf32>, tensor<2x3x37x64xf32>) -> tensor<2x3x37x37xf32>
    %t = hgc.add %s, %m : (tensor<2x3x37x37xf32>, tensor<37x37xf32>) -> tensor<2x3x37x37xf32>
    %p = hgc.softmax %t axis 3 : tensor<2x3x37x37xf32>
    %z = hgc.matmul %p, %8 : (tensor<2x3x37x37xf32>, tensor<2x3x37x64xf32>) -> tensor<2x3x37x64xf32>
    %9 = hgc.transpose %z permutation = [0, 2, 1, 3] : (tensor<2x3x37x64xf32>) -> tensor<2x37x3x64xf32>
    %y = hgc.reshape %9 shape [2, 37, 192] : (tensor<2x37x3x64xf32>) -> tensor<2x37x192xf32>
    return %y : tensor<2x37x192xf32>
  }

  // One query against many keys: dot products, and a sum of few rows.
  // CHECK-LABEL: exec.program @one_query
  // CHECK-COUNT-2: exec.launch
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @one_query(%q: tensor<5x1x80xf32>, %kv: tensor<50x2x5x80xf32>) -> tensor<5x1x80xf32> attributes {hgc.entry} {
    %0 = hgc.slice %kv starts = [0, 0, 0, 0] sizes = [50, 1, 5, 80] : (tensor<50x2x5x80xf32>) -> tensor<50x1x5x80xf32>
    %1 = hgc.transpose %0 permutation = [1, 2, 0, 3] : (tensor<50x1x5x80xf32>) -> tensor<1x5x50x80xf32>
    %k = hgc.reshape %1 shape [5, 50, 80] : (tensor<1x5x50x80xf32>) -> tensor<5x50x80xf32>
    %2 = hgc.slice %kv starts = [0, 1, 0, 0] sizes = [50, 1, 5, 80] : (tensor<50x2x5x80xf32>) -> tensor<50x1x5x80xf32>
    %3 = hgc.transpose %2 permutation = [1, 2, 0, 3] : (tensor<50x1x5x80xf32>) -> tensor<1x5x50x80xf32>
    %v = hgc.reshape %3 shape [5, 50, 80] : (tensor<1x5x50x80xf32>) -> tensor<5x50x80xf32>
    %s = hgc.matmul %q, %k transpose_rhs : (tensor<5x1x80xf32>, tensor<5x50x80xf32>) -> tensor<5x1x50xf32>
    %y = hgc.matmul %s, %v : (tensor<5x1x50xf32>, tensor<5x50x80xf32>) -> tensor<5x1x80xf32>
    return %y : tensor<5x1x80xf32>
  }

  // Every second column of a batch of matrices from the last row on, by one matrix.
  func.func @backwards(%x: tensor<3x31x2x33xf64>, %w: tensor<33x19xf64>) -> tensor<3x31x19xf64> attributes {hgc.entry} {
    %0 = hgc.slice %x starts = [0, 30, 1, 0] sizes = [3, 31, 1, 33] strides = [1, -1, 1, 1]
        : (tensor<3x31x2x33xf64>) -> tensor<3x31x1x33xf64>
    %1 = hgc.reshape %0 shape [3, 31, 33] : (tensor<3x31x1x33xf64>) -> tensor<3x31x33xf64>
    %y = hgc.matmul %1, %w : (tensor<3x31x33xf64>, tensor<33x19xf64>) -> tensor<3x31x19xf64>
    return %y : tensor<3x31x19xf64>
  }

  // Bytes by known weights, and f16.
  hgc.parameter @w : tensor<262x40xi8> = dense<3>
  func.func @bytes(%x: tensor<30x2x262xi8>) -> tensor<30x40xi32> attributes {hgc.entry} {
    %w = hgc.read @w : tensor<262x40xi8>
    %0 = hgc.slice %x starts = [0, 1, 0] sizes = [30, 1, 262] : (tensor<30x2x262xi8>) -> tensor<30x1x262xi8>
    %1 = hgc.reshape %0 shape [30, 262] : (tensor<30x1x262xi8>) -> tensor<30x262xi8>
    %y = hgc.matmul %1, %w : (tensor<30x262xi8>, tensor<262x40xi8>) -> tensor<30x40xi32>
    return %y : tensor<30x40xi32>
  }
  func.func @halves(%x: tensor<30x2x150xf16>, %w: tensor<2x70x150xf16>) -> tensor<2x30x70xf32> attributes {hgc.entry} {
    %0 = hgc.transpose %x permutation = [1, 0, 2] : (tensor<30x2x150xf16>) -> tensor<2x30x150xf16>
    %y = hgc.matmul %0, %w transpose_rhs : (tensor<2x30x150xf16>, tensor<2x70x150xf16>) -> tensor<2x30x70xf32>
    return %y : tensor<2x30x70xf32>
  }

  // A part of a matrix on the right, wide and deep enough for blocks.
  func.func @right(%x: tensor<70x300xf32>, %w: tensor<400x700xf32>) -> tensor<70x600xf32> attributes {hgc.entry} {
    %0 = hgc.slice %w starts = [50, 90] sizes = [300, 600] : (tensor<400x700xf32>) -> tensor<300x600xf32>
    %y = hgc.matmul %x, %0 : (tensor<70x300xf32>, tensor<300x600xf32>) -> tensor<70x600xf32>
    return %y : tensor<70x600xf32>
  }

  // A part of a matrix on the left, large enough to be copied in tiles.
  func.func @left(%x: tensor<300x700xf32>, %w: tensor<600x1100xf32>) -> tensor<280x1100xf32> attributes {hgc.entry} {
    %0 = hgc.slice %x starts = [7, 90] sizes = [280, 600] : (tensor<300x700xf32>) -> tensor<280x600xf32>
    %y = hgc.matmul %0, %w : (tensor<280x600xf32>, tensor<600x1100xf32>) -> tensor<280x1100xf32>
    return %y : tensor<280x1100xf32>
  }
}
