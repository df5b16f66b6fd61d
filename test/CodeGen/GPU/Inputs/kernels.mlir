// One kernel of each family, in a shape that shows its main loop; see
// scripts/check_kernels.py. @GPU@ stands for the GPU.
module attributes {hgc.target_gpu = "@GPU@"} {

// Register tiles of 128x128, with an epilogue.
exec.kernel @gemm_f32 inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<3456x1024xf32>, %b: memref<1024x4096xf32>, %c: memref<4096xf32>, %y: memref<3456x4096xf32>):
  %0 = exec.load %a : memref<3456x1024xf32> -> tensor<3456x1024xf32>
  %1 = exec.load %b : memref<1024x4096xf32> -> tensor<1024x4096xf32>
  %2 = hgc.matmul %0, %1 : (tensor<3456x1024xf32>, tensor<1024x4096xf32>) -> tensor<3456x4096xf32>
  %3 = exec.load %c : memref<4096xf32> -> tensor<4096xf32>
  %4 = hgc.add %2, %3 : (tensor<3456x4096xf32>, tensor<4096xf32>) -> tensor<3456x4096xf32>
  %5 = hgc.relu %4 : tensor<3456x4096xf32>
  exec.store %5, %y : tensor<3456x4096xf32>, memref<3456x4096xf32>
}

// The same where nothing is aligned.
exec.kernel @gemm_f32_edges inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4001x1001xf32>, %b: memref<1001x4003xf32>, %y: memref<4001x4003xf32>):
  %0 = exec.load %a : memref<4001x1001xf32> -> tensor<4001x1001xf32>
  %1 = exec.load %b : memref<1001x4003xf32> -> tensor<1001x4003xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4001x1001xf32>, tensor<1001x4003xf32>) -> tensor<4001x4003xf32>
  exec.store %2, %y : tensor<4001x4003xf32>, memref<4001x4003xf32>
}

// Both operands transposed.
exec.kernel @gemm_f32_tn inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x4096xf32>, %b: memref<4096x1024xf32>, %y: memref<4096x4096xf32>):
  %0 = exec.load %a : memref<1024x4096xf32> -> tensor<1024x4096xf32>
  %1 = exec.load %b : memref<4096x1024xf32> -> tensor<4096x1024xf32>
  %2 = hgc.matmul %0, %1 transpose_lhs transpose_rhs : (tensor<1024x4096xf32>, tensor<4096x1024xf32>) -> tensor<4096x4096xf32>
  exec.store %2, %y : tensor<4096x4096xf32>, memref<4096x4096xf32>
}

// Smaller tiles and shares of the depth.
exec.kernel @gemm_f32_small inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %y: memref<512x512xf32>):
  %0 = exec.load %a : memref<512x512xf32> -> tensor<512x512xf32>
  %1 = exec.load %b : memref<512x512xf32> -> tensor<512x512xf32>
  %2 = hgc.matmul %0, %1 : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  exec.store %2, %y : tensor<512x512xf32>, memref<512x512xf32>
}

// Double precision.
exec.kernel @gemm_f64 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %y: memref<1024x1024xf64>):
  %0 = exec.load %a : memref<1024x1024xf64> -> tensor<1024x1024xf64>
  %1 = exec.load %b : memref<1024x1024xf64> -> tensor<1024x1024xf64>
  %2 = hgc.matmul %0, %1 : (tensor<1024x1024xf64>, tensor<1024x1024xf64>) -> tensor<1024x1024xf64>
  exec.store %2, %y : tensor<1024x1024xf64>, memref<1024x1024xf64>
}

// Bytes: four products an instruction.
exec.kernel @gemm_i8 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4096x1024xi8>, %b: memref<4096x1024xi8>, %y: memref<4096x4096xi32>):
  %0 = exec.load %a : memref<4096x1024xi8> -> tensor<4096x1024xi8>
  %1 = exec.load %b : memref<4096x1024xi8> -> tensor<4096x1024xi8>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<4096x1024xi8>, tensor<4096x1024xi8>) -> tensor<4096x4096xi32>
  exec.store %2, %y : tensor<4096x4096xi32>, memref<4096x4096xi32>
}

// Tensor cores, tile of 128x128, both operands as they lie.
exec.kernel @gemm_f16 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4096x1024xf16>, %b: memref<1024x4096xf16>, %y: memref<4096x4096xf32>):
  %0 = exec.load %a : memref<4096x1024xf16> -> tensor<4096x1024xf16>
  %1 = exec.load %b : memref<1024x4096xf16> -> tensor<1024x4096xf16>
  %2 = hgc.matmul %0, %1 : (tensor<4096x1024xf16>, tensor<1024x4096xf16>) -> tensor<4096x4096xf32>
  exec.store %2, %y : tensor<4096x4096xf32>, memref<4096x4096xf32>
}

// Tensor cores, right operand transposed.
exec.kernel @gemm_bf16_nt inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4096x1024xbf16>, %b: memref<4096x1024xbf16>, %y: memref<4096x4096xf32>):
  %0 = exec.load %a : memref<4096x1024xbf16> -> tensor<4096x1024xbf16>
  %1 = exec.load %b : memref<4096x1024xbf16> -> tensor<4096x1024xbf16>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<4096x1024xbf16>, tensor<4096x1024xbf16>) -> tensor<4096x4096xf32>
  exec.store %2, %y : tensor<4096x4096xf32>, memref<4096x4096xf32>
}

// Tensor cores where nothing is aligned.
exec.kernel @gemm_f16_edges inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<4001x1001xf16>, %b: memref<1001x4003xf16>, %y: memref<4001x4003xf32>):
  %0 = exec.load %a : memref<4001x1001xf16> -> tensor<4001x1001xf16>
  %1 = exec.load %b : memref<1001x4003xf16> -> tensor<1001x4003xf16>
  %2 = hgc.matmul %0, %1 : (tensor<4001x1001xf16>, tensor<1001x4003xf16>) -> tensor<4001x4003xf32>
  exec.store %2, %y : tensor<4001x4003xf32>, memref<4001x4003xf32>
}

// One row: lanes along the columns.
exec.kernel @gemm_columns inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1x4096xf32>, %b: memref<4096x4096xf32>, %y: memref<1x4096xf32>):
  %0 = exec.load %a : memref<1x4096xf32> -> tensor<1x4096xf32>
  %1 = exec.load %b : memref<4096x4096xf32> -> tensor<4096x4096xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1x4096xf32>, tensor<4096x4096xf32>) -> tensor<1x4096xf32>
  exec.store %2, %y : tensor<1x4096xf32>, memref<1x4096xf32>
}

// Few rows: lanes along the depth.
exec.kernel @gemm_dots inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<8x4096xf32>, %b: memref<4096x4096xf32>, %y: memref<8x4096xf32>):
  %0 = exec.load %a : memref<8x4096xf32> -> tensor<8x4096xf32>
  %1 = exec.load %b : memref<4096x4096xf32> -> tensor<4096x4096xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<8x4096xf32>, tensor<4096x4096xf32>) -> tensor<8x4096xf32>
  exec.store %2, %y : tensor<8x4096xf32>, memref<8x4096xf32>
}

// Windows of the input as an operand of a product.
exec.kernel @conv_f32 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<32x28x28x256xf32>, %w: memref<3x3x256x256xf32>, %y: memref<32x28x28x256xf32>):
  %0 = exec.load %x : memref<32x28x28x256xf32> -> tensor<32x28x28x256xf32>
  %1 = exec.load %w : memref<3x3x256x256xf32> -> tensor<3x3x256x256xf32>
  %2 = hgc.conv %0, %1 strides = [1, 1] pads = [1, 1, 1, 1] groups = 1 channels_last hwio
    : (tensor<32x28x28x256xf32>, tensor<3x3x256x256xf32>) -> tensor<32x28x28x256xf32>
  exec.store %2, %y : tensor<32x28x28x256xf32>, memref<32x28x28x256xf32>
}

// Channels first.
exec.kernel @conv_f32_first inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<32x3x56x56xf32>, %w: memref<64x3x7x7xf32>, %y: memref<32x64x28x28xf32>):
  %0 = exec.load %x : memref<32x3x56x56xf32> -> tensor<32x3x56x56xf32>
  %1 = exec.load %w : memref<64x3x7x7xf32> -> tensor<64x3x7x7xf32>
  %2 = hgc.conv %0, %1 strides = [2, 2] pads = [3, 3, 3, 3] groups = 1 channels_first oihw
    : (tensor<32x3x56x56xf32>, tensor<64x3x7x7xf32>) -> tensor<32x64x28x28xf32>
  exec.store %2, %y : tensor<32x64x28x28xf32>, memref<32x64x28x28xf32>
}

// The same on tensor cores.
exec.kernel @conv_f16 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<32x28x28x256xf16>, %w: memref<3x3x256x256xf16>, %y: memref<32x28x28x256xf32>):
  %0 = exec.load %x : memref<32x28x28x256xf16> -> tensor<32x28x28x256xf16>
  %1 = exec.load %w : memref<3x3x256x256xf16> -> tensor<3x3x256x256xf16>
  %2 = hgc.conv %0, %1 strides = [1, 1] pads = [1, 1, 1, 1] groups = 1 channels_last hwio
    : (tensor<32x28x28x256xf16>, tensor<3x3x256x256xf16>) -> tensor<32x28x28x256xf32>
  exec.store %2, %y : tensor<32x28x28x256xf32>, memref<32x28x28x256xf32>
}

// One filter a channel.
exec.kernel @conv_depthwise inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<32x56x56x64xf32>, %w: memref<3x3x1x64xf32>, %y: memref<32x56x56x64xf32>):
  %0 = exec.load %x : memref<32x56x56x64xf32> -> tensor<32x56x56x64xf32>
  %1 = exec.load %w : memref<3x3x1x64xf32> -> tensor<3x3x1x64xf32>
  %2 = hgc.conv %0, %1 strides = [1, 1] pads = [1, 1, 1, 1] groups = 64 channels_last hwio
    : (tensor<32x56x56x64xf32>, tensor<3x3x1x64xf32>) -> tensor<32x56x56x64xf32>
  exec.store %2, %y : tensor<32x56x56x64xf32>, memref<32x56x56x64xf32>
}
}
