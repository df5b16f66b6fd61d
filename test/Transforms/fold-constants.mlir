// RUN: hgc-opt --hgc-fold-constants --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-fold-constants=parameter-limit=4 --split-input-file %s | FileCheck %s --check-prefix=LIMIT

// Constants and small immutable parameters are evaluated through chains.
hgc.parameter @variance : tensor<2xf32> = dense<[3.0, 15.0]>
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    %[[C:.*]] = hgc.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK-NEXT:    hgc.mul %{{.*}}, %[[C]]
// LIMIT-LABEL: func.func @chain
// LIMIT:         hgc.rsqrt
func.func @chain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = hgc.constant dense<1.0> : tensor<f32>
  %v = hgc.read @variance : tensor<2xf32>
  %0 = hgc.add %v, %one : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = hgc.rsqrt %0 : tensor<2xf32>
  %2 = hgc.mul %x, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// Assigned parameters are not known, and a view of a parameter stays a view.
hgc.parameter @state : tensor<2xf32> = dense<1.0>
hgc.parameter @fixed : tensor<2xf32> = dense<[1.0, 2.0]>
// CHECK-LABEL: func.func @stay
// CHECK:         hgc.neg
// CHECK:         hgc.reshape
func.func @stay() -> (tensor<2xf32>, tensor<2x1xf32>) {
  %s = hgc.read @state : tensor<2xf32>
  %0 = hgc.neg %s : tensor<2xf32>
  hgc.assign @state, %0 : tensor<2xf32>
  %f = hgc.read @fixed : tensor<2xf32>
  %1 = hgc.reshape %f shape [2, 1] : (tensor<2xf32>) -> tensor<2x1xf32>
  return %0, %1 : tensor<2xf32>, tensor<2x1xf32>
}

// -----

// A result far larger than its operands is computed at run time.
// CHECK-LABEL: func.func @large
// CHECK:         hgc.iota
func.func @large() -> tensor<1000x1000xi32> {
  %0 = hgc.iota shape [1000, 1000] axis 1 of i32 : tensor<1000x1000xi32>
  return %0 : tensor<1000x1000xi32>
}

// -----

// A pin belongs to its op: the pass runs before placement and spreads none.
// CHECK-LABEL: func.func @pin
// CHECK:         hgc.neg %{{.*}} : tensor<2xf32>
// CHECK:         hgc.relu %{{.*}} {hgc.device = #hgc.device<gpu>}
func.func @pin(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = hgc.neg %x : tensor<2xf32>
  %1 = hgc.relu %0 {hgc.device = #hgc.device<gpu>} : tensor<2xf32>
  return %1 : tensor<2xf32>
}
