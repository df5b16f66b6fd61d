// Loops that count are scans: rows they read and write at the counter are sequences and stacked results, in either
// direction. Other reads stay what they are, and long counts without rows stay loops.

// RUN: hgc run %s --input arg0=3x2xf32=1,2,3,4,5,6 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/scans.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: %[[C:.*]] = hgc.constant dense<[0, 1, 2]> : tensor<3xi32>
// GRAPH: hgc.scan init(%{{[^,]*}} : tensor<2xf32>) over(%arg0, %[[C]] : tensor<3x2xf32>, tensor<3xi32>) -> (tensor<2xf32>, tensor<3x2xf32>)
// GRAPH-NOT: hgc.scatter
// GRAPH: hgc.scan {{.*}}over(%arg0, %{{.*}} : tensor<3x2xf32>, tensor<3xi32>) reverse
// GRAPH: hgc.scan
// GRAPH: hgc.slice %arg0 at
// GRAPH: hgc.while
// CHECK: sum: 2xf32=13,16
// CHECK: sums: 3x2xf32=0,0,3,4,13,16
// CHECK: count: i32=3
// CHECK: backwards: 3x2xf32=9,12,8,10,5,6
// CHECK: shifted: 2xf32=13,16
// CHECK: long: 2xf32=2500,2500

module @scans {
  func.func public @main(%x: tensor<3x2xf32>) -> (tensor<2xf32> {jax.result_info = "sum"}, tensor<3x2xf32> {jax.result_info = "sums"}, tensor<i32> {jax.result_info = "count"}, tensor<3x2xf32> {jax.result_info = "backwards"}, tensor<2xf32> {jax.result_info = "shifted"}, tensor<2xf32> {jax.result_info = "long"}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %many = stablehlo.constant dense<5000> : tensor<i32>
    %row = stablehlo.constant dense<0.0> : tensor<2xf32>
    %rows = stablehlo.constant dense<0.0> : tensor<3x2xf32>
    %forward:3 = stablehlo.while(%i = %zero, %sum = %row, %out = %rows) : tensor<i32>, tensor<2xf32>, tensor<3x2xf32>
    cond {
      %0 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.dynamic_slice %x, %i, %zero, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2xf32>
      %2 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<2xf32>
      %4 = stablehlo.multiply %1, %3 : tensor<2xf32>
      %5 = stablehlo.add %sum, %4 : tensor<2xf32>
      %6 = stablehlo.reshape %5 : (tensor<2xf32>) -> tensor<1x2xf32>
      %7 = stablehlo.dynamic_update_slice %out, %6, %i, %zero : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
      %8 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %8, %5, %7 : tensor<i32>, tensor<2xf32>, tensor<3x2xf32>
    }
    %reverse:3 = stablehlo.while(%i = %zero, %sum = %row, %out = %rows) : tensor<i32>, tensor<2xf32>, tensor<3x2xf32>
    cond {
      %0 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.subtract %three, %i : tensor<i32>
      %1 = stablehlo.subtract %0, %one : tensor<i32>
      %2 = stablehlo.compare LT, %1, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.add %1, %three : tensor<i32>
      %4 = stablehlo.select %2, %3, %1 : tensor<i1>, tensor<i32>
      %5 = stablehlo.dynamic_slice %x, %4, %zero, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %6 = stablehlo.reshape %5 : (tensor<1x2xf32>) -> tensor<2xf32>
      %7 = stablehlo.add %sum, %6 : tensor<2xf32>
      %8 = stablehlo.reshape %7 : (tensor<2xf32>) -> tensor<1x2xf32>
      %9 = stablehlo.dynamic_update_slice %out, %8, %4, %zero : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
      %10 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %10, %7, %9 : tensor<i32>, tensor<2xf32>, tensor<3x2xf32>
    }
    %shifted:2 = stablehlo.while(%i = %zero, %sum = %row) : tensor<i32>, tensor<2xf32>
    cond {
      %0 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.add %i, %one : tensor<i32>
      %1 = stablehlo.dynamic_slice %x, %0, %zero, sizes = [1, 2] : (tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
      %2 = stablehlo.reshape %1 : (tensor<1x2xf32>) -> tensor<2xf32>
      %3 = stablehlo.add %sum, %2 : tensor<2xf32>
      stablehlo.return %0, %3 : tensor<i32>, tensor<2xf32>
    }
    %half = stablehlo.constant dense<0.5> : tensor<2xf32>
    %long:2 = stablehlo.while(%i = %zero, %sum = %row) : tensor<i32>, tensor<2xf32>
    cond {
      %0 = stablehlo.compare LT, %i, %many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.add %i, %one : tensor<i32>
      %1 = stablehlo.add %sum, %half : tensor<2xf32>
      stablehlo.return %0, %1 : tensor<i32>, tensor<2xf32>
    }
    return %forward#1, %forward#2, %forward#0, %reverse#2, %shifted#1, %long#1 : tensor<2xf32>, tensor<3x2xf32>, tensor<i32>, tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
