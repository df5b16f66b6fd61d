// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// The literal takes the declared type.
// CHECK: hgc.parameter @fc1.bias : tensor<128xf32> = dense<0.000000e+00>
hgc.parameter @fc1.bias : tensor<128xf32> = dense<0.0>
// CHECK: hgc.parameter @ids : tensor<2xui8> = dense<[1, 255]> {hgc.device = #hgc.device<gpu : 1>}
hgc.parameter @ids : tensor<2xui8> = dense<[1, 255]> {hgc.device = #hgc.device<gpu:1>}
// CHECK: hgc.parameter @big : tensor<2xi32> = dense_resource<big>
hgc.parameter @big : tensor<2xi32> = dense_resource<big>
// CHECK: hgc.parameter @file : tensor<784x128xf32> = #hgc.file<"weights/mlp.safetensors", "fc1.weight">
hgc.parameter @file : tensor<784x128xf32> = #hgc.file<"weights/mlp.safetensors", "fc1.weight">
// CHECK: hgc.parameter @init : tensor<128x10xf32> = #hgc.init<glorot_uniform, seed = 2>
hgc.parameter @init : tensor<128x10xf32> = #hgc.init<glorot_uniform, seed = 2>
// CHECK: hgc.parameter @scaled : tensor<10xf16> = #hgc.init<normal, seed = -5, scale = 5.000000e-02>
hgc.parameter @scaled : tensor<10xf16> = #hgc.init<normal, scale = 0.05, seed = -5>
// CHECK: hgc.parameter @step : tensor<i64> = #hgc.init<zeros>
hgc.parameter @step : tensor<i64> = #hgc.init<zeros>

// CHECK-LABEL: func @count
func.func @count() -> tensor<i64> attributes {hgc.entry} {
  // CHECK: %[[STEP:.*]] = hgc.read @step : tensor<i64>
  %0 = hgc.read @step : tensor<i64>
  // CHECK: hgc.assign @step, %[[STEP]] : tensor<i64>
  hgc.assign @step, %0 : tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func @checked
// CHECK-SAME:    (%[[OK:.*]]: tensor<i1>)
func.func @checked(%ok: tensor<i1>) {
  // CHECK: hgc.check %[[OK]], "no good" : tensor<i1>
  hgc.check %ok, "no good" : tensor<i1>
  return
}

{-#
  dialect_resources: {
    builtin: {
      big: "0x040000000100000002000000"
    }
  }
#-}
