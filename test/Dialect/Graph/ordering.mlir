// RUN: hgc-opt %s | hgc-opt | FileCheck %s

// CHECK-LABEL: func @arg_reduce
func.func @arg_reduce(%x: tensor<8x4xf32>, %b: tensor<?x3xi1>) {
  // CHECK: hgc.arg_reduce max %{{.*}} axis 1 : (tensor<8x4xf32>) -> tensor<8xi64>
  %0 = hgc.arg_reduce max %x axis 1 : (tensor<8x4xf32>) -> tensor<8xi64>
  // CHECK: hgc.arg_reduce min %{{.*}} axis 0 keepdims : (tensor<8x4xf32>) -> tensor<1x4xi64>
  %1 = hgc.arg_reduce min %x axis 0 keepdims : (tensor<8x4xf32>) -> tensor<1x4xi64>
  // CHECK: hgc.arg_reduce max %{{.*}} axis 1 : (tensor<?x3xi1>) -> tensor<?xi64>
  %2 = hgc.arg_reduce max %b axis 1 : (tensor<?x3xi1>) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func @arg_sort
func.func @arg_sort(%x: tensor<8x10xf32>, %u: tensor<?xui8>) {
  // CHECK: hgc.arg_sort %{{.*}} axis 1 : (tensor<8x10xf32>) -> tensor<8x10xi64>
  %0 = hgc.arg_sort %x axis 1 : (tensor<8x10xf32>) -> tensor<8x10xi64>
  // CHECK: hgc.arg_sort %{{.*}} axis 0 descending k = 3 : (tensor<8x10xf32>) -> tensor<3x10xi64>
  %1 = hgc.arg_sort %x axis 0 descending k = 3 : (tensor<8x10xf32>) -> tensor<3x10xi64>
  // CHECK: hgc.arg_sort %{{.*}} axis 0 k = 5 : (tensor<?xui8>) -> tensor<5xi64>
  %2 = hgc.arg_sort %u axis 0 k = 5 : (tensor<?xui8>) -> tensor<5xi64>
  return
}
