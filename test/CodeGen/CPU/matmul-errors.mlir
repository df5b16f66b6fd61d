// RUN: hgc-opt --hgc-emit-kernels --verify-diagnostics %s

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
