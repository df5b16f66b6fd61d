// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Twelve rows a multiple of a page apart compete for the eight ways of one set, six do not: the tile is half as
// high and two panels wide, and rows stay where they are. Of the next two panels each tile fetches four lines
// every four steps, so four tiles fetch them all. The last panel has no other beside it.
// CHECK:       exec.kernel @pages {{.*}}schedule = "matmul: tile 6x64, blocks 42x64x1024", scratch_bytes = 0
// CHECK-LABEL: func.func private @pages_body
// CHECK-SAME:    %{{.*}}: memref<40960xf32> {llvm.noalias}, %[[W:.*]]: memref<294912xf32> {llvm.noalias}, %{{.*}}: memref
// CHECK:         scf.for {{.*}} step %c4 iter_args
// CHECK-COUNT-4:   memref.prefetch %[[W]]{{.*}}, read, locality<2>
// CHECK-NOT:       memref.prefetch
// CHECK:           scf.yield {{.*}} : vector<16xf32>
// CHECK:         scf.for {{.*}} step %c4 iter_args
module attributes {hgc.target_cpu = "x86-64-v4"} {
exec.kernel @pages inputs 2 {
^bb0(%x: memref<40x1024xf32>, %w: memref<9x1024x32xf32>, %y: memref<40x288xf32>):
  %0 = exec.load %x : memref<40x1024xf32> -> tensor<40x1024xf32>
  %1 = exec.load %w : memref<9x1024x32xf32> -> tensor<9x1024x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [1024, 288]> : (tensor<40x1024xf32>, tensor<9x1024x32xf32>) -> tensor<40x288xf32>
  exec.store %2, %y : tensor<40x288xf32>, memref<40x288xf32>
}

// Rows of other lengths lie in different sets.
// CHECK: exec.kernel @apart {{.*}}schedule = "matmul: tile 12x32,
exec.kernel @apart inputs 2 {
^bb0(%x: memref<40x1000xf32>, %w: memref<9x1000x32xf32>, %y: memref<40x288xf32>):
  %0 = exec.load %x : memref<40x1000xf32> -> tensor<40x1000xf32>
  %1 = exec.load %w : memref<9x1000x32xf32> -> tensor<9x1000x32xf32>
  %2 = hgc.matmul %0, %1 packed <32, [1000, 288]> : (tensor<40x1000xf32>, tensor<9x1000x32xf32>) -> tensor<40x288xf32>
  exec.store %2, %y : tensor<40x288xf32>, memref<40x288xf32>
}
}
