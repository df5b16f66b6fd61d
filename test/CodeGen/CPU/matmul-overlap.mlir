// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Divisions and roots run between the multiply-adds of the next tile: the sums of a tile
// wait in scratch. Each part of the loop over the depth has the ops for one row of the
// tile before, its two vectors apart from each other. The last tile has no next one, and
// the row left over is a tile of its own. Both operands are read in place.
// CHECK:       exec.kernel @hidden {{.*}}schedule = "matmul: tile 10x32, blocks 260x64x32, stores overlap", scratch_bytes = 1280
// CHECK-LABEL: func.func private @hidden_body
// CHECK:         %[[SUMS:.*]] = memref.view %{{.*}} to memref<320xf32>
// CHECK:         scf.for {{.*}} -> (vector<16xf32>
// CHECK:         vector.store {{.*}} %[[SUMS]]
// CHECK:         scf.for
// CHECK:           scf.for {{.*}} to %c10 {{.*}} -> (vector<16xf32>
// CHECK:             vector.load %[[SUMS]]
// CHECK:             math.sqrt
// CHECK:             arith.divf
// CHECK:             vector.store
// CHECK:             arith.mulf {{.*}} fastmath<contract>
// CHECK:             vector.load %[[SUMS]]
// CHECK:             math.sqrt
// CHECK:             arith.divf
// CHECK:             vector.store
// CHECK:             arith.mulf {{.*}} fastmath<contract>
// CHECK:             scf.yield
// CHECK:           vector.store {{.*}} %[[SUMS]]
// CHECK:         scf.for %{{.*}} = %c0 to %c10
// CHECK-NEXT:      arith
// CHECK:           vector.load %[[SUMS]]
// CHECK:           math.sqrt
// CHECK:         scf.if
module attributes {hgc.target_cpu = "x86-64-v4"} {
exec.kernel @hidden inputs 3 {
^bb0(%x: memref<32x251xf32>, %y: memref<32x64xf32>, %v: memref<251x64xf32>, %r: memref<251x64xf32>):
  %0 = exec.load %x : memref<32x251xf32> -> tensor<32x251xf32>
  %1 = exec.load %y : memref<32x64xf32> -> tensor<32x64xf32>
  %2 = exec.load %v : memref<251x64xf32> -> tensor<251x64xf32>
  %3 = hgc.matmul %0, %1 transpose_lhs : (tensor<32x251xf32>, tensor<32x64xf32>) -> tensor<251x64xf32>
  %4 = hgc.sqrt %2 : tensor<251x64xf32>
  %5 = hgc.div %3, %4 : (tensor<251x64xf32>, tensor<251x64xf32>) -> tensor<251x64xf32>
  exec.store %5, %r : tensor<251x64xf32>, memref<251x64xf32>
}

// Nothing to hide. Of few steps, tiles are small.
// CHECK: exec.kernel @plain {{.*}}schedule = "matmul: tile 8x32,
exec.kernel @plain inputs 2 {
^bb0(%x: memref<32x251xf32>, %y: memref<32x64xf32>, %r: memref<251x64xf32>):
  %0 = exec.load %x : memref<32x251xf32> -> tensor<32x251xf32>
  %1 = exec.load %y : memref<32x64xf32> -> tensor<32x64xf32>
  %2 = hgc.matmul %0, %1 transpose_lhs : (tensor<32x251xf32>, tensor<32x64xf32>) -> tensor<251x64xf32>
  %3 = hgc.relu %2 : tensor<251x64xf32>
  exec.store %3, %r : tensor<251x64xf32>, memref<251x64xf32>
}
}
