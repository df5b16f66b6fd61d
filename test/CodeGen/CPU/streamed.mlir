// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s
// RUN: hgc-opt --hgc-emit-kernels --hgc-lower-to-llvm %s | FileCheck %s --check-prefix=LLVM

// A result that fills the last cache, together with what is read, is written past the
// caches: vectors start where its buffer is aligned, and a fence ends the kernel.
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

// Rows: whole vectors between elements at both ends that share a cache line with other
// rows, of which the next is fetched early. Results are not fetched before. Where the first
// row starts with a line, three rows are in work at once.
// CHECK: exec.kernel @rows {{.*}}schedule = "softmax rows of 1024, lanes=16, three at a time, streamed"
// CHECK-LABEL: func.func private @rows_body
// CHECK-SAME:    (%{{[^:]*}}: memref<2097152xf32> {llvm.noalias}, %[[Y:[^:]*]]: memref<2097152xf32>
// CHECK:         scf.if
// CHECK:           vector.store {{.*}}, %[[Y]]{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:           llvm.call_intrinsic "llvm.x86.sse.sfence"
// CHECK:         } else {
// CHECK:         scf.if
// CHECK:           memref.prefetch %[[Y]]{{.*}}, write
// CHECK-NOT:     memref.prefetch %[[Y]]
// CHECK:         scf.for {{.*}} = %c0 to
// CHECK:           memref.store {{.*}}, %[[Y]]
// CHECK:         } {loop_annotation = #[[ROLLED:.*]]}
// CHECK:         scf.for {{.*}} step %c8 {
// CHECK:           vector.store {{.*}}, %[[Y]]{{.*}} {alignment = 32 : i64, nontemporal = true}
// CHECK:         scf.for {{.*}} to %c1024
// CHECK:           memref.store {{.*}}, %[[Y]]
// CHECK:         } {loop_annotation = #[[ROLLED]]}
// CHECK:         llvm.call_intrinsic "llvm.x86.sse.sfence"
exec.kernel @rows inputs 1 {
^bb0(%x: memref<2048x1024xf32>, %y: memref<2048x1024xf32>):
  %0 = exec.load %x : memref<2048x1024xf32> -> tensor<2048x1024xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<2048x1024xf32>
  exec.store %1, %y : tensor<2048x1024xf32>, memref<2048x1024xf32>
}
// CHECK: exec.kernel @norm {{.*}}schedule = "layer_norm rows of 1024, lanes=32, three at a time, streamed", scratch_bytes = 0 
// CHECK-LABEL: func.func private @norm_body
// CHECK:         vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         } else {
// CHECK:         vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
exec.kernel @norm inputs 3 {
^bb0(%x: memref<2048x1024xf32>, %s: memref<1024xf32>, %b: memref<1024xf32>, %y: memref<2048x1024xf32>):
  %0 = exec.load %x : memref<2048x1024xf32> -> tensor<2048x1024xf32>
  %1 = exec.load %s : memref<1024xf32> -> tensor<1024xf32>
  %2 = exec.load %b : memref<1024xf32> -> tensor<1024xf32>
  %3 = hgc.layer_norm %0, %1, %2 axis 1 epsilon 1.0e-5 : (tensor<2048x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<2048x1024xf32>
  exec.store %3, %y : tensor<2048x1024xf32>, memref<2048x1024xf32>
}

// Lines that do not, and a result that fits the last cache together with the input.
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
^bb0(%x: memref<2000000xf32>, %y: memref<2000000xf32>):
  %0 = exec.load %x : memref<2000000xf32> -> tensor<2000000xf32>
  %1 = hgc.relu %0 : tensor<2000000xf32>
  exec.store %1, %y : tensor<2000000xf32>, memref<2000000xf32>
}

// Rows of 32 bytes share lines of the cache: they are written into it.
// CHECK: exec.kernel @short {{.*}}schedule = "softmax rows of 32, lanes=8",
exec.kernel @short inputs 1 {
^bb0(%x: memref<524288x32xf64>, %y: memref<524288x32xi8>):
  %0 = exec.load %x : memref<524288x32xf64> -> tensor<524288x32xf64>
  %1 = hgc.softmax %0 axis 1 : tensor<524288x32xf64>
  %2 = hgc.cast %1 to i8 : (tensor<524288x32xf64>) -> tensor<524288x32xi8>
  exec.store %2, %y : tensor<524288x32xi8>, memref<524288x32xi8>
}
