// RUN: hgc-opt --hgc-expand-gpu-math --convert-scf-to-cf --hgc-lower-gpu-to-nvvm %s | FileCheck %s
// RUN: hgc-opt --hgc-expand-gpu-math %s | FileCheck %s --check-prefix=MATH

// MATH-LABEL: gpu.func @functions
// MATH-NOT: math.exp
// MATH-NOT: math.sin
// MATH-NOT: arith.remf
// MATH: math.sqrt

// What has an instruction becomes an intrinsic, never a call.
// CHECK-LABEL: llvm.func @functions(%arg0: !llvm.ptr {llvm.noalias}
// CHECK-SAME: nvvm.kernel
// CHECK-NOT: __nv_
// CHECK: llvm.intr.sqrt
// CHECK: llvm.intr.floor
gpu.module @hgc_gpu {
  gpu.func @functions(%x: memref<8xf32> {llvm.noalias}, %z: memref<8xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = math.exp %0 : f32
    %2 = math.sqrt %1 : f32
    %3 = math.floor %2 : f32
    memref.store %3, %x[%i] : memref<8xf32>
    gpu.return
  }

  // Functions of f64 are expanded too, as well as huge angles and remainders.
  // MATH-LABEL: gpu.func @doubles
  // MATH-NOT: math.sin
  // MATH: scf.if
  // MATH: arith.mului_extended
  // MATH: scf.while
  // MATH-NOT: arith.remf
  // CHECK-LABEL: llvm.func @doubles
  gpu.func @doubles(%z: memref<8xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.load %z[%c0] : memref<8xf64>
    %1 = math.sin %0 : f64
    memref.store %1, %z[%c1] : memref<8xf64>
    gpu.return
  }
  gpu.func @remainder(%z: memref<8xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.load %z[%c0] : memref<8xf64>
    %1 = memref.load %z[%c1] : memref<8xf64>
    %2 = arith.remf %0, %1 : f64
    memref.store %2, %z[%c1] : memref<8xf64>
    gpu.return
  }
}
