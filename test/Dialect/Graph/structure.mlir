// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// CHECK-LABEL: func @if
func.func @if(%c: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: hgc.if %{{.*}} : tensor<i1> -> (tensor<4xf32>) {
  // CHECK:   hgc.yield %{{.*}} : tensor<4xf32>
  // CHECK: } else {
  // CHECK:   hgc.yield %{{.*}} : tensor<4xf32>
  %0 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
    hgc.yield %a : tensor<4xf32>
  } else {
    hgc.yield %b : tensor<4xf32>
  }
  // CHECK: hgc.if %{{.*}} : tensor<i1> attributes {hgc.name = "nothing"} {
  // CHECK:   hgc.yield
  hgc.if %c : tensor<i1> attributes {hgc.name = "nothing"} {
    hgc.yield
  } else {
    hgc.yield
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @while
func.func @while(%zero: tensor<i32>, %one: tensor<i32>) -> tensor<i32> {
  // CHECK: hgc.while init(%{{.*}} : tensor<i32>) trip_hint 25 -> (tensor<i32>) cond {
  // CHECK: ^bb0(%[[I:.*]]: tensor<i32>):
  // CHECK:   hgc.compare lt %[[I]]
  // CHECK: } do {
  // CHECK:   hgc.add
  %0 = hgc.while init(%zero : tensor<i32>) trip_hint 25 -> (tensor<i32>) cond {
  ^bb0(%i: tensor<i32>):
    %p = hgc.compare lt %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    hgc.yield %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %j = hgc.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    hgc.yield %j : tensor<i32>
  }
  return %0 : tensor<i32>
}

// CHECK-LABEL: func @scan
func.func @scan(%h0: tensor<4xf32>, %xs: tensor<9x4xf32>, %ys: tensor<?x4xf32>) {
  // CHECK: hgc.scan init(%{{.*}} : tensor<4xf32>) over(%{{.*}}, %{{.*}} : tensor<9x4xf32>, tensor<?x4xf32>) reverse
  // CHECK-SAME: -> (tensor<4xf32>, tensor<9x4xf32>) {
  %0:2 = hgc.scan init(%h0 : tensor<4xf32>) over(%xs, %ys : tensor<9x4xf32>, tensor<?x4xf32>) reverse
      -> (tensor<4xf32>, tensor<9x4xf32>) {
  ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>, %y: tensor<4xf32>):
    %n = hgc.add %s, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %n, %y : tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: hgc.scan over(%{{.*}} : tensor<9x4xf32>) -> (tensor<9xf32>) {
  %1 = hgc.scan over(%xs : tensor<9x4xf32>) -> (tensor<9xf32>) {
  ^bb0(%x: tensor<4xf32>):
    %n = hgc.reduce max %x axes = [0] : (tensor<4xf32>) -> tensor<f32>
    hgc.yield %n : tensor<f32>
  }
  return
}

// CHECK-LABEL: func @transfer
func.func @transfer(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: hgc.transfer %{{.*}} from <cpu> to <gpu : 1> : tensor<64x64xf32>
  %0 = hgc.transfer %x from <cpu> to <gpu:1> : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func @kernel
func.func @kernel(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>, %b: tensor<2xf32>) -> tensor<8x2xf32> {
  // CHECK: hgc.kernel(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8x4xf32>, tensor<4x2xf32>, tensor<2xf32>) -> tensor<8x2xf32>
  // CHECK-SAME: attributes {hgc.device = #hgc.device<cpu>} {
  // CHECK:   hgc.matmul
  // CHECK:   hgc.add
  // CHECK:   hgc.yield
  %0 = hgc.kernel(%x, %w, %b : tensor<8x4xf32>, tensor<4x2xf32>, tensor<2xf32>) -> tensor<8x2xf32>
      attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<8x4xf32>, %c: tensor<4x2xf32>, %d: tensor<2xf32>):
    %1 = hgc.matmul %a, %c : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
    %2 = hgc.add %1, %d : (tensor<8x2xf32>, tensor<2xf32>) -> tensor<8x2xf32>
    hgc.yield %2 : tensor<8x2xf32>
  }
  return %0 : tensor<8x2xf32>
}

// A kernel without inputs holds constants and counters.
// CHECK-LABEL: func @kernel_of_nothing
func.func @kernel_of_nothing() -> tensor<4xi32> {
  // CHECK: hgc.kernel() -> tensor<4xi32> {
  %0 = hgc.kernel() -> tensor<4xi32> {
    %1 = hgc.iota shape [4] axis 0 of i32 : tensor<4xi32>
    %2 = hgc.constant dense<7> : tensor<i32>
    %3 = hgc.mul %1, %2 : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    hgc.yield %3 : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}
