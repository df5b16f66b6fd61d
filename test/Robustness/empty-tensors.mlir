// Tensors without elements, of rank 0 and of extent 1 through the whole
// pipeline: compiled code and evaluator agree.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: hgc compile %s --verify -o %t/m.so
// RUN: hgc compile %s --verify -O0 --arena=separate -o %t/m.so
// RUN: hgc compile %s --weights=external -o %t/n.so
// RUN: hgc run %t/n.so --entry=reduce | FileCheck %s
// RUN: hgc eval %s --entry=reduce | FileCheck %s

module @empty {
  // The last weight is empty: it must not make the image longer than its data.
  hgc.parameter @a : tensor<1x1xf16> = #hgc.init<uniform, seed = 791>
  hgc.parameter @b : tensor<17x0x1x1xf16> = #hgc.init<uniform, seed = 92>

  func.func @weights(%x: tensor<5x1xf16>, %y: tensor<17x0x1x5xf16>, %z: tensor<1xf32>)
      -> (tensor<5x1xf32>, tensor<17x0x5x1xf32>) attributes {hgc.entry} {
    %a = hgc.read @a : tensor<1x1xf16>
    %b = hgc.read @b : tensor<17x0x1x1xf16>
    %0 = hgc.matmul %x, %a : (tensor<5x1xf16>, tensor<1x1xf16>) -> tensor<5x1xf32>
    %1 = hgc.matmul %y, %b transpose_lhs : (tensor<17x0x1x5xf16>, tensor<17x0x1x1xf16>) -> tensor<17x0x5x1xf32>
    %2 = hgc.add %1, %z : (tensor<17x0x5x1xf32>, tensor<1xf32>) -> tensor<17x0x5x1xf32>
    return %0, %2 : tensor<5x1xf32>, tensor<17x0x5x1xf32>
  }

  // A product of depth 0 is zero; a batch of 0 has no products.
  func.func @matmul(%x: tensor<3x0xf32>, %y: tensor<0x4xf32>, %z: tensor<4xf32>, %u: tensor<0x2x3xf32>,
                    %v: tensor<3x5xf32>)
      -> (tensor<3x4xf32>, tensor<0x2x5xf32>) attributes {hgc.entry} {
    %0 = hgc.matmul %x, %y : (tensor<3x0xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
    %1 = hgc.add %0, %z : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    %2 = hgc.matmul %u, %v : (tensor<0x2x3xf32>, tensor<3x5xf32>) -> tensor<0x2x5xf32>
    return %1, %2 : tensor<3x4xf32>, tensor<0x2x5xf32>
  }

  func.func @conv(%x: tensor<1x5x5x0xf32>, %f: tensor<3x3x0x4xf32>, %y: tensor<0x5x5x2xf32>, %g: tensor<3x3x2x4xf32>)
      -> (tensor<1x3x3x4xf32>, tensor<0x3x3x4xf32>) attributes {hgc.entry} {
    %0 = hgc.conv %x, %f channels_last hwio : (tensor<1x5x5x0xf32>, tensor<3x3x0x4xf32>) -> tensor<1x3x3x4xf32>
    %1 = hgc.conv %y, %g channels_last hwio : (tensor<0x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<0x3x3x4xf32>
    return %0, %1 : tensor<1x3x3x4xf32>, tensor<0x3x3x4xf32>
  }

  // No channels and no images: the sums are zeros.
  func.func @conv_gradients(%y: tensor<1x3x3x0xf16>, %w: tensor<3x3x4x0xf16>, %x: tensor<0x5x5x2xf32>, %g: tensor<0x3x3x4xf32>)
      -> (tensor<1x5x5x4xf32>, tensor<3x3x2x4xf32>) attributes {hgc.entry} {
    %0 = hgc.conv_transpose %y, %w channels_last hwio : (tensor<1x3x3x0xf16>, tensor<3x3x4x0xf16>) -> tensor<1x5x5x4xf32>
    %1 = hgc.conv_filter_grad %x, %g window = [3, 3] channels_last hwio : (tensor<0x5x5x2xf32>, tensor<0x3x3x4xf32>) -> tensor<3x3x2x4xf32>
    return %0, %1 : tensor<1x5x5x4xf32>, tensor<3x3x2x4xf32>
  }

  // CHECK: sum: 2xf32=0,0
  // CHECK: prod: 2xf32=1,1
  // CHECK: max: 2xf32=-inf,-inf
  // CHECK: min: 2xf32=inf,inf
  // CHECK: mean: 2xf32={{-?nan,-?nan}}
  // CHECK: most: f32=-inf
  func.func @reduce(%x: tensor<2x0xf32>)
      -> (tensor<2xf32> {hgc.name = "sum"}, tensor<2xf32> {hgc.name = "prod"}, tensor<2xf32> {hgc.name = "max"},
          tensor<2xf32> {hgc.name = "min"}, tensor<2xf32> {hgc.name = "mean"}, tensor<f32> {hgc.name = "most"})
      attributes {hgc.entry} {
    %0 = hgc.reduce sum %x axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
    %1 = hgc.reduce prod %x axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
    %2 = hgc.reduce max %x axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
    %3 = hgc.reduce min %x axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
    %4 = hgc.reduce mean %x axes = [1] : (tensor<2x0xf32>) -> tensor<2xf32>
    %5 = hgc.reduce max %x axes = [0, 1] : (tensor<2x0xf32>) -> tensor<f32>
    return %0, %1, %2, %3, %4, %5
        : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>
  }

  func.func @integers(%x: tensor<0xi32>, %y: tensor<0xui8>, %b: tensor<3x0xi1>)
      -> (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<3xi1>, tensor<3xi1>) attributes {hgc.entry} {
    %0 = hgc.reduce max %x axes = [0] : (tensor<0xi32>) -> tensor<i32>
    %1 = hgc.reduce mean %x axes = [0] : (tensor<0xi32>) -> tensor<i32>
    %2 = hgc.reduce min %y axes = [0] : (tensor<0xui8>) -> tensor<ui8>
    %3 = hgc.reduce any %b axes = [1] : (tensor<3x0xi1>) -> tensor<3xi1>
    %4 = hgc.reduce all %b axes = [1] : (tensor<3x0xi1>) -> tensor<3xi1>
    return %0, %1, %2, %3, %4 : tensor<i32>, tensor<i32>, tensor<ui8>, tensor<3xi1>, tensor<3xi1>
  }

  func.func @shapes(%x: tensor<0x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<0xi64>)
      -> (tensor<2x3xf32>, tensor<0x1xf32>, tensor<3x0xf32>, tensor<2x5xf32>, tensor<0x3xf32>, tensor<0xf32>,
          tensor<1x1xf32>, tensor<0x3xf32>) attributes {hgc.entry} {
    %0 = hgc.concat %x, %y, %x axis 0 : (tensor<0x3xf32>, tensor<2x3xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
    %1 = hgc.slice %y starts = [1, 1] sizes = [0, 1] : (tensor<2x3xf32>) -> tensor<0x1xf32>
    %2 = hgc.transpose %x permutation = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
    %3 = hgc.pad constant %x, %s low = [1, 2] high = [1, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x5xf32>
    %4 = hgc.gather %y, %i axis 0 : (tensor<2x3xf32>, tensor<0xi64>) -> tensor<0x3xf32>
    %5 = hgc.reshape %x shape [-1] : (tensor<0x3xf32>) -> tensor<0xf32>
    %6 = hgc.broadcast %s shape [1, 1] : (tensor<f32>) -> tensor<1x1xf32>
    %7 = hgc.softmax %x axis 0 : tensor<0x3xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3xf32>, tensor<0x1xf32>, tensor<3x0xf32>, tensor<2x5xf32>,
        tensor<0x3xf32>, tensor<0xf32>, tensor<1x1xf32>, tensor<0x3xf32>
  }

  // A scan over nothing gives its initial state.
  func.func @scan(%x: tensor<2xf32>, %xs: tensor<0x2xf32>) -> (tensor<2xf32>, tensor<0x2xf32>) attributes {hgc.entry} {
    %s, %ys = hgc.scan init(%x : tensor<2xf32>) over(%xs : tensor<0x2xf32>) -> (tensor<2xf32>, tensor<0x2xf32>) {
    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
      %n = hgc.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      hgc.yield %n, %n : tensor<2xf32>, tensor<2xf32>
    }
    return %s, %ys : tensor<2xf32>, tensor<0x2xf32>
  }
}
