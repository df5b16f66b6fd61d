// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file %s | FileCheck %s

// Windows of the input are rows of a product: with padding on both sides, an
// element exists where its row and its column of the image do.
// CHECK-LABEL: exec.kernel @windows
// CHECK-SAME:    schedule = "convolution: tile {{.*}} a thread
// CHECK:       gpu.func @hgc_0_conv
// CHECK:         scf.for
// CHECK:           arith.cmpi ult
// CHECK:           arith.cmpi ult
// CHECK:           arith.andi
// CHECK:           vector.load %arg0{{.*}} vector<4xf32>
// CHECK:           vector.load %arg1{{.*}} vector<4xf32>
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @windows inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<4x56x56x64xf32>, %w: memref<3x3x64x64xf32>, %y: memref<4x56x56x64xf32>):
    %0 = exec.load %x : memref<4x56x56x64xf32> -> tensor<4x56x56x64xf32>
    %1 = exec.load %w : memref<3x3x64x64xf32> -> tensor<3x3x64x64xf32>
    %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
        : (tensor<4x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<4x56x56x64xf32>
    exec.store %2, %y : tensor<4x56x56x64xf32>, memref<4x56x56x64xf32>
  }
}

// -----

// One pixel at a time is a plain product: nothing is divided or checked.
// CHECK-LABEL: exec.kernel @pointwise
// CHECK-SAME:    schedule = "convolution: tile
// CHECK:       gpu.func @hgc_0_conv
// CHECK:         scf.for
// CHECK-NOT:       arith.cmpi
// CHECK-NOT:       arith.divui
// CHECK:           gpu.barrier
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @pointwise inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<4x56x56x64xf32>, %w: memref<1x1x64x256xf32>, %y: memref<4x56x56x256xf32>):
    %0 = exec.load %x : memref<4x56x56x64xf32> -> tensor<4x56x56x64xf32>
    %1 = exec.load %w : memref<1x1x64x256xf32> -> tensor<1x1x64x256xf32>
    %2 = hgc.conv %0, %1 groups = 1 channels_last hwio
        : (tensor<4x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<4x56x56x256xf32>
    exec.store %2, %y : tensor<4x56x56x256xf32>, memref<4x56x56x256xf32>
  }
}

// -----

// Channels first: pixels are the columns, so that results lie side by side; the
// filter's rows are read along the depth.
// CHECK-LABEL: exec.kernel @channels_first
// CHECK-SAME:    schedule = "convolution: tile {{(32|64)}}x
// CHECK:       gpu.func @hgc_0_conv
// CHECK:         vector.store {{.*}} memref<802816xf32>, vector<4xf32>
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @channels_first inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<4x3x112x112xf32>, %w: memref<64x3x7x7xf32>, %y: memref<4x64x56x56xf32>):
    %0 = exec.load %x : memref<4x3x112x112xf32> -> tensor<4x3x112x112xf32>
    %1 = exec.load %w : memref<64x3x7x7xf32> -> tensor<64x3x7x7xf32>
    %2 = hgc.conv %0, %1 strides = [2, 2] pads = [3, 3, 2, 2] groups = 1 channels_first oihw
        : (tensor<4x3x112x112xf32>, tensor<64x3x7x7xf32>) -> tensor<4x64x56x56xf32>
    exec.store %2, %y : tensor<4x64x56x56xf32>, memref<4x64x56x56xf32>
  }
}

// -----

// Filters of one channel: a thread an element, threads along the channels, the
// window written out.
// CHECK-LABEL: exec.kernel @depthwise
// CHECK-SAME:    schedule = "convolution: one element a thread"
// CHECK:       gpu.func @hgc_0_conv
// CHECK-NOT:     scf.for
// CHECK-COUNT-9: llvm.intr.fma
// CHECK:         memref.store
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @depthwise inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<1x14x14x96xf32>, %w: memref<3x3x1x96xf32>, %y: memref<1x14x14x96xf32>):
    %0 = exec.load %x : memref<1x14x14x96xf32> -> tensor<1x14x14x96xf32>
    %1 = exec.load %w : memref<3x3x1x96xf32> -> tensor<3x3x1x96xf32>
    %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 96 channels_last hwio
        : (tensor<1x14x14x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x14x14x96xf32>
    exec.store %2, %y : tensor<1x14x14x96xf32>, memref<1x14x14x96xf32>
  }
}

// -----

// Groups of many channels are a batch of products.
// CHECK-LABEL: exec.kernel @grouped
// CHECK-SAME:    schedule = "convolution: tile
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @grouped inputs 2 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<1x14x14x128xf32>, %w: memref<3x3x32x128xf32>, %y: memref<1x14x14x128xf32>):
    %0 = exec.load %x : memref<1x14x14x128xf32> -> tensor<1x14x14x128xf32>
    %1 = exec.load %w : memref<3x3x32x128xf32> -> tensor<3x3x32x128xf32>
    %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 4 channels_last hwio
        : (tensor<1x14x14x128xf32>, tensor<3x3x32x128xf32>) -> tensor<1x14x14x128xf32>
    exec.store %2, %y : tensor<1x14x14x128xf32>, memref<1x14x14x128xf32>
  }
}
