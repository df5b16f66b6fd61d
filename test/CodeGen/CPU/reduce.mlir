// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Rows: lanes along the row, the rest of it in one more step that counts only
// the lanes not seen before, then the lanes are folded in halves.
// CHECK: exec.kernel @rows {{.*}}schedule = "reduce rows of 1000, lanes=32"
// CHECK-LABEL: func.func private @rows_body
// CHECK:         %[[ACC:.*]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf32>)
// CHECK:         %[[REST:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<32xi1>, vector<32xf32>
// CHECK:         arith.addf %[[ACC]], %[[REST]] : vector<32xf32>
// CHECK:         vector.extract_strided_slice
// CHECK:         arith.addf {{.*}} : vector<16xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK:         memref.store
exec.kernel @rows inputs 1 {
^bb0(%x: memref<9x1000xf32>, %y: memref<9x1xf32>):
  %0 = exec.load %x : memref<9x1000xf32> -> tensor<9x1000xf32>
  %1 = hgc.reduce sum %0 axes = [1] keepdims : (tensor<9x1000xf32>) -> tensor<9x1xf32>
  exec.store %1, %y : tensor<9x1xf32>, memref<9x1xf32>
}

// Columns: lanes are results; the epilogue works on the accumulators.
// CHECK-LABEL: func.func private @columns_body
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK:           arith.maximumf
// CHECK:         math.exp {{.*}} : vector<16xf32>
// CHECK:         vector.store
exec.kernel @columns inputs 1 {
^bb0(%x: memref<30x16xf32>, %y: memref<16xf32>):
  %0 = exec.load %x : memref<30x16xf32> -> tensor<30x16xf32>
  %1 = hgc.reduce max %0 axes = [0] : (tensor<30x16xf32>) -> tensor<16xf32>
  %2 = hgc.exp %1 : tensor<16xf32>
  exec.store %2, %y : tensor<16xf32>, memref<16xf32>
}

// Long sums are taken in pieces whose totals are f64, whatever the thread count.
// CHECK: exec.kernel @long {{.*}}"reduce rows of 100000, lanes=32, 3 parts", {{.*}}units = 3 : i64
// CHECK-LABEL: func.func private @long_body
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (f64)
// CHECK:           scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf32>)
// CHECK:           arith.extf {{.*}} : f32 to f64
// CHECK-LABEL: func.func private @long_finish_body
// CHECK:         arith.truncf {{.*}} : f64 to f32
exec.kernel @long inputs 1 {
^bb0(%x: memref<100x1000xf32>, %y: memref<f32>):
  %0 = exec.load %x : memref<100x1000xf32> -> tensor<100x1000xf32>
  %1 = hgc.reduce sum %0 axes = [0, 1] : (tensor<100x1000xf32>) -> tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32>
}

// The mean of narrow integers is taken of the sum in 64 bits.
// CHECK-LABEL: func.func private @mean_body
// CHECK:         arith.extsi {{.*}} : vector<{{.*}}xi8> to vector<{{.*}}xi64>
// CHECK:         arith.divsi {{.*}} : i64
// CHECK:         arith.trunci {{.*}} : i64 to i8
exec.kernel @mean inputs 1 {
^bb0(%x: memref<2x64xi8>, %y: memref<2xi8>):
  %0 = exec.load %x : memref<2x64xi8> -> tensor<2x64xi8>
  %1 = hgc.reduce mean %0 axes = [1] : (tensor<2x64xi8>) -> tensor<2xi8>
  exec.store %1, %y : tensor<2xi8>, memref<2xi8>
}

// Signs are in the operations.
// CHECK-LABEL: func.func private @unsigned_body
// CHECK:         arith.minui
exec.kernel @unsigned inputs 1 {
^bb0(%x: memref<4x8xui16>, %y: memref<8xui16>):
  %0 = exec.load %x : memref<4x8xui16> -> tensor<4x8xui16>
  %1 = hgc.reduce min %0 axes = [0] : (tensor<4x8xui16>) -> tensor<8xui16>
  exec.store %1, %y : tensor<8xui16>, memref<8xui16>
}

// The prologue is evaluated inside the loop, at the reduced index.
// CHECK-LABEL: func.func private @prologue_body
// CHECK:         scf.for
// CHECK:           arith.cmpf olt
// CHECK:           arith.ori
exec.kernel @prologue inputs 2 {
^bb0(%x: memref<4x64xf32>, %z: memref<64xf32>, %y: memref<4xi1>):
  %0 = exec.load %x : memref<4x64xf32> -> tensor<4x64xf32>
  %1 = exec.load %z : memref<64xf32> -> tensor<64xf32>
  %2 = hgc.compare lt %0, %1 : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xi1>
  %3 = hgc.reduce any %2 axes = [1] : (tensor<4x64xi1>) -> tensor<4xi1>
  exec.store %3, %y : tensor<4xi1>, memref<4xi1>
}

// Nothing reduced: a copy.
// CHECK-LABEL: func.func private @none_body
// CHECK:         vector.load
// CHECK:         vector.store
exec.kernel @none inputs 1 {
^bb0(%x: memref<8x1xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8x1xf32> -> tensor<8x1xf32>
  %1 = hgc.reduce sum %0 axes = [1] : (tensor<8x1xf32>) -> tensor<8xf32>
  exec.store %1, %y : tensor<8xf32>, memref<8xf32>
}
