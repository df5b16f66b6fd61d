// RUN: hgc-opt --hgc-bind-dims %s | FileCheck %s
// RUN: hgc-opt "--hgc-bind-dims=dims=batch=7" %s | FileCheck %s --check-prefix=OPTION

// One clone per extent, with types inferred again; names are filled in.
// CHECK-NOT:   func.func @predict(
// CHECK-LABEL: func.func @predict_batch1(
// CHECK-SAME:    tensor<1x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]}
// CHECK-SAME:    -> (tensor<1x3xf32> {hgc.name = "result0", hgc.shape = ["batch", 3]})
// CHECK-SAME:    hgc.variant_dims = {batch = 1 : i64}, hgc.variant_of = "predict"
// CHECK:         hgc.matmul {{.*}} -> tensor<1x3xf32>
// CHECK-LABEL: func.func @predict_batch32(
// CHECK-SAME:    hgc.variant_dims = {batch = 32 : i64}, hgc.variant_of = "predict"
// CHECK:         hgc.matmul {{.*}} -> tensor<32x3xf32>
// CHECK:         hgc.relu {{.*}} : tensor<32x3xf32>
// OPTION-NOT:    @predict_batch1
// OPTION:        func.func @predict_batch7(
module attributes {hgc.dims = {batch = [1, 32]}} {
  func.func @predict(%x: tensor<?x4xf32> {hgc.name = "x", hgc.shape = ["batch", 4]}, %w: tensor<4x3xf32>)
      -> tensor<?x3xf32> attributes {hgc.entry} {
    %0 = hgc.matmul %x, %w : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    %1 = hgc.relu %0 : tensor<?x3xf32>
    return %1 : tensor<?x3xf32>
  }
}
