// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// One long row is cut into parts of whole steps, which threads share. Each keeps its
// total in scratch memory; a second function adds them in order, and then the rest
// of the row.
// CHECK: exec.kernel @row {{.*}}finish = "hgc_kernel_0_finish", function = "hgc_kernel_0"
// CHECK-SAME: schedule = "reduce rows of 300007, lanes=32, 9 parts", scratch_bytes = 72 : i64, units = 9 : i64
// CHECK-LABEL: func.func private @row_body
// CHECK-SAME:    %[[SCRATCH:[^:]*]]: memref<72xi8> {llvm.noalias}, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
// CHECK:         scf.for %[[PART:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:           %[[FIRST:.*]] = arith.muli %[[PART]], %c33344
// CHECK:           %[[LIMIT:.*]] = arith.minsi %{{.*}}, %c300000
// CHECK:           %[[TOTAL:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[LIMIT]] step %c4096 iter_args({{.*}}) -> (f64)
// CHECK:             scf.for {{.*}} iter_args({{.*}}) -> (vector<32xf32>)
// CHECK:           %[[TOTALS:.*]] = memref.view %[[SCRATCH]]{{.*}} to memref<9xf64>
// CHECK:           memref.store %[[TOTAL]], %[[TOTALS]][%[[PART]]]
// CHECK-NOT:     arith.truncf
// CHECK-LABEL: func.func @hgc_kernel_0(
// CHECK-LABEL: func.func private @row_finish_body
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} to %c9 {{.*}} -> (f64)
// CHECK:           memref.load
// CHECK:           arith.addf
// CHECK:         %[[FRESH:.*]] = arith.select {{.*}} : vector<32xi1>, vector<32xf32>
// CHECK:         %[[REST:.*]] = arith.extf {{.*}} : f32 to f64
// CHECK:         %[[ALL:.*]] = arith.addf %[[SUM]], %[[REST]] : f64
// CHECK:         %[[RESULT:.*]] = arith.truncf %[[ALL]] : f64 to f32
// CHECK:         math.sqrt %[[RESULT]]
// CHECK:         memref.store
// CHECK-LABEL: func.func @hgc_kernel_0_finish(
exec.kernel @row inputs 1 {
^bb0(%x: memref<300007xf32>, %y: memref<f32>):
  %0 = exec.load %x : memref<300007xf32> -> tensor<300007xf32>
  %1 = hgc.reduce sum %0 axes = [0] : (tensor<300007xf32>) -> tensor<f32>
  %2 = hgc.sqrt %1 : tensor<f32>
  exec.store %2, %y : tensor<f32>, memref<f32>
}

// A few columns: each part keeps a total of every one.
// CHECK: exec.kernel @columns
// CHECK-SAME: schedule = "reduce columns of 40000, lanes=8, 12 parts", scratch_bytes = 480 : i64, units = 12 : i64
// CHECK-LABEL: func.func private @columns_body
// CHECK:         scf.for
// CHECK:           arith.maximumf {{.*}} : vector<8xf32>
// CHECK:         memref.view {{.*}} to memref<120xf32>
// CHECK:         vector.store
// CHECK-LABEL: func.func private @columns_finish_body
// CHECK:         vector.load
// CHECK:         arith.maximumf {{.*}} : vector<8xf32>
exec.kernel @columns inputs 1 {
^bb0(%x: memref<40000x10xf32>, %y: memref<10xf32>):
  %0 = exec.load %x : memref<40000x10xf32> -> tensor<40000x10xf32>
  %1 = hgc.reduce max %0 axes = [0] : (tensor<40000x10xf32>) -> tensor<10xf32>
  exec.store %1, %y : tensor<10xf32>, memref<10xf32>
}

// Of several reduced axes around a kept one, the outermost that is long enough.
// CHECK: exec.kernel @around
// CHECK-SAME: schedule = "reduce rows of 96000, lanes=16, 8 parts", scratch_bytes = 96 : i64, units = 8 : i64
// CHECK-LABEL: func.func private @around_body
// CHECK:         arith.muli %{{.*}}, %c120
exec.kernel @around inputs 1 {
^bb0(%x: memref<960x3x100xi32>, %y: memref<3xi32>):
  %0 = exec.load %x : memref<960x3x100xi32> -> tensor<960x3x100xi32>
  %1 = hgc.reduce sum %0 axes = [0, 2] : (tensor<960x3x100xi32>) -> tensor<3xi32>
  exec.store %1, %y : tensor<3xi32>, memref<3xi32>
}

// Enough rows to share, or too little work: whole.
// CHECK: exec.kernel @rows {{.*}}schedule = "reduce rows of 10000, lanes=32", scratch_bytes = 0 : i64, units = 64 : i64
exec.kernel @rows inputs 1 {
^bb0(%x: memref<64x10000xf32>, %y: memref<64xf32>):
  %0 = exec.load %x : memref<64x10000xf32> -> tensor<64x10000xf32>
  %1 = hgc.reduce sum %0 axes = [1] : (tensor<64x10000xf32>) -> tensor<64xf32>
  exec.store %1, %y : tensor<64xf32>, memref<64xf32>
}
// CHECK: exec.kernel @short {{.*}}schedule = "reduce rows of 50000, lanes=32", scratch_bytes = 0 : i64, units = 1 : i64
exec.kernel @short inputs 1 {
^bb0(%x: memref<50000xf32>, %y: memref<f32>):
  %0 = exec.load %x : memref<50000xf32> -> tensor<50000xf32>
  %1 = hgc.reduce sum %0 axes = [0] : (tensor<50000xf32>) -> tensor<f32>
  exec.store %1, %y : tensor<f32>, memref<f32>
}
