// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// An entry's keys are turned. Then come a few rows: their scores go
// to scratch, become exponentials there, two rows at a time, and their products with the
// values are scaled by the reciprocals of the rows' sums.
// CHECK:       exec.kernel @attention {{.*}}schedule = "attention: tile 6x16, 6 rows of 200 keys at a time", scratch_bytes = {{[0-9]+}} : i64, units = 16 : i64
// CHECK-LABEL: func.func private @attention_body
// CHECK-SAME:    (%[[Q:.*]]: memref<3072xf32> {llvm.noalias}, %[[K:.*]]: memref<12800xf32> {llvm.noalias}, %[[V:.*]]: memref<12800xf32> {llvm.noalias}, %[[Y:.*]]: memref<3072xf32> {llvm.noalias}
// CHECK-DAG:     %[[SCORES:.*]] = memref.view {{.*}} to memref<1200xf32>
// CHECK-DAG:     %[[FACTORS:.*]] = memref.view {{.*}} to memref<6xf32>
// CHECK:         scf.for
// CHECK:           vector.load %[[K]]
// CHECK:           scf.for
// CHECK:             memref.load %[[Q]]
// CHECK:             vector.store {{.*}}, %[[SCORES]]
// CHECK:             scf.for {{.*}} step %c2
// CHECK:               arith.cmpf ogt
// CHECK:               vector.store {{.*}}, %[[SCORES]]
// CHECK:               arith.divf
// CHECK:               memref.store {{.*}}, %[[FACTORS]]
// CHECK:             vector.load %[[V]]
// CHECK:             memref.load %[[SCORES]]
// CHECK:             memref.load %[[FACTORS]]
// CHECK:             arith.mulf
// CHECK:             vector.store {{.*}}, %[[Y]]
exec.kernel @attention inputs 3 {
^bb0(%q: memref<2x48x32xf32>, %k: memref<2x200x32xf32>, %v: memref<2x200x32xf32>, %y: memref<2x48x32xf32>):
  %0 = exec.load %q : memref<2x48x32xf32> -> tensor<2x48x32xf32>
  %1 = exec.load %k : memref<2x200x32xf32> -> tensor<2x200x32xf32>
  %2 = exec.load %v : memref<2x200x32xf32> -> tensor<2x200x32xf32>
  %3 = hgc.matmul %0, %1 transpose_rhs : (tensor<2x48x32xf32>, tensor<2x200x32xf32>) -> tensor<2x48x200xf32>
  %4 = hgc.softmax %3 axis 2 : tensor<2x48x200xf32>
  %5 = hgc.matmul %4, %2 : (tensor<2x48x200xf32>, tensor<2x200x32xf32>) -> tensor<2x48x32xf32>
  exec.store %5, %y : tensor<2x48x32xf32>, memref<2x48x32xf32>
}

// -----

// Scores of another kernel, with elements behind their ends that count for nothing.
// CHECK:       exec.kernel @given {{.*}}schedule = "attention: tile {{[0-9]+x[0-9]+}}, {{[0-9]+}} rows of 21 keys at a time, scores are read"
// CHECK-LABEL: func.func private @given_body
// CHECK-SAME:    (%[[S:.*]]: memref<840xf32> {llvm.noalias}
// CHECK:         arith.constant dense<0xFF800000>
// CHECK:         vector.load %[[S]]
exec.kernel @given inputs 2 {
^bb0(%s: memref<40x21xf32>, %v: memref<21x8xf32>, %y: memref<40x8xf32>):
  %0 = exec.load %s : memref<40x21xf32> -> tensor<40x21xf32>
  %1 = exec.load %v : memref<21x8xf32> -> tensor<21x8xf32>
  %2 = hgc.relu %0 : tensor<40x21xf32>
  %3 = hgc.softmax %2 axis 1 : tensor<40x21xf32>
  %4 = hgc.matmul %3, %1 : (tensor<40x21xf32>, tensor<21x8xf32>) -> tensor<40x8xf32>
  exec.store %4, %y : tensor<40x8xf32>, memref<40x8xf32>
}

// -----

// Rows of the result go where the ops behind the product put them: heads side by side.
// CHECK-LABEL: func.func private @moved_body
// CHECK-SAME:    memref<4800xf32> {llvm.noalias}, %{{[a-z0-9]+}}: memref<3840xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<3840xf32>
// CHECK:         memref.load
// CHECK:         %[[HEAD:.*]] = arith.muli %{{.*}}, %c32 overflow<nsw>
// CHECK:         %[[ROW:.*]] = arith.muli %{{.*}}, %c96 overflow<nsw>
// CHECK:         arith.addi %[[HEAD]], %[[ROW]]
// CHECK:         vector.store {{.*}}, %[[Y]]
exec.kernel @moved inputs 2 {
^bb0(%s: memref<3x40x40xf32>, %v: memref<3x40x32xf32>, %y: memref<40x3x32xf32>):
  %0 = exec.load %s : memref<3x40x40xf32> -> tensor<3x40x40xf32>
  %1 = exec.load %v : memref<3x40x32xf32> -> tensor<3x40x32xf32>
  %2 = hgc.softmax %0 axis 2 : tensor<3x40x40xf32>
  %3 = hgc.matmul %2, %1 : (tensor<3x40x40xf32>, tensor<3x40x32xf32>) -> tensor<3x40x32xf32>
  %4 = hgc.transpose %3 permutation = [1, 0, 2] : (tensor<3x40x32xf32>) -> tensor<40x3x32xf32>
  exec.store %4, %y : tensor<40x3x32xf32>, memref<40x3x32xf32>
}

// -----

// A factor of all scores waits for their differences: a quarter of 1 / log(2), and four times the least difference.
// CHECK-LABEL: func.func private @scaled_body
// CHECK-DAG:     arith.constant dense<0.360673755> : vector<{{[0-9]+}}xf32>
// CHECK-DAG:     arith.constant dense<-3.493200e+02> : vector<{{[0-9]+}}xf32>
// CHECK-NOT:     dense<2.500000e-01>
// CHECK:         return
exec.kernel @scaled inputs 3 {
^bb0(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %y: memref<64x32xf32>):
  %0 = exec.load %q : memref<64x32xf32> -> tensor<64x32xf32>
  %1 = exec.load %k : memref<64x32xf32> -> tensor<64x32xf32>
  %2 = exec.load %v : memref<64x32xf32> -> tensor<64x32xf32>
  %3 = hgc.constant dense<0.25> : tensor<f32>
  %4 = hgc.matmul %0, %1 transpose_rhs : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %5 = hgc.mul %3, %4 : (tensor<f32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = hgc.softmax %5 axis 1 : tensor<64x64xf32>
  %7 = hgc.matmul %6, %2 : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  exec.store %7, %y : tensor<64x32xf32>, memref<64x32xf32>
}

// -----

// A negative one would turn their order.
// CHECK-LABEL: func.func private @negative_body
// CHECK-DAG:     dense<-2.500000e-01>
// CHECK-DAG:     arith.constant dense<1.44269502> : vector<{{[0-9]+}}xf32>
// CHECK:         return
exec.kernel @negative inputs 3 {
^bb0(%q: memref<64x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %y: memref<64x32xf32>):
  %0 = exec.load %q : memref<64x32xf32> -> tensor<64x32xf32>
  %1 = exec.load %k : memref<64x32xf32> -> tensor<64x32xf32>
  %2 = exec.load %v : memref<64x32xf32> -> tensor<64x32xf32>
  %3 = hgc.constant dense<-0.25> : tensor<f32>
  %4 = hgc.matmul %0, %1 transpose_rhs : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %5 = hgc.mul %4, %3 : (tensor<64x64xf32>, tensor<f32>) -> tensor<64x64xf32>
  %6 = hgc.softmax %5 axis 1 : tensor<64x64xf32>
  %7 = hgc.matmul %6, %2 : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  exec.store %7, %y : tensor<64x32xf32>, memref<64x32xf32>
}
