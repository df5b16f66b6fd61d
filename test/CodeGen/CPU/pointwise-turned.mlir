// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// Planes become channels: a vector of each, shuffled two at a time, is stored as one
// piece. What a channel has one of is spread.
// CHECK: exec.kernel @channels {{.*}}schedule = "pointwise loops=2 lanes=8 turned by 3"
// CHECK-LABEL: func.func private @channels_body
// CHECK:         scf.for {{.*}} step %c8
// CHECK-COUNT-3:   vector.load {{.*}} : memref<6075xf32>, vector<8xf32>
// CHECK:           %[[A:.*]] = vector.shuffle %[[R:.*]], %[[G:.*]] [0, 8, -1, 1, 9, -1, 2, 10] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT:      vector.shuffle %[[A]], %[[B:.*]] [0, 1, 8, 3, 4, 9, 6, 7] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT:      vector.shuffle %[[R]], %[[G]] [-1, 3, 11, -1, 4, 12, -1, 5] : vector<8xf32>, vector<8xf32>
// CHECK:           vector.shuffle
// CHECK-NEXT:      vector.shuffle %[[R]], %[[G]] [13, -1, 6, 14, -1, 7, 15, -1] : vector<8xf32>, vector<8xf32>
// CHECK-COUNT-3:   vector.store {{.*}} : memref<6075xf32>, vector<8xf32>
// CHECK-NOT:       vector.store
exec.kernel @channels inputs 2 {
^bb0(%x: memref<3x45x45xf32>, %m: memref<3xf32>, %y: memref<45x45x3xf32>):
  %0 = exec.load %x : memref<3x45x45xf32> -> tensor<3x45x45xf32>
  %1 = exec.load %m : memref<3xf32> -> tensor<3xf32>
  %2 = hgc.transpose %0 permutation = [1, 2, 0] : (tensor<3x45x45xf32>) -> tensor<45x45x3xf32>
  %3 = hgc.sub %2, %1 : (tensor<45x45x3xf32>, tensor<3xf32>) -> tensor<45x45x3xf32>
  exec.store %3, %y : tensor<45x45x3xf32>, memref<45x45x3xf32>
}

// And back: vectors of pixels, of which each channel takes its lanes.
// CHECK: exec.kernel @planes {{.*}}schedule = "pointwise loops=2 lanes=8 tiled"
// CHECK-LABEL: func.func private @planes_body
// CHECK:         %[[X:.*]] = vector.load {{.*}} : memref<6075xf32>, vector<8xf32>
// CHECK:         %[[Y:.*]] = vector.load {{.*}} : memref<6075xf32>, vector<8xf32>
// CHECK:         %[[Z:.*]] = vector.load {{.*}} : memref<6075xf32>, vector<8xf32>
// CHECK:         %[[A:.*]] = vector.shuffle %[[X]], %[[Y]] [0, 3, 6, 9, 12, 15, -1, -1]
// CHECK:         %[[B:.*]] = vector.shuffle %[[A]], %[[Z]] [0, 1, 2, 3, 4, 5, 12, 15]
// CHECK:         vector.store %[[B]], {{.*}} : memref<6075xf32>, vector<8xf32>
exec.kernel @planes inputs 1 {
^bb0(%x: memref<45x45x3xf32>, %y: memref<3x45x45xf32>):
  %0 = exec.load %x : memref<45x45x3xf32> -> tensor<45x45x3xf32>
  %1 = hgc.transpose %0 permutation = [2, 0, 1] : (tensor<45x45x3xf32>) -> tensor<3x45x45xf32>
  exec.store %1, %y : tensor<3x45x45xf32>, memref<3x45x45xf32>
}

// A matrix is turned in squares, two of which fill the lines of the cache. The last
// blocks of both axes have half as many elements, and move back.
// CHECK: exec.kernel @matrix {{.*}}schedule = "pointwise loops=2 lanes=8 turned by 8"
// CHECK-LABEL: func.func private @matrix_body
// CHECK-COUNT-8:   vector.load {{.*}} : memref<8710xf32>, vector<8xf32>
// CHECK-NOT:       memref.load
// CHECK-COUNT-8:   vector.store {{.*}} : memref<8710xf32>, vector<8xf32>
// CHECK:           scf.if
// CHECK-COUNT-4:   vector.load {{.*}} : memref<8710xf32>, vector<8xf32>
// CHECK-COUNT-8:   vector.store {{.*}} : memref<8710xf32>, vector<4xf32>
// CHECK:           scf.if
// CHECK-COUNT-8:   vector.load {{.*}} : memref<8710xf32>, vector<4xf32>
// CHECK-COUNT-8:   vector.store {{.*}} : memref<8710xf32>, vector<4xf32>
// CHECK:           scf.if
// CHECK-COUNT-4:   vector.load {{.*}} : memref<8710xf32>, vector<4xf32>
// CHECK-COUNT-4:   vector.store {{.*}} : memref<8710xf32>, vector<4xf32>
// CHECK-NOT:       vector.store
exec.kernel @matrix inputs 1 {
^bb0(%x: memref<67x130xf32>, %y: memref<130x67xf32>):
  %0 = exec.load %x : memref<67x130xf32> -> tensor<67x130xf32>
  %1 = hgc.transpose %0 permutation = [1, 0] : (tensor<67x130xf32>) -> tensor<130x67xf32>
  exec.store %1, %y : tensor<130x67xf32>, memref<130x67xf32>
}

// Every other element, in either direction, is taken out of two vectors; bf16 moves as integers.
// CHECK-LABEL: func.func private @skipped_body
// CHECK-COUNT-2: vector.load {{.*}} : memref<40xf32>, vector<16xf32>
// CHECK:         vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>
exec.kernel @skipped inputs 1 {
^bb0(%x: memref<40xf32>, %y: memref<20xf32>):
  %0 = exec.load %x : memref<40xf32> -> tensor<40xf32>
  %1 = hgc.slice %0 starts = [1] sizes = [20] strides = [2] : (tensor<40xf32>) -> tensor<20xf32>
  %2 = hgc.neg %1 : tensor<20xf32>
  exec.store %2, %y : tensor<20xf32>, memref<20xf32>
}
// CHECK-LABEL: func.func private @backwards_body
// CHECK:         vector.shuffle {{.*}} [31, 29, 27, 25, 23, 21, 19, 17, 14, 12, 10, 8, 6, 4, 2, 0] : vector<16xi16>
// CHECK:         arith.bitcast {{.*}} : vector<16xi16> to vector<16xbf16>
exec.kernel @backwards inputs 1 {
^bb0(%x: memref<40xbf16>, %y: memref<20xbf16>):
  %0 = exec.load %x : memref<40xbf16> -> tensor<40xbf16>
  %1 = hgc.slice %0 starts = [39] sizes = [20] strides = [-2] : (tensor<40xbf16>) -> tensor<20xbf16>
  %2 = hgc.neg %1 : tensor<20xbf16>
  exec.store %2, %y : tensor<20xbf16>, memref<20xbf16>
}
