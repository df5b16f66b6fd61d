// RUN: hgc-opt --hgc-merge-kernels --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-merge-kernels --hgc-plan-kernels --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-3: exec.memory

// A depthwise convolution makes the rows it reads itself: the image between the two, of
// 1.4 MB, is neither written nor has it memory.
!x = memref<1x112x32x16xf32>
!w = memref<1x6x16x16xf32>
!m = memref<1x112x32x96xf32>
!f = memref<3x3x1x96xf32>
!y = memref<1x56x16x96xf32>
exec.blob @w : !w = dense<1.0>
exec.blob @f : !f = dense<1.0>
// CHECK-LABEL: exec.kernel @widen_and_1_more inputs 3
// CHECK-SAME:    ops = "conv, relu, conv", price_ps = {{[1-9]}}
// CHECK:         %[[MADE:.*]] = hgc.relu
// CHECK:         hgc.conv %[[MADE]]
// CHECK-LABEL: exec.program @run
// CHECK-NOT:     memref<1x112x32x96xf32>
// CHECK:         exec.launch @widen_and_1_more
// CHECK-NOT:     exec.launch
exec.kernel @widen inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x112x32x16xf32>
  %1 = exec.load %w : !w -> tensor<1x6x16x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 16, 96]>
      : (tensor<1x112x32x16xf32>, tensor<1x6x16x16xf32>) -> tensor<1x112x32x96xf32>
  %3 = hgc.relu %2 : tensor<1x112x32x96xf32>
  exec.store %3, %m : tensor<1x112x32x96xf32>, !m
}
exec.kernel @filter inputs 2 attributes {ops = "conv", price_ps = 100000000 : i64} {
^bb0(%m: !m, %f: !f, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x112x32x96xf32>
  %1 = exec.load %f : !f -> tensor<3x3x1x96xf32>
  %2 = hgc.conv %0, %1 strides = [2, 2] pads = [1, 1, 1, 1] groups = 96 channels_last hwio
      : (tensor<1x112x32x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x16x96xf32>
  exec.store %2, %y : tensor<1x56x16x96xf32>, !y
}
exec.program @run entry "run" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 112, 32, 16], type = tensor<1x112x32x16xf32>}, {name = "y", shape = [1, 56, 16, 96], type = tensor<1x56x16x96xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %f = exec.weight @f : !f
  %m = exec.view : !m
  exec.launch @widen ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @filter ins(%m, %f : !m, !f) outs(%y : !y)
  exec.return
}

// -----

// What others read, too, stays.
!x = memref<1x112x32x16xf32>
!w = memref<1x6x16x16xf32>
!m = memref<1x112x32x96xf32>
!f = memref<3x3x1x96xf32>
exec.blob @w : !w = dense<1.0>
exec.blob @f : !f = dense<1.0>
// CHECK-LABEL: exec.program @read_twice
// CHECK:         exec.launch @widen
// CHECK:         exec.launch @filter
// CHECK:         exec.launch @filter
exec.kernel @widen inputs 2 {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x112x32x16xf32>
  %1 = exec.load %w : !w -> tensor<1x6x16x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 16, 96]>
      : (tensor<1x112x32x16xf32>, tensor<1x6x16x16xf32>) -> tensor<1x112x32x96xf32>
  exec.store %2, %m : tensor<1x112x32x96xf32>, !m
}
exec.kernel @filter inputs 2 {
^bb0(%m: !m, %f: !f, %y: !m):
  %0 = exec.load %m : !m -> tensor<1x112x32x96xf32>
  %1 = exec.load %f : !f -> tensor<3x3x1x96xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 96 channels_last hwio
      : (tensor<1x112x32x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x112x32x96xf32>
  exec.store %2, %y : tensor<1x112x32x96xf32>, !m
}
exec.program @read_twice entry "read_twice" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 112, 32, 16], type = tensor<1x112x32x16xf32>},
    {name = "y", shape = [1, 112, 32, 96], type = tensor<1x112x32x96xf32>},
    {name = "z", shape = [1, 112, 32, 96], type = tensor<1x112x32x96xf32>}]} {
^bb0(%x: !x, %y: !m, %z: !m):
  %w = exec.weight @w : !w
  %f = exec.weight @f : !f
  %m = exec.view : !m
  exec.launch @widen ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @filter ins(%m, %f : !m, !f) outs(%y : !m)
  exec.launch @filter ins(%m, %f : !m, !f) outs(%z : !m)
  exec.return
}

// -----

// An image that stays in the second-level cache between two kernels gains nothing.
!x = memref<1x28x28x16xf32>
!w = memref<1x2x16x16xf32>
!m = memref<1x28x28x32xf32>
!f = memref<3x3x1x32xf32>
exec.blob @w : !w = dense<1.0>
exec.blob @f : !f = dense<1.0>
// CHECK-LABEL: exec.program @small
// CHECK:         exec.launch @widen
// CHECK:         exec.launch @filter
exec.kernel @widen inputs 2 {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x28x28x16xf32>
  %1 = exec.load %w : !w -> tensor<1x2x16x16xf32>
  %2 = hgc.conv %0, %1 channels_last hwio packed <16, [1, 1, 16, 32]>
      : (tensor<1x28x28x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x28x28x32xf32>
  exec.store %2, %m : tensor<1x28x28x32xf32>, !m
}
exec.kernel @filter inputs 2 {
^bb0(%m: !m, %f: !f, %y: !m):
  %0 = exec.load %m : !m -> tensor<1x28x28x32xf32>
  %1 = exec.load %f : !f -> tensor<3x3x1x32xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] groups = 32 channels_last hwio
      : (tensor<1x28x28x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x28x28x32xf32>
  exec.store %2, %y : tensor<1x28x28x32xf32>, !m
}
exec.program @small entry "small" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 28, 28, 16], type = tensor<1x28x28x16xf32>}, {name = "y", shape = [1, 28, 28, 32], type = tensor<1x28x28x32xf32>}]} {
^bb0(%x: !x, %y: !m):
  %w = exec.weight @w : !w
  %f = exec.weight @f : !f
  %m = exec.view : !m
  exec.launch @widen ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @filter ins(%m, %f : !m, !f) outs(%y : !m)
  exec.return
}
