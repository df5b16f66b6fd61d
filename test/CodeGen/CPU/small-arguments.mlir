// RUN: hgc-opt --hgc-expand-math --split-input-file %s | FileCheck %s --check-prefix=EXPAND
// RUN: hgc-opt --hgc-lower-to-llvm --split-input-file %s | FileCheck %s --check-prefix=LOWER

// expm1 of f64 keeps its digits at small arguments: through tanh, not exp - 1.
// EXPAND-LABEL: func @expm1
// EXPAND-NOT:     math.expm1
// EXPAND:         %[[T:.*]] = math.tanh
// EXPAND:         arith.subf %{{.*}}, %[[T]]
// LOWER-LABEL:  llvm.func @expm1
// LOWER:          llvm.intr.tanh
func.func @expm1(%x: f64) -> f64 {
  %0 = math.expm1 %x : f64
  return %0 : f64
}

// -----

// log1p of f64 is libm's, not log(1 + x).
// EXPAND-LABEL: func @log1p_of
// EXPAND:         math.log1p
// LOWER-LABEL:  llvm.func @log1p_of
// LOWER:          llvm.call @log1p(
func.func @log1p_of(%x: f64) -> f64 {
  %0 = math.log1p %x : f64
  return %0 : f64
}
