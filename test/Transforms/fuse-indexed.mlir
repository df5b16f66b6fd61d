// RUN: hgc-opt --hgc-fuse --split-input-file %s | FileCheck %s

// What is sorted, and what is scattered, may be computed on the way; positions and
// indices come from memory.
// CHECK-LABEL: func.func @producers
// CHECK:         hgc.kernel
// CHECK:           hgc.neg
// CHECK-NEXT:      hgc.arg_sort
// CHECK:         hgc.kernel
// CHECK:           hgc.add
// CHECK-NEXT:      hgc.yield
// CHECK:         hgc.kernel
// CHECK:           hgc.neg
// CHECK-NEXT:      hgc.scatter
func.func @producers(%x: tensor<8x10xf32>, %i: tensor<8x3xi64>, %u: tensor<8x3xf32>)
    -> (tensor<8x10xi64>, tensor<8x10xf32>) {
  %0 = hgc.neg %x : tensor<8x10xf32>
  %1 = hgc.arg_sort %0 axis 1 : (tensor<8x10xf32>) -> tensor<8x10xi64>
  %2 = hgc.add %i, %i : (tensor<8x3xi64>, tensor<8x3xi64>) -> tensor<8x3xi64>
  %3 = hgc.neg %u : tensor<8x3xf32>
  %4 = hgc.scatter add %x, %2, %3 axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>, tensor<8x3xf32>) -> tensor<8x10xf32>
  return %1, %4 : tensor<8x10xi64>, tensor<8x10xf32>
}

// -----

// Zeros to scatter into need no memory; what follows is done on the way out.
// CHECK-LABEL: func.func @zeros
// CHECK-SAME:    (%[[I:.*]]: tensor<4xi64>, %[[U:.*]]: tensor<4x32xf32>)
// CHECK:         hgc.kernel
// CHECK-SAME:      %[[I]]
// CHECK-SAME:      %[[U]]
// CHECK:           hgc.constant dense<0.000000e+00> : tensor<10x32xf32>
// CHECK:           hgc.scatter
// CHECK-NEXT:      hgc.tanh
// CHECK-NEXT:      hgc.yield
func.func @zeros(%i: tensor<4xi64>, %u: tensor<4x32xf32>) -> tensor<10x32xf32> {
  %z = hgc.constant dense<0.0> : tensor<10x32xf32>
  %0 = hgc.scatter add %z, %i, %u axis 0 slices : (tensor<10x32xf32>, tensor<4xi64>, tensor<4x32xf32>) -> tensor<10x32xf32>
  %1 = hgc.tanh %0 : tensor<10x32xf32>
  return %1 : tensor<10x32xf32>
}

// -----

// A function of the input would be evaluated twice: it stays outside.
// CHECK-LABEL: func.func @twice
// CHECK:           hgc.tanh
// CHECK-NEXT:      hgc.yield
// CHECK:           hgc.arg_reduce
func.func @twice(%x: tensor<8x10xf32>) -> tensor<8xi64> {
  %0 = hgc.tanh %x : tensor<8x10xf32>
  %1 = hgc.arg_reduce max %0 axis 1 : (tensor<8x10xf32>) -> tensor<8xi64>
  return %1 : tensor<8xi64>
}
