// Scatters on both devices against the evaluator: whole slices and single elements,
// all kinds, few lines and many, sums in the output and in scratch memory.
//
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device=emulated --verify --strict-placement --arena=separate -o %t.so

module @scatter {
  func.func @few(%x: tensor<8x10x6xf32>, %i: tensor<8x3x6xi64>, %u: tensor<8x3x6xf32>, %r: tensor<2x5xi32>,
                 %s: tensor<2x5x10x6xf32>, %h: tensor<50x19xf16>, %hi: tensor<300xi32>, %hu: tensor<300x19xf16>,
                 %l: tensor<5x9xi32>, %li: tensor<5x20xi64>, %lu: tensor<5x20xi32>, %b: tensor<5x9xui8>,
                 %bu: tensor<5x20xui8>)
      -> (tensor<8x10x6xf32>, tensor<8x10x6xf32>, tensor<50x19xf16>, tensor<5x9xi32>, tensor<50x19xf32>, tensor<5x9xui8>,
          tensor<5x9xi32>) attributes {hgc.entry} {
    %ten = hgc.constant dense<11> : tensor<i64>
    %ir = hgc.rem %i, %ten : (tensor<8x3x6xi64>, tensor<i64>) -> tensor<8x3x6xi64>
    %0 = hgc.scatter set %x, %ir, %u axis 1 : (tensor<8x10x6xf32>, tensor<8x3x6xi64>, tensor<8x3x6xf32>) -> tensor<8x10x6xf32>
    %1 = hgc.scatter add %x, %r, %s axis 0 slices : (tensor<8x10x6xf32>, tensor<2x5xi32>, tensor<2x5x10x6xf32>) -> tensor<8x10x6xf32>
    %2 = hgc.tanh %1 : tensor<8x10x6xf32>
    %fifty = hgc.constant dense<51> : tensor<i32>
    %hr = hgc.rem %hi, %fifty : (tensor<300xi32>, tensor<i32>) -> tensor<300xi32>
    %3 = hgc.scatter add %h, %hr, %hu axis 0 slices : (tensor<50x19xf16>, tensor<300xi32>, tensor<300x19xf16>) -> tensor<50x19xf16>
    %4 = hgc.scatter max %l, %li, %lu axis 1 : (tensor<5x9xi32>, tensor<5x20xi64>, tensor<5x20xi32>) -> tensor<5x9xi32>
    %z = hgc.constant dense<0.0> : tensor<50x19xf32>
    %f = hgc.cast %hu to f32 : (tensor<300x19xf16>) -> tensor<300x19xf32>
    %5 = hgc.scatter add %z, %hr, %f axis 0 slices : (tensor<50x19xf32>, tensor<300xi32>, tensor<300x19xf32>) -> tensor<50x19xf32>
    %6 = hgc.scatter min %b, %li, %bu axis 1 : (tensor<5x9xui8>, tensor<5x20xi64>, tensor<5x20xui8>) -> tensor<5x9xui8>
    %7 = hgc.scatter mul %l, %li, %lu axis 1 : (tensor<5x9xi32>, tensor<5x20xi64>, tensor<5x20xi32>) -> tensor<5x9xi32>
    return %0, %2, %3, %4, %5, %6, %7 : tensor<8x10x6xf32>, tensor<8x10x6xf32>, tensor<50x19xf16>, tensor<5x9xi32>,
        tensor<50x19xf32>, tensor<5x9xui8>, tensor<5x9xi32>
  }

  func.func @many(%x: tensor<9x5000xf32>, %r: tensor<7xi64>, %u: tensor<7x5000xf32>, %h: tensor<9x5000xf16>,
                  %hu: tensor<7x5000xf16>, %bias: tensor<5000xf16>, %y: tensor<5000x20xi32>, %yi: tensor<5000x9xi32>,
                  %yu: tensor<5000x9xi32>)
      -> (tensor<9x5000xf32>, tensor<9x5000xf16>, tensor<5000x20xi32>, tensor<9x5000xf32>) attributes {hgc.entry} {
    %lim = hgc.constant dense<10> : tensor<i64>
    %rr = hgc.rem %r, %lim : (tensor<7xi64>, tensor<i64>) -> tensor<7xi64>
    %0 = hgc.scatter add %x, %rr, %u axis 0 slices : (tensor<9x5000xf32>, tensor<7xi64>, tensor<7x5000xf32>) -> tensor<9x5000xf32>
    %1 = hgc.scatter add %h, %rr, %hu axis 0 slices : (tensor<9x5000xf16>, tensor<7xi64>, tensor<7x5000xf16>) -> tensor<9x5000xf16>
    %2 = hgc.add %1, %bias : (tensor<9x5000xf16>, tensor<5000xf16>) -> tensor<9x5000xf16>
    %wide = hgc.constant dense<21> : tensor<i32>
    %yr = hgc.rem %yi, %wide : (tensor<5000x9xi32>, tensor<i32>) -> tensor<5000x9xi32>
    %3 = hgc.scatter max %y, %yr, %yu axis 1 : (tensor<5000x20xi32>, tensor<5000x9xi32>, tensor<5000x9xi32>) -> tensor<5000x20xi32>
    %4 = hgc.scatter set %x, %rr, %u axis 0 slices : (tensor<9x5000xf32>, tensor<7xi64>, tensor<7x5000xf32>) -> tensor<9x5000xf32>
    return %0, %2, %3, %4 : tensor<9x5000xf32>, tensor<9x5000xf16>, tensor<5000x20xi32>, tensor<9x5000xf32>
  }

  // Flags wait in scratch memory for the ops behind them.
  func.func @flags(%x: tensor<5x40xi1>, %i: tensor<3x40xi64>, %u: tensor<3x40xi1>) -> tensor<5x40xf32> attributes {hgc.entry} {
    %0 = hgc.scatter set %x, %i, %u axis 0 : (tensor<5x40xi1>, tensor<3x40xi64>, tensor<3x40xi1>) -> tensor<5x40xi1>
    %1 = hgc.cast %0 to f32 : (tensor<5x40xi1>) -> tensor<5x40xf32>
    return %1 : tensor<5x40xf32>
  }
}
