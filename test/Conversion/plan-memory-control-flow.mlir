// RUN: hgc-opt --hgc-plan-memory --hgc-verify-exec --split-input-file %s | FileCheck %s

// What lives outside a loop and is read inside stays for all iterations; what
// the body declares shares memory with other buffers of the body.
// CHECK: exec.program @loop {{.*}}arena_bytes = 192 : i64
// CHECK:   %[[A:.*]] = exec.view offset 0 : memref<16xf32>
// CHECK:   exec.for
// CHECK:     exec.view offset 64 : memref<16xf32>
// CHECK:     exec.view offset 128 : memref<16xf32>
// CHECK:     exec.view offset 64 : memref<16xf32>
exec.program @loop entry "loop" inputs 1 attributes {tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  %a = exec.view : memref<16xf32>
  exec.copy %x to %a : memref<16xf32>, memref<16xf32>
  exec.for 3 {
  ^bb0(%i: index):
    %b = exec.view : memref<16xf32>
    %c = exec.view : memref<16xf32>
    %d = exec.view : memref<16xf32>
    // The last read of %a in the body, but not its last read.
    exec.copy %a to %b : memref<16xf32>, memref<16xf32>
    exec.copy %b to %c : memref<16xf32>, memref<16xf32>
    exec.copy %c to %d : memref<16xf32>, memref<16xf32>
    exec.copy %d to %y : memref<16xf32>, memref<16xf32>
  }
  exec.return
}

// -----

// The two sides of a branch share memory, with each other and with the
// condition that was read before.
// CHECK: exec.program @if {{.*}}arena_bytes = 64 : i64
// CHECK:   exec.view offset 0 : memref<i1>
// CHECK:   exec.if
// CHECK:     exec.view offset 0 : memref<16xf32>
// CHECK:   } else {
// CHECK:     exec.view offset 0 : memref<16xf32>
exec.program @if entry "if" inputs 1 attributes {tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  %c = exec.view : memref<i1>
  exec.fill %c with true : memref<i1>
  exec.if %c : memref<i1> {
    %a = exec.view : memref<16xf32>
    exec.copy %x to %a : memref<16xf32>, memref<16xf32>
    exec.copy %a to %y : memref<16xf32>, memref<16xf32>
  } else {
    %a = exec.view : memref<16xf32>
    exec.copy %x to %a : memref<16xf32>, memref<16xf32>
    exec.copy %a to %y : memref<16xf32>, memref<16xf32>
  }
  exec.return
}

// -----

// The condition of a while loop lives as long as the loop.
// CHECK: exec.program @while {{.*}}arena_bytes = 128 : i64
// CHECK:   exec.view offset 64 : memref<i1>
// CHECK:   exec.while
// CHECK:     exec.view offset 0 : memref<16xf32>
exec.program @while entry "while" inputs 1 attributes {tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  exec.copy %x to %y : memref<16xf32>, memref<16xf32>
  %c = exec.view : memref<i1>
  exec.while %c : memref<i1> {
    exec.fill %c with true : memref<i1>
  } do {
    %a = exec.view : memref<16xf32>
    exec.copy %x to %a : memref<16xf32>, memref<16xf32>
    exec.copy %a to %y : memref<16xf32>, memref<16xf32>
  }
  exec.return
}

// -----

// Parallel branches may run at the same time: nothing is shared.
// CHECK: exec.program @parallel {{.*}}arena_bytes = 128 : i64
// CHECK:     exec.view offset 0 : memref<16xf32>
// CHECK:     exec.view offset 64 : memref<16xf32>
exec.program @parallel entry "parallel" inputs 1 attributes {tensors = [{name = "x", shape = [16], type = tensor<16xf32>},
    {name = "y", shape = [16], type = tensor<16xf32>}, {name = "z", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>):
  exec.parallel {
    %a = exec.view : memref<16xf32>
    exec.copy %x to %a : memref<16xf32>, memref<16xf32>
    exec.copy %a to %y : memref<16xf32>, memref<16xf32>
  }, {
    %a = exec.view : memref<16xf32>
    exec.copy %x to %a : memref<16xf32>, memref<16xf32>
    exec.copy %a to %z : memref<16xf32>, memref<16xf32>
  }
  exec.return
}

// -----

// Empty buffers take no place.
// CHECK: exec.program @empty {{.*}}arena_bytes = 64 : i64
// CHECK:   exec.view offset 0 : memref<0x4xf32>
// CHECK:   exec.view offset 0 : memref<16xf32>
exec.program @empty entry "empty" inputs 0 attributes {tensors = [
    {name = "y", shape = [16], type = tensor<16xf32>}, {name = "z", shape = [0, 4], type = tensor<0x4xf32>}]} {
^bb0(%y: memref<16xf32>, %z: memref<0x4xf32>):
  %e = exec.view : memref<0x4xf32>
  %a = exec.view : memref<16xf32>
  exec.fill %a with 0.0 : f32 : memref<16xf32>
  exec.copy %a to %y : memref<16xf32>, memref<16xf32>
  exec.copy %e to %z : memref<0x4xf32>, memref<0x4xf32>
  exec.return
}
