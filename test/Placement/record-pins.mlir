// RUN: hgc-opt --hgc-name-ops --hgc-record-pins %s --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: hgc-opt --hgc-name-ops --hgc-record-pins --canonicalize --hgc-resolve-pins %s 2>&1 | FileCheck %s --check-prefix=FOLDED

// CHECK: module attributes {hgc.pinned_ops = [loc("gone"({{.*}})), loc("kept"({{.*}}))]}
// FOLDED: record-pins.mlir:10:{{.*}}: remark: the pinned op 'gone' was folded away
// FOLDED: hint: drop the pin; the op is computed while compiling, or another op does its work
// FOLDED-NOT: 'kept'
// FOLDED: hgc.neg {{.*}} {hgc.pin = #hgc.device<cpu>}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.relu %x {hgc.name = "gone", hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  %1 = hgc.neg %x {hgc.name = "kept", hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %1 : tensor<4xf32>
}
