// RUN: hgc-opt --canonicalize %s | FileCheck %s

// Actions without a result are no dead code.
// CHECK-LABEL: exec.program @f
// CHECK:         exec.set_extent 0
// CHECK:         exec.fail_if
// CHECK:         exec.return
exec.program @f entry "f" inputs 1 attributes {tensors = [{name = "x", shape = [], type = tensor<i1>}]} {
^bb0(%x: memref<i1>):
  %n = exec.view : memref<i64>
  exec.fill %n with 3 : i64 : memref<i64>
  exec.set_extent 0, %n : memref<i64>
  exec.fail_if %x, "refused" : memref<i1>
  exec.return
}
