// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt --canonicalize %s | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func @gather_along
func.func @gather_along(%x: tensor<8x10xf32>, %i: tensor<8x3xi64>, %j: tensor<?x10xi32>) {
  // CHECK: hgc.gather_along %{{.*}}, %{{.*}} axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>) -> tensor<8x3xf32>
  %0 = hgc.gather_along %x, %i axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>) -> tensor<8x3xf32>
  // CHECK: hgc.gather_along %{{.*}}, %{{.*}} axis 0 : (tensor<8x10xf32>, tensor<?x10xi32>) -> tensor<?x10xf32>
  %1 = hgc.gather_along %x, %j axis 0 : (tensor<8x10xf32>, tensor<?x10xi32>) -> tensor<?x10xf32>
  return
}

// CHECK-LABEL: func @scatter
func.func @scatter(%x: tensor<8x10xf32>, %i: tensor<8x3xi64>, %u: tensor<8x3xf32>, %r: tensor<2x5xi32>,
                   %s: tensor<2x5x10xf32>, %b: tensor<4xi1>, %bi: tensor<2xi32>, %bu: tensor<2xi1>) {
  // CHECK: hgc.scatter set %{{.*}}, %{{.*}}, %{{.*}} axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>, tensor<8x3xf32>) -> tensor<8x10xf32>
  %0 = hgc.scatter set %x, %i, %u axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>, tensor<8x3xf32>) -> tensor<8x10xf32>
  // CHECK: hgc.scatter add %{{.*}}, %{{.*}}, %{{.*}} axis 0 slices : (tensor<8x10xf32>, tensor<2x5xi32>, tensor<2x5x10xf32>) -> tensor<8x10xf32>
  %1 = hgc.scatter add %x, %r, %s axis 0 slices : (tensor<8x10xf32>, tensor<2x5xi32>, tensor<2x5x10xf32>) -> tensor<8x10xf32>
  // CHECK: hgc.scatter set %{{.*}} : (tensor<4xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<4xi1>
  %2 = hgc.scatter set %b, %bi, %bu axis 0 : (tensor<4xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<4xi1>
  return
}

// Without updates the input stays; one of them is enough for a new tensor.
// FOLD-LABEL: func @no_updates
// FOLD-SAME:    (%[[X:.*]]: tensor<8xf32>
func.func @no_updates(%x: tensor<8xf32>, %i: tensor<0xi64>, %u: tensor<0xf32>, %j: tensor<1xi64>, %w: tensor<1xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  // FOLD: %[[S:.*]] = hgc.scatter add
  // FOLD: return %[[X]], %[[S]]
  %0 = hgc.scatter add %x, %i, %u axis 0 : (tensor<8xf32>, tensor<0xi64>, tensor<0xf32>) -> tensor<8xf32>
  %1 = hgc.scatter add %x, %j, %w axis 0 : (tensor<8xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
