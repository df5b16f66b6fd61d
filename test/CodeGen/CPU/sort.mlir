// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Key and position share an i64; two halves of scratch memory, six passes.
// CHECK: exec.kernel @merge {{.*}}schedule = "merge sort, lines of 40", scratch_bytes = 640 : i64, units = 3 : i64
// CHECK-LABEL: func.func private @merge_body
// CHECK-DAG:     %[[SIX:.*]] = arith.constant 6 : index
// CHECK:         arith.shli
// CHECK:         arith.ori
// CHECK:         scf.for %{{.*}} to %[[SIX]]
// CHECK:         arith.cmpi slt, {{.*}} : i64
// CHECK:         arith.andi {{.*}} : i64
exec.kernel @merge inputs 1 {
^bb0(%x: memref<3x40xf32>, %y: memref<3x40xi64>):
  %0 = exec.load %x : memref<3x40xf32> -> tensor<3x40xf32>
  %1 = hgc.arg_sort %0 axis 1 : (tensor<3x40xf32>) -> tensor<3x40xi64>
  exec.store %1, %y : tensor<3x40xi64>, memref<3x40xi64>
}

// Keys of 64 bits have an array of their own.
// CHECK: exec.kernel @wide {{.*}}scratch_bytes = 1280 : i64
// CHECK-LABEL: func.func private @wide_body
// CHECK-COUNT-2: memref.view
exec.kernel @wide inputs 1 {
^bb0(%x: memref<3x40xf64>, %y: memref<3x40xi64>):
  %0 = exec.load %x : memref<3x40xf64> -> tensor<3x40xf64>
  %1 = hgc.arg_sort %0 axis 1 : (tensor<3x40xf64>) -> tensor<3x40xi64>
  exec.store %1, %y : tensor<3x40xi64>, memref<3x40xi64>
}

// A few of many are kept in a list of as many items.
// CHECK: exec.kernel @top {{.*}}schedule = "insertion sort, lines of 40", scratch_bytes = 32 : i64
// CHECK-LABEL: func.func private @top_body
// CHECK:         scf.while
exec.kernel @top inputs 1 {
^bb0(%x: memref<3x40xf32>, %y: memref<3x4xi64>):
  %0 = exec.load %x : memref<3x40xf32> -> tensor<3x40xf32>
  %1 = hgc.arg_sort %0 axis 1 descending k = 4 : (tensor<3x40xf32>) -> tensor<3x4xi64>
  exec.store %1, %y : tensor<3x4xi64>, memref<3x4xi64>
}
