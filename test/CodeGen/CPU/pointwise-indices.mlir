// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Rows picked by index: the index is loaded once a row, wrapped and clamped.
// CHECK-LABEL: func.func private @rows_body
// CHECK:         memref.load {{.*}} : memref<4xi64>
// CHECK:         arith.cmpi slt
// CHECK:         arith.select
// CHECK:         arith.minsi {{.*}} : i64
// CHECK:         arith.maxsi {{.*}} : i64
// CHECK:         vector.load {{.*}} vector<16xf32>
exec.kernel @rows inputs 2 {
^bb0(%x: memref<10x32xf32>, %i: memref<4xi64>, %y: memref<4x32xf32>):
  %0 = exec.load %x : memref<10x32xf32> -> tensor<10x32xf32>
  %1 = exec.load %i : memref<4xi64> -> tensor<4xi64>
  %2 = hgc.gather %0, %1 axis 0 : (tensor<10x32xf32>, tensor<4xi64>) -> tensor<4x32xf32>
  exec.store %2, %y : tensor<4x32xf32>, memref<4x32xf32>
}

// Columns picked by index: every lane has its own.
// CHECK-LABEL: func.func private @columns_body
// CHECK:         vector.load {{.*}} vector<8xi32>
// CHECK:         arith.index_cast {{.*}} : vector<8xi32> to vector<8xindex>
// CHECK-COUNT-8: memref.load {{.*}} : memref<70xf32>
exec.kernel @columns inputs 2 {
^bb0(%x: memref<7x10xf32>, %i: memref<8xi32>, %y: memref<7x8xf32>):
  %0 = exec.load %x : memref<7x10xf32> -> tensor<7x10xf32>
  %1 = exec.load %i : memref<8xi32> -> tensor<8xi32>
  %2 = hgc.gather %0, %1 axis 1 : (tensor<7x10xf32>, tensor<8xi32>) -> tensor<7x8xf32>
  exec.store %2, %y : tensor<7x8xf32>, memref<7x8xf32>
}

// Starts that are operands are clamped so that the box fits.
// CHECK-LABEL: func.func private @dynamic_slice_body
// CHECK-DAG:     %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-DAG:     %[[TWENTY:.*]] = arith.constant 20 : i32
// CHECK:         arith.minsi %{{.*}}, %[[THREE]] : i32
// CHECK:         arith.minsi %{{.*}}, %[[TWENTY]] : i32
exec.kernel @dynamic_slice inputs 2 {
^bb0(%x: memref<7x40xf32>, %b: memref<2xi32>, %y: memref<4x20xf32>):
  %0 = exec.load %x : memref<7x40xf32> -> tensor<7x40xf32>
  %1 = exec.load %b : memref<2xi32> -> tensor<2xi32>
  %2 = hgc.slice %0 at %1 sizes = [4, 20] : (tensor<7x40xf32>, tensor<2xi32>) -> tensor<4x20xf32>
  exec.store %2, %y : tensor<4x20xf32>, memref<4x20xf32>
}

// A reversed row is loaded whole and turned in registers.
// CHECK-LABEL: func.func private @reversed_body
// CHECK:         vector.load
// CHECK:         vector.shuffle {{.*}} [7, 6, 5, 4, 3, 2, 1, 0]
exec.kernel @reversed inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  %1 = hgc.slice %0 starts = [7] sizes = [8] strides = [-1] : (tensor<8xf32>) -> tensor<8xf32>
  exec.store %1, %y : tensor<8xf32>, memref<8xf32>
}

// Counting needs no memory.
// CHECK-LABEL: func.func private @count_body
// CHECK-NOT:     load
// CHECK:         arith.sitofp {{.*}} : vector<16xi32> to vector<16xf32>
// CHECK:         vector.store
exec.kernel @count inputs 0 {
^bb0(%y: memref<3x64xf32>):
  %0 = hgc.iota shape [3, 64] axis 1 of f32 : tensor<3x64xf32>
  exec.store %0, %y : tensor<3x64xf32>, memref<3x64xf32>
}
