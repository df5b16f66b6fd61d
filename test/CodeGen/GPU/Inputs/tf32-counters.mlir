// Contractions on tensor cores for tf32 that the emulator executes; see
// scripts/check_kernels.py. @GPU@ stands for the GPU.
module attributes {hgc.target_gpu = "@GPU@", hgc.allow_tf32} {

// Tiles of 128x128.
exec.kernel @gemm_tf32 inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x64xf32>, %b: memref<64x2048xf32>, %c: memref<2048xf32>, %y: memref<1024x2048xf32>):
  %0 = exec.load %a : memref<1024x64xf32> -> tensor<1024x64xf32>
  %1 = exec.load %b : memref<64x2048xf32> -> tensor<64x2048xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1024x64xf32>, tensor<64x2048xf32>) -> tensor<1024x2048xf32>
  %3 = exec.load %c : memref<2048xf32> -> tensor<2048xf32>
  %4 = hgc.add %2, %3 : (tensor<1024x2048xf32>, tensor<2048xf32>) -> tensor<1024x2048xf32>
  %5 = hgc.relu %4 : tensor<1024x2048xf32>
  exec.store %5, %y : tensor<1024x2048xf32>, memref<1024x2048xf32>
}

// Both operands along the depth.
exec.kernel @gemm_tf32_nt inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x64xf32>, %b: memref<2048x64xf32>, %y: memref<1024x2048xf32>):
  %0 = exec.load %a : memref<1024x64xf32> -> tensor<1024x64xf32>
  %1 = exec.load %b : memref<2048x64xf32> -> tensor<2048x64xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<1024x64xf32>, tensor<2048x64xf32>) -> tensor<1024x2048xf32>
  exec.store %2, %y : tensor<1024x2048xf32>, memref<1024x2048xf32>
}

// Both operands along the rows.
exec.kernel @gemm_tf32_tn inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<64x1024xf32>, %b: memref<64x2048xf32>, %y: memref<1024x2048xf32>):
  %0 = exec.load %a : memref<64x1024xf32> -> tensor<64x1024xf32>
  %1 = exec.load %b : memref<64x2048xf32> -> tensor<64x2048xf32>
  %2 = hgc.matmul %0, %1 transpose_lhs : (tensor<64x1024xf32>, tensor<64x2048xf32>) -> tensor<1024x2048xf32>
  exec.store %2, %y : tensor<1024x2048xf32>, memref<1024x2048xf32>
}

// Smaller tiles with deeper steps.
exec.kernel @gemm_tf32_small inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<256x64xf32>, %b: memref<64x192xf32>, %y: memref<256x192xf32>):
  %0 = exec.load %a : memref<256x64xf32> -> tensor<256x64xf32>
  %1 = exec.load %b : memref<64x192xf32> -> tensor<64x192xf32>
  %2 = hgc.matmul %0, %1 : (tensor<256x64xf32>, tensor<64x192xf32>) -> tensor<256x192xf32>
  exec.store %2, %y : tensor<256x192xf32>, memref<256x192xf32>
}

// Windows.
exec.kernel @conv_tf32 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<4x28x28x64xf32>, %w: memref<3x3x64x128xf32>, %y: memref<4x28x28x128xf32>):
  %0 = exec.load %x : memref<4x28x28x64xf32> -> tensor<4x28x28x64xf32>
  %1 = exec.load %w : memref<3x3x64x128xf32> -> tensor<3x3x64x128xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
    : (tensor<4x28x28x64xf32>, tensor<3x3x64x128xf32>) -> tensor<4x28x28x128xf32>
  exec.store %2, %y : tensor<4x28x28x128xf32>, memref<4x28x28x128xf32>
}
}
