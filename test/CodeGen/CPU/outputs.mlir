// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Several results are computed at each point, then stored. What is updated in place is
// loaded before, and no point is visited twice: those behind the last whole vector go
// one by one.
// CHECK:       exec.kernel @update inputs 1 {{.*}}schedule = "pointwise loops=1 lanes=16"
// CHECK-LABEL: func.func private @update_body
// CHECK-SAME:    (%[[G:.*]]: memref<77xf32> {llvm.noalias}, %[[M:.*]]: memref<77xf32> {llvm.noalias}, %[[W:.*]]: memref<77xf32> {llvm.noalias}, %{{.*}}: index, %{{.*}}: index)
// CHECK:         scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK-NOT:     vector.store
// CHECK-DAG:       vector.load %[[G]]
// CHECK-DAG:       vector.load %[[M]]
// CHECK-DAG:       vector.load %[[W]]
// CHECK:           vector.store {{.*}} %[[M]]
// CHECK-NEXT:      vector.store {{.*}} %[[W]]
// CHECK:         scf.for %{{.*}} = %c64 to %c77 step %c1
// CHECK-NOT:     memref.store
// CHECK-DAG:       memref.load %[[G]]
// CHECK-DAG:       memref.load %[[M]]
// CHECK-DAG:       memref.load %[[W]]
// CHECK:           memref.store {{.*}} %[[M]]
// CHECK-NEXT:      memref.store {{.*}} %[[W]]
exec.kernel @update inputs 1 {
^bb0(%g: memref<77xf32>, %m: memref<77xf32>, %w: memref<77xf32>):
  %0 = exec.load %g : memref<77xf32> -> tensor<77xf32>
  %1 = exec.load %m : memref<77xf32> -> tensor<77xf32>
  %2 = exec.load %w : memref<77xf32> -> tensor<77xf32>
  %3 = hgc.add %0, %1 : (tensor<77xf32>, tensor<77xf32>) -> tensor<77xf32>
  %4 = hgc.sub %2, %3 : (tensor<77xf32>, tensor<77xf32>) -> tensor<77xf32>
  exec.store %3, %m : tensor<77xf32>, memref<77xf32>
  exec.store %4, %w : tensor<77xf32>, memref<77xf32>
}

// The sums of a product go on to several results.
// CHECK-LABEL: func.func private @product_body
// CHECK-SAME:    (%{{.*}}: memref<1024xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32> {llvm.noalias}, %[[M:.*]]: memref<1024xf32> {llvm.noalias}, %[[W:.*]]: memref<1024xbf16> {llvm.noalias}
// CHECK:         %[[SUMS:.*]]:{{[0-9]+}} = scf.for
// CHECK:         vector.load %[[M]]
// CHECK:         vector.store {{.*}} %[[M]]
// CHECK:         vector.store {{.*}} %[[W]]
exec.kernel @product inputs 2 {
^bb0(%x: memref<32x32xf32>, %y: memref<32x32xf32>, %m: memref<32x32xf32>, %w: memref<32x32xbf16>):
  %0 = exec.load %x : memref<32x32xf32> -> tensor<32x32xf32>
  %1 = exec.load %y : memref<32x32xf32> -> tensor<32x32xf32>
  %2 = exec.load %m : memref<32x32xf32> -> tensor<32x32xf32>
  %3 = hgc.matmul %0, %1 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %4 = hgc.add %2, %3 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %5 = hgc.cast %4 to bf16 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
  exec.store %4, %m : tensor<32x32xf32>, memref<32x32xf32>
  exec.store %5, %w : tensor<32x32xbf16>, memref<32x32xbf16>
}
