// Gradients of convolutions that the emulator executes to count memory sectors and
// bank conflicts; see scripts/check_kernels.py. @GPU@ stands for the GPU.
module attributes {hgc.target_gpu = "@GPU@"} {

// Places divided by the stride.
exec.kernel @conv_transpose_f32 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%y: memref<2x14x14x64xf32>, %w: memref<4x4x128x64xf32>, %x: memref<2x28x28x128xf32>):
  %0 = exec.load %y : memref<2x14x14x64xf32> -> tensor<2x14x14x64xf32>
  %1 = exec.load %w : memref<4x4x128x64xf32> -> tensor<4x4x128x64xf32>
  %2 = hgc.conv_transpose %0, %1 extents = [28, 28] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
    : (tensor<2x14x14x64xf32>, tensor<4x4x128x64xf32>) -> tensor<2x28x28x128xf32>
  exec.store %2, %x : tensor<2x28x28x128xf32>, memref<2x28x28x128xf32>
}

// The same on tensor cores.
exec.kernel @conv_transpose_f16 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%y: memref<2x14x14x64xf16>, %w: memref<4x4x128x64xf16>, %x: memref<2x28x28x128xf32>):
  %0 = exec.load %y : memref<2x14x14x64xf16> -> tensor<2x14x14x64xf16>
  %1 = exec.load %w : memref<4x4x128x64xf16> -> tensor<4x4x128x64xf16>
  %2 = hgc.conv_transpose %0, %1 extents = [28, 28] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
    : (tensor<2x14x14x64xf16>, tensor<4x4x128x64xf16>) -> tensor<2x28x28x128xf32>
  exec.store %2, %x : tensor<2x28x28x128xf32>, memref<2x28x28x128xf32>
}

// Sums over all pixels, which blocks share.
exec.kernel @conv_filter_grad_f32 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<2x28x28x64xf32>, %y: memref<2x14x14x128xf32>, %w: memref<4x4x64x128xf32>):
  %0 = exec.load %x : memref<2x28x28x64xf32> -> tensor<2x28x28x64xf32>
  %1 = exec.load %y : memref<2x14x14x128xf32> -> tensor<2x14x14x128xf32>
  %2 = hgc.conv_filter_grad %0, %1 window = [4, 4] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
    : (tensor<2x28x28x64xf32>, tensor<2x14x14x128xf32>) -> tensor<4x4x64x128xf32>
  exec.store %2, %w : tensor<4x4x64x128xf32>, memref<4x4x64x128xf32>
}

// The same on tensor cores.
exec.kernel @conv_filter_grad_f16 inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<2x28x28x64xf16>, %y: memref<2x14x14x128xf16>, %w: memref<4x4x64x128xf32>):
  %0 = exec.load %x : memref<2x28x28x64xf16> -> tensor<2x28x28x64xf16>
  %1 = exec.load %y : memref<2x14x14x128xf16> -> tensor<2x14x14x128xf16>
  %2 = hgc.conv_filter_grad %0, %1 window = [4, 4] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
    : (tensor<2x28x28x64xf16>, tensor<2x14x14x128xf16>) -> tensor<4x4x64x128xf32>
  exec.store %2, %w : tensor<4x4x64x128xf32>, memref<4x4x64x128xf32>
}
}
