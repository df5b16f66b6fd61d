// Every form of GPU contraction that differs in code: register tiles, tensor
// cores, few rows, dot products, shares of the depth, single elements; all types
// and layouts, edges that fill no tile. Results agree with the evaluator's, and the
// emulator finds nothing to complain about.
// RUN: hgc compile %s --gpu sm_75 '--place=gpu(.*)' --device emulated:t4 --strict-placement --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu b200 '--place=gpu(.*)' --device emulated:b200 --strict-placement --verify -o %t.so

module @contractions {
  func.func @tiles(%a0: tensor<67x45xf32>, %b0: tensor<45x131xf32>,
      %a1: tensor<45x68xf32>, %b1: tensor<132x45xf32>,
      %a2: tensor<2x3x33x20xf32>, %b2: tensor<20x40xf32>,
      %a3: tensor<3x20x33xf32>, %b3: tensor<2x1x20x40xf32>)
      -> (tensor<67x131xf32>, tensor<68x132xf32>, tensor<2x3x33x40xf32>, tensor<2x3x33x40xf32>) attributes {hgc.entry} {
    %c0 = hgc.matmul %a0, %b0 : (tensor<67x45xf32>, tensor<45x131xf32>) -> tensor<67x131xf32>
    %r0 = hgc.sigmoid %c0 : tensor<67x131xf32>
    %c1 = hgc.matmul %a1, %b1 transpose_lhs transpose_rhs : (tensor<45x68xf32>, tensor<132x45xf32>) -> tensor<68x132xf32>
    %c2 = hgc.matmul %a2, %b2 : (tensor<2x3x33x20xf32>, tensor<20x40xf32>) -> tensor<2x3x33x40xf32>
    %r2 = hgc.sigmoid %c2 : tensor<2x3x33x40xf32>
    %c3 = hgc.matmul %a3, %b3 transpose_lhs : (tensor<3x20x33xf32>, tensor<2x1x20x40xf32>) -> tensor<2x3x33x40xf32>
    return %r0, %c1, %r2, %c3 : tensor<67x131xf32>, tensor<68x132xf32>, tensor<2x3x33x40xf32>, tensor<2x3x33x40xf32>
  }
  func.func @halves(%a0: tensor<300x64xf16>, %b0: tensor<64x260xf16>,
      %a1: tensor<64x304xbf16>, %b1: tensor<264x64xbf16>,
      %a2: tensor<67x101xbf16>, %b2: tensor<101x35xbf16>,
      %a3: tensor<2x40x72xf16>, %b3: tensor<2x72x56xf16>)
      -> (tensor<300x260xf32>, tensor<304x264xf32>, tensor<67x35xf32>, tensor<2x40x56xf32>) attributes {hgc.entry} {
    %c0 = hgc.matmul %a0, %b0 : (tensor<300x64xf16>, tensor<64x260xf16>) -> tensor<300x260xf32>
    %r0 = hgc.sigmoid %c0 : tensor<300x260xf32>
    %c1 = hgc.matmul %a1, %b1 transpose_lhs transpose_rhs : (tensor<64x304xbf16>, tensor<264x64xbf16>) -> tensor<304x264xf32>
    %c2 = hgc.matmul %a2, %b2 : (tensor<67x101xbf16>, tensor<101x35xbf16>) -> tensor<67x35xf32>
    %r2 = hgc.sigmoid %c2 : tensor<67x35xf32>
    %c3 = hgc.matmul %a3, %b3 : (tensor<2x40x72xf16>, tensor<2x72x56xf16>) -> tensor<2x40x56xf32>
    return %r0, %c1, %r2, %c3 : tensor<300x260xf32>, tensor<304x264xf32>, tensor<67x35xf32>, tensor<2x40x56xf32>
  }
  func.func @few_rows(%a0: tensor<1x300xf32>, %b0: tensor<300x129xf32>,
      %a1: tensor<7x260xf32>, %b1: tensor<41x260xf32>,
      %a2: tensor<500x33xf64>, %b2: tensor<33x2xf64>,
      %a3: tensor<3x1x5000xf16>, %b3: tensor<3x5000x1xf16>)
      -> (tensor<1x129xf32>, tensor<7x41xf32>, tensor<500x2xf64>, tensor<3x1x1xf32>) attributes {hgc.entry} {
    %c0 = hgc.matmul %a0, %b0 : (tensor<1x300xf32>, tensor<300x129xf32>) -> tensor<1x129xf32>
    %r0 = hgc.sigmoid %c0 : tensor<1x129xf32>
    %c1 = hgc.matmul %a1, %b1 transpose_rhs : (tensor<7x260xf32>, tensor<41x260xf32>) -> tensor<7x41xf32>
    %c2 = hgc.matmul %a2, %b2 : (tensor<500x33xf64>, tensor<33x2xf64>) -> tensor<500x2xf64>
    %c3 = hgc.matmul %a3, %b3 : (tensor<3x1x5000xf16>, tensor<3x5000x1xf16>) -> tensor<3x1x1xf32>
    return %r0, %c1, %c2, %c3 : tensor<1x129xf32>, tensor<7x41xf32>, tensor<500x2xf64>, tensor<3x1x1xf32>
  }
  func.func @shares(%a0: tensor<40x4096xf32>, %b0: tensor<4096x40xf32>,
      %a1: tensor<64x2048xf16>, %b1: tensor<64x2048xf16>,
      %a2: tensor<2x20001xf32>, %b2: tensor<20001x3xf32>,
      %a3: tensor<66000x3xf32>, %b3: tensor<3x20xf32>)
      -> (tensor<40x40xf32>, tensor<64x64xf32>, tensor<2x3xf32>, tensor<66000x20xf32>) attributes {hgc.entry} {
    %c0 = hgc.matmul %a0, %b0 : (tensor<40x4096xf32>, tensor<4096x40xf32>) -> tensor<40x40xf32>
    %r0 = hgc.sigmoid %c0 : tensor<40x40xf32>
    %c1 = hgc.matmul %a1, %b1 transpose_rhs : (tensor<64x2048xf16>, tensor<64x2048xf16>) -> tensor<64x64xf32>
    %c2 = hgc.matmul %a2, %b2 : (tensor<2x20001xf32>, tensor<20001x3xf32>) -> tensor<2x3xf32>
    %r2 = hgc.sigmoid %c2 : tensor<2x3xf32>
    %c3 = hgc.matmul %a3, %b3 : (tensor<66000x3xf32>, tensor<3x20xf32>) -> tensor<66000x20xf32>
    return %r0, %c1, %r2, %c3 : tensor<40x40xf32>, tensor<64x64xf32>, tensor<2x3xf32>, tensor<66000x20xf32>
  }
  func.func @types(%a0: tensor<65x37xi8>, %b0: tensor<37x50xi8>,
      %a1: tensor<64x64xi8>, %b1: tensor<72x64xi8>,
      %a2: tensor<40x19xf64>, %b2: tensor<19x40xf64>,
      %a3: tensor<9x0xf32>, %b3: tensor<0x11xf32>)
      -> (tensor<65x50xi32>, tensor<64x72xi32>, tensor<40x40xf64>, tensor<9x11xf32>) attributes {hgc.entry} {
    %c0 = hgc.matmul %a0, %b0 : (tensor<65x37xi8>, tensor<37x50xi8>) -> tensor<65x50xi32>
    %c1 = hgc.matmul %a1, %b1 transpose_rhs : (tensor<64x64xi8>, tensor<72x64xi8>) -> tensor<64x72xi32>
    %c2 = hgc.matmul %a2, %b2 : (tensor<40x19xf64>, tensor<19x40xf64>) -> tensor<40x40xf64>
    %c3 = hgc.matmul %a3, %b3 : (tensor<9x0xf32>, tensor<0x11xf32>) -> tensor<9x11xf32>
    return %c0, %c1, %c2, %c3 : tensor<65x50xi32>, tensor<64x72xi32>, tensor<40x40xf64>, tensor<9x11xf32>
  }
  func.func @windows(%x0: tensor<2x13x11x16xf32>, %w0: tensor<3x3x16x24xf32>,
      %x1: tensor<2x3x20x20xf32>, %w1: tensor<20x3x5x5xf32>,
      %x2: tensor<2x13x11x16xf16>, %w2: tensor<3x3x16x24xf16>,
      %x3: tensor<1x9x9x64xf32>, %w3: tensor<1x1x64x40xf32>)
      -> (tensor<2x13x11x24xf32>, tensor<2x20x9x10xf32>, tensor<2x9x11x24xf32>, tensor<1x9x9x40xf32>) attributes {hgc.entry} {
    %y0 = hgc.conv %x0, %w0 pads = [1, 1, 1, 1] groups = 1 channels_last hwio
        : (tensor<2x13x11x16xf32>, tensor<3x3x16x24xf32>) -> tensor<2x13x11x24xf32>
    %y1 = hgc.conv %x1, %w1 strides = [2, 2] pads = [1, 2, 1, 1] groups = 1 channels_first oihw
        : (tensor<2x3x20x20xf32>, tensor<20x3x5x5xf32>) -> tensor<2x20x9x10xf32>
    %y2 = hgc.conv %x2, %w2 pads = [0, 2, 0, 2] dilations = [2, 2] groups = 1 channels_last hwio
        : (tensor<2x13x11x16xf16>, tensor<3x3x16x24xf16>) -> tensor<2x9x11x24xf32>
    %y3 = hgc.conv %x3, %w3 groups = 1 channels_last hwio
        : (tensor<1x9x9x64xf32>, tensor<1x1x64x40xf32>) -> tensor<1x9x9x40xf32>
    return %y0, %y1, %y2, %y3 : tensor<2x13x11x24xf32>, tensor<2x20x9x10xf32>, tensor<2x9x11x24xf32>, tensor<1x9x9x40xf32>
  }
  func.func @groups_and_dims(%x0: tensor<2x9x9x12xf32>, %w0: tensor<3x3x1x24xf32>,
      %x1: tensor<2x40x9x9xbf16>, %w1: tensor<36x20x3x3xbf16>,
      %x2: tensor<2x30x18xi8>, %w2: tensor<5x18x20xi8>,
      %x3: tensor<1x5x6x7x4xf64>, %w3: tensor<2x2x3x4x20xf64>,
      %x4: tensor<1x3x5x4x4xi8>, %w4: tensor<32x3x2x2x1xi8>)
      -> (tensor<2x9x9x24xf32>, tensor<2x36x7x7xf32>, tensor<2x15x20xi32>, tensor<1x4x5x5x20xf64>, tensor<1x32x7x3x4xi32>) attributes {hgc.entry} {
    %y0 = hgc.conv %x0, %w0 pads = [1, 1, 1, 1] groups = 12 channels_last hwio
        : (tensor<2x9x9x12xf32>, tensor<3x3x1x24xf32>) -> tensor<2x9x9x24xf32>
    %y1 = hgc.conv %x1, %w1 groups = 2 channels_first oihw
        : (tensor<2x40x9x9xbf16>, tensor<36x20x3x3xbf16>) -> tensor<2x36x7x7xf32>
    %y2 = hgc.conv %x2, %w2 strides = [2] pads = [2, 2] groups = 1 channels_last hwio
        : (tensor<2x30x18xi8>, tensor<5x18x20xi8>) -> tensor<2x15x20xi32>
    %y3 = hgc.conv %x3, %w3 groups = 1 channels_last hwio
        : (tensor<1x5x6x7x4xf64>, tensor<2x2x3x4x20xf64>) -> tensor<1x4x5x5x20xf64>
    %y4 = hgc.conv %x4, %w4 strides = [1, 2, 2] pads = [2, 0, 2, 2, 2, 1] dilations = [2, 1, 1] groups = 1 channels_first oihw
        : (tensor<1x3x5x4x4xi8>, tensor<32x3x2x2x1xi8>) -> tensor<1x32x7x3x4xi32>
    return %y0, %y1, %y2, %y3, %y4 : tensor<2x9x9x24xf32>, tensor<2x36x7x7xf32>, tensor<2x15x20xi32>, tensor<1x4x5x5x20xf64>, tensor<1x32x7x3x4xi32>
  }
  // Results of two bytes: neighbouring lanes exchange columns before they store.
  func.func @half_results(%a: tensor<70x64xf16>, %b: tensor<64x72xf16>, %c: tensor<64x50xf16>)
      -> (tensor<70x72xf16>, tensor<70x50xbf16>) attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b : (tensor<70x64xf16>, tensor<64x72xf16>) -> tensor<70x72xf32>
    %1 = hgc.cast %0 to f16 : (tensor<70x72xf32>) -> tensor<70x72xf16>
    %2 = hgc.matmul %a, %c : (tensor<70x64xf16>, tensor<64x50xf16>) -> tensor<70x50xf32>
    %3 = hgc.cast %2 to bf16 : (tensor<70x50xf32>) -> tensor<70x50xbf16>
    return %1, %3 : tensor<70x72xf16>, tensor<70x50xbf16>
  }
}
