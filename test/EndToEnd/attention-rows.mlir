// Attention whose scores are never stored, some rows at a time: edges of tiles and vectors,
// masks, scales, shared keys, heads inside of a projection, f64, scores that come from
// elsewhere, queries that see no key. Results agree with the evaluator's, and do not depend
// on threads.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: hgc compile %s --verify --arena=separate -o rows.so
// RUN: hgc compile %s --verify --target-cpu=x86-64-v2 -o old.so
// RUN: hgc compile %s --verify --target-cpu=native -o native.so
// RUN: hgc compile %s --emit=exec -o - | FileCheck %s
// RUN: hgc run rows.so --entry=heads --num-threads=1 --seed=3 --output=y=@one.npy
// RUN: hgc run rows.so --entry=heads --num-threads=3 --seed=3 --expect=y=@one.npy --rtol=0 --atol=0
// RUN: hgc explain rows.so --entry=heads | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: attention

module @rows {
  // CHECK-LABEL: exec.program @edges
  // CHECK-COUNT-1: exec.launch @{{.*}}.attention
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @edges(%q: tensor<2x3x37x24xf32>, %k: tensor<2x3x50x24xf32>, %v: tensor<2x3x50x40xf32>, %m: tensor<37x50xf32>)
      -> tensor<2x3x37x40xf32> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v mask %m scale = 0.3
        : (tensor<2x3x37x24xf32>, tensor<2x3x50x24xf32>, tensor<2x3x50x40xf32>, tensor<37x50xf32>) -> tensor<2x3x37x40xf32>
    return %0 : tensor<2x3x37x40xf32>
  }

  // What is done with the sums belongs to the kernel, too.
  // CHECK-LABEL: exec.program @causal
  // CHECK-COUNT-1: exec.launch @{{.*}}.attention
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @causal(%q: tensor<70x8xf64>, %b: tensor<8xf64>) -> tensor<70x8xf64> attributes {hgc.entry} {
    %0 = hgc.attention %q, %q, %q causal : (tensor<70x8xf64>, tensor<70x8xf64>, tensor<70x8xf64>) -> tensor<70x8xf64>
    %1 = hgc.add %0, %b : (tensor<70x8xf64>, tensor<8xf64>) -> tensor<70x8xf64>
    return %1 : tensor<70x8xf64>
  }

  // Heads share keys, or keys and values.
  func.func @shared(%q: tensor<4x33x16xf32>, %k: tensor<100x16xf32>, %v: tensor<4x100x17xf32>, %w: tensor<1x100x32xf32>)
      -> (tensor<4x33x17xf32>, tensor<4x33x32xf32>) attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<4x33x16xf32>, tensor<100x16xf32>, tensor<4x100x17xf32>) -> tensor<4x33x17xf32>
    %1 = hgc.attention %q, %k, %w : (tensor<4x33x16xf32>, tensor<100x16xf32>, tensor<1x100x32xf32>) -> tensor<4x33x32xf32>
    return %0, %1 : tensor<4x33x17xf32>, tensor<4x33x32xf32>
  }

  // Some queries see no key.
  func.func @blind(%q: tensor<40x16xf32>) -> tensor<40x16xf32> attributes {hgc.entry} {
    %i = hgc.iota shape [40, 1] axis 0 of i32 : tensor<40x1xi32>
    %one = hgc.constant dense<17> : tensor<i32>
    %m = hgc.compare ne %i, %one : (tensor<40x1xi32>, tensor<i32>) -> tensor<40x1xi1>
    %0 = hgc.attention %q, %q, %q mask %m : (tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x1xi1>) -> tensor<40x16xf32>
    return %0 : tensor<40x16xf32>
  }

  // Scores that no product of the kernel makes.
  // CHECK-LABEL: exec.program @given
  // CHECK-COUNT-1: exec.launch @{{.*}}.attention
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @given(%s: tensor<2x45x83xf32>, %b: tensor<45x1xf32>, %v: tensor<2x83x30xf32>) -> tensor<2x45x30xf32>
      attributes {hgc.entry} {
    %0 = hgc.mul %s, %b : (tensor<2x45x83xf32>, tensor<45x1xf32>) -> tensor<2x45x83xf32>
    %1 = hgc.softmax %0 axis 2 : tensor<2x45x83xf32>
    %2 = hgc.matmul %1, %v : (tensor<2x45x83xf32>, tensor<2x83x30xf32>) -> tensor<2x45x30xf32>
    return %2 : tensor<2x45x30xf32>
  }

  // Short heads are read in the projection, scaled or not, and stored side by side.
  // CHECK-LABEL: exec.program @heads
  // CHECK:         exec.launch @{{.*}}.matmul
  // CHECK:         exec.launch @{{.*}}.attention
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @heads(%x: tensor<2x61x40xf32> {hgc.name = "x"}, %w: tensor<40x144xf32> {hgc.name = "w"})
      -> (tensor<2x61x48xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %scale = hgc.constant dense<0.6> : tensor<1xf32>
    %0 = hgc.matmul %x, %w : (tensor<2x61x40xf32>, tensor<40x144xf32>) -> tensor<2x61x144xf32>
    %1 = hgc.reshape %0 shape [2, 61, 3, 3, 16] : (tensor<2x61x144xf32>) -> tensor<2x61x3x3x16xf32>
    %2 = hgc.transpose %1 permutation = [2, 0, 3, 1, 4] : (tensor<2x61x3x3x16xf32>) -> tensor<3x2x3x61x16xf32>
    %3 = hgc.slice %2 starts = [0, 0, 0, 0, 0] sizes = [1, 2, 3, 61, 16] : (tensor<3x2x3x61x16xf32>) -> tensor<1x2x3x61x16xf32>
    %4 = hgc.slice %2 starts = [1, 0, 0, 0, 0] sizes = [1, 2, 3, 61, 16] : (tensor<3x2x3x61x16xf32>) -> tensor<1x2x3x61x16xf32>
    %5 = hgc.slice %2 starts = [2, 0, 0, 0, 0] sizes = [1, 2, 3, 61, 16] : (tensor<3x2x3x61x16xf32>) -> tensor<1x2x3x61x16xf32>
    %6 = hgc.reshape %3 shape [2, 3, 61, 16] : (tensor<1x2x3x61x16xf32>) -> tensor<2x3x61x16xf32>
    %7 = hgc.reshape %4 shape [2, 3, 61, 16] : (tensor<1x2x3x61x16xf32>) -> tensor<2x3x61x16xf32>
    %8 = hgc.reshape %5 shape [2, 3, 61, 16] : (tensor<1x2x3x61x16xf32>) -> tensor<2x3x61x16xf32>
    %q = hgc.mul %6, %scale : (tensor<2x3x61x16xf32>, tensor<1xf32>) -> tensor<2x3x61x16xf32>
    %k = hgc.mul %7, %scale : (tensor<2x3x61x16xf32>, tensor<1xf32>) -> tensor<2x3x61x16xf32>
    %s = hgc.matmul %q, %k transpose_rhs : (tensor<2x3x61x16xf32>, tensor<2x3x61x16xf32>) -> tensor<2x3x61x61xf32>
    %p = hgc.softmax %s axis 3 : tensor<2x3x61x61xf32>
    %z = hgc.matmul %p, %8 : (tensor<2x3x61x61xf32>, tensor<2x3x61x16xf32>) -> tensor<2x3x61x16xf32>
    %9 = hgc.transpose %z permutation = [0, 2, 1, 3] : (tensor<2x3x61x16xf32>) -> tensor<2x61x3x16xf32>
    %y = hgc.reshape %9 shape [2, 61, 48] : (tensor<2x61x3x16xf32>) -> tensor<2x61x48xf32>
    return %y : tensor<2x61x48xf32>
  }

  // What is computed from the sums is moved, and what is computed from that is not.
  // CHECK-LABEL: exec.program @moved
  // CHECK:         exec.launch @{{.*}}.attention
  // CHECK:         exec.launch @{{.*}}
  // CHECK-NOT:     exec.launch
  // CHECK:         exec.return
  func.func @moved(%s: tensor<3x40x40xf32>, %v: tensor<3x40x32xf32>, %b: tensor<32xf32>, %r: tensor<40x3x32xf32>)
      -> (tensor<40x3x32xf32>, tensor<40x3x32xf32>) attributes {hgc.entry} {
    %0 = hgc.softmax %s axis 2 : tensor<3x40x40xf32>
    %1 = hgc.matmul %0, %v : (tensor<3x40x40xf32>, tensor<3x40x32xf32>) -> tensor<3x40x32xf32>
    %2 = hgc.add %1, %b : (tensor<3x40x32xf32>, tensor<32xf32>) -> tensor<3x40x32xf32>
    %3 = hgc.transpose %2 permutation = [1, 0, 2] : (tensor<3x40x32xf32>) -> tensor<40x3x32xf32>
    %4 = hgc.mul %3, %r : (tensor<40x3x32xf32>, tensor<40x3x32xf32>) -> tensor<40x3x32xf32>
    return %3, %4 : tensor<40x3x32xf32>, tensor<40x3x32xf32>
  }

  // Rows of less than a line, and rows that become columns, are moved afterwards.
  // CHECK-LABEL: exec.program @narrow
  // CHECK:         exec.launch @{{.*}}.attention
  // CHECK:         exec.launch @{{.*}}.transpose
  // CHECK-LABEL: exec.program @columns
  // CHECK:         exec.launch @{{.*}}.attention
  // CHECK:         exec.launch @{{.*}}.transpose
  func.func @narrow(%s: tensor<3x40x40xf32>, %v: tensor<3x40x8xf32>) -> tensor<40x3x8xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %s axis 2 : tensor<3x40x40xf32>
    %1 = hgc.matmul %0, %v : (tensor<3x40x40xf32>, tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
    %2 = hgc.transpose %1 permutation = [1, 0, 2] : (tensor<3x40x8xf32>) -> tensor<40x3x8xf32>
    return %2 : tensor<40x3x8xf32>
  }
  func.func @columns(%s: tensor<3x40x40xf32>, %v: tensor<3x40x32xf32>) -> tensor<3x32x40xf32> attributes {hgc.entry} {
    %0 = hgc.softmax %s axis 2 : tensor<3x40x40xf32>
    %1 = hgc.matmul %0, %v : (tensor<3x40x40xf32>, tensor<3x40x32xf32>) -> tensor<3x40x32xf32>
    %2 = hgc.transpose %1 permutation = [0, 2, 1] : (tensor<3x40x32xf32>) -> tensor<3x32x40xf32>
    return %2 : tensor<3x32x40xf32>
  }

  // Keys and values the other way round, more keys than the first-level cache holds scores of, one key.
  func.func @turned(%q: tensor<3x40x24xf32>, %k: tensor<3x24x50xf32>, %v: tensor<3x33x50xf32>) -> tensor<3x40x33xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %q, %k : (tensor<3x40x24xf32>, tensor<3x24x50xf32>) -> tensor<3x40x50xf32>
    %1 = hgc.softmax %0 axis 2 : tensor<3x40x50xf32>
    %2 = hgc.matmul %1, %v transpose_rhs : (tensor<3x40x50xf32>, tensor<3x33x50xf32>) -> tensor<3x40x33xf32>
    return %2 : tensor<3x40x33xf32>
  }
  func.func @long(%q: tensor<2x50x16xf32>, %k: tensor<2x3000x16xf32>, %v: tensor<2x3000x16xf32>) -> tensor<2x50x16xf32> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<2x50x16xf32>, tensor<2x3000x16xf32>, tensor<2x3000x16xf32>) -> tensor<2x50x16xf32>
    return %0 : tensor<2x50x16xf32>
  }
  func.func @one_key(%q: tensor<64x3xf32>, %k: tensor<1x3xf32>, %v: tensor<1x1xf32>) -> tensor<64x1xf32> attributes {hgc.entry} {
    %0 = hgc.attention %q, %k, %v : (tensor<64x3xf32>, tensor<1x3xf32>, tensor<1x1xf32>) -> tensor<64x1xf32>
    return %0 : tensor<64x1xf32>
  }

  // What is read again stays, and few rows are not worth the copies.
  // CHECK-LABEL: exec.program @kept
  // CHECK-NOT:     .attention ins
  // CHECK:         exec.return
  func.func @kept(%s: tensor<40x40xf32>, %v: tensor<40x8xf32>, %t: tensor<5x40xf32>)
      -> (tensor<40x40xf32>, tensor<40x8xf32>, tensor<5x8xf32>) attributes {hgc.entry} {
    %0 = hgc.softmax %s axis 1 : tensor<40x40xf32>
    %1 = hgc.matmul %0, %v : (tensor<40x40xf32>, tensor<40x8xf32>) -> tensor<40x8xf32>
    %2 = hgc.softmax %t axis 1 : tensor<5x40xf32>
    %3 = hgc.matmul %2, %v : (tensor<5x40xf32>, tensor<40x8xf32>) -> tensor<5x8xf32>
    return %0, %1, %3 : tensor<40x40xf32>, tensor<40x8xf32>, tensor<5x8xf32>
  }
}
