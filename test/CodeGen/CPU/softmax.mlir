// RUN: hgc-opt --hgc-emit-kernels --split-input-file --canonicalize --cse %s | FileCheck %s

// Maximum, exponentials (kept in the output) and their sum, then the scaling. The
// exponentials are those of differences, which never overflow and need no math.exp. The
// step at the end of the row overlaps the one before and stores only new lanes.
// CHECK: exec.kernel @rows {{.*}}schedule = "softmax rows of 10, lanes=8", scratch_bytes = 0
// CHECK-LABEL: func.func private @rows_body
// CHECK-SAME:    (%[[X:.*]]: memref<50xf32> {llvm.noalias}, %[[Y:.*]]: memref<50xf32>
// CHECK:         %[[ABOVE:.*]] = arith.cmpf ogt, %[[LARGEST:.*]], %[[NEXT:.*]] : vector<8xf32>
// CHECK-NEXT:    arith.select %[[ABOVE]], %[[LARGEST]], %[[NEXT]]
// CHECK:         arith.shli {{.*}} : vector<8xi32>
// CHECK:         vector.store {{.*}}, %[[Y]]
// CHECK:         arith.shli {{.*}} : vector<8xi32>
// CHECK:         vector.maskedstore %[[Y]]
// CHECK:         arith.divf
// CHECK:         vector.load %[[Y]]
// CHECK:         vector.store {{.*}}, %[[Y]]
// CHECK:         vector.load %[[Y]]
// CHECK:         vector.maskedstore %[[Y]]
exec.kernel @rows inputs 1 {
^bb0(%x: memref<5x10xf32>, %y: memref<5x10xf32>):
  %0 = exec.load %x : memref<5x10xf32> -> tensor<5x10xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<5x10xf32>
  exec.store %1, %y : tensor<5x10xf32>, memref<5x10xf32>
}

// Results of long rows are written at aligned addresses, so the exponentials are kept
// beside the output. Of tensors larger than the second cache the next row and the
// lines of the results are fetched in the second pass.
// CHECK: exec.kernel @long {{.*}}schedule = "softmax rows of 1030, lanes=16", scratch_bytes = 4120
// CHECK-LABEL: func.func private @long_body
// CHECK-SAME:    (%[[X:.*]]: memref<1054720xf32> {llvm.noalias}, %[[Y:.*]]: memref<1054720xf32> {{.*}}, %[[S:.*]]: memref<4120xi8>
// CHECK:         %[[KEPT:.*]] = memref.view %[[S]]
// CHECK-COUNT-1: memref.prefetch %[[X]]{{.*}}, read
// CHECK:         memref.prefetch %[[Y]]{{.*}}, write
// CHECK:         vector.store {{.*}}, %[[KEPT]]
// CHECK:         memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         vector.store {{.*}}, %[[Y]]
exec.kernel @long inputs 1 {
^bb0(%x: memref<1024x1030xf32>, %y: memref<1024x1030xf32>):
  %0 = exec.load %x : memref<1024x1030xf32> -> tensor<1024x1030xf32>
  %1 = hgc.softmax %0 axis 1 : tensor<1024x1030xf32>
  exec.store %1, %y : tensor<1024x1030xf32>, memref<1024x1030xf32>
}

// Along another axis lanes are neighbouring columns, and the sum needs no fold.
// CHECK: exec.kernel @columns {{.*}}schedule = "softmax columns of 4, lanes=16"
// CHECK-LABEL: func.func private @columns_body
// CHECK-NOT:     vector.extract
// CHECK:         arith.shli {{.*}} : vector<16xi32>
// CHECK:         return
exec.kernel @columns inputs 1 {
^bb0(%x: memref<4x16xf32>, %y: memref<4x16xf32>):
  %0 = exec.load %x : memref<4x16xf32> -> tensor<4x16xf32>
  %1 = hgc.softmax %0 axis 0 : tensor<4x16xf32>
  exec.store %1, %y : tensor<4x16xf32>, memref<4x16xf32>
}

// An f16 output cannot hold the exponentials: they go to scratch memory.
// CHECK: exec.kernel @half {{.*}}scratch_bytes = 64
// CHECK-LABEL: func.func private @half_body
// CHECK-SAME:    %[[S:[a-z0-9]+]]: memref<64xi8>
// CHECK:         memref.view %[[S]]
exec.kernel @half inputs 1 {
^bb0(%x: memref<5x16xf16>, %y: memref<5x16xf16>):
  %0 = exec.load %x : memref<5x16xf16> -> tensor<5x16xf16>
  %1 = hgc.softmax %0 axis 1 : tensor<5x16xf16>
  exec.store %1, %y : tensor<5x16xf16>, memref<5x16xf16>
}

// The logarithm keeps nothing when its input is only loaded.
// CHECK: exec.kernel @log {{.*}}scratch_bytes = 0
// CHECK-LABEL: func.func private @log_body
// CHECK:         arith.shli
// CHECK-NOT:     vector.store
// CHECK:         math.log
// CHECK:         vector.store
exec.kernel @log inputs 1 {
^bb0(%x: memref<5x16xf16>, %y: memref<5x16xf16>):
  %0 = exec.load %x : memref<5x16xf16> -> tensor<5x16xf16>
  %1 = hgc.log_softmax %0 axis 1 : tensor<5x16xf16>
  exec.store %1, %y : tensor<5x16xf16>, memref<5x16xf16>
}

// A computed input is computed once, an epilogue is applied on the way out.
// CHECK-LABEL: func.func private @fused_body
// CHECK:         math.tanh
// CHECK-NOT:     math.tanh
// CHECK:         math.sqrt
// CHECK:         return
exec.kernel @fused inputs 1 {
^bb0(%x: memref<5x16xf32>, %y: memref<5x16xf32>):
  %0 = exec.load %x : memref<5x16xf32> -> tensor<5x16xf32>
  %1 = hgc.tanh %0 : tensor<5x16xf32>
  %2 = hgc.softmax %1 axis 1 : tensor<5x16xf32>
  %3 = hgc.sqrt %2 : tensor<5x16xf32>
  exec.store %3, %y : tensor<5x16xf32>, memref<5x16xf32>
}

// -----

// AVX-512 multiplies by a power of two in one instruction, a register at a time.
module attributes {hgc.target_cpu = "x86-64-v4"} {
  // CHECK-LABEL: func.func private @wide_body
  // CHECK:         %[[N:.*]] = math.roundeven %{{.*}} : vector<64xf32>
  // CHECK:         %[[LAST:.*]] = vector.extract_strided_slice %[[N]] {offsets = [48]
  // CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%{{.*}}, %[[LAST]]
  // CHECK-NOT:     arith.shli
  exec.kernel @wide inputs 1 {
  ^bb0(%x: memref<5x320xf32>, %y: memref<5x320xf32>):
    %0 = exec.load %x : memref<5x320xf32> -> tensor<5x320xf32>
    %1 = hgc.softmax %0 axis 1 : tensor<5x320xf32>
    exec.store %1, %y : tensor<5x320xf32>, memref<5x320xf32>
  }
}
