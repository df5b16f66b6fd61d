// Rows of the next block become parts beside the products of this one: blocks that go on from one batch entry to the
// next, a shorter last one, one depth with elements beyond whole steps and one without a whole step, pixels with and
// without strides, threads that have some panels of a block only. Results are the same for every number of threads.
// REQUIRES: amx
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: hgc compile %s --target-cpu=sapphirerapids --matrix-unit=always --force-conv=matrix --verify --arena=separate -o a.so
// RUN: FileCheck %s < a.plan.json
// CHECK-COUNT-2: "schedule": "matmul by tiles of the matrix unit, blocks 32x
// RUN: hgc run a.so --num-threads=1 --output=result0=@0.npy --output=result1=@1.npy --output=result2=@2.npy --output=result3=@3.npy
// RUN: hgc run a.so --num-threads=2 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --rtol=0 --atol=0
// RUN: hgc run a.so --num-threads=7 --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --rtol=0 --atol=0

module @ahead {
  hgc.parameter @a : tensor<3x110x130xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<20x70xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @f : tensor<1x1x72x40xf32> = #hgc.init<normal, seed = 3>
  func.func @run(%x: tensor<3x75x110xf32>, %y: tensor<100x20xf32>, %i: tensor<2x9x7x72xf32>)
      -> (tensor<3x75x130xf32>, tensor<100x70xf32>, tensor<2x9x7x40xf32>, tensor<2x5x4x40xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<3x110x130xf32>
    %b = hgc.read @b : tensor<20x70xf32>
    %f = hgc.read @f : tensor<1x1x72x40xf32>
    %0 = hgc.matmul %x, %a : (tensor<3x75x110xf32>, tensor<3x110x130xf32>) -> tensor<3x75x130xf32>
    %1 = hgc.matmul %y, %b : (tensor<100x20xf32>, tensor<20x70xf32>) -> tensor<100x70xf32>
    %2 = hgc.conv %i, %f channels_last hwio : (tensor<2x9x7x72xf32>, tensor<1x1x72x40xf32>) -> tensor<2x9x7x40xf32>
    %3 = hgc.conv %i, %f strides = [2, 2] channels_last hwio : (tensor<2x9x7x72xf32>, tensor<1x1x72x40xf32>) -> tensor<2x5x4x40xf32>
    return %0, %1, %2, %3 : tensor<3x75x130xf32>, tensor<100x70xf32>, tensor<2x9x7x40xf32>, tensor<2x5x4x40xf32>
  }
}
