// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Few rows read the right operand where it is: the last three columns are a tile
// of their own, of two and one lanes, and nothing is read past the end.
// CHECK:       exec.kernel @in_place {{.*}}scratch_bytes = 0
// CHECK-LABEL: func.func private @in_place_body
// CHECK:         scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>
// CHECK:         scf.for {{.*}} -> (vector<2xf32>, f32
exec.kernel @in_place inputs 2 {
^bb0(%x: memref<2x64xf32>, %w: memref<64x19xf32>, %y: memref<2x19xf32>):
  %0 = exec.load %x : memref<2x64xf32> -> tensor<2x64xf32>
  %1 = exec.load %w : memref<64x19xf32> -> tensor<64x19xf32>
  %2 = hgc.matmul %0, %1 : (tensor<2x64xf32>, tensor<64x19xf32>) -> tensor<2x19xf32>
  exec.store %2, %y : tensor<2x19xf32>, memref<2x19xf32>
}

// A transposed right operand is copied into panels in scratch, four columns by
// eight steps at once; the second operand's batch broadcasts.
// CHECK:       exec.kernel @attention {{.*}}rhs packed", scratch_bytes = {{[1-9][0-9]*}}{{.*}}units = 144 : i64
// CHECK-LABEL: func.func private @attention_body
// CHECK:         %[[PANELS:.*]] = memref.view
// CHECK-COUNT-2: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13]
// CHECK:         vector.shuffle {{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK:         vector.store {{.*}} %[[PANELS]]{{.*}} vector<4xf32>
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           vector.load %[[PANELS]]
exec.kernel @attention inputs 2 {
^bb0(%q: memref<2x3x48x32xf32>, %k: memref<3x48x32xf32>, %y: memref<2x3x48x48xf32>):
  %0 = exec.load %q : memref<2x3x48x32xf32> -> tensor<2x3x48x32xf32>
  %1 = exec.load %k : memref<3x48x32xf32> -> tensor<3x48x32xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<2x3x48x32xf32>, tensor<3x48x32xf32>) -> tensor<2x3x48x48xf32>
  exec.store %2, %y : tensor<2x3x48x48xf32>, memref<2x3x48x48xf32>
}

// Few rows against a transposed operand: eight dot products at once, vectors
// along the depth, then the two depths left over and the three columns.
// CHECK:       exec.kernel @dots {{.*}}schedule = "matmul: dot products, blocks of 16 columns", scratch_bytes = 0
// CHECK-LABEL: func.func private @dots_body
// CHECK:         scf.for {{.*}} to %c64 step %c8 iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK:         vector.from_elements {{.*}} vector<8xf32>
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>)
exec.kernel @dots inputs 2 {
^bb0(%x: memref<1x66xf32>, %w: memref<19x66xf32>, %y: memref<1x19xf32>):
  %0 = exec.load %x : memref<1x66xf32> -> tensor<1x66xf32>
  %1 = exec.load %w : memref<19x66xf32> -> tensor<19x66xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<1x66xf32>, tensor<19x66xf32>) -> tensor<1x19xf32>
  exec.store %2, %y : tensor<1x19xf32>, memref<1x19xf32>
}

// One weight for a whole batch: the batch becomes rows.
// CHECK:       exec.kernel @batched {{.*}}schedule = "matmul: tile 6x16, blocks 18x16x64"
// CHECK-LABEL: func.func private @batched_body
exec.kernel @batched inputs 2 {
^bb0(%x: memref<8x2x64xf32>, %w: memref<2x64x16xf32>, %y: memref<8x2x32xf32>):
  %0 = exec.load %x : memref<8x2x64xf32> -> tensor<8x2x64xf32>
  %1 = exec.load %w : memref<2x64x16xf32> -> tensor<2x64x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [64, 32]> : (tensor<8x2x64xf32>, tensor<2x64x16xf32>) -> tensor<8x2x32xf32>
  exec.store %2, %y : tensor<8x2x32xf32>, memref<8x2x32xf32>
}

// Half precision: panels are widened as they are loaded, sums are f32.
// CHECK-LABEL: func.func private @half_body
// CHECK:         scf.for {{.*}} -> (vector<8xf32>
// CHECK:           vector.load {{.*}} vector<8xf16>
// CHECK:           arith.extf {{.*}} vector<8xf16> to vector<8xf32>
exec.kernel @half inputs 2 {
^bb0(%x: memref<4x64xf16>, %w: memref<1x64x16xf16>, %y: memref<4x16xf32>):
  %0 = exec.load %x : memref<4x64xf16> -> tensor<4x64xf16>
  %1 = exec.load %w : memref<1x64x16xf16> -> tensor<1x64x16xf16>
  %2 = hgc.matmul %0, %1 packed <16, [64, 16]> : (tensor<4x64xf16>, tensor<1x64x16xf16>) -> tensor<4x16xf32>
  exec.store %2, %y : tensor<4x16xf32>, memref<4x16xf32>
}

// Bytes accumulate in i32.
// CHECK-LABEL: func.func private @bytes_body
// CHECK:         arith.extsi {{.*}} vector<8xi8> to vector<8xi32>
// CHECK:         arith.muli {{.*}} vector<8xi32>
exec.kernel @bytes inputs 2 {
^bb0(%x: memref<4x64xi8>, %w: memref<1x64x16xi8>, %y: memref<4x16xi32>):
  %0 = exec.load %x : memref<4x64xi8> -> tensor<4x64xi8>
  %1 = exec.load %w : memref<1x64x16xi8> -> tensor<1x64x16xi8>
  %2 = hgc.matmul %0, %1 packed <16, [64, 16]> : (tensor<4x64xi8>, tensor<1x64x16xi8>) -> tensor<4x16xi32>
  exec.store %2, %y : tensor<4x16xi32>, memref<4x16xi32>
}

// No depth: the sums are zero, nothing is read.
// CHECK-LABEL: func.func private @empty_depth_body
// CHECK-NOT:     load
// CHECK:         vector.store %cst
// CHECK-LABEL: func.func @hgc_kernel_6
exec.kernel @empty_depth inputs 2 {
^bb0(%x: memref<4x0xf32>, %w: memref<0x8xf32>, %y: memref<4x8xf32>):
  %0 = exec.load %x : memref<4x0xf32> -> tensor<4x0xf32>
  %1 = exec.load %w : memref<0x8xf32> -> tensor<0x8xf32>
  %2 = hgc.matmul %0, %1 : (tensor<4x0xf32>, tensor<0x8xf32>) -> tensor<4x8xf32>
  exec.store %2, %y : tensor<4x8xf32>, memref<4x8xf32>
}
