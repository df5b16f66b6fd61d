// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse %s | FileCheck %s

// The register tile: two vectors of a packed panel, four rows (they divide 32),
// eight sums carried through the depth loop; then bias and relu on the sums.
// CHECK:       exec.kernel @dense inputs 3 attributes {function = "hgc_kernel_0"
// CHECK-SAME:    schedule = "matmul: tile 4x16, blocks 32x16x200", scratch_bytes = 0 : i64, units = 64 : i64
// CHECK-LABEL: func.func private @dense_body
// CHECK-SAME:    (%[[X:.*]]: memref<6400xf32> {llvm.noalias}, %[[W:.*]]: memref<25600xf32> {llvm.noalias}, %[[B:.*]]: memref<128xf32> {llvm.noalias}, %[[Y:.*]]: memref<4096xf32> {llvm.noalias}, %{{.*}}: index, %{{.*}}: index)
// CHECK:         %[[SUM:.*]]:8 = scf.for {{.*}} to %c200 step %c1 iter_args
// CHECK:           vector.load %[[W]]{{.*}} vector<8xf32>
// CHECK:           vector.load %[[W]]{{.*}} vector<8xf32>
// CHECK-COUNT-4:   memref.load %[[X]]
// CHECK-NOT:       memref.load
// CHECK:           scf.yield
// CHECK:         vector.load %[[B]]
// CHECK:         arith.addf %[[SUM]]#0
// CHECK:         arith.select
// CHECK:         vector.store {{.*}} %[[Y]]
// CHECK-LABEL: func.func @hgc_kernel_0(
// CHECK-SAME:    %[[ARGS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK:         llvm.load %[[ARGS]]
// CHECK:         llvm.getelementptr %[[ARGS]][3]
// CHECK:         call @dense_body
exec.kernel @dense inputs 3 {
^bb0(%x: memref<32x200xf32>, %w: memref<8x200x16xf32>, %b: memref<128xf32>, %y: memref<32x128xf32>):
  %0 = exec.load %x : memref<32x200xf32> -> tensor<32x200xf32>
  %1 = exec.load %w : memref<8x200x16xf32> -> tensor<8x200x16xf32>
  %2 = exec.load %b : memref<128xf32> -> tensor<128xf32>
  %3 = hgc.matmul %0, %1 packed <16, [200, 128]> : (tensor<32x200xf32>, tensor<8x200x16xf32>) -> tensor<32x128xf32>
  %4 = hgc.add %3, %2 : (tensor<32x128xf32>, tensor<128xf32>) -> tensor<32x128xf32>
  %5 = hgc.relu %4 : tensor<32x128xf32>
  exec.store %5, %y : tensor<32x128xf32>, memref<32x128xf32>
}

// One row: four panels side by side keep eight sums busy. Too little work for a
// second thread: the grain is all units.
// CHECK:       exec.kernel @row {{.*}}grain = 2 : i64, schedule = "matmul: tile 1x64{{.*}}units = 2 : i64
// CHECK-LABEL: func.func private @row_body
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
exec.kernel @row inputs 2 {
^bb0(%x: memref<1x784xf32>, %w: memref<8x784x16xf32>, %y: memref<1x128xf32>):
  %0 = exec.load %x : memref<1x784xf32> -> tensor<1x784xf32>
  %1 = exec.load %w : memref<8x784x16xf32> -> tensor<8x784x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [784, 128]> : (tensor<1x784xf32>, tensor<8x784x16xf32>) -> tensor<1x128xf32>
  exec.store %2, %y : tensor<1x128xf32>, memref<1x128xf32>
}

// A row against more weights than stay in the second-level cache: in a loop, every
// other iteration begins with those it read last.
// CHECK:       exec.kernel @long_row {{.*}}schedule = "matmul: tile 1x64{{.*}}turns, units = 16 : i64
exec.kernel @long_row inputs 2 {
^bb0(%x: memref<1x512xf32>, %w: memref<64x512x16xf32>, %y: memref<1x1024xf32>):
  %0 = exec.load %x : memref<1x512xf32> -> tensor<1x512xf32>
  %1 = exec.load %w : memref<64x512x16xf32> -> tensor<64x512x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [512, 1024]> : (tensor<1x512xf32>, tensor<64x512x16xf32>) -> tensor<1x1024xf32>
  exec.store %2, %y : tensor<1x1024xf32>, memref<1x1024xf32>
}

// Three rows and two panels: the rows stay in registers while the four vectors of the
// panels pass by, one at a time.
// CHECK-LABEL: func.func private @rows_body
// CHECK:         scf.for {{.*}} to %c784
// CHECK-COUNT-3:   memref.load
// CHECK-NEXT:      vector.load
// CHECK-NOT:       vector.load
// CHECK:           arith.addf
// CHECK:           arith.addf
// CHECK:           arith.addf
// CHECK:           vector.load
exec.kernel @rows inputs 2 {
^bb0(%x: memref<3x784xf32>, %w: memref<8x784x16xf32>, %y: memref<3x128xf32>):
  %0 = exec.load %x : memref<3x784xf32> -> tensor<3x784xf32>
  %1 = exec.load %w : memref<8x784x16xf32> -> tensor<8x784x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [784, 128]> : (tensor<3x784xf32>, tensor<8x784x16xf32>) -> tensor<3x128xf32>
  exec.store %2, %y : tensor<3x128xf32>, memref<3x128xf32>
}

// One row and one panel: the sum is split into four chains, added pairwise. The
// ten columns end inside the panel, of which a vector and a half are computed, and
// are stored in parts of 8 and 2.
// CHECK-LABEL: func.func private @small_body
// CHECK:         scf.for {{.*}} to %c128 step %c4 iter_args({{.*}}) -> (vector<8xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>) {
// CHECK:         vector.store {{.*}} vector<8xf32>
// CHECK:         vector.extract_strided_slice {{.*}} vector<4xf32> to vector<2xf32>
// CHECK:         vector.store {{.*}} vector<2xf32>
exec.kernel @small inputs 2 {
^bb0(%x: memref<1x128xf32>, %w: memref<1x128x16xf32>, %y: memref<1x10xf32>):
  %0 = exec.load %x : memref<1x128xf32> -> tensor<1x128xf32>
  %1 = exec.load %w : memref<1x128x16xf32> -> tensor<1x128x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [128, 10]> : (tensor<1x128xf32>, tensor<1x128x16xf32>) -> tensor<1x10xf32>
  exec.store %2, %y : tensor<1x10xf32>, memref<1x10xf32>
}

// Deep and wide: rows are copied to scratch, sums rest there between blocks of
// the depth, and the epilogue runs only after the last one. A unit is a tile of
// rows; a thread's range is cut into blocks of about the same size. Weights are
// fetched ahead of their use, by four tiles a line every four steps.
// CHECK:       exec.kernel @deep {{.*}}x1024, lhs packed", scratch_bytes = {{[1-9][0-9]*}} : i64, units = 48
// CHECK-LABEL: func.func private @deep_body
// CHECK-SAME:    %{{.*}}: memref<589824xf32> {llvm.noalias}, %[[W:.*]]: memref<1048576xf32>
// CHECK:         memref.view
// CHECK:         arith.divui
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, {{.*}} %c0
// CHECK:         memref.prefetch {{.*}}, write
// CHECK:         scf.for {{.*}} step %c4 iter_args
// CHECK-COUNT-1:   memref.prefetch %[[W]]{{.*}}, read, locality<3>
// CHECK-NOT:       memref.prefetch %[[W]]
// CHECK:         scf.if %[[FIRST]] -> (vector<8xf32>
// CHECK:         scf.if
// CHECK:           math.exp
// CHECK:         } else {
// CHECK-NOT:       math.exp
// CHECK:           vector.store
exec.kernel @deep inputs 2 {
^bb0(%x: memref<288x2048xf32>, %w: memref<32x2048x16xf32>, %y: memref<288x512xf32>):
  %0 = exec.load %x : memref<288x2048xf32> -> tensor<288x2048xf32>
  %1 = exec.load %w : memref<32x2048x16xf32> -> tensor<32x2048x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [2048, 512]> : (tensor<288x2048xf32>, tensor<32x2048x16xf32>) -> tensor<288x512xf32>
  %3 = hgc.exp %2 : tensor<288x512xf32>
  exec.store %3, %y : tensor<288x512xf32>, memref<288x512xf32>
}

// All sixteen panels fit in the second-level cache: a tile of rows meets eight of them before the next one,
// so that threads have enough units. It fetches its lines of the result and of the operand that is added before the sums are ready, a row
// every four steps.
// CHECK:           exec.kernel @near {{.*}}schedule = "matmul: tile 6x16, blocks 6x128x128"{{.*}}, units = 80 : i64
// CHECK-LABEL:     func.func private @near_body
// CHECK-SAME:        %[[R:[^ ]*]]: memref<61440xf32> {llvm.noalias}, %[[Y:[^ ]*]]: memref<61440xf32> {llvm.noalias}, %{{[^ ]*}}: index
// CHECK-NOT:         memref.prefetch
// CHECK:             scf.for %[[K:[^ ]*]] = %c0 to %c128 step %c4 iter_args
// CHECK:               %[[NUMBER:.*]] = arith.divui %[[K]], %c4
// CHECK:               arith.minsi %[[NUMBER]], %c5
// CHECK:               memref.prefetch %[[Y]]{{.*}}, write
// CHECK:               memref.prefetch %[[R]]{{.*}}, read
// CHECK-NOT:           memref.prefetch
// CHECK:               scf.yield
// CHECK:             vector.load %[[R]]
exec.kernel @near inputs 3 {
^bb0(%x: memref<240x128xf32>, %w: memref<16x128x16xf32>, %r: memref<240x256xf32>, %y: memref<240x256xf32>):
  %0 = exec.load %x : memref<240x128xf32> -> tensor<240x128xf32>
  %1 = exec.load %w : memref<16x128x16xf32> -> tensor<16x128x16xf32>
  %2 = exec.load %r : memref<240x256xf32> -> tensor<240x256xf32>
  %3 = hgc.matmul %0, %1 packed <16, [128, 256]> : (tensor<240x128xf32>, tensor<16x128x16xf32>) -> tensor<240x256xf32>
  %4 = hgc.add %3, %2 : (tensor<240x256xf32>, tensor<240x256xf32>) -> tensor<240x256xf32>
  exec.store %4, %y : tensor<240x256xf32>, memref<240x256xf32>
}

// A result that the second-level cache does not hold beside the rest: a tile fetches its lines before the sums are
// ready, one for each of six rows of 16 columns, and the last one again.
// CHECK:         exec.kernel @large {{.*}}schedule = "matmul: tile 6x16
// CHECK-LABEL:   func.func private @large_body
// CHECK-SAME:      %[[Y:[^ ]*]]: memref<1048576xf32> {llvm.noalias}, %{{[^ ]*}}: index
// CHECK:           scf.for {{.*}} step %c4 iter_args
// CHECK-COUNT-1:     memref.prefetch %[[Y]]{{.*}}, write
// CHECK-NOT:         memref.prefetch %[[Y]]
// CHECK:             scf.yield
// CHECK:           vector.store {{.*}}, %[[Y]]
exec.kernel @large inputs 2 {
^bb0(%x: memref<1024x128xf32>, %w: memref<64x128x16xf32>, %y: memref<1024x1024xf32>):
  %0 = exec.load %x : memref<1024x128xf32> -> tensor<1024x128xf32>
  %1 = exec.load %w : memref<64x128x16xf32> -> tensor<64x128x16xf32>
  %2 = hgc.matmul %0, %1 packed <16, [128, 1024]> : (tensor<1024x128xf32>, tensor<64x128x16xf32>) -> tensor<1024x1024xf32>
  exec.store %2, %y : tensor<1024x1024xf32>, memref<1024x1024xf32>
}
