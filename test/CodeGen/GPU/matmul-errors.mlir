// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file --verify-diagnostics %s

// Tiles are copied from memory: a computed operand has none.
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @computed inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %y: memref<4x8xf32>):
    %0 = exec.load %x : memref<4x8xf32> -> tensor<4x8xf32>
    %1 = exec.load %w : memref<8x8xf32> -> tensor<8x8xf32>
    %2 = hgc.relu %0 : tensor<4x8xf32>
    // expected-error @+2 {{has operand 0 computed inside its kernel}}
    // expected-note @+1 {{hint: contractions read their operands from buffers}}
    %3 = hgc.matmul %2, %1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    exec.store %3, %y : tensor<4x8xf32>, memref<4x8xf32>
  }
}

// -----

// Panels are a layout of the CPU plan.
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @packed inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<4x8xf32>, %w: memref<1x8x16xf32>, %y: memref<4x8xf32>):
    %0 = exec.load %x : memref<4x8xf32> -> tensor<4x8xf32>
    %1 = exec.load %w : memref<1x8x16xf32> -> tensor<1x8x16xf32>
    // expected-error @+2 {{reads a packed operand, which only the CPU does}}
    // expected-note @+1 {{hint: unpack it when the weights are loaded}}
    %2 = hgc.matmul %0, %1 packed <16, [8, 8]> : (tensor<4x8xf32>, tensor<1x8x16xf32>) -> tensor<4x8xf32>
    exec.store %2, %y : tensor<4x8xf32>, memref<4x8xf32>
  }
}
