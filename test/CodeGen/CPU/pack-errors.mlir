// RUN: hgc-opt --hgc-emit-kernels --verify-diagnostics --split-input-file %s

// Panels have no epilogue: other ops would see their zeros.
exec.kernel @followed inputs 1 {
^bb0(%x: memref<7x37xf32>, %y: memref<3x7x16xf32>):
  %0 = exec.load %x : memref<7x37xf32> -> tensor<7x37xf32>
  // expected-error @+1 {{is followed by other ops in its kernel, expected none}}
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<7x37xf32>) -> tensor<3x7x16xf32>
  %2 = hgc.relu %1 : tensor<3x7x16xf32>
  exec.store %2, %y : tensor<3x7x16xf32>, memref<3x7x16xf32>
}

// -----

// Compile time interleaves.
exec.kernel @interleaved inputs 1 {
^bb0(%x: memref<5x20xi8>, %y: memref<2x3x32xi8>):
  %0 = exec.load %x : memref<5x20xi8> -> tensor<5x20xi8>
  // expected-error @+2 {{interleaves an operand that is known only at run time, expected none}}
  // expected-note @+1 {{hint: drop 'interleave', or fold the op with hgc-fold-packs}}
  %1 = hgc.pack matmul_rhs %0 width 16 interleave = 2 : (tensor<5x20xi8>) -> tensor<2x3x32xi8>
  exec.store %1, %y : tensor<2x3x32xi8>, memref<2x3x32xi8>
}
