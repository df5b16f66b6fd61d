// Attention that is on the CPU becomes ops, some of which the model has already: they are computed once, and
// the certificate knows.
// RUN: hgc compile %s --gpu=sm_80 --check-certificate --emit=fused -o - | FileCheck %s
// RUN: hgc compile %s --gpu=sm_80 '--place=cpu(.*)' --check-certificate --emit=fused -o - | FileCheck %s
// RUN: hgc compile %s --gpu=sm_80 -O0 --check-certificate --emit=fused -o - | FileCheck %s --check-prefix=PLAIN

// CHECK-LABEL: func.func @f.gpu
// CHECK-COUNT-1: hgc.matmul {{.*}} transpose_rhs
// CHECK-NOT: hgc.matmul {{.*}} transpose_rhs
// PLAIN-LABEL: func.func @f.gpu
// PLAIN-COUNT-2: hgc.matmul {{.*}} transpose_rhs
func.func @f(%q: tensor<2x2xf32>, %k: tensor<33x2xf32>, %v: tensor<33x1xf32>) -> tensor<2x1xf32> attributes {hgc.entry} {
  %a = hgc.attention %q, %k, %v scale = 0.25 : (tensor<2x2xf32>, tensor<33x2xf32>, tensor<33x1xf32>) -> tensor<2x1xf32>
  %s = hgc.matmul %q, %k transpose_rhs : (tensor<2x2xf32>, tensor<33x2xf32>) -> tensor<2x33xf32>
  %c = hgc.constant dense<0.25> : tensor<f32>
  %t = hgc.mul %s, %c : (tensor<2x33xf32>, tensor<f32>) -> tensor<2x33xf32>
  %m = hgc.reduce max %t axes = [1] keepdims : (tensor<2x33xf32>) -> tensor<2x1xf32>
  %y = hgc.add %a, %m : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
