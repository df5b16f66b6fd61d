// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s
// RUN: hgc-opt --hgc-emit-kernels --hgc-lower-to-llvm %s | FileCheck %s --check-prefix=LLVM

// A result that fits no cache is written past them: vectors start where its buffer is
// aligned, and a fence ends the kernel.
// CHECK: exec.kernel @large {{.*}}schedule = "pointwise loops=1 lanes=16 streamed"
// CHECK-LABEL: func.func private @large_body
// CHECK-SAME:    (%{{[^:]*}}: memref<5000003xf32> {llvm.noalias}, %[[Y:[^:]*]]: memref<5000003xf32> {llvm.noalias}, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         %[[PAST:.*]] = arith.remui %[[ADDRESS]], %c64
// CHECK:         %[[SHIFT:.*]] = arith.divui %{{.*}}, %c4
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK:           scf.if
// CHECK:             scf.for %{{.*}} = %c0 to %[[SHIFT]]
// CHECK:               memref.store
// CHECK:           scf.for {{.*}} step %c16
// CHECK:             vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:           scf.for {{.*}} step %c1
// CHECK:             memref.store
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.sfence"
// LLVM-LABEL: llvm.func internal @large_body
// LLVM:         llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<16xf32>
exec.kernel @large inputs 1 {
^bb0(%x: memref<5000003xf32>, %y: memref<5000003xf32>):
  %0 = exec.load %x : memref<5000003xf32> -> tensor<5000003xf32>
  %1 = hgc.relu %0 : tensor<5000003xf32>
  exec.store %1, %y : tensor<5000003xf32>, memref<5000003xf32>
}

// Lines that start alike.
// CHECK: exec.kernel @even {{.*}}schedule = "pointwise loops=2 lanes=16 streamed"
exec.kernel @even inputs 2 {
^bb0(%x: memref<65536x96xf32>, %z: memref<96xf32>, %y: memref<65536x96xf32>):
  %0 = exec.load %x : memref<65536x96xf32> -> tensor<65536x96xf32>
  %1 = exec.load %z : memref<96xf32> -> tensor<96xf32>
  %2 = hgc.add %0, %1 : (tensor<65536x96xf32>, tensor<96xf32>) -> tensor<65536x96xf32>
  exec.store %2, %y : tensor<65536x96xf32>, memref<65536x96xf32>
}

// Lines that do not, and a result that fits the last cache.
// CHECK: exec.kernel @odd {{.*}}schedule = "pointwise loops=2 lanes=16"
exec.kernel @odd inputs 2 {
^bb0(%x: memref<65536x97xf32>, %z: memref<97xf32>, %y: memref<65536x97xf32>):
  %0 = exec.load %x : memref<65536x97xf32> -> tensor<65536x97xf32>
  %1 = exec.load %z : memref<97xf32> -> tensor<97xf32>
  %2 = hgc.add %0, %1 : (tensor<65536x97xf32>, tensor<97xf32>) -> tensor<65536x97xf32>
  exec.store %2, %y : tensor<65536x97xf32>, memref<65536x97xf32>
}
// CHECK: exec.kernel @fits {{.*}}schedule = "pointwise loops=1 lanes=16"
// CHECK-NOT: nontemporal
exec.kernel @fits inputs 1 {
^bb0(%x: memref<4000000xf32>, %y: memref<4000000xf32>):
  %0 = exec.load %x : memref<4000000xf32> -> tensor<4000000xf32>
  %1 = hgc.relu %0 : tensor<4000000xf32>
  exec.store %1, %y : tensor<4000000xf32>, memref<4000000xf32>
}
