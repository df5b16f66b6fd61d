// RUN: hgc-opt --hgc-batch-transfers --split-input-file %s | FileCheck %s

// Small results of the GPU come home in one copy of the same bytes.
// CHECK-LABEL: func.func @results
// CHECK-SAME:    hgc.refined
module attributes {hgc.target_gpu = "a100"} {
func.func @results(%x: tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<8xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[E:.*]] = hgc.exp
  // CHECK-NEXT: %[[S:.*]] = hgc.reduce
  // CHECK-NEXT: %[[F:.*]] = hgc.reshape %[[E]] shape [512] {hgc.device = #hgc.device<gpu>}
  // CHECK-NEXT: %[[J:.*]] = hgc.concat %[[F]], %[[S]] axis 0 {hgc.device = #hgc.device<gpu>}
  // CHECK-NEXT: %[[T:.*]] = hgc.transfer %[[J]] from <gpu> to <cpu> {{.*}} : tensor<520xf32>
  // CHECK-NEXT: %[[A:.*]] = hgc.slice %[[T]] starts = [0] sizes = [512] {hgc.device = #hgc.device<cpu>}
  // CHECK-NEXT: %[[V:.*]] = hgc.reshape %[[A]] shape [64, 8] {hgc.device = #hgc.device<cpu>}
  // CHECK-NEXT: %[[B:.*]] = hgc.slice %[[T]] starts = [512] sizes = [8] {hgc.device = #hgc.device<cpu>}
  // CHECK-NEXT: return %[[V]], %[[B]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<64x8xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<64x8xf32>
  %3 = hgc.reduce sum %1 axes = [0] {hgc.device = #hgc.device<gpu>} : (tensor<64x8xf32>) -> tensor<8xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<64x8xf32>
  %4 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  return %2, %4 : tensor<64x8xf32>, tensor<8xf32>
}
}

// -----

// Large copies gain nothing from company.
// CHECK-LABEL: func.func @large
// CHECK-NOT:     hgc.concat
module attributes {hgc.target_gpu = "a100"} {
func.func @large(%x: tensor<4096x512xf32>) -> (tensor<4096x512xf32>, tensor<4096x512xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096x512xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<4096x512xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096x512xf32>
  %3 = hgc.tanh %0 {hgc.device = #hgc.device<gpu>} : tensor<4096x512xf32>
  %4 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096x512xf32>
  return %2, %4 : tensor<4096x512xf32>, tensor<4096x512xf32>
}
}

// -----

// The host reads the first copy before the second is there; other element types
// do not mix.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:     hgc.concat
module attributes {hgc.target_gpu = "a100"} {
func.func @apart(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xi32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  %3 = hgc.abs %2 {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  %4 = hgc.transfer %3 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %5 = hgc.tanh %4 {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %6 = hgc.transfer %5 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  %7 = hgc.cast %5 to i32 {hgc.device = #hgc.device<gpu>} : (tensor<8xf32>) -> tensor<8xi32>
  %8 = hgc.transfer %7 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xi32>
  return %6, %8 : tensor<8xf32>, tensor<8xi32>
}
}

// -----

// Two small inputs: cutting them apart takes two launches, which is no gain;
// four of them gain.
// CHECK-LABEL: func.func @inputs
// CHECK-NOT:     hgc.concat
// CHECK-LABEL: func.func @more_inputs
// CHECK:         hgc.concat {{.*}}<cpu>
// CHECK-NEXT:    hgc.transfer {{.*}} : tensor<32xf32>
module attributes {hgc.target_gpu = "a100"} {
func.func @inputs(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %a from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %1 = hgc.transfer %b from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %2 = hgc.add %0, %1 {hgc.device = #hgc.device<gpu>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = hgc.transfer %2 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  return %3 : tensor<8xf32>
}
func.func @more_inputs(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %a from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %1 = hgc.transfer %b from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %2 = hgc.transfer %c from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %3 = hgc.transfer %d from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %4 = hgc.add %0, %1 {hgc.device = #hgc.device<gpu>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = hgc.add %2, %3 {hgc.device = #hgc.device<gpu>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = hgc.add %4, %5 {hgc.device = #hgc.device<gpu>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %7 = hgc.transfer %6 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  return %7 : tensor<8xf32>
}
}
