// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt --mlir-print-op-generic %s | hgc-opt | FileCheck %s

// The literal takes the buffer's type.
// CHECK: exec.blob @scale : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>{{$}}
exec.blob @scale : memref<2xf32> = dense<[1.0, 2.0]>
// CHECK: exec.blob @flags : memref<3xi1> = dense<true>{{$}}
exec.blob @flags : memref<3xi1> = dense<true>
// CHECK: exec.blob @bytes : memref<2xui8> = dense<[1, 255]>
exec.blob @bytes : memref<2xui8> = dense<[1, 255]>
// CHECK: exec.blob @counter : memref<i64> = dense<7> {init_offset = 128 : i64, is_mutable, offset = 0 : i64, parameter = "counter"}
exec.blob @counter : memref<i64> = dense<7> {is_mutable, parameter = "counter", offset = 0 : i64, init_offset = 128 : i64}
// CHECK: exec.blob @fc1.packed : memref<1x4x16xf32> = #hgc.file<"m.safetensors", "fc1"> {packed, parameter = "fc1"}
exec.blob @fc1.packed : memref<1x4x16xf32> = #hgc.file<"m.safetensors", "fc1"> {parameter = "fc1", packed}

// CHECK-LABEL: exec.kernel @fc1.relu inputs 1
// CHECK-SAME:    attributes {grain = 2 : i64, ops = "relu", schedule = "loops", scratch_bytes = 64 : i64, units = 8 : i64}
// CHECK:         ^bb0(%[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>):
// CHECK:           %[[L:.*]] = exec.load %[[X]] : memref<8xf32> -> tensor<8xf32>
// CHECK:           %[[R:.*]] = hgc.relu %[[L]]
// CHECK:           exec.store %[[R]], %[[Y]] : tensor<8xf32>, memref<8xf32>
exec.kernel @fc1.relu inputs 1 attributes {ops = "relu", units = 8 : i64, grain = 2 : i64, scratch_bytes = 64 : i64, schedule = "loops"} {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  %1 = hgc.relu %0 : tensor<8xf32>
  exec.store %1, %y : tensor<8xf32>, memref<8xf32>
}

// CHECK-LABEL: exec.program @straight entry "straight" inputs 1
// CHECK-SAME:    arena_bytes = 128 : i64, dim_names = ["n"], dims = array<i64: 8>
exec.program @straight entry "straight" inputs 1 attributes {
    dim_names = ["n"], dims = array<i64: 8>, arena_bytes = 128 : i64,
    tensors = [{name = "x", shape = ["n"], type = tensor<8xf32>}, {name = "y", shape = ["n"], type = tensor<8xf32>}]} {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  // CHECK: %[[A:.*]] = exec.view offset 64 : memref<8xf32>
  %a = exec.view offset 64 : memref<8xf32>
  // CHECK: exec.view slot 3 : memref<8xf32>
  %b = exec.view slot 3 : memref<8xf32>
  // CHECK: %[[F:.*]] = exec.view : memref<i1>
  %f = exec.view : memref<i1>
  // CHECK: %[[N:.*]] = exec.view : memref<i64>
  %n = exec.view : memref<i64>
  // CHECK: exec.weight @scale : memref<2xf32>
  %w = exec.weight @scale : memref<2xf32>
  // CHECK: exec.alias %[[A]] offset 16 : memref<8xf32> to memref<2x2xf32>
  %p = exec.alias %a offset 16 : memref<8xf32> to memref<2x2xf32>
  // CHECK: exec.launch @fc1.relu ins(%{{.*}} : memref<8xf32>) outs(%[[A]] : memref<8xf32>){{$}}
  exec.launch @fc1.relu ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  // CHECK: exec.launch @fc1.relu ins(%{{.*}} : memref<8xf32>) outs(%{{.*}} : memref<8xf32>) stream 1
  exec.launch @fc1.relu ins(%x : memref<8xf32>) outs(%b : memref<8xf32>) stream 1
  // CHECK: exec.library "my_sort" ins(%{{.*}} : memref<8xf32>) outs(%{{.*}} : memref<8xf32>)
  exec.library "my_sort" ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  // CHECK: exec.fill %[[N]] with 3 : i64 : memref<i64>
  exec.fill %n with 3 : i64 : memref<i64>
  // CHECK: exec.fill %[[F]] with false : memref<i1>
  exec.fill %f with false : memref<i1>
  // CHECK: exec.copy %[[A]] to %{{.*}} : memref<8xf32>, memref<8xf32>
  exec.copy %a to %y : memref<8xf32>, memref<8xf32>
  // CHECK: exec.record event 1 stream 0
  exec.record event 1 stream 0
  // CHECK: exec.wait event 1 stream 1
  exec.wait event 1 stream 1
  // CHECK: exec.sync stream 1
  exec.sync stream 1
  // CHECK: exec.set_extent 0, %[[N]] : memref<i64>
  exec.set_extent 0, %n : memref<i64>
  // CHECK: exec.fail_if %[[F]], "index out of range" : memref<i1>
  exec.fail_if %f, "index out of range" : memref<i1>
  // CHECK: exec.fail_if not %[[F]], "still not" : memref<i1>
  exec.fail_if not %f, "still not" : memref<i1>
  // CHECK: exec.return
  exec.return
}

// CHECK-LABEL: exec.program @structure
exec.program @structure entry "structure" inputs 2 attributes {tensors = [
    {name = "xs", shape = [4, 8], type = tensor<4x8xf32>}, {name = "c", shape = [], type = tensor<i1>},
    {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%xs: memref<4x8xf32>, %c: memref<i1>, %y: memref<8xf32>):
  // CHECK: exec.if %{{.*}} : memref<i1> {
  // CHECK: } else {
  exec.if %c : memref<i1> {
    exec.fill %y with 0.0 : f32 : memref<8xf32>
  } else {
  }
  // CHECK: exec.for 4 {
  // CHECK: ^bb0(%[[I:.*]]: index):
  exec.for 4 {
  ^bb0(%i: index):
    // CHECK: exec.alias %{{.*}} offset 96 index %[[I]] stride -32 : memref<4x8xf32> to memref<8xf32>
    %s = exec.alias %xs offset 96 index %i stride -32 : memref<4x8xf32> to memref<8xf32>
    exec.copy %s to %y : memref<8xf32>, memref<8xf32>
  }
  // CHECK: exec.while %{{.*}} : memref<i1> {
  // CHECK: } do {
  exec.while %c : memref<i1> {
    exec.sync stream 0
  } do {
    exec.sync stream 1
  }
  // CHECK: exec.parallel {
  // CHECK: }, {
  exec.parallel {
    exec.sync stream 0
  }, {
    exec.sync stream 1
  }
  // CHECK: exec.view : memref<8xf32, #exec.space<gpu : 1>>
  %g = exec.view : memref<8xf32, #exec.space<gpu : 1>>
  // CHECK: exec.view : memref<8xf32, #exec.space<pinned>>
  %p = exec.view : memref<8xf32, #exec.space<pinned>>
  // CHECK: exec.copy %{{.*}} to %{{.*}} stream 2 : memref<8xf32, #exec.space<pinned>>, memref<8xf32, #exec.space<gpu : 1>>
  exec.copy %p to %g stream 2 : memref<8xf32, #exec.space<pinned>>, memref<8xf32, #exec.space<gpu : 1>>
  exec.return
}
