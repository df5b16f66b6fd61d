// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// CHECK-LABEL: func @pool
func.func @pool(%x: tensor<1x28x28x32xf32>, %y: tensor<2x3x?xi8>, %z: tensor<1x4x4x4x2xf16>) {
  // CHECK: hgc.pool max %{{.*}} window = [2, 2] strides = [2, 2] channels_last : (tensor<1x28x28x32xf32>) -> tensor<1x14x14x32xf32>
  %0 = hgc.pool max %x window = [2, 2] strides = [2, 2] channels_last : (tensor<1x28x28x32xf32>) -> tensor<1x14x14x32xf32>
  // CHECK: hgc.pool sum %{{.*}} window = [3] dilations = [2] channels_first : (tensor<2x3x?xi8>) -> tensor<2x3x?xi8>
  %1 = hgc.pool sum %y window = [3] dilations = [2] channels_first : (tensor<2x3x?xi8>) -> tensor<2x3x?xi8>
  // CHECK: hgc.pool avg %{{.*}} window = [2, 2, 2] pads = [1, 0, 0, 1, 0, 0] count_include_pad channels_last : {{.*}} -> tensor<1x5x3x3x2xf16>
  %2 = hgc.pool avg %z window = [2, 2, 2] pads = [1, 0, 0, 1, 0, 0] count_include_pad channels_last
      : (tensor<1x4x4x4x2xf16>) -> tensor<1x5x3x3x2xf16>
  return
}

// CHECK-LABEL: func @reduce
func.func @reduce(%x: tensor<8x?x4xf32>, %m: tensor<8x4xi1>, %e: tensor<0x4xf32>) {
  // CHECK: hgc.reduce sum %{{.*}} axes = [1] keepdims : (tensor<8x?x4xf32>) -> tensor<8x1x4xf32>
  %0 = hgc.reduce sum %x axes = [1] keepdims : (tensor<8x?x4xf32>) -> tensor<8x1x4xf32>
  // CHECK: hgc.reduce mean %{{.*}} axes = [0, 2] : (tensor<8x?x4xf32>) -> tensor<?xf32>
  %1 = hgc.reduce mean %x axes = [0, 2] : (tensor<8x?x4xf32>) -> tensor<?xf32>
  // CHECK: hgc.reduce prod %{{.*}} axes = [] : (tensor<8x?x4xf32>) -> tensor<8x?x4xf32>
  %2 = hgc.reduce prod %x axes = [] : (tensor<8x?x4xf32>) -> tensor<8x?x4xf32>
  // CHECK: hgc.reduce max %{{.*}} axes = [0, 1, 2] : (tensor<8x?x4xf32>) -> tensor<f32>
  %3 = hgc.reduce max %x axes = [0, 1, 2] : (tensor<8x?x4xf32>) -> tensor<f32>
  // CHECK: hgc.reduce min
  %4 = hgc.reduce min %x axes = [0, 1, 2] : (tensor<8x?x4xf32>) -> tensor<f32>
  // CHECK: hgc.reduce any %{{.*}} axes = [0] : (tensor<8x4xi1>) -> tensor<4xi1>
  %5 = hgc.reduce any %m axes = [0] : (tensor<8x4xi1>) -> tensor<4xi1>
  // CHECK: hgc.reduce all
  %6 = hgc.reduce all %m axes = [0] : (tensor<8x4xi1>) -> tensor<4xi1>
  // CHECK: hgc.reduce sum %{{.*}} axes = [0] : (tensor<0x4xf32>) -> tensor<4xf32>
  %7 = hgc.reduce sum %e axes = [0] : (tensor<0x4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @normalise
func.func @normalise(%x: tensor<?x64xf32>, %s: tensor<64xf32>, %y: tensor<1x8x8x4xf32>, %c: tensor<4xf32>) {
  // CHECK: hgc.softmax %{{.*}} axis 1 : tensor<?x64xf32>
  %0 = hgc.softmax %x axis 1 : tensor<?x64xf32>
  // CHECK: hgc.log_softmax %{{.*}} axis 0 : tensor<?x64xf32>
  %1 = hgc.log_softmax %x axis 0 : tensor<?x64xf32>
  // CHECK: hgc.layer_norm %{{.*}}, %{{.*}}, %{{.*}} axis 1 epsilon {{1.*}}e-05 : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %2 = hgc.layer_norm %x, %s, %s axis 1 epsilon 1.0e-05 : (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  // CHECK: hgc.batch_norm %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} axis 3 epsilon {{1.*}}e-03 :
  %3 = hgc.batch_norm %y, %c, %c, %c, %c axis 3 epsilon 1.0e-03
      : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  return
}
