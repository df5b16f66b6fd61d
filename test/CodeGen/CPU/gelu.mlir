// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// gelu of f32 is max(x, 0) - |x| Q(|x|) with the eighth power of a polynomial: no error
// function, no exponential, no division. f64 follows the formula.
// CHECK-LABEL: func.func private @single_body
// CHECK-NOT:     math.erf
// CHECK-NOT:     math.exp
// CHECK-NOT:     arith.divf
// CHECK:         %[[T:.*]] = math.absf
// CHECK:         %[[P2:[0-9]+]] = arith.mulf %[[ROOT:[0-9]+]], %[[ROOT]] : vector<16xf32>
// CHECK-NEXT:    %[[P4:[0-9]+]] = arith.mulf %[[P2]], %[[P2]] : vector<16xf32>
// CHECK-NEXT:    arith.mulf %[[P4]], %[[P4]] : vector<16xf32>
// The larger of x and 0 is what x exceeds the smaller by.
// CHECK-NEXT:    %[[BELOW:.*]] = arith.cmpf olt, %[[X:.*]], %[[ZERO:.*]] : vector<16xf32>
// CHECK-NEXT:    %[[LEAST:.*]] = arith.select %[[BELOW]], %[[X]], %[[ZERO]]
// CHECK-NEXT:    arith.subf %[[X]], %[[LEAST]] : vector<16xf32>
// CHECK-NOT:     math.erf
// CHECK-LABEL: func.func private @double_body
// CHECK:         math.erf
exec.kernel @single inputs 1 {
^bb0(%x: memref<64xf32>, %y: memref<64xf32>):
  %0 = exec.load %x : memref<64xf32> -> tensor<64xf32>
  %1 = hgc.gelu %0 : tensor<64xf32>
  exec.store %1, %y : tensor<64xf32>, memref<64xf32>
}

exec.kernel @double inputs 1 {
^bb0(%x: memref<64xf64>, %y: memref<64xf64>):
  %0 = exec.load %x : memref<64xf64> -> tensor<64xf64>
  %1 = hgc.gelu %0 : tensor<64xf64>
  exec.store %1, %y : tensor<64xf64>, memref<64xf64>
}
