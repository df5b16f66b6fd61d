// RUN: hgc-opt %s | hgc-opt | FileCheck %s
// RUN: hgc-opt %s --mlir-print-op-generic | hgc-opt | FileCheck %s

// Every op of one operand prints as it is read.
// CHECK-LABEL: func @unary
// CHECK-SAME:    (%[[X:.*]]: tensor<2x?xf32>, %[[I:.*]]: tensor<3xi1>)
func.func @unary(%x: tensor<2x?xf32>, %i: tensor<3xi1>) {
  // CHECK: hgc.abs %[[X]] : tensor<2x?xf32>
  %0 = hgc.abs %x : tensor<2x?xf32>
  // CHECK: hgc.neg %[[X]] : tensor<2x?xf32>
  %1 = hgc.neg %x : tensor<2x?xf32>
  // CHECK: hgc.sign %[[X]] : tensor<2x?xf32>
  %2 = hgc.sign %x : tensor<2x?xf32>
  // CHECK: hgc.exp %[[X]] : tensor<2x?xf32>
  %3 = hgc.exp %x : tensor<2x?xf32>
  // CHECK: hgc.expm1 %[[X]] : tensor<2x?xf32>
  %4 = hgc.expm1 %x : tensor<2x?xf32>
  // CHECK: hgc.log %[[X]] : tensor<2x?xf32>
  %5 = hgc.log %x : tensor<2x?xf32>
  // CHECK: hgc.log1p %[[X]] : tensor<2x?xf32>
  %6 = hgc.log1p %x : tensor<2x?xf32>
  // CHECK: hgc.sqrt %[[X]] : tensor<2x?xf32>
  %7 = hgc.sqrt %x : tensor<2x?xf32>
  // CHECK: hgc.rsqrt %[[X]] : tensor<2x?xf32>
  %8 = hgc.rsqrt %x : tensor<2x?xf32>
  // CHECK: hgc.sin %[[X]] : tensor<2x?xf32>
  %9 = hgc.sin %x : tensor<2x?xf32>
  // CHECK: hgc.cos %[[X]] : tensor<2x?xf32>
  %10 = hgc.cos %x : tensor<2x?xf32>
  // CHECK: hgc.tan %[[X]] : tensor<2x?xf32>
  %11 = hgc.tan %x : tensor<2x?xf32>
  // CHECK: hgc.asin %[[X]] : tensor<2x?xf32>
  %12 = hgc.asin %x : tensor<2x?xf32>
  // CHECK: hgc.acos %[[X]] : tensor<2x?xf32>
  %13 = hgc.acos %x : tensor<2x?xf32>
  // CHECK: hgc.atan %[[X]] : tensor<2x?xf32>
  %14 = hgc.atan %x : tensor<2x?xf32>
  // CHECK: hgc.sinh %[[X]] : tensor<2x?xf32>
  %15 = hgc.sinh %x : tensor<2x?xf32>
  // CHECK: hgc.cosh %[[X]] : tensor<2x?xf32>
  %16 = hgc.cosh %x : tensor<2x?xf32>
  // CHECK: hgc.tanh %[[X]] : tensor<2x?xf32>
  %17 = hgc.tanh %x : tensor<2x?xf32>
  // CHECK: hgc.asinh %[[X]] : tensor<2x?xf32>
  %18 = hgc.asinh %x : tensor<2x?xf32>
  // CHECK: hgc.acosh %[[X]] : tensor<2x?xf32>
  %19 = hgc.acosh %x : tensor<2x?xf32>
  // CHECK: hgc.atanh %[[X]] : tensor<2x?xf32>
  %20 = hgc.atanh %x : tensor<2x?xf32>
  // CHECK: hgc.erf %[[X]] : tensor<2x?xf32>
  %21 = hgc.erf %x : tensor<2x?xf32>
  // CHECK: hgc.floor %[[X]] : tensor<2x?xf32>
  %22 = hgc.floor %x : tensor<2x?xf32>
  // CHECK: hgc.ceil %[[X]] : tensor<2x?xf32>
  %23 = hgc.ceil %x : tensor<2x?xf32>
  // CHECK: hgc.round %[[X]] : tensor<2x?xf32>
  %24 = hgc.round %x : tensor<2x?xf32>
  // CHECK: hgc.trunc %[[X]] : tensor<2x?xf32>
  %25 = hgc.trunc %x : tensor<2x?xf32>
  // CHECK: hgc.relu %[[X]] : tensor<2x?xf32>
  %26 = hgc.relu %x : tensor<2x?xf32>
  // CHECK: hgc.sigmoid %[[X]] : tensor<2x?xf32>
  %27 = hgc.sigmoid %x : tensor<2x?xf32>
  // CHECK: hgc.silu %[[X]] : tensor<2x?xf32>
  %silu = hgc.silu %x : tensor<2x?xf32>
  // CHECK: hgc.gelu %[[X]] : tensor<2x?xf32>
  %28 = hgc.gelu %x : tensor<2x?xf32>
  // CHECK: hgc.gelu_tanh %[[X]] : tensor<2x?xf32>
  %29 = hgc.gelu_tanh %x : tensor<2x?xf32>
  // CHECK: hgc.stop_gradient %[[I]] : tensor<3xi1>
  %stopped = hgc.stop_gradient %i : tensor<3xi1>
  // CHECK: hgc.not %[[I]] : tensor<3xi1>
  %30 = hgc.not %i : tensor<3xi1>
  return
}

// Every op of two operands broadcasts.
// CHECK-LABEL: func @binary
// CHECK-SAME:    (%[[X:.*]]: tensor<8x1xf32>, %[[Y:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<8x1xui8>, %[[J:.*]]: tensor<4xui8>)
func.func @binary(%x: tensor<8x1xf32>, %y: tensor<4xf32>, %i: tensor<8x1xui8>, %j: tensor<4xui8>) {
  // CHECK: hgc.add %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %0 = hgc.add %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.sub %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %1 = hgc.sub %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.mul %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %2 = hgc.mul %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.div %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %3 = hgc.div %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.rem %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %4 = hgc.rem %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.pow %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %5 = hgc.pow %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.max %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %6 = hgc.max %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.min %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %7 = hgc.min %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.atan2 %[[X]], %[[Y]] : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %8 = hgc.atan2 %x, %y : (tensor<8x1xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  // CHECK: hgc.and %[[I]], %[[J]] : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  %9 = hgc.and %i, %j : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  // CHECK: hgc.or %[[I]], %[[J]] : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  %10 = hgc.or %i, %j : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  // CHECK: hgc.xor %[[I]], %[[J]] : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  %11 = hgc.xor %i, %j : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  // CHECK: hgc.shl %[[I]], %[[J]] : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  %12 = hgc.shl %i, %j : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  // CHECK: hgc.shr %[[I]], %[[J]] : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  %13 = hgc.shr %i, %j : (tensor<8x1xui8>, tensor<4xui8>) -> tensor<8x4xui8>
  return
}

// Tests, conversions, comparisons and selection change the element type.
// CHECK-LABEL: func @mixed
func.func @mixed(%x: tensor<4xf32>, %s: tensor<f32>, %d: tensor<?xf32>) {
  // CHECK: hgc.is_nan %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %0 = hgc.is_nan %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: hgc.is_inf %{{.*}} : (tensor<4xf32>) -> tensor<4xi1>
  %1 = hgc.is_inf %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: hgc.cast %{{.*}} to ui16 : (tensor<4xf32>) -> tensor<4xui16>
  %2 = hgc.cast %x to ui16 : (tensor<4xf32>) -> tensor<4xui16>
  // CHECK: hgc.cast %{{.*}} to i32 in_range : (tensor<4xf32>) -> tensor<4xi32>
  %in_range = hgc.cast %x to i32 in_range : (tensor<4xf32>) -> tensor<4xi32>
  // CHECK: hgc.compare eq %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %eq = hgc.compare eq %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  // CHECK: hgc.compare ne %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %ne = hgc.compare ne %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  // CHECK: hgc.compare lt %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %lt = hgc.compare lt %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  // CHECK: hgc.compare le %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %le = hgc.compare le %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  // CHECK: hgc.compare gt %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %gt = hgc.compare gt %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  // CHECK: hgc.compare ge %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  %ge = hgc.compare ge %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
  // CHECK: hgc.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = hgc.select %0, %x, %s : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // A dynamic extent beside a static one is that one; the declared type may say less.
  // CHECK: hgc.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = hgc.add %d, %x : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: hgc.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %5 = hgc.add %d, %x : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return
}
