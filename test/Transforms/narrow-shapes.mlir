// RUN: hgc-opt --hgc-narrow --split-input-file %s | FileCheck %s

// Heads that a transpose and a reshape join: the token passes through both.
// CHECK-LABEL: func @heads
// CHECK:         %[[Q:.*]] = hgc.slice %{{.*}} starts = [0, 0, 3, 0] sizes = [1, 12, 1, 197]
// CHECK:         %[[M:.*]] = hgc.matmul %[[Q]], {{.*}} -> tensor<1x12x1x64xf32>
// CHECK:         %[[T:.*]] = hgc.transpose %[[M]] permutation = [2, 0, 1, 3] : {{.*}} -> tensor<1x1x12x64xf32>
// CHECK:         %[[R:.*]] = hgc.reshape %[[T]] shape [1, 768]
// CHECK:         return %[[R]]
func.func @heads(%p: tensor<1x12x197x197xf32>, %v: tensor<1x12x197x64xf32>) -> tensor<1x768xf32> {
  %0 = hgc.matmul %p, %v : (tensor<1x12x197x197xf32>, tensor<1x12x197x64xf32>) -> tensor<1x12x197x64xf32>
  %1 = hgc.transpose %0 permutation = [2, 0, 1, 3] : (tensor<1x12x197x64xf32>) -> tensor<197x1x12x64xf32>
  %2 = hgc.reshape %1 shape [197, 768] : (tensor<197x1x12x64xf32>) -> tensor<197x768xf32>
  %3 = hgc.slice %2 starts = [3, 0] sizes = [1, 768] : (tensor<197x768xf32>) -> tensor<1x768xf32>
  return %3 : tensor<1x768xf32>
}

// -----

// A head cut out of joined dims: whole steps of the inner dim move up, the rest is sliced again.
// CHECK-LABEL: func @join
// CHECK:         %[[X:.*]] = hgc.slice %{{.*}} starts = [0, 2, 0] sizes = [8, 2, 16]
// CHECK:         %[[S:.*]] = hgc.softmax %[[X]] axis 2 : tensor<8x2x16xf32>
// CHECK:         %[[R:.*]] = hgc.reshape %[[S]] shape [8, 32]
// CHECK:         hgc.slice %[[R]] starts = [0, 3] sizes = [8, 20]
func.func @join(%x: tensor<8x12x16xf32>) -> tensor<8x20xf32> {
  %0 = hgc.softmax %x axis 2 : tensor<8x12x16xf32>
  %1 = hgc.reshape %0 shape [8, 192] : (tensor<8x12x16xf32>) -> tensor<8x192xf32>
  %2 = hgc.slice %1 starts = [0, 35] sizes = [8, 20] : (tensor<8x192xf32>) -> tensor<8x20xf32>
  return %2 : tensor<8x20xf32>
}

// -----

// One position of an outer dim and some of an inner one are a run of the dim that is split.
// CHECK-LABEL: func @split
// CHECK:         %[[W:.*]] = hgc.slice %{{.*}} starts = [0, 69] sizes = [32, 3] strides = [1, 2]
// CHECK:         %[[M:.*]] = hgc.matmul %{{.*}}, %[[W]] : {{.*}} -> tensor<8x3xf32>
// CHECK:         hgc.reshape %[[M]] shape [8, 1, 3]
func.func @split(%x: tensor<8x32xf32>, %w: tensor<32x192xf32>) -> tensor<8x1x3xf32> {
  %0 = hgc.matmul %x, %w : (tensor<8x32xf32>, tensor<32x192xf32>) -> tensor<8x192xf32>
  %1 = hgc.reshape %0 shape [8, 3, 64] : (tensor<8x192xf32>) -> tensor<8x3x64xf32>
  %2 = hgc.slice %1 starts = [0, 1, 5] sizes = [8, 1, 3] strides = [1, 1, 2] : (tensor<8x3x64xf32>) -> tensor<8x1x3xf32>
  return %2 : tensor<8x1x3xf32>
}

// -----

// Operands of a concat that are not read are gone; a part of one needs no concat.
// CHECK-LABEL: func @concat
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x5xf32>, %[[Z:.*]]: tensor<2x4xf32>)
// CHECK-DAG:     %[[A:.*]] = hgc.slice %[[X]] starts = [0, 2] sizes = [2, 1]
// CHECK-DAG:     %[[B:.*]] = hgc.slice %[[Y]] starts = [0, 1] sizes = [2, 2] strides = [1, 2]
// CHECK:         hgc.concat %[[A]], %[[B]] axis 1 : {{.*}} -> tensor<2x3xf32>
// CHECK:         %[[C:.*]] = hgc.slice %[[Z]] starts = [0, 1] sizes = [2, 3]
// CHECK:         %[[D:.*]] = hgc.slice %[[Y]] starts = [1, 0] sizes = [1, 5]
// CHECK:         hgc.concat %[[D]], {{.*}} axis 1 : {{.*}} -> tensor<1x9xf32>
func.func @concat(%x: tensor<2x3xf32>, %y: tensor<2x5xf32>, %z: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x9xf32>) {
  %0 = hgc.concat %x, %y, %z axis 1 : (tensor<2x3xf32>, tensor<2x5xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
  %1 = hgc.slice %0 starts = [0, 2] sizes = [2, 3] strides = [1, 2] : (tensor<2x12xf32>) -> tensor<2x3xf32>
  %2 = hgc.concat %x, %y, %z axis 1 : (tensor<2x3xf32>, tensor<2x5xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
  %3 = hgc.slice %2 starts = [0, 9] sizes = [2, 3] : (tensor<2x12xf32>) -> tensor<2x3xf32>
  %4 = hgc.concat %y, %z axis 1 : (tensor<2x5xf32>, tensor<2x4xf32>) -> tensor<2x9xf32>
  %5 = hgc.slice %4 starts = [1, 0] sizes = [1, 9] : (tensor<2x9xf32>) -> tensor<1x9xf32>
  return %1, %3, %5 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x9xf32>
}

// -----

// Repeated dims stay as they are, whoever repeats them.
// CHECK-LABEL: func @broadcast
// CHECK-SAME:    (%[[X:.*]]: tensor<1x16xf32>, %[[Y:.*]]: tensor<8x1xf32>, %[[C:.*]]: tensor<i1>)
// CHECK-DAG:     %[[A:.*]] = hgc.slice %[[X]] starts = [0, 4] sizes = [1, 4]
// CHECK-DAG:     %[[B:.*]] = hgc.slice %[[Y]] starts = [6, 0] sizes = [2, 1]
// CHECK-DAG:     %[[D:.*]] = hgc.broadcast %[[A]] shape [2, 4]
// CHECK:         hgc.select %[[C]], %[[D]], %[[B]] : {{.*}} -> tensor<2x4xf32>
func.func @broadcast(%x: tensor<1x16xf32>, %y: tensor<8x1xf32>, %c: tensor<i1>) -> tensor<2x4xf32> {
  %0 = hgc.broadcast %x shape [8, 16] : (tensor<1x16xf32>) -> tensor<8x16xf32>
  %1 = hgc.select %c, %0, %y : (tensor<i1>, tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %2 = hgc.slice %1 starts = [6, 4] sizes = [2, 4] : (tensor<8x16xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// Slices of slices become one.
// CHECK-LABEL: func @compose
// CHECK-SAME:    (%[[X:.*]]: tensor<20xf32>)
// CHECK:         %[[A:.*]] = hgc.slice %[[X]] starts = [14] sizes = [3] strides = [-6]
// CHECK:         return %[[A]]
func.func @compose(%x: tensor<20xf32>) -> tensor<3xf32> {
  %0 = hgc.slice %x starts = [17] sizes = [6] strides = [-3] : (tensor<20xf32>) -> tensor<6xf32>
  %1 = hgc.slice %0 starts = [1] sizes = [3] strides = [2] : (tensor<6xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Indices that are not evenly spaced need the run around them, and count from its start.
// Negative ones count from the end, those out of range are clamped.
// CHECK-LABEL: func @gather
// CHECK-DAG:     %[[I:.*]] = hgc.constant dense<[0, 3, 1, 1]> : tensor<4xi64>
// CHECK-DAG:     %[[X:.*]] = hgc.slice %{{.*}} starts = [10, 0] sizes = [4, 8] strides = [3, 1]
// CHECK-DAG:     %[[S:.*]] = hgc.softmax %[[X]] axis 1 : tensor<4x8xf32>
// CHECK:         hgc.gather %[[S]], %[[I]] axis 0 : (tensor<4x8xf32>, tensor<4xi64>)
// CHECK:         %[[Y:.*]] = hgc.slice %{{.*}} starts = [4, 0] sizes = [2, 8] strides = [5, 1]
// CHECK:         %[[T:.*]] = hgc.softmax %[[Y]] axis 1 : tensor<2x8xf32>
// CHECK:         return {{.*}}, %[[T]]
func.func @gather(%x: tensor<20x8xf32>, %y: tensor<20x8xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>) {
  %i = hgc.constant dense<[10, 99, -7, 13]> : tensor<4xi64>
  %0 = hgc.softmax %x axis 1 : tensor<20x8xf32>
  %1 = hgc.gather %0, %i axis 0 : (tensor<20x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  %j = hgc.constant dense<[4, 9]> : tensor<2xi32>
  %2 = hgc.softmax %y axis 1 : tensor<20x8xf32>
  %3 = hgc.gather %2, %j axis 0 : (tensor<20x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return %1, %3 : tensor<4x8xf32>, tensor<2x8xf32>
}

// -----

// Rows of a table: the indices of those that are read.
// CHECK-LABEL: func @embedding
// CHECK-SAME:    (%[[T:.*]]: tensor<100x8xf32>, %[[I:.*]]: tensor<4x6xi64>
// CHECK:         %[[J:.*]] = hgc.slice %[[I]] starts = [0, 5] sizes = [4, 1]
// CHECK:         %[[E:.*]] = hgc.gather %[[T]], %[[J]] axis 0 : {{.*}} -> tensor<4x1x8xf32>
// CHECK:         hgc.softmax %[[E]] axis 2 : tensor<4x1x8xf32>
func.func @embedding(%t: tensor<100x8xf32>, %i: tensor<4x6xi64>) -> tensor<4x1x8xf32> {
  %0 = hgc.gather %t, %i axis 0 : (tensor<100x8xf32>, tensor<4x6xi64>) -> tensor<4x6x8xf32>
  %1 = hgc.softmax %0 axis 2 : tensor<4x6x8xf32>
  %2 = hgc.slice %1 starts = [0, 5, 0] sizes = [4, 1, 8] : (tensor<4x6x8xf32>) -> tensor<4x1x8xf32>
  return %2 : tensor<4x1x8xf32>
}

// -----

// Starts that are known at run time only are slices as they were.
// CHECK-LABEL: func @offsets
// CHECK:         hgc.softmax {{.*}} : tensor<20x8xf32>
func.func @offsets(%x: tensor<20x8xf32>, %i: tensor<2xi64>) -> tensor<1x8xf32> {
  %0 = hgc.softmax %x axis 1 : tensor<20x8xf32>
  %1 = hgc.slice %0 at %i sizes = [1, 8] : (tensor<20x8xf32>, tensor<2xi64>) -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}
