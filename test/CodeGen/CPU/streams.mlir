// How far ahead streams of reads are fetched is what the target's table says.
// RUN: hgc-opt --hgc-emit-kernels --canonicalize --cse --split-input-file %s | FileCheck %s

// 16 lines behind the one that is read.
module attributes {hgc.target_cpu = "sapphirerapids"} {
  // CHECK-LABEL: func.func private @sum_body
  // CHECK:         %[[AHEAD:.*]] = arith.addi %{{.*}}, %c272
  // CHECK:         %[[BOUNDED:.*]] = arith.minsi %[[AHEAD]]
  // CHECK:         memref.prefetch %{{.*}}[%[[BOUNDED]]], read
  exec.kernel @sum inputs 2 {
  ^bb0(%x: memref<4000000xf32>, %y: memref<4000000xf32>, %z: memref<f32>):
    %0 = exec.load %x : memref<4000000xf32> -> tensor<4000000xf32>
    %1 = exec.load %y : memref<4000000xf32> -> tensor<4000000xf32>
    %2 = hgc.mul %0, %1 : (tensor<4000000xf32>, tensor<4000000xf32>) -> tensor<4000000xf32>
    %3 = hgc.reduce sum %2 axes = [0] : (tensor<4000000xf32>) -> tensor<f32>
    exec.store %3, %z : tensor<f32>, memref<f32>
  }
}

// -----

// Hardware is in time: sums fetch nothing, and passes over rows the next row. Numbers that two rows keep at once, 1024
// of each, lie half a page more apart than rows are long; where they start, and with which column a row is written first,
// depends on where the buffers lie.
module attributes {hgc.target_cpu = "znver4"} {
  // CHECK-LABEL: func.func private @sum_body
  // CHECK-NOT:     memref.prefetch
  // CHECK:       exec.kernel @rows {{.*}}three at a time, streamed", scratch_bytes = 14336
  // CHECK-LABEL: func.func private @rows_body
  // CHECK-SAME:    (%[[X:[^:]*]]: memref<4194304xf32> {{.*}}, %[[Y:[^:]*]]: memref<4194304xf32>
  // CHECK-DAG:     memref.extract_aligned_pointer_as_index %[[X]]
  // CHECK-DAG:     memref.extract_aligned_pointer_as_index %[[Y]]
  // CHECK:         %[[AHEAD:.*]] = arith.addi %{{.*}}, %c1040
  // CHECK:         %[[BOUNDED:.*]] = arith.minsi %[[AHEAD]]
  // CHECK:         memref.prefetch %{{.*}}[%[[BOUNDED]]], read
  // CHECK:         arith.muli %{{.*}}, %c1536
  // CHECK:         %[[IS_INSIDE:.*]] = arith.cmpi slt, %[[TURNED:.*]], %c1024
  // CHECK:         arith.select %[[IS_INSIDE]], %[[TURNED]]
  exec.kernel @sum inputs 2 {
  ^bb0(%x: memref<4000000xf32>, %y: memref<4000000xf32>, %z: memref<f32>):
    %0 = exec.load %x : memref<4000000xf32> -> tensor<4000000xf32>
    %1 = exec.load %y : memref<4000000xf32> -> tensor<4000000xf32>
    %2 = hgc.mul %0, %1 : (tensor<4000000xf32>, tensor<4000000xf32>) -> tensor<4000000xf32>
    %3 = hgc.reduce sum %2 axes = [0] : (tensor<4000000xf32>) -> tensor<f32>
    exec.store %3, %z : tensor<f32>, memref<f32>
  }
  exec.kernel @rows inputs 1 {
  ^bb0(%x: memref<4096x1024xf32>, %y: memref<4096x1024xf32>):
    %0 = exec.load %x : memref<4096x1024xf32> -> tensor<4096x1024xf32>
    %1 = hgc.softmax %0 axis 1 : tensor<4096x1024xf32>
    exec.store %1, %y : tensor<4096x1024xf32>, memref<4096x1024xf32>
  }
}
