// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// The trailing dims are one row; mean, then variance around it, then the result.
// CHECK: exec.kernel @norm {{.*}}schedule = "layer_norm rows of 52, lanes=32"
// CHECK-LABEL: func.func private @norm_body
// CHECK-SAME:    (%[[X:.*]]: memref<260xf32> {llvm.noalias}, %[[S:.*]]: memref<52xf32> {llvm.noalias}, %[[B:.*]]: memref<52xf32>
// CHECK:         scf.for
// CHECK:           %[[MEAN:.*]] = arith.divf
// CHECK:           arith.subf
// CHECK:           arith.mulf
// CHECK:           %[[VAR:.*]] = arith.divf
// CHECK:           %[[SUM:.*]] = arith.addf %[[VAR]]
// CHECK:           %[[ROOT:.*]] = math.sqrt %[[SUM]]
// CHECK:           arith.divf %{{.*}}, %[[ROOT]]
// CHECK:           vector.load %[[S]]
// CHECK:           vector.load %[[B]]
// CHECK:           vector.store
exec.kernel @norm inputs 3 {
^bb0(%x: memref<5x4x13xf32>, %s: memref<4x13xf32>, %b: memref<4x13xf32>, %y: memref<5x4x13xf32>):
  %0 = exec.load %x : memref<5x4x13xf32> -> tensor<5x4x13xf32>
  %1 = exec.load %s : memref<4x13xf32> -> tensor<4x13xf32>
  %2 = exec.load %b : memref<4x13xf32> -> tensor<4x13xf32>
  %3 = hgc.layer_norm %0, %1, %2 axis 1 epsilon 1.0e-05
      : (tensor<5x4x13xf32>, tensor<4x13xf32>, tensor<4x13xf32>) -> tensor<5x4x13xf32>
  exec.store %3, %y : tensor<5x4x13xf32>, memref<5x4x13xf32>
}

// Rows of whole vectors, three at a time: one loop adds up a row, adds up the squares of the
// one before it and writes the one before that. Results that do not start with a cache line are
// written row by row.
// CHECK: exec.kernel @three {{.*}}schedule = "layer_norm rows of 64, lanes=32, three at a time"
// CHECK-LABEL: func.func private @three_body
// CHECK-SAME:    (%[[X:[a-z0-9]+]]: memref<320xf32> {llvm.noalias}, %[[S:[a-z0-9]+]]: memref<64xf32> {llvm.noalias}, %{{[a-z0-9]+}}: memref<64xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<320xf32>
// CHECK:         memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         scf.if
// CHECK:           scf.for {{.*}} to %c64 step %c32
// CHECK-NOT:         vector.store
// CHECK:           scf.for {{.*}} to %c64 step %c32
// CHECK-NOT:         vector.store
// CHECK:           scf.for {{.*}} step %c1 iter_args
// CHECK:             scf.for {{.*}} to %c64 step %c32
// CHECK:               %[[AHEAD:.*]] = vector.load %[[X]]
// CHECK-NEXT:          arith.addf {{.*}}, %[[AHEAD]]
// CHECK:               %[[ROW:.*]] = vector.load %[[X]]
// CHECK:               %[[MOVED:.*]] = arith.subf %[[ROW]]
// CHECK-NEXT:          arith.mulf %[[MOVED]], %[[MOVED]]
// CHECK:               vector.load %[[X]]
// CHECK:               vector.load %[[S]]
// CHECK:               vector.store {{.*}}, %[[Y]]
// CHECK:             math.sqrt
// CHECK:           scf.for {{.*}} to %c64 step %c32
// CHECK:             vector.store {{.*}}, %[[Y]]
// CHECK:         } else {
// CHECK:           vector.store {{.*}}, %[[Y]]
exec.kernel @three inputs 3 {
^bb0(%x: memref<5x4x16xf32>, %s: memref<4x16xf32>, %b: memref<4x16xf32>, %y: memref<5x4x16xf32>):
  %0 = exec.load %x : memref<5x4x16xf32> -> tensor<5x4x16xf32>
  %1 = exec.load %s : memref<4x16xf32> -> tensor<4x16xf32>
  %2 = exec.load %b : memref<4x16xf32> -> tensor<4x16xf32>
  %3 = hgc.layer_norm %0, %1, %2 axis 1 epsilon 1.0e-05
      : (tensor<5x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<5x4x16xf32>
  exec.store %3, %y : tensor<5x4x16xf32>, memref<5x4x16xf32>
}

// A residual sum in front is computed in the first pass and kept in the output.
// CHECK-LABEL: func.func private @residual_body
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<128xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index
// CHECK:         arith.addf
// CHECK:         vector.store {{.*}}, %[[Y]]
// CHECK:         vector.load %[[Y]]
// CHECK:         vector.store {{.*}}, %[[Y]]
exec.kernel @residual inputs 4 {
^bb0(%x: memref<2x64xf32>, %r: memref<2x64xf32>, %s: memref<64xf32>, %b: memref<64xf32>, %y: memref<2x64xf32>):
  %0 = exec.load %x : memref<2x64xf32> -> tensor<2x64xf32>
  %1 = exec.load %r : memref<2x64xf32> -> tensor<2x64xf32>
  %2 = exec.load %s : memref<64xf32> -> tensor<64xf32>
  %3 = exec.load %b : memref<64xf32> -> tensor<64xf32>
  %4 = hgc.add %0, %1 : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  %5 = hgc.layer_norm %4, %2, %3 axis 1 epsilon 1.0e-05
      : (tensor<2x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x64xf32>
  exec.store %5, %y : tensor<2x64xf32>, memref<2x64xf32>
}

// bf16: rows of f32 in scratch memory between the passes.
// CHECK: exec.kernel @brain {{.*}}scratch_bytes = 256
exec.kernel @brain inputs 3 {
^bb0(%x: memref<2x64xbf16>, %s: memref<64xbf16>, %b: memref<64xbf16>, %y: memref<2x64xbf16>):
  %0 = exec.load %x : memref<2x64xbf16> -> tensor<2x64xbf16>
  %1 = exec.load %s : memref<64xbf16> -> tensor<64xbf16>
  %2 = exec.load %b : memref<64xbf16> -> tensor<64xbf16>
  %3 = hgc.neg %0 : tensor<2x64xbf16>
  %4 = hgc.layer_norm %3, %1, %2 axis 1 epsilon 1.0e-05
      : (tensor<2x64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<2x64xbf16>
  exec.store %4, %y : tensor<2x64xbf16>, memref<2x64xbf16>
}

// Of tensors larger than the second cache the lines of the results are fetched before
// the pass that writes them.
// CHECK-LABEL: func.func private @large_body
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<1048576xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index
// CHECK:         memref.prefetch %[[Y]]{{.*}}, write
// CHECK:         vector.store {{.*}}, %[[Y]]
exec.kernel @large inputs 3 {
^bb0(%x: memref<1024x1024xf32>, %s: memref<1024xf32>, %b: memref<1024xf32>, %y: memref<1024x1024xf32>):
  %0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %1 = exec.load %s : memref<1024xf32> -> tensor<1024xf32>
  %2 = exec.load %b : memref<1024xf32> -> tensor<1024xf32>
  %3 = hgc.layer_norm %0, %1, %2 axis 1 epsilon 1.0e-05
      : (tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
  exec.store %3, %y : tensor<1024x1024xf32>, memref<1024x1024xf32>
}
