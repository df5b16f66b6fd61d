// Branches and loops whose values live on the GPU, on the host, or partly on
// either, agree with the evaluator in both arena modes.
// RUN: hgc compile %s --gpu=sm_80 '--place=gpu(.*)' --strict-placement --verify --device=emulated -o %t.so
// RUN: hgc compile %s --gpu=sm_80 '--place=gpu(.*)' --arena=separate --verify --device=emulated -o %t.so
// RUN: hgc compile %s --gpu=sm_80 '--place=gpu(.*)' -O0 --verify --device=emulated -o %t.so
// RUN: hgc compile %s --gpu=sm_80 '--place=cpu(.*tanh.*);gpu(.*)' --verify --device=emulated -o %t.so
// RUN: hgc compile %s --gpu=sm_80 '--place=cpu(loop);gpu(.*)' --arena=separate --verify --device=emulated -o %t.so
// RUN: hgc compile %s --gpu=sm_80 '--place=cpu(.*)' --verify --device=emulated -o %t.so
// RUN: hgc compile %s --gpu=sm_80 '--place=gpu(.*)' --emit=placed -o %t.mlir
// RUN: hgc compile %t.mlir --start-from=placed --emit=fused -o %t.fused.mlir
// RUN: hgc compile %t.fused.mlir --start-from=fused --emit=exec -o %t.exec.mlir
// RUN: hgc compile %t.exec.mlir --start-from=exec -o %t.so
// RUN: hgc run %t.so --entry=choose --input c=i1=1 --input x=3xf32=1,2,3 --device=emulated | FileCheck %s
// CHECK: device: emulated
// CHECK: y: 3xf32=0.7615941{{[0-9]+}},0.9640275{{[0-9]+}},0.995054
module @control {
  hgc.parameter @w : tensor<4x4xf32> = #hgc.init<glorot_uniform, seed = 3>
  func.func @choose(%c: tensor<i1> {hgc.name = "c"}, %x: tensor<3xf32> {hgc.name = "x"}) -> (tensor<3xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %y = hgc.if %c : tensor<i1> -> (tensor<3xf32>) {
      %t = hgc.tanh %x : tensor<3xf32>
      hgc.yield %t : tensor<3xf32>
    } else {
      %e = hgc.neg %x : tensor<3xf32>
      hgc.yield %e : tensor<3xf32>
    }
    return %y : tensor<3xf32>
  }
  // The predicate depends on what the loop computes on the GPU.
  func.func @until(%x: tensor<4xf32> {hgc.name = "x"}) -> (tensor<4xf32> {hgc.name = "y"}, tensor<i32> {hgc.name = "n"}) attributes {hgc.entry} {
    %zero = hgc.constant dense<0> : tensor<i32>
    %one = hgc.constant dense<1> : tensor<i32>
    %ten = hgc.constant dense<10> : tensor<i32>
    %limit = hgc.constant dense<100.0> : tensor<f32>
    %w = hgc.read @w : tensor<4x4xf32>
    %s, %n = hgc.while init(%x, %zero : tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>) attributes {hgc.name = "loop"} cond {
    ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
      %sum = hgc.reduce sum %a axes = [0] : (tensor<4xf32>) -> tensor<f32>
      %size = hgc.abs %sum : tensor<f32>
      %small = hgc.compare lt %size, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %few = hgc.compare lt %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %p = hgc.and %small, %few : (tensor<i1>, tensor<i1>) -> tensor<i1>
      hgc.yield %p : tensor<i1>
    } do {
    ^bb0(%a: tensor<4xf32>, %i: tensor<i32>):
      %r = hgc.reshape %a shape [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
      %m = hgc.matmul %r, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
      %f = hgc.reshape %m shape [4] : (tensor<1x4xf32>) -> tensor<4xf32>
      %next = hgc.add %a, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %j = hgc.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      hgc.yield %next, %j : tensor<4xf32>, tensor<i32>
    }
    return %s, %n : tensor<4xf32>, tensor<i32>
  }
  // A scan in a scan, backwards, with a branch inside.
  func.func @nested(%xs: tensor<3x2x4xf32> {hgc.name = "xs"}, %c: tensor<i1> {hgc.name = "c"}) -> (tensor<4xf32> {hgc.name = "last"}, tensor<3x4xf32> {hgc.name = "all"}) attributes {hgc.entry} {
    %zero = hgc.constant dense<0.0> : tensor<4xf32>
    %last, %all = hgc.scan init(%zero : tensor<4xf32>) over(%xs : tensor<3x2x4xf32>) reverse -> (tensor<4xf32>, tensor<3x4xf32>) {
    ^bb0(%s: tensor<4xf32>, %x: tensor<2x4xf32>):
      %inner = hgc.scan init(%s : tensor<4xf32>) over(%x : tensor<2x4xf32>) -> (tensor<4xf32>) {
      ^bb0(%t: tensor<4xf32>, %v: tensor<4xf32>):
        %n = hgc.add %t, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        %u = hgc.tanh %n : tensor<4xf32>
        hgc.yield %u : tensor<4xf32>
      }
      %out = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
        %e = hgc.exp %inner : tensor<4xf32>
        hgc.yield %e : tensor<4xf32>
      } else {
        hgc.yield %inner : tensor<4xf32>
      }
      hgc.yield %inner, %out : tensor<4xf32>, tensor<4xf32>
    }
    return %last, %all : tensor<4xf32>, tensor<3x4xf32>
  }
}
