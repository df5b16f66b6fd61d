// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file --verify-diagnostics %s

module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @wide inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%q: memref<4x300xf32>, %y: memref<4x300xf32>):
    %0 = exec.load %q : memref<4x300xf32> -> tensor<4x300xf32>
    // expected-error @+2 {{has no kernel for 300 features and 300 results of type 'f32'}}
    // expected-note @+1 {{hint: run hgc-decompose, which rewrites it}}
    %1 = hgc.attention %0, %0, %0 : (tensor<4x300xf32>, tensor<4x300xf32>, tensor<4x300xf32>) -> tensor<4x300xf32>
    exec.store %1, %y : tensor<4x300xf32>, memref<4x300xf32>
  }
}
