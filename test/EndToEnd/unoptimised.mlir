// Vectors of several short lines, without optimisation: LLVM has selectors for aarch64
// that never end for them.
// RUN: timeout 60 hgc compile %s -O0 --target-cpu=neoverse-n1 --emit=obj -o %t.o
// RUN: llvm-readelf -h %t.o | FileCheck %s
// CHECK: Machine: AArch64
// RUN: hgc compile %s -O0 --verify -o %t.so
module {
  func.func @main(%x: tensor<42x3xf32>, %b: tensor<3xf32>) -> tensor<42x3xf32> attributes {hgc.entry} {
    %0 = hgc.add %x, %b : (tensor<42x3xf32>, tensor<3xf32>) -> tensor<42x3xf32>
    return %0 : tensor<42x3xf32>
  }
}
