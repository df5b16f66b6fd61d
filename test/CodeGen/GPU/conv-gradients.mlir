// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file %s | FileCheck %s

// Pixels of the result ask which outputs saw them: the place is divided by the
// stride, and only whole quotients inside of the data exist.
// CHECK-LABEL: exec.kernel @divided
// CHECK-SAME:    schedule = "transposed convolution: tile {{.*}} a thread
// CHECK:       gpu.func @hgc_0_conv_transpose
// CHECK:         scf.for
// CHECK:           arith.cmpi ult
// CHECK:           arith.maxsi
// CHECK:           arith.divui
// CHECK:           arith.cmpi eq
// CHECK:           vector.load %arg0{{.*}} vector<4xf32>
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @divided inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%y: memref<4x28x28x64xf32>, %w: memref<3x3x64x64xf32>, %x: memref<4x56x56x64xf32>):
    %0 = exec.load %y : memref<4x28x28x64xf32> -> tensor<4x28x28x64xf32>
    %1 = exec.load %w : memref<3x3x64x64xf32> -> tensor<3x3x64x64xf32>
    %2 = hgc.conv_transpose %0, %1 extents = [56, 56] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<4x28x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<4x56x56x64xf32>
    exec.store %2, %x : tensor<4x56x56x64xf32>, memref<4x56x56x64xf32>
  }
}

// -----

// Half precision goes to the tensor cores, with the same addresses.
// CHECK-LABEL: exec.kernel @halves
// CHECK-SAME:    schedule = "transposed convolution: tensor cores, tile
// CHECK:       gpu.func @hgc_0_conv_transpose
// CHECK:         arith.divui
// CHECK:         nvgpu.device_async_copy
// CHECK:         nvvm.mma.sync
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @halves inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%y: memref<4x28x28x64xf16>, %w: memref<3x3x64x64xf16>, %x: memref<4x56x56x64xf32>):
    %0 = exec.load %y : memref<4x28x28x64xf16> -> tensor<4x28x28x64xf16>
    %1 = exec.load %w : memref<3x3x64x64xf16> -> tensor<3x3x64x64xf16>
    %2 = hgc.conv_transpose %0, %1 extents = [56, 56] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<4x28x28x64xf16>, tensor<3x3x64x64xf16>) -> tensor<4x56x56x64xf32>
    exec.store %2, %x : tensor<4x56x56x64xf32>, memref<4x56x56x64xf32>
  }
}

// -----

// One pixel at a time is a plain product.
// CHECK-LABEL: exec.kernel @pointwise
// CHECK:       gpu.func @hgc_0_conv_transpose
// CHECK:         scf.for
// CHECK-NOT:       arith.cmpi
// CHECK-NOT:       arith.divui
// CHECK:           gpu.barrier
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @pointwise inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%y: memref<4x56x56x64xf32>, %w: memref<1x1x256x64xf32>, %x: memref<4x56x56x256xf32>):
    %0 = exec.load %y : memref<4x56x56x64xf32> -> tensor<4x56x56x64xf32>
    %1 = exec.load %w : memref<1x1x256x64xf32> -> tensor<1x1x256x64xf32>
    %2 = hgc.conv_transpose %0, %1 channels_last hwio
        : (tensor<4x56x56x64xf32>, tensor<1x1x256x64xf32>) -> tensor<4x56x56x256xf32>
    exec.store %2, %x : tensor<4x56x56x256xf32>, memref<4x56x56x256xf32>
  }
}

// -----

// The sum runs over all pixels, so blocks share it.
// CHECK-LABEL: exec.kernel @filter_grad
// CHECK-SAME:    schedule = "filter gradient: tile {{.*}}, depth in {{[0-9]+}} shares"
// CHECK:       gpu.func @hgc_0_conv_filter_grad
// CHECK:         vector.load %arg0{{.*}} vector<4xf32>
// CHECK:         vector.load %arg1{{.*}} vector<4xf32>
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @filter_grad inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<8x56x56x64xf32>, %y: memref<8x28x28x64xf32>, %w: memref<3x3x64x64xf32>):
    %0 = exec.load %x : memref<8x56x56x64xf32> -> tensor<8x56x56x64xf32>
    %1 = exec.load %y : memref<8x28x28x64xf32> -> tensor<8x28x28x64xf32>
    %2 = hgc.conv_filter_grad %0, %1 window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<8x56x56x64xf32>, tensor<8x28x28x64xf32>) -> tensor<3x3x64x64xf32>
    exec.store %2, %w : tensor<3x3x64x64xf32>, memref<3x3x64x64xf32>
  }
}

// -----

// Groups of few channels fill no tile.
// CHECK-LABEL: exec.kernel @few_channels
// CHECK-SAME:    schedule = "filter gradient: one element a thread"
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @few_channels inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<2x9x9x8xf32>, %y: memref<2x7x7x8xf32>, %w: memref<3x3x1x8xf32>):
    %0 = exec.load %x : memref<2x9x9x8xf32> -> tensor<2x9x9x8xf32>
    %1 = exec.load %y : memref<2x7x7x8xf32> -> tensor<2x7x7x8xf32>
    %2 = hgc.conv_filter_grad %0, %1 window = [3, 3] groups = 8 channels_last hwio
        : (tensor<2x9x9x8xf32>, tensor<2x7x7x8xf32>) -> tensor<3x3x1x8xf32>
    exec.store %2, %w : tensor<3x3x1x8xf32>, memref<3x3x1x8xf32>
  }
}
