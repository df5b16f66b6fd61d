// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// The greatest key first, then the least position that has it; both in lanes.
// CHECK: exec.kernel @rows {{.*}}schedule = "arg_reduce rows of 32, lanes=16"
// CHECK-LABEL: func.func private @rows_body
// CHECK:         arith.cmpf uno
// CHECK:         arith.maxsi {{.*}} : vector<16xi32>
// CHECK:         arith.cmpi eq, {{.*}} : vector<16xi32>
// CHECK:         arith.minsi {{.*}} : vector<16xi32>
// CHECK:         %[[P:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK:         memref.store %[[P]]
exec.kernel @rows inputs 1 {
^bb0(%x: memref<5x32xf32>, %y: memref<5xi64>):
  %0 = exec.load %x : memref<5x32xf32> -> tensor<5x32xf32>
  %1 = hgc.arg_reduce max %0 axis 1 : (tensor<5x32xf32>) -> tensor<5xi64>
  exec.store %1, %y : tensor<5xi64>, memref<5xi64>
}

// Along another axis lanes are neighbouring columns. Keys of a minimum are
// reversed; integers have no NaN.
// CHECK: exec.kernel @columns {{.*}}schedule = "arg_reduce columns of 4, lanes=16"
// CHECK-LABEL: func.func private @columns_body
// CHECK-NOT:     arith.cmpf
// CHECK:         arith.xori {{.*}} : vector<16xi32>
// CHECK:         vector.store {{.*}} vector<16xi64>
exec.kernel @columns inputs 1 {
^bb0(%x: memref<4x16xi32>, %y: memref<1x16xi64>):
  %0 = exec.load %x : memref<4x16xi32> -> tensor<4x16xi32>
  %1 = hgc.arg_reduce min %0 axis 0 keepdims : (tensor<4x16xi32>) -> tensor<1x16xi64>
  exec.store %1, %y : tensor<1x16xi64>, memref<1x16xi64>
}
