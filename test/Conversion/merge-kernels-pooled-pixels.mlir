// RUN: hgc-opt --hgc-merge-kernels --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-merge-kernels --hgc-plan-kernels --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-2: exec.memory

// Windows of one pixel.
!x = memref<1x32x32x32xf32>
!w = memref<1x1x32x16xf32>
!m = memref<1x32x32x16xf32>
!y = memref<1x16x16x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @pixels
// CHECK:         exec.launch @see_and_1_more
// CHECK-NOT:     exec.launch
exec.kernel @see inputs 2 {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x32x32x32xf32>
  %1 = exec.load %w : !w -> tensor<1x1x32x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 32, 16]> : (tensor<1x32x32x32xf32>, tensor<1x1x32x16xf32>) -> tensor<1x32x32x16xf32>
  exec.store %2, %m : tensor<1x32x32x16xf32>, !m
}
exec.kernel @pick inputs 1 {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x32x32x16xf32>
  %1 = hgc.pool avg %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x32x32x16xf32>) -> tensor<1x16x16x16xf32>
  exec.store %1, %y : tensor<1x16x16x16xf32>, !y
}
exec.program @pixels entry "pixels" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 32, 32, 32], type = tensor<1x32x32x32xf32>},
    {name = "y", shape = [1, 16, 16, 16], type = tensor<1x16x16x16xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// Tiles that end with each row would cost more than the pool gains.
!x = memref<1x32x32x160xf32>
!w = memref<1x1x160x16xf32>
!m = memref<1x32x32x16xf32>
!y = memref<1x16x16x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @deep_pixels
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x32x32x160xf32>
  %1 = exec.load %w : !w -> tensor<1x1x160x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 160, 16]> : (tensor<1x32x32x160xf32>, tensor<1x1x160x16xf32>) -> tensor<1x32x32x16xf32>
  exec.store %2, %m : tensor<1x32x32x16xf32>, !m
}
exec.kernel @pick inputs 1 {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x32x32x16xf32>
  %1 = hgc.pool avg %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x32x32x16xf32>) -> tensor<1x16x16x16xf32>
  exec.store %1, %y : tensor<1x16x16x16xf32>, !y
}
exec.program @deep_pixels entry "deep_pixels" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 32, 32, 160], type = tensor<1x32x32x160xf32>},
    {name = "y", shape = [1, 16, 16, 16], type = tensor<1x16x16x16xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}
