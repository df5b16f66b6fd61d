// Short lines, several of which make a step: with rests, read backwards, from longer
// lines, in types of all widths, and with values that all lines share or have one of.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc run %t.so --num-threads=1 --output=result0=@%t.0.npy
// RUN: hgc run %t.so --num-threads=3 --expect=result0=@%t.0.npy --rtol=0 --atol=0
// RUN: hgc compile %s --verify --target-cpu x86-64-v2 -O0 -o %t.so
// RUN: hgc compile %s --emit=obj --target-cpu x86-64-v4 -o %t.o

module @lines {
  func.func @run(%x: tensor<2x131x67x3xui8>, %m: tensor<3xf32>, %y: tensor<40x5xbf16>, %r: tensor<40x1xbf16>,
      %z: tensor<37x4xf32>, %w: tensor<51x7xf64>, %v: tensor<7xf64>, %n: tensor<90x6xi1>, %o: tensor<6xi1>)
      -> (tensor<2x131x67x3xf32>, tensor<40x5xbf16>, tensor<37x3xf32>, tensor<37x4xf32>, tensor<51x7xf64>,
          tensor<90x6xi1>) attributes {hgc.entry} {
    %a = hgc.cast %x to f32 : (tensor<2x131x67x3xui8>) -> tensor<2x131x67x3xf32>
    %0 = hgc.sub %a, %m : (tensor<2x131x67x3xf32>, tensor<3xf32>) -> tensor<2x131x67x3xf32>
    %1 = hgc.mul %y, %r : (tensor<40x5xbf16>, tensor<40x1xbf16>) -> tensor<40x5xbf16>
    %b = hgc.slice %z starts = [0, 1] sizes = [37, 3] : (tensor<37x4xf32>) -> tensor<37x3xf32>
    %2 = hgc.add %b, %m : (tensor<37x3xf32>, tensor<3xf32>) -> tensor<37x3xf32>
    %c = hgc.slice %z starts = [0, 3] sizes = [37, 4] strides = [1, -1] : (tensor<37x4xf32>) -> tensor<37x4xf32>
    %d = hgc.exp %c : tensor<37x4xf32>
    %e = hgc.mul %w, %v : (tensor<51x7xf64>, tensor<7xf64>) -> tensor<51x7xf64>
    %f = hgc.and %n, %o : (tensor<90x6xi1>, tensor<6xi1>) -> tensor<90x6xi1>
    return %0, %1, %2, %d, %e, %f : tensor<2x131x67x3xf32>, tensor<40x5xbf16>, tensor<37x3xf32>, tensor<37x4xf32>,
        tensor<51x7xf64>, tensor<90x6xi1>
  }
}
