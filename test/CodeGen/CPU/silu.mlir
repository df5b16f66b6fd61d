// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// silu of f32 is x / (1 + exp(-x)): the power of two is an integer that is shifted to where the exponent is, and the
// division gives the result itself. f64 follows the formula.
// CHECK-LABEL: func.func private @single_body
// CHECK-NOT:     math.exp
// CHECK:         %[[X:.*]] = vector.load
// CHECK:         arith.shli
// CHECK-COUNT-6: arith.addf
// CHECK:         %[[Y:.*]] = arith.divf %[[X]], {{.*}} : vector<16xf32>
// CHECK-NEXT:    vector.store %[[Y]]
// CHECK-LABEL: func.func private @double_body
// CHECK:         math.exp
exec.kernel @single inputs 1 {
^bb0(%x: memref<64xf32>, %y: memref<64xf32>):
  %0 = exec.load %x : memref<64xf32> -> tensor<64xf32>
  %1 = hgc.silu %0 : tensor<64xf32>
  exec.store %1, %y : tensor<64xf32>, memref<64xf32>
}

exec.kernel @double inputs 1 {
^bb0(%x: memref<64xf64>, %y: memref<64xf64>):
  %0 = exec.load %x : memref<64xf64> -> tensor<64xf64>
  %1 = hgc.silu %0 : tensor<64xf64>
  exec.store %1, %y : tensor<64xf64>, memref<64xf64>
}
