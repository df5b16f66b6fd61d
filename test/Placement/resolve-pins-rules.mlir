// RUN: hgc-opt --pass-pipeline='builtin.module(hgc-name-ops,hgc-resolve-pins{rules="cpu(=enc.last);gpu:1(enc.*);cpu(.*)"})' %s | FileCheck %s
// RUN: not hgc-opt --pass-pipeline='builtin.module(hgc-resolve-pins{rules="gpu"})' %s 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not hgc-opt --pass-pipeline='builtin.module(hgc-resolve-pins{rules="gpu(a[)"})' %s 2>&1 | FileCheck %s --check-prefix=REGEX
// RUN: not hgc-opt --pass-pipeline='builtin.module(hgc-resolve-pins{rules="gpu:x(a)"})' %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: hgc-opt --pass-pipeline='builtin.module(hgc-name-ops,hgc-resolve-pins{rules="gpu(dec)"})' %s 2>&1 | FileCheck %s --check-prefix=NONE

// FORM: error: placement rule 'gpu' is not of the form device(pattern)
// FORM: hint: write rules such as 'gpu(encoder.*); cpu(=probs)'
// REGEX: error: placement rule 'gpu(a[)' has a bad regular expression
// DEVICE: error: placement rule 'gpu:x(a)' is not of the form device(pattern)
// NONE: remark: placement rule 'gpu(dec)' matches no op
// NONE: hint: hgc compile --emit=graph --mlir-print-debuginfo shows the names; an op may have been folded away

// The first rule that matches the whole name decides, before pins in the model.
// CHECK-LABEL: func.func @f
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.relu {{.*}} {hgc.pin = #hgc.device<gpu : 1>}
  %0 = hgc.relu %x {hgc.name = "enc.first"} : tensor<4xf32>
  // CHECK: hgc.tanh {{.*}} {hgc.pin = #hgc.device<cpu>}
  %1 = hgc.tanh %0 {hgc.name = "enc.last"} : tensor<4xf32>
  // CHECK: hgc.neg {{.*}} {hgc.pin = #hgc.device<cpu>}
  %2 = hgc.neg %1 {hgc.name = "dec.enc", hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
