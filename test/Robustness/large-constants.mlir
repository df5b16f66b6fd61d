// A constant of 400 GB takes one line; folding must not spread it out.
// RUN: hgc compile %s --emit=fused | FileCheck %s
// CHECK: hgc.reduce sum

func.func @sum() -> tensor<f32> attributes {hgc.entry} {
  %c = hgc.constant dense<1.0> : tensor<1000000x100000xf32>
  %0 = hgc.reduce sum %c axes = [0, 1] : (tensor<1000000x100000xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
