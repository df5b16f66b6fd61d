// RUN: hgc-opt --hgc-lower-to-llvm %s | FileCheck %s

// Loops on flat buffers become branches on bare pointers that keep `noalias`;
// exec ops are left alone.
// CHECK-LABEL: llvm.func @body
// CHECK-SAME:    (%[[X:.*]]: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %[[BEGIN:.*]]: i64, %{{.*}}: i64)
// CHECK-NOT:   unrealized_conversion_cast
// CHECK:       llvm.cond_br
// CHECK:       llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK:       llvm.intr.fmuladd
// CHECK:       llvm.store
// CHECK:       exec.blob @w
func.func @body(%x: memref<64xf32> {llvm.noalias}, %y: memref<64xf32> {llvm.noalias}, %begin: index, %end: index) {
  %c8 = arith.constant 8 : index
  scf.for %i = %begin to %end step %c8 {
    %v = vector.load %x[%i] : memref<64xf32>, vector<8xf32>
    %w = vector.fma %v, %v, %v : vector<8xf32>
    vector.store %w, %y[%i] : memref<64xf32>, vector<8xf32>
  }
  return
}
exec.blob @w : memref<8xf32> = dense<1.0> {offset = 0}

// Rounding to bf16 is integer arithmetic: the C library has no function for it.
// CHECK-LABEL: llvm.func @round
// CHECK-NOT:   fptrunc
// CHECK:       llvm.lshr
// CHECK:       llvm.return
func.func @round(%x: vector<8xf32>) -> vector<8xbf16> {
  %y = arith.truncf %x : vector<8xf32> to vector<8xbf16>
  return %y : vector<8xbf16>
}

// What has no expansion becomes a call of libm, one element at a time.
// CHECK-LABEL: llvm.func @library
// CHECK:       llvm.call @acosh(%{{.*}}) : (f64) -> f64
func.func @library(%x: f64) -> f64 {
  %y = math.acosh %x : f64
  return %y : f64
}
