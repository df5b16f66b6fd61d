// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Columns and channels are one loop; a row is border, interior, border, and rows
// outside are all border.
// CHECK: exec.kernel @constant {{.*}}schedule = "pad loops=2 lanes=16"
// CHECK-LABEL: func.func private @constant_body
// CHECK-SAME:    (%[[X:.*]]: memref<960xf32> {llvm.noalias}, %[[V:.*]]: memref<1xf32> {llvm.noalias}, %[[Y:.*]]: memref<1792xf32>
// CHECK:         scf.if
// CHECK:           memref.load %[[V]]
// CHECK:           vector.load %[[X]]
// CHECK:           memref.load %[[V]]
// CHECK:         } else {
// CHECK-NOT:       %[[X]]
// CHECK:           vector.store {{.*}}, %[[Y]]
exec.kernel @constant inputs 2 {
^bb0(%x: memref<5x6x32xf32>, %v: memref<f32>, %y: memref<7x8x32xf32>):
  %0 = exec.load %x : memref<5x6x32xf32> -> tensor<5x6x32xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad constant %0, %1 low = [1, 1, 0] high = [1, 1, 0]
      : (tensor<5x6x32xf32>, tensor<f32>) -> tensor<7x8x32xf32>
  exec.store %2, %y : tensor<7x8x32xf32>, memref<7x8x32xf32>
}

// The other modes read the input at an index moved back into range.
// CHECK-LABEL: func.func private @edge_body
// CHECK:         arith.minsi
// CHECK:         arith.maxsi
// CHECK:         memref.load
exec.kernel @edge inputs 2 {
^bb0(%x: memref<16xf32>, %v: memref<f32>, %y: memref<24xf32>):
  %0 = exec.load %x : memref<16xf32> -> tensor<16xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad edge %0, %1 low = [4] high = [4] : (tensor<16xf32>, tensor<f32>) -> tensor<24xf32>
  exec.store %2, %y : tensor<24xf32>, memref<24xf32>
}

// CHECK-LABEL: func.func private @wrap_body
// CHECK:         arith.remsi
// CHECK-LABEL: func.func private @reflect_body
// CHECK:         arith.remsi
// CHECK:         arith.minsi
exec.kernel @wrap inputs 2 {
^bb0(%x: memref<16xf32>, %v: memref<f32>, %y: memref<24xf32>):
  %0 = exec.load %x : memref<16xf32> -> tensor<16xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad wrap %0, %1 low = [4] high = [4] : (tensor<16xf32>, tensor<f32>) -> tensor<24xf32>
  exec.store %2, %y : tensor<24xf32>, memref<24xf32>
}
exec.kernel @reflect inputs 2 {
^bb0(%x: memref<16xf32>, %v: memref<f32>, %y: memref<24xf32>):
  %0 = exec.load %x : memref<16xf32> -> tensor<16xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad reflect %0, %1 low = [4] high = [4] : (tensor<16xf32>, tensor<f32>) -> tensor<24xf32>
  exec.store %2, %y : tensor<24xf32>, memref<24xf32>
}

// Negative amounts crop: nothing but a copy from the middle remains.
// CHECK-LABEL: func.func private @crop_body
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         vector.load %{{.*}}[%[[TWO]]]
// CHECK-NOT:     scf.if
// CHECK:         return
exec.kernel @crop inputs 2 {
^bb0(%x: memref<20xf32>, %v: memref<f32>, %y: memref<16xf32>):
  %0 = exec.load %x : memref<20xf32> -> tensor<20xf32>
  %1 = exec.load %v : memref<f32> -> tensor<f32>
  %2 = hgc.pad constant %0, %1 low = [-2] high = [-2] : (tensor<20xf32>, tensor<f32>) -> tensor<16xf32>
  exec.store %2, %y : tensor<16xf32>, memref<16xf32>
}
