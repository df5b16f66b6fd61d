// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Rows are combined in the output, one index for all lanes; nothing is left to do
// after the last update.
// CHECK: exec.kernel @rows {{.*}}schedule = "scatter columns of 10, lanes=32", scratch_bytes = 0 : i64
// CHECK-LABEL: func.func private @rows_body
// CHECK-SAME:    (%[[X:.*]]: memref<320xf32> {llvm.noalias}, %[[I:.*]]: memref<4xi64> {llvm.noalias}, %[[U:.*]]: memref<128xf32> {llvm.noalias}, %[[Y:.*]]: memref<320xf32>
// CHECK:         vector.load %[[X]]
// CHECK:         vector.store {{.*}}, %[[Y]]
// CHECK:         memref.load %[[I]]
// CHECK:         vector.load %[[U]]
// CHECK:         vector.load %[[Y]]
// CHECK:         arith.addf {{.*}} : vector<32xf32>
// CHECK:         vector.store {{.*}}, %[[Y]]
// CHECK-NOT:     vector.load
// CHECK:         return
exec.kernel @rows inputs 3 {
^bb0(%x: memref<10x32xf32>, %i: memref<4xi64>, %u: memref<4x32xf32>, %y: memref<10x32xf32>):
  %0 = exec.load %x : memref<10x32xf32> -> tensor<10x32xf32>
  %1 = exec.load %i : memref<4xi64> -> tensor<4xi64>
  %2 = exec.load %u : memref<4x32xf32> -> tensor<4x32xf32>
  %3 = hgc.scatter add %0, %1, %2 axis 0 slices : (tensor<10x32xf32>, tensor<4xi64>, tensor<4x32xf32>) -> tensor<10x32xf32>
  exec.store %3, %y : tensor<10x32xf32>, memref<10x32xf32>
}

// Half precision is summed up in f32 in scratch memory; every column has indices
// of its own.
// CHECK: exec.kernel @half {{.*}}schedule = "scatter columns of 10, lanes=16", scratch_bytes = 640 : i64
// CHECK-LABEL: func.func private @half_body
// CHECK:         memref.view
// CHECK:         arith.addf {{.*}} : f32
// CHECK:         arith.truncf {{.*}} : vector<16xf32> to vector<16xf16>
exec.kernel @half inputs 3 {
^bb0(%x: memref<10x16xf16>, %i: memref<4x16xi64>, %u: memref<4x16xf16>, %y: memref<10x16xf16>):
  %0 = exec.load %x : memref<10x16xf16> -> tensor<10x16xf16>
  %1 = exec.load %i : memref<4x16xi64> -> tensor<4x16xi64>
  %2 = exec.load %u : memref<4x16xf16> -> tensor<4x16xf16>
  %3 = hgc.scatter add %0, %1, %2 axis 0 : (tensor<10x16xf16>, tensor<4x16xi64>, tensor<4x16xf16>) -> tensor<10x16xf16>
  exec.store %3, %y : tensor<10x16xf16>, memref<10x16xf16>
}

// What is set last stays; along the innermost axis lines are copied in lanes.
// CHECK: exec.kernel @set {{.*}}schedule = "scatter rows of 32
// CHECK-LABEL: func.func private @set_body
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: memref<96xf32> {llvm.noalias}, %{{[a-z0-9]+}}: index
// CHECK:         vector.store {{.*}}, %[[Y]]
// CHECK-NOT:     memref.load %[[Y]]
// CHECK:         memref.store {{.*}}, %[[Y]]
exec.kernel @set inputs 3 {
^bb0(%x: memref<3x32xf32>, %i: memref<3x4xi64>, %u: memref<3x4xf32>, %y: memref<3x32xf32>):
  %0 = exec.load %x : memref<3x32xf32> -> tensor<3x32xf32>
  %1 = exec.load %i : memref<3x4xi64> -> tensor<3x4xi64>
  %2 = exec.load %u : memref<3x4xf32> -> tensor<3x4xf32>
  %3 = hgc.scatter set %0, %1, %2 axis 1 : (tensor<3x32xf32>, tensor<3x4xi64>, tensor<3x4xf32>) -> tensor<3x32xf32>
  exec.store %3, %y : tensor<3x32xf32>, memref<3x32xf32>
}
