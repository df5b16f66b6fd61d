// Attention that cuts its heads out of one product, with extents that fill no vector:
// each part is one kernel that reads the product, and results do not depend on threads.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: hgc compile %s --verify -o heads.so
// RUN: hgc compile %s --emit=fused -o - | FileCheck %s --check-prefix=FUSED
// RUN: hgc run heads.so --num-threads=1 --seed=3 --output=y=@one.npy
// RUN: hgc run heads.so --num-threads=2 --seed=3 --output=y=@two.npy
// RUN: cmp one.npy two.npy

// FUSED-COUNT-3: hgc.slice
// FUSED-NOT:     hgc.slice
module @heads {
  func.func @predict(%x: tensor<2x7x30xf32> {hgc.name = "x"}, %w: tensor<30x90xf32> {hgc.name = "w"},
                     %b: tensor<90xf32> {hgc.name = "b"}, %m: tensor<7x7xf32> {hgc.name = "m"})
      -> (tensor<7x2x30xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %scale = hgc.constant dense<0.4> : tensor<1xf32>
    %two = hgc.constant dense<2> : tensor<i64>
    %0 = hgc.matmul %x, %w : (tensor<2x7x30xf32>, tensor<30x90xf32>) -> tensor<2x7x90xf32>
    %1 = hgc.add %0, %b : (tensor<2x7x90xf32>, tensor<90xf32>) -> tensor<2x7x90xf32>
    %2 = hgc.reshape %1 shape [2, 7, 3, 30] : (tensor<2x7x90xf32>) -> tensor<2x7x3x30xf32>
    %3 = hgc.transpose %2 permutation = [2, 0, 1, 3] : (tensor<2x7x3x30xf32>) -> tensor<3x2x7x30xf32>
    %4 = hgc.slice %3 starts = [0, 0, 0, 0] sizes = [1, 2, 7, 30] : (tensor<3x2x7x30xf32>) -> tensor<1x2x7x30xf32>
    %5 = hgc.slice %3 starts = [1, 0, 0, 0] sizes = [1, 2, 7, 30] : (tensor<3x2x7x30xf32>) -> tensor<1x2x7x30xf32>
    %6 = hgc.gather %3, %two axis 0 : (tensor<3x2x7x30xf32>, tensor<i64>) -> tensor<2x7x30xf32>
    %7 = hgc.reshape %4 shape [2, 7, 6, 5] : (tensor<1x2x7x30xf32>) -> tensor<2x7x6x5xf32>
    %q = hgc.transpose %7 permutation = [0, 2, 1, 3] : (tensor<2x7x6x5xf32>) -> tensor<2x6x7x5xf32>
    %8 = hgc.reshape %5 shape [2, 7, 6, 5] : (tensor<1x2x7x30xf32>) -> tensor<2x7x6x5xf32>
    %k = hgc.transpose %8 permutation = [0, 2, 3, 1] : (tensor<2x7x6x5xf32>) -> tensor<2x6x5x7xf32>
    %9 = hgc.reshape %6 shape [2, 7, 6, 5] : (tensor<2x7x30xf32>) -> tensor<2x7x6x5xf32>
    %v = hgc.transpose %9 permutation = [0, 2, 1, 3] : (tensor<2x7x6x5xf32>) -> tensor<2x6x7x5xf32>
    %10 = hgc.mul %q, %scale : (tensor<2x6x7x5xf32>, tensor<1xf32>) -> tensor<2x6x7x5xf32>
    %11 = hgc.mul %k, %scale : (tensor<2x6x5x7xf32>, tensor<1xf32>) -> tensor<2x6x5x7xf32>
    %12 = hgc.matmul %10, %11 : (tensor<2x6x7x5xf32>, tensor<2x6x5x7xf32>) -> tensor<2x6x7x7xf32>
    %13 = hgc.add %12, %m : (tensor<2x6x7x7xf32>, tensor<7x7xf32>) -> tensor<2x6x7x7xf32>
    %14 = hgc.softmax %13 axis 3 : tensor<2x6x7x7xf32>
    %15 = hgc.matmul %14, %v : (tensor<2x6x7x7xf32>, tensor<2x6x7x5xf32>) -> tensor<2x6x7x5xf32>
    %16 = hgc.transpose %15 permutation = [2, 0, 1, 3] : (tensor<2x6x7x5xf32>) -> tensor<7x2x6x5xf32>
    %17 = hgc.reshape %16 shape [7, 2, 30] : (tensor<7x2x6x5xf32>) -> tensor<7x2x30xf32>
    return %17 : tensor<7x2x30xf32>
  }
}
