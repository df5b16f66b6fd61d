// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// All dims merge into one loop; the bias makes two. The last step of a row moves
// back so that it ends at the row's end.
// CHECK: exec.kernel @bias {{.*}}schedule = "pointwise loops=2 lanes=16"
// CHECK-LABEL: func.func private @bias_body
// CHECK-SAME:    (%[[X:.*]]: memref<2541xf32> {llvm.noalias}, %[[B:.*]]: memref<77xf32>
// CHECK:         %[[LAST:.*]] = arith.constant 61 : index
// CHECK:         scf.for %[[ROW:.*]] =
// CHECK:           scf.for %[[I:.*]] =
// CHECK:             %[[AT:.*]] = arith.minsi %[[I]], %[[LAST]]
// CHECK:             %[[SUM:.*]] = arith.addf {{.*}} : vector<16xf32>
// CHECK:             math.sqrt %[[SUM]]
// CHECK:             vector.store
exec.kernel @bias inputs 2 {
^bb0(%x: memref<3x11x77xf32>, %b: memref<77xf32>, %y: memref<3x11x77xf32>):
  %0 = exec.load %x : memref<3x11x77xf32> -> tensor<3x11x77xf32>
  %1 = exec.load %b : memref<77xf32> -> tensor<77xf32>
  %2 = hgc.add %0, %1 : (tensor<3x11x77xf32>, tensor<77xf32>) -> tensor<3x11x77xf32>
  %3 = hgc.sqrt %2 : tensor<3x11x77xf32>
  exec.store %3, %y : tensor<3x11x77xf32>, memref<3x11x77xf32>
}

// An operand used twice is loaded once.
// CHECK-LABEL: func.func private @shared_body
// CHECK:         vector.load
// CHECK-NOT:     vector.load
// CHECK:         return
exec.kernel @shared inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  %1 = hgc.exp %0 : tensor<8xf32>
  %2 = hgc.mul %1, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = hgc.add %2, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  exec.store %3, %y : tensor<8xf32>, memref<8xf32>
}

// Units are blocks of 4096 elements; the last takes the rest. A splat constant is
// a constant.
// CHECK: exec.kernel @units {{.*}}units = 2 : i64
// CHECK-LABEL: func.func private @units_body
// CHECK:         %[[TWO:.*]] = arith.constant dense<2.000000e+00> : vector<16xf32>
// CHECK:         scf.for %[[U:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[LOW:.*]] = arith.muli %[[U]], %c4096
// CHECK:           arith.select
// CHECK:           arith.mulf %{{.*}}, %[[TWO]]
exec.kernel @units inputs 1 {
^bb0(%x: memref<100x101xf32>, %y: memref<100x101xf32>):
  %0 = exec.load %x : memref<100x101xf32> -> tensor<100x101xf32>
  %c = hgc.constant dense<2.0> : tensor<f32>
  %1 = hgc.mul %0, %c : (tensor<100x101xf32>, tensor<f32>) -> tensor<100x101xf32>
  exec.store %1, %y : tensor<100x101xf32>, memref<100x101xf32>
}

// An input that is transposed beside one that is not is read in tiles: the loop along its
// rows is innermost.
// CHECK: exec.kernel @transposed {{.*}}schedule = "pointwise loops=2 lanes=8 tiled"
// CHECK-LABEL: func.func private @transposed_body
// CHECK-COUNT-8: memref.load
// CHECK:         vector.from_elements
// CHECK:         vector.store
exec.kernel @transposed inputs 2 {
^bb0(%x: memref<67x130xf32>, %z: memref<130x67xf32>, %y: memref<130x67xf32>):
  %0 = exec.load %x : memref<67x130xf32> -> tensor<67x130xf32>
  %1 = exec.load %z : memref<130x67xf32> -> tensor<130x67xf32>
  %2 = hgc.transpose %0 permutation = [1, 0] : (tensor<67x130xf32>) -> tensor<130x67xf32>
  %3 = hgc.add %2, %1 : (tensor<130x67xf32>, tensor<130x67xf32>) -> tensor<130x67xf32>
  exec.store %3, %y : tensor<130x67xf32>, memref<130x67xf32>
}

// f16 computes in f32 and rounds after every op; i1 is a byte in memory.
// CHECK-LABEL: func.func private @half_body
// CHECK-SAME:    memref<8xi8>
// CHECK:         arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK:         arith.addf {{.*}} : vector<8xf32>
// CHECK:         arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
// CHECK:         arith.extf
// CHECK:         arith.cmpf ogt
// CHECK:         arith.extui {{.*}} : vector<8xi1> to vector<8xi8>
exec.kernel @half inputs 1 {
^bb0(%x: memref<8xf16>, %y: memref<8xi1>):
  %0 = exec.load %x : memref<8xf16> -> tensor<8xf16>
  %1 = hgc.add %0, %0 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %2 = hgc.compare gt %1, %0 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xi1>
  exec.store %2, %y : tensor<8xi1>, memref<8xi1>
}

// bf16 is rounded with integers: no CPU needs bf16 instructions for it.
// CHECK-LABEL: func.func private @brain_body
// CHECK-NOT:     arith.extf
// CHECK-NOT:     arith.truncf
// CHECK:         arith.shrui
// CHECK:         return
exec.kernel @brain inputs 1 {
^bb0(%x: memref<8xbf16>, %y: memref<8xbf16>):
  %0 = exec.load %x : memref<8xbf16> -> tensor<8xbf16>
  %1 = hgc.add %0, %0 : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  exec.store %1, %y : tensor<8xbf16>, memref<8xbf16>
}

// Rank 0: one scalar.
// CHECK-LABEL: func.func private @scalar_body
// CHECK:         memref.load
// CHECK:         arith.negf {{.*}} : f32
exec.kernel @scalar inputs 1 {
^bb0(%x: memref<f32>, %y: memref<f32>):
  %0 = exec.load %x : memref<f32> -> tensor<f32>
  %1 = hgc.neg %0 : tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32>
}
