// RUN: hgc-opt --hgc-narrow-transfers --split-input-file %s | FileCheck %s

// A sum of what comes from the GPU is made there: four bytes travel.
// CHECK-LABEL: func.func @reduction
// CHECK-SAME:    hgc.refined
module attributes {hgc.target_gpu = "a100"} {
func.func @reduction(%x: tensor<1024x1024xf32>) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[M:.*]] = hgc.matmul
  // CHECK-NEXT: %[[S:.*]] = hgc.reduce sum %[[M]] axes = [0, 1] {hgc.device = #hgc.device<gpu>}
  // CHECK-NEXT: %[[T:.*]] = hgc.transfer %[[S]] from <gpu> to <cpu> {{.*}}hgc.reason = "the op before it makes fewer bytes"
  // CHECK-NEXT: return %[[T]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024x1024xf32>
  %1 = hgc.matmul %0, %0 {hgc.device = #hgc.device<gpu>} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024x1024xf32>
  %3 = hgc.reduce sum %2 axes = [0, 1] {hgc.device = #hgc.device<cpu>} : (tensor<1024x1024xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
}

// -----

// The same op, pinned, stays.
// CHECK-LABEL: func.func @pinned
// CHECK-NOT:     hgc.refined
module attributes {hgc.target_gpu = "a100"} {
func.func @pinned(%x: tensor<1024x1024xf32>) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.reduce {{.*}}hgc.device = #hgc.device<cpu>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024x1024xf32>
  %1 = hgc.matmul %0, %0 {hgc.device = #hgc.device<gpu>} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024x1024xf32>
  %3 = hgc.reduce sum %2 axes = [0, 1] {hgc.device = #hgc.device<cpu>, hgc.pin = #hgc.device<cpu>} : (tensor<1024x1024xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
}

// -----

// Two readers that take a part each move together.
// CHECK-LABEL: func.func @slices
module attributes {hgc.target_gpu = "a100"} {
func.func @slices(%x: tensor<4096x1024xf32>) -> (tensor<8x1024xf32>, tensor<4x1024xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[E:.*]] = hgc.exp
  // CHECK-NOT: hgc.transfer %[[E]]
  // CHECK: hgc.slice %[[E]] starts = [0, 0] {{.*}}<gpu>
  // CHECK: hgc.slice %[[E]] starts = [9, 0] {{.*}}<gpu>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096x1024xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<4096x1024xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096x1024xf32>
  %3 = hgc.slice %2 starts = [0, 0] sizes = [8, 1024] {hgc.device = #hgc.device<cpu>} : (tensor<4096x1024xf32>) -> tensor<8x1024xf32>
  %4 = hgc.slice %2 starts = [9, 0] sizes = [4, 1024] {hgc.device = #hgc.device<cpu>} : (tensor<4096x1024xf32>) -> tensor<4x1024xf32>
  return %3, %4 : tensor<8x1024xf32>, tensor<4x1024xf32>
}
}

// -----

// One that reads all of it keeps the copy, and so does the slice beside it.
// CHECK-LABEL: func.func @whole_is_read
module attributes {hgc.target_gpu = "a100"} {
func.func @whole_is_read(%x: tensor<4096x1024xf32>) -> (tensor<8x1024xf32>, tensor<4096x1024xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.slice {{.*}}<cpu>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096x1024xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>} : tensor<4096x1024xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096x1024xf32>
  %3 = hgc.slice %2 starts = [0, 0] sizes = [8, 1024] {hgc.device = #hgc.device<cpu>} : (tensor<4096x1024xf32>) -> tensor<8x1024xf32>
  return %3, %2 : tensor<8x1024xf32>, tensor<4096x1024xf32>
}
}

// -----

// A cast to more bits moves behind the copy, with an operand that is a constant.
// CHECK-LABEL: func.func @cast
// CHECK-SAME:    (%[[X:.*]]: tensor<4096x1024xi8>)
module attributes {hgc.target_gpu = "a100"} {
func.func @cast(%x: tensor<4096x1024xi8>) -> tensor<4096xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[G:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu> {{.*}} : tensor<4096x1024xi8>
  // CHECK: %[[C:.*]] = hgc.cast %[[G]] {{.*}}<gpu>
  // CHECK: hgc.mul %[[C]], {{.*}}<gpu>
  %s = hgc.constant {hgc.device = #hgc.device<cpu>} dense<0.1> : tensor<f32>
  %0 = hgc.cast %x to f32 {hgc.device = #hgc.device<cpu>} : (tensor<4096x1024xi8>) -> tensor<4096x1024xf32>
  %1 = hgc.mul %0, %s {hgc.device = #hgc.device<cpu>} : (tensor<4096x1024xf32>, tensor<f32>) -> tensor<4096x1024xf32>
  %2 = hgc.transfer %1 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096x1024xf32>
  %3 = hgc.reduce sum %2 axes = [1] {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : (tensor<4096x1024xf32>) -> tensor<4096xf32>
  %4 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  return %4 : tensor<4096xf32>
}
}

// -----

// Few bytes: the copy costs what it costs, and the op is cheaper where it is.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     hgc.refined
module attributes {hgc.target_gpu = "a100"} {
func.func @small(%x: tensor<8xf32>) -> tensor<f32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: hgc.reduce {{.*}}<cpu>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : tensor<8xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  %3 = hgc.reduce sum %2 axes = [0] {hgc.device = #hgc.device<cpu>} : (tensor<8xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
}

// -----

// Attention that is whole has no code on the CPU, however few bytes it would leave to copy.
// CHECK-LABEL: func.func @attention
// CHECK-NOT: hgc.attention {{.*}}<cpu>
// CHECK: hgc.attention {{.*}}<gpu>
module attributes {hgc.target_gpu = "a100"} {
func.func @attention(%x: tensor<1x1xf32>) -> (tensor<1x1xf32> {hgc.device = #hgc.device<gpu>}) attributes {hgc.entry, hgc.plan = "gpu"} {
  %k = hgc.broadcast %x shape [40000, 1] {hgc.device = #hgc.device<cpu>, hgc.pin = #hgc.device<cpu>} : (tensor<1x1xf32>) -> tensor<40000x1xf32>
  %0 = hgc.transfer %k from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<40000x1xf32>
  %1 = hgc.constant {hgc.device = #hgc.device<gpu>} dense<1.0> : tensor<1x1xf32>
  %2 = hgc.attention %1, %0, %0 {hgc.device = #hgc.device<gpu>} : (tensor<1x1xf32>, tensor<40000x1xf32>, tensor<40000x1xf32>) -> tensor<1x1xf32>
  return %2 : tensor<1x1xf32>
}
}
