// Every family of GPU kernels that is not a contraction, in the forms that differ
// in code: results agree with the evaluator's, and the emulator finds no access
// out of bounds, no race and no uninitialised byte. sm_75 has neither bf16 nor the
// minimum that hands on NaN.
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device emulated --strict-placement --verify -o %t.so
// RUN: hgc compile %s --gpu sm_75 '--place=gpu(.*)' --device emulated:t4 --strict-placement --verify --arena=separate -o %t.so

module @kernels {
  func.func @short_rows(%x: tensor<300x7xf32>) -> (tensor<300xf32>, tensor<300xf32>, tensor<300x7xf32>) attributes {hgc.entry} {
    %0 = hgc.reduce prod %x axes = [1] : (tensor<300x7xf32>) -> tensor<300xf32>
    %1 = hgc.reduce min %x axes = [1] : (tensor<300x7xf32>) -> tensor<300xf32>
    %2 = hgc.softmax %x axis 1 : tensor<300x7xf32>
    return %0, %1, %2 : tensor<300xf32>, tensor<300xf32>, tensor<300x7xf32>
  }
  func.func @long_rows(%x: tensor<3x20004xf32>, %s: tensor<20004xf32>) -> (tensor<3xf32>, tensor<3x20004xf32>, tensor<3x20004xf32>) attributes {hgc.entry} {
    %0 = hgc.reduce max %x axes = [1] : (tensor<3x20004xf32>) -> tensor<3xf32>
    %1 = hgc.log_softmax %x axis 1 : tensor<3x20004xf32>
    %2 = hgc.layer_norm %x, %s, %s axis 1 epsilon 1.0e-5 : (tensor<3x20004xf32>, tensor<20004xf32>, tensor<20004xf32>) -> tensor<3x20004xf32>
    return %0, %1, %2 : tensor<3xf32>, tensor<3x20004xf32>, tensor<3x20004xf32>
  }
  func.func @whole(%x: tensor<300007xf32>, %i: tensor<200000xui16>, %b: tensor<200000xi1>) -> (tensor<f32>, tensor<ui16>, tensor<i1>) attributes {hgc.entry} {
    %0 = hgc.reduce sum %x axes = [0] : (tensor<300007xf32>) -> tensor<f32>
    %1 = hgc.reduce mean %i axes = [0] : (tensor<200000xui16>) -> tensor<ui16>
    %2 = hgc.reduce all %b axes = [0] : (tensor<200000xi1>) -> tensor<i1>
    return %0, %1, %2 : tensor<f32>, tensor<ui16>, tensor<i1>
  }
  func.func @columns(%x: tensor<5000x33xf32>, %i: tensor<130x37xi64>) -> (tensor<33xf32>, tensor<37xi64>, tensor<5000x33xf32>) attributes {hgc.entry} {
    %0 = hgc.reduce mean %x axes = [0] : (tensor<5000x33xf32>) -> tensor<33xf32>
    %1 = hgc.reduce min %i axes = [0] : (tensor<130x37xi64>) -> tensor<37xi64>
    %2 = hgc.softmax %x axis 0 : tensor<5000x33xf32>
    return %0, %1, %2 : tensor<33xf32>, tensor<37xi64>, tensor<5000x33xf32>
  }
  func.func @between(%x: tensor<20x30x40xf64>) -> (tensor<30xf64>, tensor<20x40xf64>) attributes {hgc.entry} {
    %0 = hgc.reduce sum %x axes = [0, 2] : (tensor<20x30x40xf64>) -> tensor<30xf64>
    %1 = hgc.reduce max %x axes = [1] : (tensor<20x30x40xf64>) -> tensor<20x40xf64>
    return %0, %1 : tensor<30xf64>, tensor<20x40xf64>
  }
  func.func @halves(%x: tensor<37x512xf16>, %y: tensor<37x515xbf16>) -> (tensor<37x512xf16>, tensor<37x515xbf16>, tensor<37xbf16>) attributes {hgc.entry} {
    %0 = hgc.softmax %x axis 1 : tensor<37x512xf16>
    %1 = hgc.tanh %y : tensor<37x515xbf16>
    %2 = hgc.reduce max %1 axes = [1] : (tensor<37x515xbf16>) -> tensor<37xbf16>
    return %0, %1, %2 : tensor<37x512xf16>, tensor<37x515xbf16>, tensor<37xbf16>
  }
  func.func @moves(%x: tensor<33x65xf32>, %i: tensor<65x33xi8>, %ids: tensor<9xi64>) -> (tensor<65x33xf32>, tensor<33x65xi8>, tensor<35x70xf32>, tensor<9x98xf32>) attributes {hgc.entry} {
    %0 = hgc.transpose %x permutation = [1, 0] : (tensor<33x65xf32>) -> tensor<65x33xf32>
    %1 = hgc.transpose %i permutation = [1, 0] : (tensor<65x33xi8>) -> tensor<33x65xi8>
    %z = hgc.constant dense<2.5> : tensor<f32>
    %2 = hgc.pad constant %x, %z low = [1, 4] high = [1, 1] : (tensor<33x65xf32>, tensor<f32>) -> tensor<35x70xf32>
    %3 = hgc.gather %x, %ids axis 0 : (tensor<33x65xf32>, tensor<9xi64>) -> tensor<9x65xf32>
    %4 = hgc.slice %0 starts = [0, 0] sizes = [9, 33] : (tensor<65x33xf32>) -> tensor<9x33xf32>
    %5 = hgc.concat %3, %4 axis 1 : (tensor<9x65xf32>, tensor<9x33xf32>) -> tensor<9x98xf32>
    return %0, %1, %2, %5 : tensor<65x33xf32>, tensor<33x65xi8>, tensor<35x70xf32>, tensor<9x98xf32>
  }
  func.func @pools(%x: tensor<2x9x11x20xf32>, %y: tensor<2x3x4x9x10xf32>) -> (tensor<2x5x6x20xf32>, tensor<2x3x3x8x9xf32>) attributes {hgc.entry} {
    %0 = hgc.pool max %x window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last : (tensor<2x9x11x20xf32>) -> tensor<2x5x6x20xf32>
    %1 = hgc.pool avg %y window = [2, 2, 2] channels_first : (tensor<2x3x4x9x10xf32>) -> tensor<2x3x3x8x9xf32>
    return %0, %1 : tensor<2x5x6x20xf32>, tensor<2x3x3x8x9xf32>
  }
}
