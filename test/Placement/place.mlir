// RUN: hgc-opt --hgc-place --split-input-file %s | FileCheck %s

// Every op gets a device, in regions too; terminators have none.
// CHECK-LABEL: func.func @all
func.func @all(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  // CHECK: hgc.relu %{{.*}} {hgc.device = #hgc.device<cpu>}
  %0 = hgc.relu %x : tensor<4xf32>
  // CHECK: hgc.if {{.*}} attributes {hgc.device = #hgc.device<cpu>}
  %1 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
    // CHECK: hgc.neg %{{.*}} {hgc.device = #hgc.device<cpu>}
    %2 = hgc.neg %0 : tensor<4xf32>
    // CHECK: hgc.yield %{{[0-9a-z]+}} :
    hgc.yield %2 : tensor<4xf32>
  } else {
    hgc.yield %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
