// Long reductions are cut into parts that threads share: with rests and without, rows,
// columns and axes around kept ones, all kinds and several types. Results agree with the
// evaluator's, and are the same for every number of threads.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --num-threads=1 --output=f=@%t.f.npy --output=g=@%t.g.npy --output=h=@%t.h.npy
// RUN: hgc run %t.so --num-threads=2 --expect=f=@%t.f.npy --expect=g=@%t.g.npy --expect=h=@%t.h.npy --rtol=0 --atol=0
// RUN: hgc run %t.so --num-threads=7 --expect=f=@%t.f.npy --expect=g=@%t.g.npy --expect=h=@%t.h.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify -O0 --target-cpu x86-64-v2 -o %t.so
// RUN: hgc compile %s --emit=plan -o - | FileCheck %s
// CHECK-COUNT-7: parts"

module @reductions {
  func.func @run(%x: tensor<70001xf32>, %y: tensor<7001x10xf32>, %z: tensor<401x3x61xf16>, %n: tensor<90000xi32>)
      -> (tensor<f32> {hgc.name = "f"}, tensor<10xf32> {hgc.name = "g"}, tensor<3xf16> {hgc.name = "h"}, tensor<f32>,
          tensor<i1>, tensor<i32>, tensor<f32>) attributes {hgc.entry} {
    %a = hgc.tanh %x : tensor<70001xf32>
    %0 = hgc.reduce sum %a axes = [0] : (tensor<70001xf32>) -> tensor<f32>
    %1 = hgc.reduce mean %y axes = [0] : (tensor<7001x10xf32>) -> tensor<10xf32>
    %2 = hgc.reduce mean %z axes = [0, 2] : (tensor<401x3x61xf16>) -> tensor<3xf16>
    %3 = hgc.reduce max %x axes = [0] : (tensor<70001xf32>) -> tensor<f32>
    %b = hgc.is_nan %x : (tensor<70001xf32>) -> tensor<70001xi1>
    %4 = hgc.reduce any %b axes = [0] : (tensor<70001xi1>) -> tensor<i1>
    %5 = hgc.reduce sum %n axes = [0] : (tensor<90000xi32>) -> tensor<i32>
    %c = hgc.sigmoid %y : tensor<7001x10xf32>
    %6 = hgc.reduce prod %c axes = [0, 1] : (tensor<7001x10xf32>) -> tensor<f32>
    return %0, %1, %2, %3, %4, %5, %6
        : tensor<f32>, tensor<10xf32>, tensor<3xf16>, tensor<f32>, tensor<i1>, tensor<i32>, tensor<f32>
  }
}
