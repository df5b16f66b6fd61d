// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// CHECK-LABEL: func @create
func.func @create() {
  // CHECK: hgc.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = hgc.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: hgc.constant dense<255> : tensor<ui8>
  %1 = hgc.constant dense<255> : tensor<ui8>
  // CHECK: hgc.constant {hgc.name = "c"} dense<true> : tensor<3xi1>
  %2 = hgc.constant {hgc.name = "c"} dense<true> : tensor<3xi1>
  // CHECK: hgc.constant dense_resource<big> : tensor<2xi32>
  %3 = hgc.constant dense_resource<big> : tensor<2xi32>
  // CHECK: hgc.iota shape [4, 8] axis 1 of i32 : tensor<4x8xi32>
  %4 = hgc.iota shape [4, 8] axis 1 of i32 : tensor<4x8xi32>
  // CHECK: hgc.iota shape ["batch"] axis 0 of f16 : tensor<?xf16>
  %5 = hgc.iota shape ["batch"] axis 0 of f16 : tensor<?xf16>
  return
}

// CHECK-LABEL: func @view
func.func @view(%x: tensor<32x28x28xf32>, %d: tensor<?x28x28xf32>, %e: tensor<0x3xf32>, %s: tensor<f32>) {
  // CHECK: hgc.reshape %{{.*}} shape [-1, 784] : (tensor<32x28x28xf32>) -> tensor<32x784xf32>
  %0 = hgc.reshape %x shape [-1, 784] : (tensor<32x28x28xf32>) -> tensor<32x784xf32>
  // CHECK: hgc.reshape %{{.*}} shape ["batch", 784] : (tensor<?x28x28xf32>) -> tensor<?x784xf32>
  %1 = hgc.reshape %d shape ["batch", 784] : (tensor<?x28x28xf32>) -> tensor<?x784xf32>
  // CHECK: hgc.reshape %{{.*}} shape [-1] : (tensor<?x28x28xf32>) -> tensor<?xf32>
  %2 = hgc.reshape %d shape [-1] : (tensor<?x28x28xf32>) -> tensor<?xf32>
  // CHECK: hgc.reshape %{{.*}} shape [-1, 7] : (tensor<0x3xf32>) -> tensor<0x7xf32>
  %3 = hgc.reshape %e shape [-1, 7] : (tensor<0x3xf32>) -> tensor<0x7xf32>
  // CHECK: hgc.reshape %{{.*}} shape [1, 1] : (tensor<f32>) -> tensor<1x1xf32>
  %4 = hgc.reshape %s shape [1, 1] : (tensor<f32>) -> tensor<1x1xf32>
  // CHECK: hgc.reshape %{{.*}} shape [] : (tensor<1x1xf32>) -> tensor<f32>
  %5 = hgc.reshape %4 shape [] : (tensor<1x1xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func @move
func.func @move(%x: tensor<2x3x4xf32>, %y: tensor<2x?x4xf32>, %v: tensor<128xf32>) {
  // CHECK: hgc.transpose %{{.*}} permutation = [1, 2, 0] : (tensor<2x?x4xf32>) -> tensor<?x4x2xf32>
  %0 = hgc.transpose %y permutation = [1, 2, 0] : (tensor<2x?x4xf32>) -> tensor<?x4x2xf32>
  // CHECK: hgc.broadcast %{{.*}} shape ["batch", 128] : (tensor<128xf32>) -> tensor<?x128xf32>
  %1 = hgc.broadcast %v shape ["batch", 128] : (tensor<128xf32>) -> tensor<?x128xf32>
  // CHECK: hgc.concat %{{.*}}, %{{.*}} axis 1 : (tensor<2x3x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %2 = hgc.concat %x, %y axis 1 : (tensor<2x3x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  // CHECK: hgc.concat %{{.*}}, %{{.*}} axis 0 : (tensor<2x3x4xf32>, tensor<2x?x4xf32>) -> tensor<4x3x4xf32>
  %3 = hgc.concat %x, %y axis 0 : (tensor<2x3x4xf32>, tensor<2x?x4xf32>) -> tensor<4x3x4xf32>
  return
}

// CHECK-LABEL: func @box
func.func @box(%x: tensor<4x4xf32>, %i: tensor<2xi64>, %d: tensor<?x10xf32>, %z: tensor<f32>) {
  // CHECK: hgc.slice %{{.*}} starts = [1, 0] sizes = [2, 4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %0 = hgc.slice %x starts = [1, 0] sizes = [2, 4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  // CHECK: hgc.slice %{{.*}} at %{{.*}} sizes = [2, 4] : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %1 = hgc.slice %x at %i sizes = [2, 4] : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  // CHECK: hgc.slice %{{.*}} starts = [3, 0] sizes = [4, 2] strides = [-1, 3] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  %2 = hgc.slice %x starts = [3, 0] sizes = [4, 2] strides = [-1, 3] : (tensor<4x4xf32>) -> tensor<4x2xf32>
  // CHECK: hgc.slice %{{.*}} starts = [0, 4] sizes = [-1, -1] : (tensor<?x10xf32>) -> tensor<?x6xf32>
  %3 = hgc.slice %d starts = [0, 4] sizes = [-1, -1] : (tensor<?x10xf32>) -> tensor<?x6xf32>
  // CHECK: hgc.slice %{{.*}} starts = [3, 1] sizes = [-1, -1] strides = [-2, 2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %4 = hgc.slice %x starts = [3, 1] sizes = [-1, -1] strides = [-2, 2] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  // CHECK: hgc.slice %{{.*}} starts = [4, 0] sizes = [0, 4] : (tensor<4x4xf32>) -> tensor<0x4xf32>
  %5 = hgc.slice %x starts = [4, 0] sizes = [0, 4] : (tensor<4x4xf32>) -> tensor<0x4xf32>
  // CHECK: hgc.pad constant %{{.*}}, %{{.*}} low = [0, 2] high = [0, -1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x11xf32>
  %6 = hgc.pad constant %d, %z low = [0, 2] high = [0, -1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x11xf32>
  // CHECK: hgc.pad edge %{{.*}}, %{{.*}} low = [9, 0] high = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<13x4xf32>
  %7 = hgc.pad edge %x, %z low = [9, 0] high = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<13x4xf32>
  // CHECK: hgc.pad reflect %{{.*}}, %{{.*}} low = [3, 0] high = [3, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<10x4xf32>
  %8 = hgc.pad reflect %x, %z low = [3, 0] high = [3, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<10x4xf32>
  // CHECK: hgc.pad wrap %{{.*}}, %{{.*}} low = [4, 0] high = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %9 = hgc.pad wrap %x, %z low = [4, 0] high = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func @gather
func.func @gather(%t: tensor<1000x64xf32>, %i: tensor<?x8xi64>, %s: tensor<i32>) {
  // CHECK: hgc.gather %{{.*}}, %{{.*}} axis 0 : (tensor<1000x64xf32>, tensor<?x8xi64>) -> tensor<?x8x64xf32>
  %0 = hgc.gather %t, %i axis 0 : (tensor<1000x64xf32>, tensor<?x8xi64>) -> tensor<?x8x64xf32>
  // CHECK: hgc.gather %{{.*}}, %{{.*}} axis 1 : (tensor<1000x64xf32>, tensor<i32>) -> tensor<1000xf32>
  %1 = hgc.gather %t, %s axis 1 : (tensor<1000x64xf32>, tensor<i32>) -> tensor<1000xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      big: "0x040000000100000002000000"
    }
  }
#-}
