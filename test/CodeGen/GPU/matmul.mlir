// RUN: hgc-opt --hgc-emit-gpu-kernels %s | FileCheck %s

module attributes {hgc.target_gpu = "a100"} {

// Large products fill the GPU with large tiles; a library may take over because
// nothing follows the product.
// CHECK-LABEL: exec.kernel @large
// CHECK-SAME:    gemm = {arg_a = 0 : i64, arg_b = 1 : i64, arg_c = 2 : i64, batch = 1 : i64, k = 1024 : i64,
// CHECK-SAME:      lda = 1024 : i64, ldb = 4096 : i64, ldc = 4096 : i64, m = 3456 : i64, n = 4096 : i64,
// CHECK-SAME:      transpose_a = 0 : i64, transpose_b = 0 : i64, type_a = f32, type_b = f32, type_c = f32}
// CHECK-SAME:    launches = [{block = array<i64: 256, 1, 1>, function = "[[LARGE:.*]]", grid = array<i64: 864, 1, 1>
// CHECK-SAME:    schedule = "cublas or matmul: tile 128x128x8, 8x8 a thread", scratch_bytes = 0
exec.kernel @large inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<3456x1024xf32>, %b: memref<1024x4096xf32>, %y: memref<3456x4096xf32>):
  %0 = exec.load %a : memref<3456x1024xf32> -> tensor<3456x1024xf32>
  %1 = exec.load %b : memref<1024x4096xf32> -> tensor<1024x4096xf32>
  %2 = hgc.matmul %0, %1 : (tensor<3456x1024xf32>, tensor<1024x4096xf32>) -> tensor<3456x4096xf32>
  exec.store %2, %y : tensor<3456x4096xf32>, memref<3456x4096xf32>
}

// An epilogue keeps the product out of the library.
// CHECK-LABEL: exec.kernel @epilogue
// CHECK-NOT:     gemm =
// CHECK-SAME:    schedule = "matmul: tile
exec.kernel @epilogue inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<3456x1024xf32>, %b: memref<1024x4096xf32>, %y: memref<3456x4096xf32>):
  %0 = exec.load %a : memref<3456x1024xf32> -> tensor<3456x1024xf32>
  %1 = exec.load %b : memref<1024x4096xf32> -> tensor<1024x4096xf32>
  %2 = hgc.matmul %0, %1 : (tensor<3456x1024xf32>, tensor<1024x4096xf32>) -> tensor<3456x4096xf32>
  %3 = hgc.relu %2 : tensor<3456x4096xf32>
  exec.store %3, %y : tensor<3456x4096xf32>, memref<3456x4096xf32>
}

// Few tiles share the depth: partial sums in scratch, added by a second launch.
// CHECK-LABEL: exec.kernel @deep
// CHECK-SAME:    launches = [{{{.*}}function = "[[DEEP:hgc_2_matmul]]"{{.*}}}, {{{.*}}function = "hgc_2_matmul_1"
// CHECK-SAME:    schedule = "matmul: tile {{.*}}, depth in 32 shares", scratch_bytes = 524288
exec.kernel @deep inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<64x8192xf32>, %b: memref<8192x64xf32>, %y: memref<64x64xf32>):
  %0 = exec.load %a : memref<64x8192xf32> -> tensor<64x8192xf32>
  %1 = exec.load %b : memref<8192x64xf32> -> tensor<8192x64xf32>
  %2 = hgc.matmul %0, %1 : (tensor<64x8192xf32>, tensor<8192x64xf32>) -> tensor<64x64xf32>
  exec.store %2, %y : tensor<64x64xf32>, memref<64x64xf32>
}

// One row reads the matrix along its columns.
// CHECK-LABEL: exec.kernel @row
// CHECK-SAME:    schedule = "matmul: 1 rows, lanes along columns
exec.kernel @row inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1x784xf32>, %b: memref<784x128xf32>, %y: memref<1x128xf32>):
  %0 = exec.load %a : memref<1x784xf32> -> tensor<1x784xf32>
  %1 = exec.load %b : memref<784x128xf32> -> tensor<784x128xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1x784xf32>, tensor<784x128xf32>) -> tensor<1x128xf32>
  exec.store %2, %y : tensor<1x128xf32>, memref<1x128xf32>
}

// A transposed matrix is read along the depth, warps add by exchanging lanes.
// Few columns are as good as few rows.
// CHECK-LABEL: exec.kernel @column
// CHECK-SAME:    schedule = "matmul: 3 rows, dot products of 4 columns
exec.kernel @column inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<1000x784xf32>, %b: memref<784x3xf32>, %y: memref<1000x3xf32>):
  %0 = exec.load %a : memref<1000x784xf32> -> tensor<1000x784xf32>
  %1 = exec.load %b : memref<784x3xf32> -> tensor<784x3xf32>
  %2 = hgc.matmul %0, %1 : (tensor<1000x784xf32>, tensor<784x3xf32>) -> tensor<1000x3xf32>
  exec.store %2, %y : tensor<1000x3xf32>, memref<1000x3xf32>
}

// A batch of one right operand is a matter of more rows.
// CHECK-LABEL: exec.kernel @batch_of_rows
// CHECK-SAME:    gemm = {{{.*}}batch = 1 : i64{{.*}} m = 8192 : i64
exec.kernel @batch_of_rows inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<8x1024x512xf32>, %b: memref<512x512xf32>, %y: memref<8x1024x512xf32>):
  %0 = exec.load %a : memref<8x1024x512xf32> -> tensor<8x1024x512xf32>
  %1 = exec.load %b : memref<512x512xf32> -> tensor<512x512xf32>
  %2 = hgc.matmul %0, %1 : (tensor<8x1024x512xf32>, tensor<512x512xf32>) -> tensor<8x1024x512xf32>
  exec.store %2, %y : tensor<8x1024x512xf32>, memref<8x1024x512xf32>
}

// A batch whose left operand broadcasts, transposed on the right.
// CHECK-LABEL: exec.kernel @broadcast
// CHECK-SAME:    gemm = {{{.*}}batch = 8 : i64{{.*}} stride_a = 0 : i64, stride_b = 262144 : i64, stride_c = 262144 : i64
// CHECK-SAME:      transpose_a = 0 : i64, transpose_b = 1 : i64
exec.kernel @broadcast inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<512x512xf32>, %b: memref<8x512x512xf32>, %y: memref<8x512x512xf32>):
  %0 = exec.load %a : memref<512x512xf32> -> tensor<512x512xf32>
  %1 = exec.load %b : memref<8x512x512xf32> -> tensor<8x512x512xf32>
  %2 = hgc.matmul %0, %1 transpose_rhs : (tensor<512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  exec.store %2, %y : tensor<8x512x512xf32>, memref<8x512x512xf32>
}

// Nothing to add up: zeros, through the epilogue.
// CHECK-LABEL: exec.kernel @no_depth
// CHECK-SAME:    schedule = "matmul: one element a thread"
exec.kernel @no_depth inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%a: memref<5x0xf32>, %b: memref<0x7xf32>, %y: memref<5x7xf32>):
  %0 = exec.load %a : memref<5x0xf32> -> tensor<5x0xf32>
  %1 = exec.load %b : memref<0x7xf32> -> tensor<0x7xf32>
  %2 = hgc.matmul %0, %1 : (tensor<5x0xf32>, tensor<0x7xf32>) -> tensor<5x7xf32>
  exec.store %2, %y : tensor<5x7xf32>, memref<5x7xf32>
}

// The main loop of a full tile has neither conditions nor scalar loads.
// CHECK:       gpu.func @[[LARGE]]
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-NOT:       arith.select
// CHECK:           vector.load %arg0{{.*}} vector<4xf32>
// CHECK:           vector.load %arg1{{.*}} vector<4xf32>
// CHECK:           llvm.intr.fma
// CHECK:           gpu.barrier
// CHECK:         vector.store {{.*}} vector<4xf32>

// Partial sums go to scratch as they are.
// CHECK:       gpu.func @[[DEEP]](
// CHECK:         memref.view
// CHECK:       gpu.func @hgc_2_matmul_1(
// CHECK:         arith.addf
}
