// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// One nest per input, the second shifted by the first's extent. Trailing dims are
// one loop. The epilogue runs in both.
// CHECK: exec.kernel @join {{.*}}schedule = "concat inputs=2"{{.*}}units = 2 : i64
// CHECK-LABEL: func.func private @join_body
// CHECK-SAME:    (%[[A:.*]]: memref<1005xf32> {llvm.noalias}, %[[B:.*]]: memref<1340xf32> {llvm.noalias}, %[[Y:.*]]: memref<2345xf32>
// CHECK:         scf.if
// CHECK:           vector.load %[[A]]
// CHECK:           math.sqrt
// CHECK:           vector.store {{.*}}, %[[Y]]
// CHECK:         scf.if
// CHECK:           vector.load %[[B]]
// CHECK:           math.sqrt
// CHECK:           vector.store {{.*}}, %[[Y]]
exec.kernel @join inputs 2 {
^bb0(%a: memref<5x3x67xf32>, %b: memref<5x4x67xf32>, %y: memref<5x7x67xf32>):
  %0 = exec.load %a : memref<5x3x67xf32> -> tensor<5x3x67xf32>
  %1 = exec.load %b : memref<5x4x67xf32> -> tensor<5x4x67xf32>
  %2 = hgc.concat %0, %1 axis 1 : (tensor<5x3x67xf32>, tensor<5x4x67xf32>) -> tensor<5x7x67xf32>
  %3 = hgc.sqrt %2 : tensor<5x7x67xf32>
  exec.store %3, %y : tensor<5x7x67xf32>, memref<5x7x67xf32>
}

// A prologue belongs to its input alone.
// CHECK-LABEL: func.func private @prologue_body
// CHECK:         arith.negf
// CHECK-NOT:     arith.negf
// CHECK:         return
exec.kernel @prologue inputs 2 {
^bb0(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<32xf32>):
  %0 = exec.load %a : memref<16xf32> -> tensor<16xf32>
  %1 = exec.load %b : memref<16xf32> -> tensor<16xf32>
  %2 = hgc.neg %0 : tensor<16xf32>
  %3 = hgc.concat %2, %1 axis 0 : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  exec.store %3, %y : tensor<32xf32>, memref<32xf32>
}

// Units of a large input are shared between threads.
// CHECK: exec.kernel @large {{.*}}units = 4 : i64
// CHECK-LABEL: func.func private @large_body
// CHECK:         scf.for
exec.kernel @large inputs 2 {
^bb0(%a: memref<8192xf32>, %b: memref<8192xf32>, %y: memref<16384xf32>):
  %0 = exec.load %a : memref<8192xf32> -> tensor<8192xf32>
  %1 = exec.load %b : memref<8192xf32> -> tensor<8192xf32>
  %2 = hgc.concat %0, %1 axis 0 : (tensor<8192xf32>, tensor<8192xf32>) -> tensor<16384xf32>
  exec.store %2, %y : tensor<16384xf32>, memref<16384xf32>
}
