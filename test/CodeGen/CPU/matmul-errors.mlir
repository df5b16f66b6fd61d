// RUN: hgc-opt --hgc-emit-kernels --verify-diagnostics --split-input-file %s

// The tile loops walk memory: a computed operand has none.
exec.kernel @computed inputs 2 {
^bb0(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32>):
  %0 = exec.load %x : memref<4x8xf32> -> tensor<4x8xf32>
  %1 = exec.load %w : memref<8x8xf32> -> tensor<8x8xf32>
  %2 = hgc.relu %0 : tensor<4x8xf32>
  // expected-error @+2 {{has operand 0 computed inside its kernel}}
  // expected-note @+1 {{hint: contractions read their operands from buffers}}
  %3 = hgc.matmul %2, %1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  exec.store %3, %y : tensor<4x8xf32>, memref<4x8xf32>
}

// -----

// Rows that become columns have no place where an attention could store them.
exec.kernel @columns inputs 2 {
^bb0(%s: memref<3x40x40xf32>, %v: memref<3x40x32xf32>, %y: memref<3x32x40xf32>):
  %0 = exec.load %s : memref<3x40x40xf32> -> tensor<3x40x40xf32>
  %1 = exec.load %v : memref<3x40x32xf32> -> tensor<3x40x32xf32>
  %2 = hgc.softmax %0 axis 2 : tensor<3x40x40xf32>
  // expected-error @+2 {{has a result whose rows do not stay whole where it is stored}}
  // expected-note @+1 {{hint: give the ops that move its elements a kernel of their own}}
  %3 = hgc.matmul %2, %1 : (tensor<3x40x40xf32>, tensor<3x40x32xf32>) -> tensor<3x40x32xf32>
  %4 = hgc.transpose %3 permutation = [0, 2, 1] : (tensor<3x40x32xf32>) -> tensor<3x32x40xf32>
  exec.store %4, %y : tensor<3x32x40xf32>, memref<3x32x40xf32>
}
