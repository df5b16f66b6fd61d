// RUN: hgc-opt --hgc-recompute --split-input-file %s | FileCheck %s

// What the placement wants on both devices is computed on both, in chains too.
// CHECK-LABEL: func.func @also
// CHECK-NOT:     hgc.refined
// CHECK-SAME:    (%[[X:.*]]: tensor<4096xf32>)
module attributes {hgc.target_gpu = "a100"} {
func.func @also(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK-DAG: %[[XG:.*]] = hgc.transfer %[[X]] from <cpu> to <gpu>
  // CHECK-DAG: %[[EC:.*]] = hgc.exp %[[X]] {hgc.device = #hgc.device<cpu>}
  // CHECK-DAG: %[[EG:.*]] = hgc.exp %[[XG]] {hgc.device = #hgc.device<gpu>}
  // CHECK-DAG: %[[RC:.*]] = hgc.relu %[[EC]] {hgc.device = #hgc.device<cpu>}
  // CHECK-DAG: %[[RG:.*]] = hgc.relu %[[EG]] {hgc.device = #hgc.device<gpu>}
  // CHECK: %[[T:.*]] = hgc.tanh %[[RG]]
  // CHECK: %[[D:.*]] = hgc.transfer %[[T]] from <gpu> to <cpu>
  // CHECK-NEXT: return %[[RC]], %[[D]]
  %0 = hgc.exp %x {hgc.also_on = #hgc.device<gpu>, hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  %1 = hgc.relu %0 {hgc.also_on = #hgc.device<gpu>, hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  %2 = hgc.transfer %1 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %3 = hgc.tanh %2 {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : tensor<4096xf32>
  %4 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  return %1, %4 : tensor<4096xf32>, tensor<4096xf32>
}
}

// -----

// A table that needs nothing from anywhere is made where it is read.
// CHECK-LABEL: func.func @table
// CHECK-SAME:    hgc.refined
module attributes {hgc.target_gpu = "a100"} {
func.func @table(%x: tensor<4096xf32>) -> tensor<4096xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[I:.*]] = hgc.iota {{.*}}<gpu>
  // CHECK-NOT: hgc.transfer %[[I]]
  // CHECK: hgc.add %{{.*}}, %[[I]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %1 = hgc.iota shape [4096] axis 0 of f32 {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  %2 = hgc.transfer %1 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %3 = hgc.add %0, %2 {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
  %4 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  return %4 : tensor<4096xf32>
}
}

// -----

// The operand came from the GPU: no need to send the result there.
// CHECK-LABEL: func.func @operand_is_there
module attributes {hgc.target_gpu = "a100"} {
func.func @operand_is_there(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[E:.*]] = hgc.exp
  // CHECK: %[[A:.*]] = hgc.abs %[[E]] {{.*}}<gpu>
  // CHECK: hgc.tanh %[[A]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %1 = hgc.exp %0 {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : tensor<4096xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  %3 = hgc.abs %2 {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  %4 = hgc.transfer %3 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %5 = hgc.tanh %4 {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : tensor<4096xf32>
  %6 = hgc.transfer %5 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  return %3, %6 : tensor<4096xf32>, tensor<4096xf32>
}
}

// -----

// A pinned op is computed where it is pinned, and nowhere else.
// CHECK-LABEL: func.func @pinned
// CHECK-NOT:     hgc.refined
module attributes {hgc.target_gpu = "a100"} {
func.func @pinned(%x: tensor<4096xf32>) -> tensor<4096xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[I:.*]] = hgc.iota {{.*}}<cpu>
  // CHECK: hgc.transfer %[[I]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %1 = hgc.iota shape [4096] axis 0 of f32 {hgc.device = #hgc.device<cpu>, hgc.pin = #hgc.device<cpu>} : tensor<4096xf32>
  %2 = hgc.transfer %1 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4096xf32>
  %3 = hgc.add %0, %2 {hgc.device = #hgc.device<gpu>, hgc.pin = #hgc.device<gpu>} : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
  %4 = hgc.transfer %3 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4096xf32>
  return %4 : tensor<4096xf32>
}
}

// -----

// Attention that is whole has no code on the CPU: its result is copied.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: hgc.attention {{.*}}<cpu>
// CHECK: hgc.transfer %{{.*}} from <gpu> to <cpu>
// CHECK-NOT: hgc.attention
module attributes {hgc.target_gpu = "a100"} {
func.func @whole(%x: tensor<2x1xf32>) -> tensor<2x1xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<2x1xf32>
  %1 = hgc.attention %0, %0, %0 {hgc.device = #hgc.device<gpu>} : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<2x1xf32>
  return %2 : tensor<2x1xf32>
}
}
