// RUN: hgc-opt --hgc-plan-kernels --hgc-plan-memory %s | FileCheck %s
// RUN: hgc-opt --hgc-plan-kernels --hgc-emit-kernels %s | FileCheck %s --check-prefix=EMITTED
// RUN: hgc-opt --hgc-emit-kernels %s | FileCheck %s --check-prefix=EMITTED

// What code generation will use is declared before memory is planned; a kernel
// that needs nothing says nothing.
// CHECK: module attributes {exec.memory = {arena_bytes = 0 : i64, lower_bound = 0 : i64, scratch_bytes = [[BYTES:[0-9]+]] : i64
module {
// CHECK: exec.kernel @sort inputs 1 attributes {scratch_bytes = {{[1-9][0-9]*}} : i64}
// EMITTED: exec.kernel @sort inputs 1 attributes {{.*}}scratch_bytes = {{[1-9][0-9]*}} : i64
exec.kernel @sort inputs 1 {
^bb0(%x: memref<4x100xf32>, %y: memref<4x100xi64>):
  %0 = exec.load %x : memref<4x100xf32> -> tensor<4x100xf32>
  %1 = hgc.arg_sort %0 axis 1 : (tensor<4x100xf32>) -> tensor<4x100xi64>
  exec.store %1, %y : tensor<4x100xi64>, memref<4x100xi64>
}
// CHECK: exec.kernel @relu inputs 1 {
exec.kernel @relu inputs 1 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
  %1 = hgc.relu %0 : tensor<8xf32>
  exec.store %1, %y : tensor<8xf32>, memref<8xf32>
}
}
