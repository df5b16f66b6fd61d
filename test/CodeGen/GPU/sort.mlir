// RUN: hgc-opt --hgc-emit-gpu-kernels --split-input-file %s | FileCheck %s

// Short lines share a block: 16 of 32 items each. No scratch memory.
// CHECK-LABEL: exec.kernel @short
// CHECK-SAME:    block = array<i64: 256, 1, 1>{{.*}}grid = array<i64: 7, 1, 1>
// CHECK-SAME:    schedule = "sort lines of 30, tiles of 32, merges=0", scratch_bytes = 0
// CHECK:       gpu.func @hgc_0_arg_sort
// CHECK-SAME:    workgroup(%[[S:.*]] : memref<512xi64, #gpu.address_space<workgroup>>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             gpu.barrier
// CHECK:             arith.cmpi slt
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @short inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<100x30xf32>, %y: memref<100x30xi64>):
    %0 = exec.load %x : memref<100x30xf32> -> tensor<100x30xf32>
    %1 = hgc.arg_sort %0 axis 1 : (tensor<100x30xf32>) -> tensor<100x30xi64>
    exec.store %1, %y : tensor<100x30xi64>, memref<100x30xi64>
  }
}

// -----

// Five tiles take three merges. Two levels are in scratch memory at a time: five
// runs of 4096 items or two of 16384, and three of 8192.
// CHECK-LABEL: exec.kernel @long
// CHECK-SAME:    function = "hgc_0_arg_sort"{{.*}}function = "hgc_0_arg_sort_1"{{.*}}function = "hgc_0_arg_sort_2"{{.*}}function = "hgc_0_arg_sort_3"
// CHECK-SAME:    schedule = "sort lines of 20000, tiles of 4096, merges=3", scratch_bytes = 458752
// CHECK:       gpu.func @hgc_0_arg_sort_3
// CHECK-NOT:     workgroup
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @long inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<20000xf32>, %y: memref<20000xi64>):
    %0 = exec.load %x : memref<20000xf32> -> tensor<20000xf32>
    %1 = hgc.arg_sort %0 axis 0 : (tensor<20000xf32>) -> tensor<20000xi64>
    exec.store %1, %y : tensor<20000xi64>, memref<20000xi64>
  }
}

// -----

// Of the first seven no run keeps more; keys of 64 bits have an array of their own.
// CHECK-LABEL: exec.kernel @top
// CHECK-SAME:    schedule = "sort lines of 5000, tiles of 2048, merges=2", scratch_bytes = 560
// CHECK:       gpu.func @hgc_0_arg_sort(
// CHECK-SAME:    workgroup(%{{.*}} : memref<2048xi64, {{.*}}, %{{.*}} : memref<2048xi64
module attributes {hgc.target_gpu = "sm_80"} {
  exec.kernel @top inputs 1 attributes {device = #hgc.device<gpu:0>} {
  ^bb0(%x: memref<5000xf64>, %y: memref<7xi64>):
    %0 = exec.load %x : memref<5000xf64> -> tensor<5000xf64>
    %1 = hgc.arg_sort %0 axis 0 descending k = 7 : (tensor<5000xf64>) -> tensor<7xi64>
    exec.store %1, %y : tensor<7xi64>, memref<7xi64>
  }
}
