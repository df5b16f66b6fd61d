// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// CHECK: module @mlp attributes {hgc.dims = {batch = [1, 32], seq_len = [128]}, hgc.target_cpu = "znver2"}
module @mlp attributes {hgc.dims = {batch = [1, 32], seq_len = [128]}, hgc.target_cpu = "znver2"} {
  // CHECK: func.func @predict(%{{.*}}: tensor<?x784xf32> {hgc.name = "x", hgc.shape = ["batch", 784]})
  // CHECK-SAME: -> (tensor<?x784xf32> {hgc.name = "y", hgc.shape = ["batch", 784]})
  // CHECK-SAME: attributes {hgc.device = #hgc.device<gpu>, hgc.entry}
  func.func @predict(%x: tensor<?x784xf32> {hgc.name = "x", hgc.shape = ["batch", 784]})
      -> (tensor<?x784xf32> {hgc.name = "y", hgc.shape = ["batch", 784]})
      attributes {hgc.entry, hgc.device = #hgc.device<gpu:0>} {
    // CHECK: hgc.relu %{{.*}} {hgc.device = #hgc.device<cpu>, hgc.name = "act"} : tensor<?x784xf32>
    %0 = hgc.relu %x {hgc.name = "act", hgc.device = #hgc.device<cpu>} : tensor<?x784xf32>
    return %0 : tensor<?x784xf32>
  }

  // Passes leave notes for later ones.
  // CHECK: hgc.parameter @packed : tensor<4xf32> = dense<0.000000e+00> {hgc.packed_from = "w"}
  hgc.parameter @packed : tensor<4xf32> = dense<0.0> {hgc.packed_from = "w"}

  // A bound variant keeps its dim names beside static extents.
  // CHECK: func.func @predict_1(%{{.*}}: tensor<1x784xf32> {hgc.shape = ["batch", 784]})
  func.func @predict_1(%x: tensor<1x784xf32> {hgc.shape = ["batch", 784]}) -> tensor<1x784xf32>
      attributes {hgc.entry, hgc.variant_of = "predict", hgc.variant_dims = {batch = 1 : i64}} {
    return %x : tensor<1x784xf32>
  }
}
