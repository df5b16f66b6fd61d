// Winograd convolutions whose last panel has one to four columns: dot products where vectors are long, with depths that
// do and do not fill them, groups, and numbers of squares that four do not divide.
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd4 --arena=separate -o %t.so
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd2 -o %t.so
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd4-compact --arena=separate -o %t.so
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu=native --force-conv=winograd2-compact -o %t.so
// RUN: hgc compile %s --emit=obj --target-cpu=x86-64-v4 --force-conv=winograd4 -o %t.o

module @dots {
  hgc.parameter @a : tensor<3x3x72x36xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @b : tensor<3x3x100x3xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @c : tensor<3x3x64x66xf32> = #hgc.init<normal, seed = 3>
  func.func @run(%x: tensor<2x22x21x72xf32>, %y: tensor<1x6x7x100xf32>, %z: tensor<1x9x9x128xf32>)
      -> (tensor<2x22x21x36xf32>, tensor<1x6x7x3xf32>, tensor<1x9x9x66xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<3x3x72x36xf32>
    %b = hgc.read @b : tensor<3x3x100x3xf32>
    %c = hgc.read @c : tensor<3x3x64x66xf32>
    %0 = hgc.conv %x, %a pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x22x21x72xf32>, tensor<3x3x72x36xf32>) -> tensor<2x22x21x36xf32>
    %1 = hgc.relu %0 : tensor<2x22x21x36xf32>
    %2 = hgc.conv %y, %b pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x6x7x100xf32>, tensor<3x3x100x3xf32>) -> tensor<1x6x7x3xf32>
    %3 = hgc.conv %z, %c pads = [1, 1, 1, 1] groups = 2 channels_last hwio : (tensor<1x9x9x128xf32>, tensor<3x3x64x66xf32>) -> tensor<1x9x9x66xf32>
    return %1, %2, %3 : tensor<2x22x21x36xf32>, tensor<1x6x7x3xf32>, tensor<1x9x9x66xf32>
  }
}
