// RUN: hgc-opt "--hgc-bind-dims=dims=batch=2;seq=5" --split-input-file %s | FileCheck %s

// Two dims make one name, in the order of their first use.
// CHECK-LABEL: func.func @scan_seq5_batch2
func.func @scan(%xs: tensor<?x?x4xf32> {hgc.shape = ["seq", "batch", 4]},
                %h0: tensor<?x4xf32> {hgc.shape = ["batch", 4]}) -> (tensor<?x4xf32>, tensor<?x?x4xf32>)
    attributes {hgc.entry} {
  // CHECK:      hgc.scan init(%{{.*}} : tensor<2x4xf32>) over(%{{.*}} : tensor<5x2x4xf32>)
  // CHECK-SAME:   -> (tensor<2x4xf32>, tensor<5x2x4xf32>)
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<2x4xf32>, %{{.*}}: tensor<2x4xf32>):
  %h, %ys = hgc.scan init(%h0 : tensor<?x4xf32>) over(%xs : tensor<?x?x4xf32>)
      -> (tensor<?x4xf32>, tensor<?x?x4xf32>) {
  ^bb0(%s: tensor<?x4xf32>, %x: tensor<?x4xf32>):
    %n = hgc.add %s, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    hgc.yield %n, %n : tensor<?x4xf32>, tensor<?x4xf32>
  }
  return %h, %ys : tensor<?x4xf32>, tensor<?x?x4xf32>
}
// CHECK-LABEL: func.func @branch_batch2
func.func @branch(%c: tensor<i1>, %x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
  // CHECK: hgc.if %{{.*}} : tensor<i1> -> (tensor<2xf32>)
  %y = hgc.if %c : tensor<i1> -> (tensor<?xf32>) {
    %0 = hgc.neg %x : tensor<?xf32>
    hgc.yield %0 : tensor<?xf32>
  } else {
    hgc.yield %x : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
// CHECK-LABEL: func.func @loop_batch2
func.func @loop(%n: tensor<i32>, %x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
  %one = hgc.constant dense<1> : tensor<i32>
  // CHECK: hgc.while init({{.*}} : tensor<i32>, tensor<2xf32>) {{.*}}-> (tensor<i32>, tensor<2xf32>)
  %r:2 = hgc.while init(%n, %x : tensor<i32>, tensor<?xf32>) -> (tensor<i32>, tensor<?xf32>) cond {
  ^bb0(%i: tensor<i32>, %v: tensor<?xf32>):
    %p = hgc.compare gt %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    hgc.yield %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<?xf32>):
    %j = hgc.sub %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    // CHECK: hgc.neg %{{.*}} : tensor<2xf32>
    %w = hgc.neg %v : tensor<?xf32>
    hgc.yield %j, %w : tensor<i32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}
// Dim names in shape attributes become extents.
// CHECK-LABEL: func.func @shapes_batch2
func.func @shapes(%x: tensor<3xf32>) -> tensor<?x3xf32> attributes {hgc.entry} {
  // CHECK: hgc.broadcast %{{.*}} shape [2, 3] : (tensor<3xf32>) -> tensor<2x3xf32>
  %0 = hgc.broadcast %x shape ["batch", 3] : (tensor<3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
// An entry without dims is its own variant.
// CHECK-LABEL: func.func @fixed(
// CHECK-SAME:    hgc.variant_dims = {}, hgc.variant_of = "fixed"
func.func @fixed(%x: tensor<3xf32>) -> tensor<3xf32> attributes {hgc.entry} {
  return %x : tensor<3xf32>
}
