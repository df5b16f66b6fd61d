// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file %s | FileCheck %s

// The greatest key of the row, then the least position that has it; one thread
// writes.
// CHECK-LABEL: exec.kernel @rows
// CHECK-SAME:    schedule = "arg_reduce rows
// CHECK:       gpu.func @hgc_0_arg_reduce
// CHECK:         arith.cmpf uno
// CHECK:         arith.maxsi
// CHECK:         gpu.shuffle
// CHECK:         arith.cmpi eq
// CHECK:         arith.minsi
// CHECK:         gpu.shuffle
// CHECK:         scf.if
// CHECK:           arith.extsi %{{.*}} : i32 to i64
// CHECK:           memref.store
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @rows inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<50x320xf32>, %y: memref<50xi64>):
    %0 = exec.load %x : memref<50x320xf32> -> tensor<50x320xf32>
    %1 = hgc.arg_reduce max %0 axis 1 : (tensor<50x320xf32>) -> tensor<50xi64>
    exec.store %1, %y : tensor<50xi64>, memref<50xi64>
  }
}
