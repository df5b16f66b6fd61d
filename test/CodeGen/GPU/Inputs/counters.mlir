// Kernels that the emulator executes to count memory sectors and bank conflicts;
// see scripts/check_kernels.py. @GPU@ stands for the GPU: one of few processors,
// so that small products take large tiles.
module attributes {hgc.target_gpu = "@GPU@"} {

// Register tiles of 128x128.
exec.kernel @gemm_f32 inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x64xf32>, %b: memref<64x1024xf32>, %c: memref<1024xf32>, %y: memref<1024x1024xf32>):
  %0 = exec.load %a : memref<1024x64xf32> -> tensor<1024x64xf32>
  %1 = exec.load %b : memref<64x1024xf32> -> tensor<64x1024xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1024x64xf32>, tensor<64x1024xf32>) -> tensor<1024x1024xf32>
  %3 = exec.load %c : memref<1024xf32> -> tensor<1024xf32>
  %4 = hgc.add %2, %3 : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
  %5 = hgc.relu %4 : tensor<1024x1024xf32>
  exec.store %5, %y : tensor<1024x1024xf32>, memref<1024x1024xf32>
}

// The same with both operands transposed.
exec.kernel @gemm_f32_tn inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<64x1024xf32>, %b: memref<1024x64xf32>, %y: memref<1024x1024xf32>):
  %0 = exec.load %a : memref<64x1024xf32> -> tensor<64x1024xf32>
  %1 = exec.load %b : memref<1024x64xf32> -> tensor<1024x64xf32>
  %2 = hgc.matmul %0, %1 transpose_lhs transpose_rhs : (tensor<64x1024xf32>, tensor<1024x64xf32>) -> tensor<1024x1024xf32>
  exec.store %2, %y : tensor<1024x1024xf32>, memref<1024x1024xf32>
}

// Smaller tiles.
exec.kernel @gemm_f32_small inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<128x64xf32>, %b: memref<64x128xf32>, %y: memref<128x128xf32>):
  %0 = exec.load %a : memref<128x64xf32> -> tensor<128x64xf32>
  %1 = exec.load %b : memref<64x128xf32> -> tensor<64x128xf32>
  %2 = hgc.matmul %0, %1 : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
  exec.store %2, %y : tensor<128x128xf32>, memref<128x128xf32>
}

// Double precision.
exec.kernel @gemm_f64 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<512x64xf64>, %b: memref<64x512xf64>, %y: memref<512x512xf64>):
  %0 = exec.load %a : memref<512x64xf64> -> tensor<512x64xf64>
  %1 = exec.load %b : memref<64x512xf64> -> tensor<64x512xf64>
  %2 = hgc.matmul %0, %1 : (tensor<512x64xf64>, tensor<64x512xf64>) -> tensor<512x512xf64>
  exec.store %2, %y : tensor<512x512xf64>, memref<512x512xf64>
}

// Bytes.
exec.kernel @gemm_i8 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x128xi8>, %b: memref<1024x128xi8>, %y: memref<1024x1024xi32>):
  %0 = exec.load %a : memref<1024x128xi8> -> tensor<1024x128xi8>
  %1 = exec.load %b : memref<1024x128xi8> -> tensor<1024x128xi8>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<1024x128xi8>, tensor<1024x128xi8>) -> tensor<1024x1024xi32>
  exec.store %2, %y : tensor<1024x1024xi32>, memref<1024x1024xi32>
}

// Tensor cores; the right operand is read transposed.
exec.kernel @gemm_f16 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x128xf16>, %b: memref<128x2048xf16>, %y: memref<1024x2048xf32>):
  %0 = exec.load %a : memref<1024x128xf16> -> tensor<1024x128xf16>
  %1 = exec.load %b : memref<128x2048xf16> -> tensor<128x2048xf16>
  %2 = hgc.matmul %0, %1 : (tensor<1024x128xf16>, tensor<128x2048xf16>) -> tensor<1024x2048xf32>
  exec.store %2, %y : tensor<1024x2048xf32>, memref<1024x2048xf32>
}

// Tensor cores; neither is.
exec.kernel @gemm_bf16_nt inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x128xbf16>, %b: memref<2048x128xbf16>, %y: memref<1024x2048xf32>):
  %0 = exec.load %a : memref<1024x128xbf16> -> tensor<1024x128xbf16>
  %1 = exec.load %b : memref<2048x128xbf16> -> tensor<2048x128xbf16>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<1024x128xbf16>, tensor<2048x128xbf16>) -> tensor<1024x2048xf32>
  exec.store %2, %y : tensor<1024x2048xf32>, memref<1024x2048xf32>
}

// One row.
exec.kernel @gemm_columns inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1x1024xf32>, %b: memref<1024x2048xf32>, %y: memref<1x2048xf32>):
  %0 = exec.load %a : memref<1x1024xf32> -> tensor<1x1024xf32>
  %1 = exec.load %b : memref<1024x2048xf32> -> tensor<1024x2048xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1x1024xf32>, tensor<1024x2048xf32>) -> tensor<1x2048xf32>
  exec.store %2, %y : tensor<1x2048xf32>, memref<1x2048xf32>
}

// Few rows, dot products.
exec.kernel @gemm_dots inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<8x1024xf32>, %b: memref<512x1024xf32>, %y: memref<8x512xf32>):
  %0 = exec.load %a : memref<8x1024xf32> -> tensor<8x1024xf32>
  %1 = exec.load %b : memref<512x1024xf32> -> tensor<512x1024xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<8x1024xf32>, tensor<512x1024xf32>) -> tensor<8x512xf32>
  exec.store %2, %y : tensor<8x512xf32>, memref<8x512xf32>
}

// Windows.
exec.kernel @conv_f32 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<4x28x28x64xf32>, %w: memref<3x3x64x128xf32>, %y: memref<4x28x28x128xf32>):
  %0 = exec.load %x : memref<4x28x28x64xf32> -> tensor<4x28x28x64xf32>
  %1 = exec.load %w : memref<3x3x64x128xf32> -> tensor<3x3x64x128xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
    : (tensor<4x28x28x64xf32>, tensor<3x3x64x128xf32>) -> tensor<4x28x28x128xf32>
  exec.store %2, %y : tensor<4x28x28x128xf32>, memref<4x28x28x128xf32>
}

// Windows on tensor cores.
exec.kernel @conv_f16 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<4x28x28x64xf16>, %w: memref<3x3x64x128xf16>, %y: memref<4x28x28x128xf32>):
  %0 = exec.load %x : memref<4x28x28x64xf16> -> tensor<4x28x28x64xf16>
  %1 = exec.load %w : memref<3x3x64x128xf16> -> tensor<3x3x64x128xf16>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
    : (tensor<4x28x28x64xf16>, tensor<3x3x64x128xf16>) -> tensor<4x28x28x128xf32>
  exec.store %2, %y : tensor<4x28x28x128xf32>, memref<4x28x28x128xf32>
}

// One filter a channel.
exec.kernel @conv_depthwise inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<4x28x28x64xf32>, %w: memref<3x3x1x64xf32>, %y: memref<4x28x28x64xf32>):
  %0 = exec.load %x : memref<4x28x28x64xf32> -> tensor<4x28x28x64xf32>
  %1 = exec.load %w : memref<3x3x1x64xf32> -> tensor<3x3x1x64xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 64 channels_last hwio
    : (tensor<4x28x28x64xf32>, tensor<3x3x1x64xf32>) -> tensor<4x28x28x64xf32>
  exec.store %2, %y : tensor<4x28x28x64xf32>, memref<4x28x28x64xf32>
}
}
