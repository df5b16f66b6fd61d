// RUN: hgc-opt --hgc-split-transfers --split-input-file %s | FileCheck %s

// Copy, kernels and copy back overlap in pieces; weights are read by all of them.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    (%[[X:.*]]: tensor<65536x64xf32>)
// CHECK-SAME:    hgc.refined
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x64xf32> = dense<0.5>
func.func @rows(%x: tensor<65536x64xf32>) -> tensor<65536x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[W:.*]] = hgc.read @w
  // CHECK-NEXT: %[[XS:.*]] = hgc.reshape %[[X]] shape [8, 8192, 64] {hgc.device = #hgc.device<cpu>}
  // CHECK-NEXT: %[[YS:.*]] = hgc.scan over(%[[XS]] : tensor<8x8192x64xf32>) -> (tensor<8x8192x64xf32>)
  // CHECK-SAME:   hgc.device = #hgc.device<cpu>, hgc.unroll
  // CHECK-NEXT: ^bb0(%[[P:.*]]: tensor<8192x64xf32>):
  // CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[P]] from <cpu> to <gpu>
  // CHECK-NEXT: %[[M:.*]] = hgc.matmul %[[G]], %[[W]] {{.*}} -> tensor<8192x64xf32>
  // CHECK-NEXT: %[[V:.*]] = hgc.reshape %[[M]] shape [8192, 8, 8]
  // CHECK-NEXT: %[[S:.*]] = hgc.softmax %[[V]] axis 2
  // CHECK-NEXT: %[[B:.*]] = hgc.reshape %[[S]] shape [8192, 64]
  // CHECK-NEXT: %[[T:.*]] = hgc.transfer %[[B]] from <gpu> to <cpu>
  // CHECK-NEXT: hgc.yield %[[T]]
  // CHECK: %[[Y:.*]] = hgc.reshape %[[YS]] shape [65536, 64] {hgc.device = #hgc.device<cpu>}
  // CHECK-NEXT: return %[[Y]]
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<64x64xf32>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
  %1 = hgc.matmul %0, %w {hgc.device = #hgc.device<gpu>} : (tensor<65536x64xf32>, tensor<64x64xf32>) -> tensor<65536x64xf32>
  %2 = hgc.reshape %1 shape [65536, 8, 8] {hgc.device = #hgc.device<gpu>} : (tensor<65536x64xf32>) -> tensor<65536x8x8xf32>
  %3 = hgc.softmax %2 axis 2 {hgc.device = #hgc.device<gpu>} : tensor<65536x8x8xf32>
  %4 = hgc.reshape %3 shape [65536, 64] {hgc.device = #hgc.device<gpu>} : (tensor<65536x8x8xf32>) -> tensor<65536x64xf32>
  %5 = hgc.transfer %4 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<65536x64xf32>
  return %5 : tensor<65536x64xf32>
}
}

// -----

// What is small arrives before a second copy would have started.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     hgc.scan
module attributes {hgc.target_gpu = "a100"} {
func.func @small(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<64x64xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<64x64xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
}

// -----

// A sum over the rows needs them all; so does a result that stays on the GPU.
// CHECK-LABEL: func.func @all_rows
// CHECK-NOT:     hgc.scan
module attributes {hgc.target_gpu = "a100"} {
func.func @all_rows(%x: tensor<65536x64xf32>) -> tensor<64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
  %2 = hgc.reduce sum %1 axes = [0] {hgc.device = #hgc.device<gpu>} : (tensor<65536x64xf32>) -> tensor<64xf32>
  %3 = hgc.transfer %2 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<64xf32>
  return %3 : tensor<64xf32>
}
}

// -----

// An odd number of rows has no equal pieces.
// CHECK-LABEL: func.func @odd
// CHECK-NOT:     hgc.scan
module attributes {hgc.target_gpu = "a100"} {
func.func @odd(%x: tensor<65537x64xf32>) -> tensor<65537x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<65537x64xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<65537x64xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<65537x64xf32>
  return %2 : tensor<65537x64xf32>
}
}

// -----

// What does not depend on the rows may be made behind the copy.
// CHECK-LABEL: func.func @constant_behind
// CHECK:         %[[C:.*]] = hgc.constant
// CHECK:         hgc.scan
// CHECK:           hgc.mul %{{.*}}, %[[C]]
module attributes {hgc.target_gpu = "a100"} {
func.func @constant_behind(%x: tensor<65536x64xf32>) -> tensor<65536x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
  %c = hgc.constant {hgc.device = #hgc.device<gpu>} dense<0.5> : tensor<f32>
  %1 = hgc.mul %0, %c {hgc.device = #hgc.device<gpu>} : (tensor<65536x64xf32>, tensor<f32>) -> tensor<65536x64xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<65536x64xf32>
  return %2 : tensor<65536x64xf32>
}
}

// -----

// A mean over all rows comes too late for the pieces.
// CHECK-LABEL: func.func @mean_of_rows
// CHECK-NOT:     hgc.scan
module attributes {hgc.target_gpu = "a100"} {
func.func @mean_of_rows(%x: tensor<65536x64xf32>) -> tensor<65536x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
  %m = hgc.reduce mean %0 axes = [0] {hgc.device = #hgc.device<gpu>} : (tensor<65536x64xf32>) -> tensor<64xf32>
  %1 = hgc.sub %0, %m {hgc.device = #hgc.device<gpu>} : (tensor<65536x64xf32>, tensor<64xf32>) -> tensor<65536x64xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<65536x64xf32>
  return %2 : tensor<65536x64xf32>
}
}

// -----

// Dims of 1 in front of the rows are no reason to copy all of them at once; a
// product may have its weights once for all matrices of a batch.
// CHECK-LABEL: func.func @rows_behind_ones
// CHECK:         %[[XS:.*]] = hgc.reshape %{{.*}} shape [4, 1, 1024, 16, 64]
// CHECK-NEXT:    hgc.scan over(%[[XS]] : tensor<4x1x1024x16x64xf32>) -> (tensor<4x1x1024x16xf32>)
// CHECK-NEXT:    ^bb0(%[[P:.*]]: tensor<1x1024x16x64xf32>):
// CHECK-NEXT:    hgc.transfer %[[P]]
// CHECK-NEXT:    hgc.matmul {{.*}}(tensor<1x1024x16x64xf32>, tensor<64x64xf32>) -> tensor<1x1024x16x64xf32>
// CHECK-NEXT:    hgc.add {{.*}}(tensor<1x1024x16x64xf32>, tensor<16x64xf32>) -> tensor<1x1024x16x64xf32>
// CHECK-NEXT:    hgc.reduce max {{.*}} -> tensor<1024x16xf32>
// CHECK-NEXT:    hgc.reshape {{.*}} shape [1, 1024, 16]
// CHECK-NEXT:    hgc.transfer
// CHECK-NEXT:    hgc.yield
// CHECK:         hgc.reshape %{{.*}} shape [1, 4096, 16]
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<64x64xf32> = dense<0.5>
hgc.parameter @b : tensor<16x64xf32> = dense<0.5>
func.func @rows_behind_ones(%x: tensor<1x4096x16x64xf32>) -> tensor<1x4096x16xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<64x64xf32>
  %b = hgc.read @b {hgc.device = #hgc.device<gpu>} : tensor<16x64xf32>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1x4096x16x64xf32>
  %1 = hgc.matmul %0, %w {hgc.device = #hgc.device<gpu>} : (tensor<1x4096x16x64xf32>, tensor<64x64xf32>) -> tensor<1x4096x16x64xf32>
  %2 = hgc.add %1, %b {hgc.device = #hgc.device<gpu>} : (tensor<1x4096x16x64xf32>, tensor<16x64xf32>) -> tensor<1x4096x16x64xf32>
  %3 = hgc.reduce max %2 axes = [0, 3] {hgc.device = #hgc.device<gpu>} : (tensor<1x4096x16x64xf32>) -> tensor<4096x16xf32>
  %4 = hgc.reshape %3 shape [1, 4096, 16] {hgc.device = #hgc.device<gpu>} : (tensor<4096x16xf32>) -> tensor<1x4096x16xf32>
  %5 = hgc.transfer %4 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1x4096x16xf32>
  return %5 : tensor<1x4096x16xf32>
}
}

// -----

// Behind a dim of 1 the rows are dim 1: a softmax over them needs them all.
// CHECK-LABEL: func.func @softmax_of_rows
// CHECK-NOT:     hgc.scan
module attributes {hgc.target_gpu = "a100"} {
func.func @softmax_of_rows(%x: tensor<1x65536x64xf32>) -> tensor<1x65536x64xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1x65536x64xf32>
  %1 = hgc.softmax %0 axis 1 {hgc.device = #hgc.device<gpu>} : tensor<1x65536x64xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1x65536x64xf32>
  return %2 : tensor<1x65536x64xf32>
}
}

// -----

// A product whose right side differs from matrix to matrix, and one whose left
// side is transposed, need other rows, too.
// CHECK-LABEL: func.func @other_rows
// CHECK-NOT:     hgc.scan
module attributes {hgc.target_gpu = "a100"} {
hgc.parameter @w : tensor<4096x64x64xf32> = dense<0.5>
hgc.parameter @v : tensor<65536x64xf32> = dense<0.5>
func.func @other_rows(%x: tensor<1x4096x16x64xf32>, %y: tensor<1x65536x64xf32>)
    -> (tensor<1x4096x16x64xf32>, tensor<1x64x64xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  %w = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<4096x64x64xf32>
  %v = hgc.read @v {hgc.device = #hgc.device<gpu>} : tensor<65536x64xf32>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1x4096x16x64xf32>
  %1 = hgc.matmul %0, %w {hgc.device = #hgc.device<gpu>} : (tensor<1x4096x16x64xf32>, tensor<4096x64x64xf32>) -> tensor<1x4096x16x64xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1x4096x16x64xf32>
  %3 = hgc.transfer %y from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1x65536x64xf32>
  %4 = hgc.matmul %3, %v transpose_lhs {hgc.device = #hgc.device<gpu>} : (tensor<1x65536x64xf32>, tensor<65536x64xf32>) -> tensor<1x64x64xf32>
  %5 = hgc.transfer %4 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1x64x64xf32>
  return %2, %5 : tensor<1x4096x16x64xf32>, tensor<1x64x64xf32>
}
}
