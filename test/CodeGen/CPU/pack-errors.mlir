// RUN: hgc-opt --hgc-emit-kernels --verify-diagnostics %s

// Panels have no epilogue: other ops would see their zeros.
exec.kernel @followed inputs 1 {
^bb0(%x: memref<7x37xf32>, %y: memref<3x7x16xf32>):
  %0 = exec.load %x : memref<7x37xf32> -> tensor<7x37xf32>
  // expected-error @+1 {{is followed by other ops in its kernel, expected none}}
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<7x37xf32>) -> tensor<3x7x16xf32>
  %2 = hgc.relu %1 : tensor<3x7x16xf32>
  exec.store %2, %y : tensor<3x7x16xf32>, memref<3x7x16xf32>
}
