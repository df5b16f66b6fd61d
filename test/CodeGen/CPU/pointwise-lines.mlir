// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Lines of three channels: a step takes several of them. What all lines share, and what
// a line has one of, is loaded once and spread.
// CHECK: exec.kernel @channels {{.*}}schedule = "pointwise loops=2 lanes=24 of several lines"
// CHECK-LABEL: func.func private @channels_body
// CHECK:         scf.for {{.*}} step %c8
// CHECK:           %[[X:.*]] = vector.load %{{.*}} : memref<3000xi8>, vector<24xi8>
// CHECK:           arith.uitofp %[[X]] : vector<24xi8> to vector<24xf32>
// CHECK:           %[[MEAN:.*]] = vector.load %{{.*}}[%c0] : memref<3xf32>, vector<3xf32>
// CHECK:           vector.shuffle %[[MEAN]], %[[MEAN]] [0, 1, 2, 0, 1, 2, {{.*}}] : vector<3xf32>, vector<3xf32>
// CHECK:           %[[SCALE:.*]] = vector.load %{{.*}} : memref<1000xf32>, vector<8xf32>
// CHECK:           vector.shuffle %[[SCALE]], %[[SCALE]] [0, 0, 0, 1, 1, 1, {{.*}}, 7, 7, 7]
// CHECK:           vector.store %{{.*}} : memref<3000xf32>, vector<24xf32>
exec.kernel @channels inputs 3 {
^bb0(%x: memref<1000x3xui8>, %m: memref<3xf32>, %s: memref<1000x1xf32>, %y: memref<1000x3xf32>):
  %0 = exec.load %x : memref<1000x3xui8> -> tensor<1000x3xui8>
  %1 = exec.load %m : memref<3xf32> -> tensor<3xf32>
  %2 = exec.load %s : memref<1000x1xf32> -> tensor<1000x1xf32>
  %3 = hgc.cast %0 to f32 : (tensor<1000x3xui8>) -> tensor<1000x3xf32>
  %4 = hgc.sub %3, %1 : (tensor<1000x3xf32>, tensor<3xf32>) -> tensor<1000x3xf32>
  %5 = hgc.mul %4, %2 : (tensor<1000x3xf32>, tensor<1000x1xf32>) -> tensor<1000x3xf32>
  exec.store %5, %y : tensor<1000x3xf32>, memref<1000x3xf32>
}

// Lines that fill their vectors, and too few short ones, are steps of their own.
// CHECK: exec.kernel @long {{.*}}schedule = "pointwise loops=2 lanes=16"
exec.kernel @long inputs 2 {
^bb0(%x: memref<100x24xf32>, %m: memref<24xf32>, %y: memref<100x24xf32>):
  %0 = exec.load %x : memref<100x24xf32> -> tensor<100x24xf32>
  %1 = exec.load %m : memref<24xf32> -> tensor<24xf32>
  %2 = hgc.add %0, %1 : (tensor<100x24xf32>, tensor<24xf32>) -> tensor<100x24xf32>
  exec.store %2, %y : tensor<100x24xf32>, memref<100x24xf32>
}
// CHECK: exec.kernel @few {{.*}}schedule = "pointwise loops=2 lanes=2"
exec.kernel @few inputs 2 {
^bb0(%x: memref<7x3xf32>, %m: memref<3xf32>, %y: memref<7x3xf32>):
  %0 = exec.load %x : memref<7x3xf32> -> tensor<7x3xf32>
  %1 = exec.load %m : memref<3xf32> -> tensor<3xf32>
  %2 = hgc.add %0, %1 : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
  exec.store %2, %y : tensor<7x3xf32>, memref<7x3xf32>
}
