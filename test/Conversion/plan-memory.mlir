// RUN: hgc-opt --hgc-plan-memory --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-plan-memory=arena=separate --split-input-file %s | FileCheck %s --check-prefix=SEPARATE

// A chain needs two buffers: the third lies where the first was. Source and
// target of one copy never share bytes.
// CHECK: module attributes {exec.memory = {arena_bytes = 128 : i64, lower_bound = 128 : i64, state_bytes = 0 : i64, weights_bytes = 0 : i64}}
// CHECK: exec.program @chain {{.*}}arena_bytes = 128 : i64
// CHECK:   exec.view offset 0 : memref<16xf32>
// CHECK:   exec.view offset 64 : memref<16xf32>
// CHECK:   exec.view offset 0 : memref<16xf32>
// SEPARATE: module attributes {exec.memory = {arena_bytes = 0 : i64, {{.*}}slots = array<i64: 64, 64, 64>
// SEPARATE: exec.program @chain {{.*}}arena_bytes = 0 : i64
// SEPARATE:   exec.view slot 0 : memref<16xf32>
// SEPARATE:   exec.view slot 1 : memref<16xf32>
// SEPARATE:   exec.view slot 2 : memref<16xf32>
exec.program @chain entry "chain" inputs 1 attributes {tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  %a = exec.view : memref<16xf32>
  %b = exec.view : memref<16xf32>
  %c = exec.view : memref<16xf32>
  exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  exec.copy %a to %b : memref<16xf32>, memref<16xf32>
  exec.copy %b to %c : memref<16xf32>, memref<16xf32>
  exec.copy %c to %y : memref<16xf32>, memref<16xf32>
  exec.return
}

// -----

// An alias keeps its source alive.
// CHECK: exec.program @alias {{.*}}arena_bytes = 192 : i64
// CHECK:   exec.view offset 0 : memref<16xf32>
// CHECK:   exec.view offset 64 : memref<16xf32>
// CHECK:   exec.view offset 128 : memref<16xf32>
exec.program @alias entry "alias" inputs 1 attributes {tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [4, 4], type = tensor<4x4xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<4x4xf32>):
  %a = exec.view : memref<16xf32>
  %b = exec.view : memref<16xf32>
  %c = exec.view : memref<16xf32>
  %r = exec.alias %a offset 0 : memref<16xf32> to memref<4x4xf32>
  exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  exec.copy %a to %b : memref<16xf32>, memref<16xf32>
  exec.copy %b to %c : memref<16xf32>, memref<16xf32>
  exec.copy %r to %y : memref<4x4xf32>, memref<4x4xf32>
  exec.return
}

// -----

// Totals are those of the largest program; slots are numbered over all.
// CHECK: module attributes {exec.memory = {arena_bytes = 128 : i64
// CHECK: exec.program @small {{.*}}arena_bytes = 64 : i64
// CHECK: exec.program @large {{.*}}arena_bytes = 128 : i64
// SEPARATE: slots = array<i64: 4, 128>
// SEPARATE: exec.program @small
// SEPARATE:   exec.view slot 0
// SEPARATE: exec.program @large
// SEPARATE:   exec.view slot 1
exec.program @small entry "small" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<f32>
  exec.fill %a with 0.0 : f32 : memref<f32>
  exec.return
}
exec.program @large entry "large" inputs 0 attributes {tensors = []} {
  %a = exec.view : memref<32xf32>
  exec.fill %a with 0.0 : f32 : memref<32xf32>
  exec.return
}

// -----

// Blobs: cache lines, then pages for the large ones; state beside weights, with
// an initial value unless that is zero.
// CHECK: state_bytes = 128 : i64, weights_bytes = 69696 : i64
// CHECK: exec.blob @large : {{.*}}offset = 4096 : i64
// CHECK: exec.blob @a : {{.*}}offset = 0 : i64
// CHECK: exec.blob @zero : {{.*}} = dense<0.000000e+00> {is_mutable, offset = 0 : i64}
// CHECK: exec.blob @init : {{.*}}{init_offset = 64 : i64, is_mutable, offset = 64 : i64}
// CHECK: exec.blob @b : {{.*}}offset = 128 : i64
exec.blob @large : memref<16400xf32> = dense<1.0>
exec.blob @a : memref<3xf32> = dense<1.0>
exec.blob @zero : memref<3xf32> = dense<0.0> {is_mutable}
exec.blob @init : memref<3xf32> = dense<2.0> {is_mutable}
exec.blob @b : memref<3xf32> = dense<1.0>

// -----

// Every device has an arena of its own.
// CHECK: exec.memory = {arena_bytes = 64 : i64, gpu_1 = {arena_bytes = 64 : i64, lower_bound = 64 : i64, state_bytes = 0 : i64, weights_bytes = 0 : i64}
// CHECK: exec.view offset 0 : memref<16xf32>
// CHECK: exec.view offset 0 : memref<16xf32, #exec.space<gpu : 1>>
exec.program @spaces entry "spaces" inputs 1 attributes {tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  %a = exec.view : memref<16xf32>
  %g = exec.view : memref<16xf32, #exec.space<gpu:1>>
  exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  exec.copy %a to %g : memref<16xf32>, memref<16xf32, #exec.space<gpu:1>>
  exec.copy %g to %y : memref<16xf32, #exec.space<gpu:1>>, memref<16xf32>
  exec.return
}
