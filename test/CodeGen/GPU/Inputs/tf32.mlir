// Contractions on tensor cores for tf32; see scripts/check_kernels.py. @GPU@ stands
// for the GPU.
module attributes {hgc.target_gpu = "@GPU@", hgc.allow_tf32} {

// Tiles of 128x128, with an epilogue; the right operand is transposed in registers.
exec.kernel @gemm_tf32 inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4096x1024xf32>, %b: memref<1024x4096xf32>, %c: memref<4096xf32>, %y: memref<4096x4096xf32>):
  %0 = exec.load %a : memref<4096x1024xf32> -> tensor<4096x1024xf32>
  %1 = exec.load %b : memref<1024x4096xf32> -> tensor<1024x4096xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4096x1024xf32>, tensor<1024x4096xf32>) -> tensor<4096x4096xf32>
  %3 = exec.load %c : memref<4096xf32> -> tensor<4096xf32>
  %4 = hgc.add %2, %3 : (tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096x4096xf32>
  %5 = hgc.relu %4 : tensor<4096x4096xf32>
  exec.store %5, %y : tensor<4096x4096xf32>, memref<4096x4096xf32>
}

// Both operands along the depth.
exec.kernel @gemm_tf32_nt inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4096x1024xf32>, %b: memref<4096x1024xf32>, %y: memref<4096x4096xf32>):
  %0 = exec.load %a : memref<4096x1024xf32> -> tensor<4096x1024xf32>
  %1 = exec.load %b : memref<4096x1024xf32> -> tensor<4096x1024xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<4096x1024xf32>, tensor<4096x1024xf32>) -> tensor<4096x4096xf32>
  exec.store %2, %y : tensor<4096x4096xf32>, memref<4096x4096xf32>
}

// Nothing is aligned.
exec.kernel @gemm_tf32_edges inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4001x1001xf32>, %b: memref<1001x4003xf32>, %y: memref<4001x4003xf32>):
  %0 = exec.load %a : memref<4001x1001xf32> -> tensor<4001x1001xf32>
  %1 = exec.load %b : memref<1001x4003xf32> -> tensor<1001x4003xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4001x1001xf32>, tensor<1001x4003xf32>) -> tensor<4001x4003xf32>
  exec.store %2, %y : tensor<4001x4003xf32>, memref<4001x4003xf32>
}

// Windows.
exec.kernel @conv_tf32 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<32x28x28x256xf32>, %w: memref<3x3x256x256xf32>, %y: memref<32x28x28x256xf32>):
  %0 = exec.load %x : memref<32x28x28x256xf32> -> tensor<32x28x28x256xf32>
  %1 = exec.load %w : memref<3x3x256x256xf32> -> tensor<3x3x256x256xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
    : (tensor<32x28x28x256xf32>, tensor<3x3x256x256xf32>) -> tensor<32x28x28x256xf32>
  exec.store %2, %y : tensor<32x28x28x256xf32>, memref<32x28x28x256xf32>
}
}
