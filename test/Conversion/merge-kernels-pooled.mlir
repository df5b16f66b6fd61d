// RUN: hgc-opt --hgc-merge-kernels --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-merge-kernels --hgc-plan-kernels --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// PLANNED-COUNT-7: exec.memory

// A pool makes the rows it reads itself: the image between the two is neither written nor has it
// memory.
!x = memref<1x56x56x3xf32>
!w = memref<3x3x3x16xf32>
!m = memref<1x56x56x16xf32>
!y = memref<1x28x28x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.kernel @see_and_1_more inputs 2
// CHECK-SAME:    ops = "conv, relu, pool", price_ps = {{[1-9]}}
// CHECK:         %[[MADE:.*]] = hgc.relu
// CHECK:         hgc.pool max %[[MADE]]
// CHECK-LABEL: exec.program @run
// CHECK-NOT:     memref<1x56x56x16xf32>
// CHECK:         exec.launch @see_and_1_more
// CHECK-NOT:     exec.launch
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x56x56x3xf32>
  %1 = exec.load %w : !w -> tensor<3x3x3x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x56x56x16xf32>
  %3 = hgc.relu %2 : tensor<1x56x56x16xf32>
  exec.store %3, %m : tensor<1x56x56x16xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x56x56x16xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x56x56x16xf32>) -> tensor<1x28x28x16xf32>
  exec.store %1, %y : tensor<1x28x28x16xf32>, !y
}
exec.program @run entry "run" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 56, 56, 3], type = tensor<1x56x56x3xf32>},
    {name = "y", shape = [1, 28, 28, 16], type = tensor<1x28x28x16xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// What others read, too, stays.
!x = memref<1x56x56x3xf32>
!w = memref<3x3x3x16xf32>
!m = memref<1x56x56x16xf32>
!y = memref<1x28x28x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @read_twice
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x56x56x3xf32>
  %1 = exec.load %w : !w -> tensor<3x3x3x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x56x56x16xf32>
  %3 = hgc.relu %2 : tensor<1x56x56x16xf32>
  exec.store %3, %m : tensor<1x56x56x16xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x56x56x16xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x56x56x16xf32>) -> tensor<1x28x28x16xf32>
  exec.store %1, %y : tensor<1x28x28x16xf32>, !y
}
exec.program @read_twice entry "read_twice" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 56, 56, 3], type = tensor<1x56x56x3xf32>},
    {name = "y", shape = [1, 28, 28, 16], type = tensor<1x28x28x16xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// So does what callers want.
!x = memref<1x56x56x3xf32>
!w = memref<3x3x3x16xf32>
!m = memref<1x56x56x16xf32>
!y = memref<1x28x28x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @output
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x56x56x3xf32>
  %1 = exec.load %w : !w -> tensor<3x3x3x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x56x56x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x56x56x16xf32>
  %3 = hgc.relu %2 : tensor<1x56x56x16xf32>
  exec.store %3, %m : tensor<1x56x56x16xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x56x56x16xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x56x56x16xf32>) -> tensor<1x28x28x16xf32>
  exec.store %1, %y : tensor<1x28x28x16xf32>, !y
}
exec.program @output entry "output" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 56, 56, 3], type = tensor<1x56x56x3xf32>},
    {name = "y", shape = [1, 28, 28, 16], type = tensor<1x28x28x16xf32>},
    {name = "m", shape = [1, 56, 56, 16], type = tensor<1x56x56x16xf32>}]} {
^bb0(%x: !x, %y: !y, %m: !m):
  %w = exec.weight @w : !w
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// Every band of rows would read weights from beyond the second-level cache.
!x = memref<1x16x16x64xf32>
!w = memref<3x3x64x64xf32>
!m = memref<1x16x16x64xf32>
!y = memref<1x8x8x64xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @large_weights
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x16x16x64xf32>
  %1 = exec.load %w : !w -> tensor<3x3x64x64xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x16x16x64xf32>
  %3 = hgc.relu %2 : tensor<1x16x16x64xf32>
  exec.store %3, %m : tensor<1x16x16x64xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x16x16x64xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x16x16x64xf32>) -> tensor<1x8x8x64xf32>
  exec.store %1, %y : tensor<1x8x8x64xf32>, !y
}
exec.program @large_weights entry "large_weights" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 16, 16, 64], type = tensor<1x16x16x64xf32>},
    {name = "y", shape = [1, 8, 8, 64], type = tensor<1x8x8x64xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// Threads would have few bands to share.
!x = memref<1x8x8x3xf32>
!w = memref<3x3x3x16xf32>
!m = memref<1x8x8x16xf32>
!y = memref<1x4x4x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @few_rows
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x8x8x3xf32>
  %1 = exec.load %w : !w -> tensor<3x3x3x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = hgc.relu %2 : tensor<1x8x8x16xf32>
  exec.store %3, %m : tensor<1x8x8x16xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x8x8x16xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x8x8x16xf32>) -> tensor<1x4x4x16xf32>
  exec.store %1, %y : tensor<1x4x4x16xf32>, !y
}
exec.program @few_rows entry "few_rows" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 8, 8, 3], type = tensor<1x8x8x3xf32>},
    {name = "y", shape = [1, 4, 4, 16], type = tensor<1x4x4x16xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// A single last channel might be rounded in another way.
!x = memref<1x32x32x3xf32>
!w = memref<3x3x3x15xf32>
!m = memref<1x32x32x15xf32>
!y = memref<1x16x16x15xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @odd_channels
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x32x32x3xf32>
  %1 = exec.load %w : !w -> tensor<3x3x3x15xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x32x32x3xf32>, tensor<3x3x3x15xf32>) -> tensor<1x32x32x15xf32>
  %3 = hgc.relu %2 : tensor<1x32x32x15xf32>
  exec.store %3, %m : tensor<1x32x32x15xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x32x32x15xf32>
  %1 = hgc.pool max %0 window = [2, 2] strides = [2, 2] channels_last : (tensor<1x32x32x15xf32>) -> tensor<1x16x16x15xf32>
  exec.store %1, %y : tensor<1x16x16x15xf32>, !y
}
exec.program @odd_channels entry "odd_channels" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 32, 32, 3], type = tensor<1x32x32x3xf32>},
    {name = "y", shape = [1, 16, 16, 15], type = tensor<1x16x16x15xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}

// -----

// Windows that share most of their rows would have threads make many of them twice.
!x = memref<1x16x16x3xf32>
!w = memref<3x3x3x16xf32>
!m = memref<1x16x16x16xf32>
!y = memref<1x12x12x16xf32>
exec.blob @w : !w = dense<1.0>
// CHECK-LABEL: exec.program @shared_rows
// CHECK:         exec.launch @see
// CHECK:         exec.launch @pick
exec.kernel @see inputs 2 attributes {ops = "conv, relu", price_ps = 400000000 : i64} {
^bb0(%x: !x, %w: !w, %m: !m):
  %0 = exec.load %x : !x -> tensor<1x16x16x3xf32>
  %1 = exec.load %w : !w -> tensor<3x3x3x16xf32>
  %2 = hgc.conv %0, %1 pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x16x16x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x16x16x16xf32>
  %3 = hgc.relu %2 : tensor<1x16x16x16xf32>
  exec.store %3, %m : tensor<1x16x16x16xf32>, !m
}
exec.kernel @pick inputs 1 attributes {ops = "pool", price_ps = 100000000 : i64} {
^bb0(%m: !m, %y: !y):
  %0 = exec.load %m : !m -> tensor<1x16x16x16xf32>
  %1 = hgc.pool max %0 window = [5, 5] channels_last : (tensor<1x16x16x16xf32>) -> tensor<1x12x12x16xf32>
  exec.store %1, %y : tensor<1x12x12x16xf32>, !y
}
exec.program @shared_rows entry "shared_rows" inputs 1 attributes {tensors = [
    {name = "x", shape = [1, 16, 16, 3], type = tensor<1x16x16x3xf32>},
    {name = "y", shape = [1, 12, 12, 16], type = tensor<1x12x12x16xf32>}]} {
^bb0(%x: !x, %y: !y):
  %w = exec.weight @w : !w
  %m = exec.view : !m
  exec.launch @see ins(%x, %w : !x, !w) outs(%m : !m)
  exec.launch @pick ins(%m : !m) outs(%y : !y)
  exec.return
}
