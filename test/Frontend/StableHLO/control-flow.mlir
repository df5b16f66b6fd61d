// Calls, choices and loops. What a loop does not change is not carried.

// RUN: hgc run %s --input arg0=3xf32=1,2,3 --input arg1=i32=4 --input arg2=i1=1 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/control-flow.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// RUN: FileCheck %s --check-prefix=GRAPH --input-file=%t.pretty
// GRAPH: hgc.while init(%{{.*}}, %{{.*}} : tensor<i32>, tensor<3xf32>)
// GRAPH: hgc.if
// CHECK: called: 3xf32=2,4,6
// CHECK: count: i32=4
// CHECK: looped: 3xf32=46,92,138
// CHECK: either: 3xf32=-1,-2,-3
// CHECK: case: 3xf32=1,4,9
// CHECK: last: 3xf32=-1,-2,-3
// CHECK: sharded: 3xf32=1,2,3
// CHECK: composite: 3xf32=2,4,6

module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<3xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}, %n: tensor<i32>, %p: tensor<i1>) -> (tensor<3xf32> {jax.result_info = "called"}, tensor<i32> {jax.result_info = "count"}, tensor<3xf32> {jax.result_info = "looped"}, tensor<3xf32> {jax.result_info = "either"}, tensor<3xf32> {jax.result_info = "case"}, tensor<3xf32> {jax.result_info = "last"}, tensor<3xf32> {jax.result_info = "sharded"}, tensor<3xf32> {jax.result_info = "composite"}) {
    %called = call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %loop:3 = stablehlo.while(%i = %zero, %scale = %called, %sum = %x) : tensor<i32>, tensor<3xf32>, tensor<3xf32>
    cond {
      %0 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.add %i, %one : tensor<i32>
      %1 = func.call @twice(%sum) : (tensor<3xf32>) -> tensor<3xf32>
      %2 = stablehlo.add %1, %scale : tensor<3xf32>
      stablehlo.return %0, %scale, %2 : tensor<i32>, tensor<3xf32>, tensor<3xf32>
    }
    %either = "stablehlo.if"(%p) ({
      %0 = stablehlo.negate %x : tensor<3xf32>
      stablehlo.return %0 : tensor<3xf32>
    }, {
      stablehlo.return %x : tensor<3xf32>
    }) : (tensor<i1>) -> tensor<3xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %index = stablehlo.subtract %n, %one : tensor<i32>
    %two = stablehlo.subtract %index, %one : tensor<i32>
    %case = "stablehlo.case"(%two) ({
      stablehlo.return %x : tensor<3xf32>
    }, {
      %0 = stablehlo.negate %x : tensor<3xf32>
      stablehlo.return %0 : tensor<3xf32>
    }, {
      %0 = stablehlo.multiply %x, %x : tensor<3xf32>
      stablehlo.return %0 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %last = "stablehlo.case"(%n) ({
      stablehlo.return %x : tensor<3xf32>
    }, {
      %0 = stablehlo.negate %x : tensor<3xf32>
      stablehlo.return %0 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %sharded = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
    %composite = stablehlo.composite "my.twice" %x {decomposition = @twice} : (tensor<3xf32>) -> tensor<3xf32>
    return %called, %loop#0, %loop#2, %either, %case, %last, %sharded, %composite : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.add %x, %x : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
