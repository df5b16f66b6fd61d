// RUN: hgc-opt --hgc-expand-math %s | FileCheck %s

// f32 functions become arithmetic; no call remains. A tiny exponential is computed as
// a multiple of the least number, so that no product underflows.
// CHECK-LABEL: func @exp
// CHECK-NOT:     math.exp
// CHECK-COUNT-7: arith.addf {{.*}} fastmath<contract>
// CHECK:         %[[TINY:.*]] = arith.cmpf olt
// CHECK:         arith.select %[[TINY]]
// CHECK:         arith.shli
// CHECK:         %[[Y:.*]] = arith.mulf %{{[0-9]+}}, %{{[0-9]+}} : vector<8xf32>
// CHECK-NEXT:    llvm.call_intrinsic "llvm.lrint"(%[[Y]])
// CHECK:         %[[CODE:.*]] = arith.bitcast {{.*}} : vector<8xi32> to vector<8xf32>
// CHECK:         %[[RESULT:.*]] = arith.select %[[TINY]], %[[CODE]], %[[Y]]
// CHECK:         return %[[RESULT]]
func.func @exp(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// One that is known to be a normal number needs neither limits nor that.
// CHECK-LABEL: func @bounded
// CHECK-NOT:     arith.cmpf
// CHECK-NOT:     math.
// CHECK:         arith.shli
// CHECK:         %[[RESULT:.*]] = arith.mulf
// CHECK-NEXT:    return %[[RESULT]]
func.func @bounded(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp %x {bounded} : vector<8xf32>
  return %0 : vector<8xf32>
}

// Scalars too.
// CHECK-LABEL: func @log
// CHECK-NOT:     math.log
// CHECK:         arith.select
// CHECK:         return %{{.*}} : f32
func.func @log(%x: f32) -> f32 {
  %0 = math.log %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @others
// CHECK-NOT:     math.{{tanh|erf|log1p|expm1|sinh|cosh|asinh|acosh|atanh|asin|acos|atan|atan2|powf}} {{.*}}f32
// CHECK:         return
func.func @others(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.tanh %x : vector<4xf32>
  %1 = math.erf %0 : vector<4xf32>
  %2 = math.log1p %1 : vector<4xf32>
  %3 = math.expm1 %2 : vector<4xf32>
  %4 = math.sinh %3 : vector<4xf32>
  %5 = math.cosh %4 : vector<4xf32>
  %6 = math.asinh %5 : vector<4xf32>
  %7 = math.acosh %6 : vector<4xf32>
  %8 = math.atanh %7 : vector<4xf32>
  %9 = math.asin %8 : vector<4xf32>
  %10 = math.acos %9 : vector<4xf32>
  %11 = math.atan %10 : vector<4xf32>
  %12 = math.atan2 %11, %10 : vector<4xf32>
  %13 = math.powf %12, %11 : vector<4xf32>
  return %13 : vector<4xf32>
}

// Angles too large for the reduction go to libm, lane by lane in f64.
// CHECK-LABEL: func @sin
// CHECK:         vector.reduction <or>
// CHECK:         scf.if
// CHECK-COUNT-4:   math.sin {{.*}} : f64
// CHECK:         } else {
// CHECK:           arith.addf {{.*}} fastmath<contract> : vector<4xf64>
func.func @sin(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.sin %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// f64 stays a function, one call a lane.
// CHECK-LABEL: func @double
// CHECK-COUNT-2: math.exp {{.*}} : f64
// CHECK:         vector.from_elements
func.func @double(%x: vector<2xf64>) -> vector<2xf64> {
  %0 = math.exp %x : vector<2xf64>
  return %0 : vector<2xf64>
}

// Functions of the CPU are left alone.
// CHECK-LABEL: func @native
// CHECK:         math.sqrt
// CHECK:         math.floor
func.func @native(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.sqrt %x : vector<8xf32>
  %1 = math.floor %0 : vector<8xf32>
  return %1 : vector<8xf32>
}

// A number that is rounded to become an integer is rounded by the conversion, and once more for others that read it;
// one of other types is not.
// CHECK-LABEL: func @round
// CHECK:         %[[I:.*]] = llvm.call_intrinsic "llvm.lrint"(%{{.*}}) : (vector<8xf32>) -> vector<8xi32>
// CHECK:         math.roundeven %[[Y:.*]] : vector<8xf32>
// CHECK:         llvm.call_intrinsic "llvm.lrint"(%[[Y]])
// CHECK-NOT:     arith.fptosi {{.*}} vector<8xi32>
// CHECK:         arith.fptosi {{.*}} vector<8xf32> to vector<8xi16>
func.func @round(%x: vector<8xf32>, %y: vector<8xf32>, %z: vector<8xf32>)
    -> (vector<8xi32>, vector<8xi32>, vector<8xf32>, vector<8xi16>) {
  %0 = math.roundeven %x : vector<8xf32>
  %1 = arith.fptosi %0 : vector<8xf32> to vector<8xi32>
  %2 = math.roundeven %y : vector<8xf32>
  %3 = arith.fptosi %2 : vector<8xf32> to vector<8xi32>
  %4 = math.roundeven %z : vector<8xf32>
  %5 = arith.fptosi %4 : vector<8xf32> to vector<8xi16>
  return %1, %3, %2, %5 : vector<8xi32>, vector<8xi32>, vector<8xf32>, vector<8xi16>
}
