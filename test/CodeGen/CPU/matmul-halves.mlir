// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s
// RUN: sed 's/"znver4"/"znver5"/' %s | hgc-opt --hgc-emit-kernels --canonicalize --cse | FileCheck %s --check-prefix=WHOLE

// WHOLE-NOT: llvm.inline_asm
module attributes {hgc.target_cpu = "znver4"} {

// Vectors are taken in halves: three of them per row leave no time for a broadcast, so that
// the second vector loads the row's factor again, at an address that looks like another.
// CHECK: exec.kernel @narrow {{.*}}schedule = "matmul: tile 12x32, blocks 12x32x64"
// CHECK-LABEL: func.func private @narrow_body
// CHECK:         %[[ZERO:.*]] = llvm.inline_asm "", "=r,0"
// CHECK:         %[[INDEX:.*]] = arith.index_cast %[[ZERO]]
// CHECK:         scf.for
// CHECK:           %[[ROW:.*]] = arith.addi
// CHECK:           %[[A:.*]] = memref.load %arg0[%[[ROW]]]
// CHECK:           vector.broadcast %[[A]] : f32 to vector<16xf32>
// CHECK:           %[[AGAIN:.*]] = arith.addi %[[ROW]], %[[INDEX]]
// CHECK:           %[[B:.*]] = memref.load %arg0[%[[AGAIN]]]
// CHECK:           vector.broadcast %[[B]] : f32 to vector<8xf32>
exec.kernel @narrow inputs 2 {
^bb0(%x: memref<300x64xf32>, %w: memref<1x64x32xf32>, %y: memref<300x24xf32>):
  %0 = exec.load %x : memref<300x64xf32> -> tensor<300x64xf32>
  %1 = exec.load %w : memref<1x64x32xf32> -> tensor<1x64x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [64, 24]> : (tensor<300x64xf32>, tensor<1x64x32xf32>) -> tensor<300x24xf32>
  exec.store %2, %y : tensor<300x24xf32>, memref<300x24xf32>
}

// Four halves hide a broadcast.
// CHECK-LABEL: func.func private @deep_body
// CHECK-NOT:     llvm.inline_asm
exec.kernel @deep inputs 2 {
^bb0(%x: memref<300x64xf32>, %w: memref<1x64x32xf32>, %y: memref<300x32xf32>):
  %0 = exec.load %x : memref<300x64xf32> -> tensor<300x64xf32>
  %1 = exec.load %w : memref<1x64x32xf32> -> tensor<1x64x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [64, 32]> : (tensor<300x64xf32>, tensor<1x64x32xf32>) -> tensor<300x32xf32>
  exec.store %2, %y : tensor<300x32xf32>, memref<300x32xf32>
}

// They do not hide the end of a short tile, which is smaller, too.
// CHECK: exec.kernel @short {{.*}}schedule = "matmul: tile 6x32, blocks 6x32x16"
// CHECK-LABEL: func.func private @short_body
// CHECK:         llvm.inline_asm
exec.kernel @short inputs 2 {
^bb0(%x: memref<300x16xf32>, %w: memref<1x16x32xf32>, %y: memref<300x32xf32>):
  %0 = exec.load %x : memref<300x16xf32> -> tensor<300x16xf32>
  %1 = exec.load %w : memref<1x16x32xf32> -> tensor<1x16x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [16, 32]> : (tensor<300x16xf32>, tensor<1x16x32xf32>) -> tensor<300x32xf32>
  exec.store %2, %y : tensor<300x32xf32>, memref<300x32xf32>
}
}
