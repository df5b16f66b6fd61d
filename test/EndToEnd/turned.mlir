// Permutations that turn blocks in registers: planes to channels and back, matrices with
// rests, several results, in types of all widths, beside values that lines share.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy --output=result5=@%t.5.npy --output=result12=@%t.12.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --expect=result5=@%t.5.npy --expect=result12=@%t.12.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu x86-64-v2 -O0 -o %t.so
// RUN: hgc compile %s --verify --target-cpu native -o %t.so
// RUN: hgc compile %s --emit=obj --target-cpu x86-64-v4 -o %t.o
// RUN: timeout 60 hgc compile %s --emit=obj --target-cpu neoverse-n1 -O0 -o %t.o
// RUN: timeout 60 hgc compile %s --emit=obj --target-cpu neoverse-v1 -o %t.o

module @turned {
  func.func @run(%x: tensor<2x3x67x131xf32>, %m: tensor<3xf32>, %b: tensor<5x1003xui8>, %h: tensor<7x40x10xf16>,
      %g: tensor<6x333xbf16>, %a: tensor<131x67xf32>, %d: tensor<37x41xf64>, %i: tensor<65x71xi8>,
      %n: tensor<2x301xi1>, %p: tensor<333x6xbf16>, %q: tensor<3x9x50x4xf32>, %s: tensor<4x33x19x2xi64>,
      %o: tensor<43x5003xf32>)
      -> (tensor<2x67x131x3xf32>, tensor<1003x5xf32>, tensor<40x10x7xf16>, tensor<333x6xbf16>, tensor<67x131xf32>,
          tensor<41x37xf64>, tensor<71x65xi8>, tensor<301x2xi1>, tensor<6x333xbf16>, tensor<3x4x50x9xf32>,
          tensor<33x2x19x4xi64>, tensor<67x131xf32>, tensor<5003x43xf32>) attributes {hgc.entry} {
    %x1 = hgc.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x3x67x131xf32>) -> tensor<2x67x131x3xf32>
    %0 = hgc.sub %x1, %m : (tensor<2x67x131x3xf32>, tensor<3xf32>) -> tensor<2x67x131x3xf32>
    %b1 = hgc.transpose %b permutation = [1, 0] : (tensor<5x1003xui8>) -> tensor<1003x5xui8>
    %1 = hgc.cast %b1 to f32 : (tensor<1003x5xui8>) -> tensor<1003x5xf32>
    %2 = hgc.transpose %h permutation = [1, 2, 0] : (tensor<7x40x10xf16>) -> tensor<40x10x7xf16>
    %3 = hgc.transpose %g permutation = [1, 0] : (tensor<6x333xbf16>) -> tensor<333x6xbf16>
    %4 = hgc.transpose %a permutation = [1, 0] : (tensor<131x67xf32>) -> tensor<67x131xf32>
    %5 = hgc.transpose %d permutation = [1, 0] : (tensor<37x41xf64>) -> tensor<41x37xf64>
    %6 = hgc.transpose %i permutation = [1, 0] : (tensor<65x71xi8>) -> tensor<71x65xi8>
    %7 = hgc.transpose %n permutation = [1, 0] : (tensor<2x301xi1>) -> tensor<301x2xi1>
    %8 = hgc.transpose %p permutation = [1, 0] : (tensor<333x6xbf16>) -> tensor<6x333xbf16>
    %9 = hgc.transpose %q permutation = [0, 3, 2, 1] : (tensor<3x9x50x4xf32>) -> tensor<3x4x50x9xf32>
    %10 = hgc.transpose %s permutation = [1, 3, 2, 0] : (tensor<4x33x19x2xi64>) -> tensor<33x2x19x4xi64>
    %11 = hgc.exp %4 : tensor<67x131xf32>
    // Lines of the result share lines of the cache.
    %12 = hgc.transpose %o permutation = [1, 0] : (tensor<43x5003xf32>) -> tensor<5003x43xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2x67x131x3xf32>, tensor<1003x5xf32>,
        tensor<40x10x7xf16>, tensor<333x6xbf16>, tensor<67x131xf32>, tensor<41x37xf64>, tensor<71x65xi8>,
        tensor<301x2xi1>, tensor<6x333xbf16>, tensor<3x4x50x9xf32>, tensor<33x2x19x4xi64>, tensor<67x131xf32>,
        tensor<5003x43xf32>
  }
}
