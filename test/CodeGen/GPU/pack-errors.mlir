// RUN: hgc-opt --hgc-emit-gpu-kernels --verify-diagnostics --split-input-file %s

exec.kernel @pack inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<35x20xf32>, %y: memref<2x35x16xf32>):
  %0 = exec.load %x : memref<35x20xf32> -> tensor<35x20xf32>
  // expected-error @+2 {{is followed by other ops in its kernel, expected none}}
  // expected-note @+1 {{hint: give them a kernel of their own}}
  %1 = hgc.pack matmul_rhs %0 width 16 : (tensor<35x20xf32>) -> tensor<2x35x16xf32>
  %2 = hgc.relu %1 : tensor<2x35x16xf32>
  exec.store %2, %y : tensor<2x35x16xf32>, memref<2x35x16xf32>
}

// -----

exec.kernel @interleaved inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<5x20xi8>, %y: memref<2x3x32xi8>):
  %0 = exec.load %x : memref<5x20xi8> -> tensor<5x20xi8>
  // expected-error @+2 {{interleaves rows, expected none}}
  // expected-note @+1 {{hint: interleaved panels are the CPU's; drop 'interleave'}}
  %1 = hgc.pack matmul_rhs %0 width 16 interleave = 2 : (tensor<5x20xi8>) -> tensor<2x3x32xi8>
  exec.store %1, %y : tensor<2x3x32xi8>, memref<2x3x32xi8>
}
