// RUN: hgc-opt --hgc-verify-fused=repair=true %s | FileCheck %s
// RUN: not hgc-opt --hgc-verify-fused %s 2>&1 | FileCheck %s --check-prefix=STRICT

// STRICT: error: internal error: the plan of 'f' costs {{[0-9]+}} ps, its certificate says 1 ps

// A certificate that does not hold is taken back, with its bound.
// CHECK-LABEL: func.func @f
// CHECK-SAME:    hgc.certificate = {alternatives = {}, certified = false, serial_ps = {{[0-9][0-9]+}} : i64}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f", hgc.certificate = {serial_ps = 1 : i64, bound_ps = 1 : i64, alternatives = {}}} {
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
