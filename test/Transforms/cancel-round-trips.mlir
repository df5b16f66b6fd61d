// RUN: hgc-opt --hgc-cancel-round-trips --split-input-file %s | FileCheck %s

// A value that is fetched back is the one that was sent.
// CHECK-LABEL: func.func @round_trip
func.func @round_trip(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[R:.*]] = hgc.relu
  // CHECK-NEXT: %[[E:.*]] = hgc.exp %[[R]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %1 = hgc.relu %0 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  %3 = hgc.transfer %2 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %4 = hgc.exp %3 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  // CHECK-NEXT: %[[T:.*]] = hgc.transfer %[[E]]
  // CHECK-NEXT: return %[[T]]
  %5 = hgc.transfer %4 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// The way out stays for the reader there; a view is made on the near side.
// CHECK-LABEL: func.func @through_views
func.func @through_views(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<8xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: %[[R:.*]] = hgc.relu
  // CHECK-NEXT: %[[C:.*]] = hgc.transfer %[[R]] from <gpu> to <cpu>
  // CHECK-NEXT: %[[V:.*]] = hgc.reshape %[[R]] shape [8] {hgc.device = #hgc.device<gpu>}
  // CHECK-NEXT: %[[E:.*]] = hgc.exp %[[V]]
  // CHECK-NEXT: %[[D:.*]] = hgc.transfer %[[E]]
  // CHECK-NEXT: return %[[C]], %[[D]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4x2xf32>
  %1 = hgc.relu %0 {hgc.device = #hgc.device<gpu>} : tensor<4x2xf32>
  %2 = hgc.transfer %1 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4x2xf32>
  %3 = hgc.reshape %2 shape [8] {hgc.device = #hgc.device<cpu>} : (tensor<4x2xf32>) -> tensor<8xf32>
  %4 = hgc.transfer %3 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %5 = hgc.exp %4 {hgc.device = #hgc.device<gpu>} : tensor<8xf32>
  %6 = hgc.transfer %5 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<8xf32>
  return %2, %6 : tensor<4x2xf32>, tensor<8xf32>
}

// -----

// There, back and there again is there.
// CHECK-LABEL: func.func @thrice
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>)
func.func @thrice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK-NEXT: %[[G:.*]] = hgc.transfer %[[X]]
  // CHECK-NEXT: %[[A:.*]] = hgc.abs %[[X]]
  // CHECK-NEXT: %[[E:.*]] = hgc.exp %[[G]]
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %1 = hgc.transfer %0 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  %2 = hgc.transfer %1 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %3 = hgc.abs %1 {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  %4 = hgc.exp %2 {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %5 = hgc.transfer %4 from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %3, %5 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A third device is no way back.
// CHECK-LABEL: func.func @onward
func.func @onward(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  // CHECK: from <cpu> to <gpu>
  // CHECK: from <gpu> to <gpu : 1>
  %0 = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4xf32>
  %1 = hgc.transfer %0 from <gpu> to <gpu : 1> {hgc.device = #hgc.device<gpu : 1>} : tensor<4xf32>
  %2 = hgc.exp %1 {hgc.device = #hgc.device<gpu : 1>} : tensor<4xf32>
  %3 = hgc.transfer %2 from <gpu : 1> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
  return %3 : tensor<4xf32>
}
