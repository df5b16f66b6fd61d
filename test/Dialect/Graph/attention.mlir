// RUN: hgc-opt %s | hgc-opt | FileCheck %s

// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<2x4x5x8xf32>, %k: tensor<4x7x8xf32>, %v: tensor<2x1x7x3xf32>, %m: tensor<5x7xf32>,
                     %b: tensor<2x4x1x7xi1>, %h: tensor<?x8xf16>) {
  // CHECK: hgc.attention %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x4x5x8xf32>, tensor<4x7x8xf32>, tensor<2x1x7x3xf32>) -> tensor<2x4x5x3xf32>
  %0 = hgc.attention %q, %k, %v
      : (tensor<2x4x5x8xf32>, tensor<4x7x8xf32>, tensor<2x1x7x3xf32>) -> tensor<2x4x5x3xf32>
  // CHECK: hgc.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} scale = 1.250000e-01 : ({{.*}}, tensor<5x7xf32>) -> tensor<2x4x5x3xf32>
  %1 = hgc.attention %q, %k, %v mask %m scale = 0.125
      : (tensor<2x4x5x8xf32>, tensor<4x7x8xf32>, tensor<2x1x7x3xf32>, tensor<5x7xf32>) -> tensor<2x4x5x3xf32>
  // CHECK: hgc.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} causal : ({{.*}}, tensor<2x4x1x7xi1>) -> tensor<2x4x5x3xf32>
  %2 = hgc.attention %q, %k, %v mask %b causal
      : (tensor<2x4x5x8xf32>, tensor<4x7x8xf32>, tensor<2x1x7x3xf32>, tensor<2x4x1x7xi1>) -> tensor<2x4x5x3xf32>
  // CHECK: hgc.attention %{{.*}} : (tensor<?x8xf16>, tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  %3 = hgc.attention %h, %h, %h : (tensor<?x8xf16>, tensor<?x8xf16>, tensor<?x8xf16>) -> tensor<?x8xf16>
  return
}
