// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Lanes are channels; the window's loops are cut at the borders of the image.
// CHECK: exec.kernel @last {{.*}}schedule = "pool channels lanes=32"
// CHECK-LABEL: func.func private @last_body
// CHECK:         arith.maxsi
// CHECK:         arith.minsi
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf32>)
// CHECK:           scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf32>)
// CHECK:             vector.load
// CHECK:             arith.maximumf
// CHECK:         vector.store
exec.kernel @last inputs 1 {
^bb0(%x: memref<1x14x14x32xf32>, %y: memref<1x7x7x32xf32>):
  %0 = exec.load %x : memref<1x14x14x32xf32> -> tensor<1x14x14x32xf32>
  %1 = hgc.pool max %0 window = [3, 3] strides = [2, 2] pads = [1, 1, 0, 0] channels_last
      : (tensor<1x14x14x32xf32>) -> tensor<1x7x7x32xf32>
  exec.store %1, %y : tensor<1x7x7x32xf32>, memref<1x7x7x32xf32>
}

// Without padding all bounds are constants.
// CHECK-LABEL: func.func private @unpadded_body
// CHECK-NOT:     arith.maxsi
// CHECK:         return
exec.kernel @unpadded inputs 1 {
^bb0(%x: memref<1x14x14x16xf32>, %y: memref<1x7x7x16xf32>):
  %0 = exec.load %x : memref<1x14x14x16xf32> -> tensor<1x14x14x16xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last
      : (tensor<1x14x14x16xf32>) -> tensor<1x7x7x16xf32>
  exec.store %1, %y : tensor<1x7x7x16xf32>, memref<1x7x7x16xf32>
}

// Channels first: lanes along the row where whole windows fit, scalars at its
// ends; the average divides by the elements it saw.
// CHECK: exec.kernel @first {{.*}}schedule = "pool rows lanes=16"
// CHECK-LABEL: func.func private @first_body
// CHECK:         scf.for {{.*}} -> (f32)
// CHECK:         arith.sitofp
// CHECK:         arith.divf {{.*}} : f32
// CHECK:         scf.for {{.*}} -> (vector<16xf32>)
// CHECK:         arith.divf {{.*}} : vector<16xf32>
exec.kernel @first inputs 1 {
^bb0(%x: memref<1x2x8x34xf32>, %y: memref<1x2x8x34xf32>):
  %0 = exec.load %x : memref<1x2x8x34xf32> -> tensor<1x2x8x34xf32>
  %1 = hgc.pool avg %0 window = [3, 3] pads = [1, 1, 1, 1] channels_first
      : (tensor<1x2x8x34xf32>) -> tensor<1x2x8x34xf32>
  exec.store %1, %y : tensor<1x2x8x34xf32>, memref<1x2x8x34xf32>
}

// With count_include_pad the divisor is the window's volume.
// CHECK-LABEL: func.func private @include_body
// CHECK:         %[[NINE:.*]] = arith.constant dense<9.000000e+00>
// CHECK:         arith.divf %{{.*}}, %[[NINE]]
exec.kernel @include inputs 1 {
^bb0(%x: memref<1x8x8x16xf32>, %y: memref<1x8x8x16xf32>):
  %0 = exec.load %x : memref<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %1 = hgc.pool avg %0 window = [3, 3] pads = [1, 1, 1, 1] count_include_pad channels_last
      : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  exec.store %1, %y : tensor<1x8x8x16xf32>, memref<1x8x8x16xf32>
}

// Sums of large windows are taken in f64.
// CHECK-LABEL: func.func private @large_body
// CHECK:         scf.for {{.*}} -> (vector<16xf64>)
exec.kernel @large inputs 1 {
^bb0(%x: memref<1x20x20x16xf32>, %y: memref<1x1x1x16xf32>):
  %0 = exec.load %x : memref<1x20x20x16xf32> -> tensor<1x20x20x16xf32>
  %1 = hgc.pool sum %0 window = [20, 20] channels_last : (tensor<1x20x20x16xf32>) -> tensor<1x1x1x16xf32>
  exec.store %1, %y : tensor<1x1x1x16xf32>, memref<1x1x1x16xf32>
}
