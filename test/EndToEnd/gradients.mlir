// Gradients as compiled code on both devices: they agree with the evaluator's, whose
// gradients unittests/Autodiff compares with differences.
// RUN: hgc compile %s --verify --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 --device emulated:a100 --strict-placement --place 'gpu(.*)' --verify --arena=separate -o %t.so

module @gradients {
  // Dense layers and a cross-entropy with labels.
  func.func @mlp(%x: tensor<6x9xf32>, %w1: tensor<9x16xf32>, %b1: tensor<16xf32>, %w2: tensor<16x5xf32>,
      %target: tensor<6x5xf32>) -> tensor<f32> attributes {hgc.entry, hgc.grad = ["arg0", "arg1", "arg2", "arg3"]} {
    %0 = hgc.matmul %x, %w1 : (tensor<6x9xf32>, tensor<9x16xf32>) -> tensor<6x16xf32>
    %1 = hgc.add %0, %b1 : (tensor<6x16xf32>, tensor<16xf32>) -> tensor<6x16xf32>
    %2 = hgc.tanh %1 : tensor<6x16xf32>
    %3 = hgc.matmul %2, %w2 : (tensor<6x16xf32>, tensor<16x5xf32>) -> tensor<6x5xf32>
    %4 = hgc.log_softmax %3 axis 1 : tensor<6x5xf32>
    %5 = hgc.mul %4, %target : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
    %6 = hgc.reduce mean %5 axes = [0, 1] : (tensor<6x5xf32>) -> tensor<f32>
    return %6 : tensor<f32>
  }

  // Pools of each kind, windows side by side and overlapping, in both layouts.
  func.func @cnn(%x: tensor<2x9x9x3xf32>, %w: tensor<3x3x3x8xf32>, %scale: tensor<8xf32>, %bias: tensor<8xf32>,
      %mean: tensor<8xf32>, %weights: tensor<2x3x3x8xf32>, %dw: tensor<8x1x2x2xf32>) -> tensor<f32>
      attributes {hgc.entry, hgc.grad = ["arg0", "arg1", "arg2", "arg3", "arg4", "arg6"]} {
    %0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<2x9x9x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x9x9x8xf32>
    %v = hgc.constant dense<0.5> : tensor<8xf32>
    %1 = hgc.batch_norm %0, %scale, %bias, %mean, %v axis 3 epsilon 1.0e-03
        : (tensor<2x9x9x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x9x9x8xf32>
    %2 = hgc.pool max %1 window = [3, 3] strides = [2, 2] pads = [0, 1, 0, 1] channels_last : (tensor<2x9x9x8xf32>) -> tensor<2x4x5x8xf32>
    %3 = hgc.sigmoid %2 : tensor<2x4x5x8xf32>
    %4 = hgc.pool avg %3 window = [2, 3] strides = [1, 2] pads = [0, 1, 0, 1] channels_last : (tensor<2x4x5x8xf32>) -> tensor<2x3x3x8xf32>
    %5 = hgc.transpose %3 permutation = [0, 3, 1, 2] : (tensor<2x4x5x8xf32>) -> tensor<2x8x4x5xf32>
    %6 = hgc.conv %5, %dw groups = 8 channels_first oihw : (tensor<2x8x4x5xf32>, tensor<8x1x2x2xf32>) -> tensor<2x8x3x4xf32>
    %7 = hgc.pool max %6 window = [3, 2] strides = [3, 2] channels_first : (tensor<2x8x3x4xf32>) -> tensor<2x8x1x2xf32>
    %8 = hgc.pool sum %7 window = [1, 2] channels_first : (tensor<2x8x1x2xf32>) -> tensor<2x8x1x1xf32>
    %9 = hgc.reshape %8 shape [2, 1, 1, 8] : (tensor<2x8x1x1xf32>) -> tensor<2x1x1x8xf32>
    %10 = hgc.add %4, %9 : (tensor<2x3x3x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x3x3x8xf32>
    %11 = hgc.mul %10, %weights : (tensor<2x3x3x8xf32>, tensor<2x3x3x8xf32>) -> tensor<2x3x3x8xf32>
    %12 = hgc.reduce sum %11 axes = [0, 1, 2, 3] : (tensor<2x3x3x8xf32>) -> tensor<f32>
    return %12 : tensor<f32>
  }

  // Embedding, normalisation, causal attention, gelu.
  func.func @transformer(%table: tensor<11x8xf32>, %ids: tensor<2x7xi64>, %scale: tensor<8xf32>, %bias: tensor<8xf32>,
      %w: tensor<8x24xf32>, %weights: tensor<2x7x8xf32>) -> tensor<f32>
      attributes {hgc.entry, hgc.grad = ["arg0", "arg2", "arg3", "arg4"]} {
    %0 = hgc.gather %table, %ids axis 0 : (tensor<11x8xf32>, tensor<2x7xi64>) -> tensor<2x7x8xf32>
    %1 = hgc.layer_norm %0, %scale, %bias axis 2 epsilon 1.0e-01 : (tensor<2x7x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x7x8xf32>
    %2 = hgc.matmul %1, %w : (tensor<2x7x8xf32>, tensor<8x24xf32>) -> tensor<2x7x24xf32>
    %q = hgc.slice %2 starts = [0, 0, 0] sizes = [2, 7, 8] : (tensor<2x7x24xf32>) -> tensor<2x7x8xf32>
    %k = hgc.slice %2 starts = [0, 0, 8] sizes = [2, 7, 8] : (tensor<2x7x24xf32>) -> tensor<2x7x8xf32>
    %v = hgc.slice %2 starts = [0, 0, 16] sizes = [2, 7, 8] : (tensor<2x7x24xf32>) -> tensor<2x7x8xf32>
    %3 = hgc.attention %q, %k, %v causal : (tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
    %4 = hgc.gelu %3 : tensor<2x7x8xf32>
    %5 = hgc.mul %4, %weights : (tensor<2x7x8xf32>, tensor<2x7x8xf32>) -> tensor<2x7x8xf32>
    %6 = hgc.reduce sum %5 axes = [0, 1, 2] : (tensor<2x7x8xf32>) -> tensor<f32>
    return %6 : tensor<f32>
  }

  // Data movement: padding, strides, places that are operands, scatters, sorted values.
  func.func @movement(%x: tensor<6x5xf32>, %at: tensor<2xi64>, %rows: tensor<3xi64>, %u: tensor<3x9xf32>,
      %weights: tensor<6x9xf32>) -> tensor<f32> attributes {hgc.entry, hgc.grad = ["arg0", "arg3"]} {
    %zero = hgc.constant dense<0.0> : tensor<f32>
    %0 = hgc.pad reflect %x, %zero low = [0, 2] high = [0, 2] : (tensor<6x5xf32>, tensor<f32>) -> tensor<6x9xf32>
    %1 = hgc.scatter add %0, %rows, %u axis 0 slices : (tensor<6x9xf32>, tensor<3xi64>, tensor<3x9xf32>) -> tensor<6x9xf32>
    %2 = hgc.slice %1 starts = [5, 0] sizes = [3, 9] strides = [-2, 1] : (tensor<6x9xf32>) -> tensor<3x9xf32>
    %3 = hgc.slice %1 at %at sizes = [3, 9] : (tensor<6x9xf32>, tensor<2xi64>) -> tensor<3x9xf32>
    %4 = hgc.concat %2, %3 axis 0 : (tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<6x9xf32>
    %i = hgc.arg_sort %x axis 1 descending k = 1 : (tensor<6x5xf32>) -> tensor<6x1xi64>
    %5 = hgc.gather_along %x, %i axis 1 : (tensor<6x5xf32>, tensor<6x1xi64>) -> tensor<6x1xf32>
    %6 = hgc.sin %4 : tensor<6x9xf32>
    %7 = hgc.mul %6, %5 : (tensor<6x9xf32>, tensor<6x1xf32>) -> tensor<6x9xf32>
    %8 = hgc.mul %7, %weights : (tensor<6x9xf32>, tensor<6x9xf32>) -> tensor<6x9xf32>
    %9 = hgc.reduce sum %8 axes = [0, 1] : (tensor<6x9xf32>) -> tensor<f32>
    return %9 : tensor<f32>
  }

  // A recurrent cell with a branch in it.
  func.func @recurrent(%h: tensor<2x4xf32>, %xs: tensor<5x2x4xf32>, %w: tensor<4x4xf32>, %flags: tensor<5xi1>,
      %weights: tensor<2x4xf32>) -> tensor<f32> attributes {hgc.entry, hgc.grad = ["arg0", "arg1", "arg2"]} {
    %0, %1 = hgc.scan init(%h : tensor<2x4xf32>) over(%xs, %flags : tensor<5x2x4xf32>, tensor<5xi1>)
        -> (tensor<2x4xf32>, tensor<5x2x4xf32>) {
    ^bb0(%s: tensor<2x4xf32>, %x: tensor<2x4xf32>, %flag: tensor<i1>):
      %4 = hgc.matmul %s, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %5 = hgc.add %4, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %6 = hgc.if %flag : tensor<i1> -> (tensor<2x4xf32>) {
        %7 = hgc.tanh %5 : tensor<2x4xf32>
        hgc.yield %7 : tensor<2x4xf32>
      } else {
        %7 = hgc.mul %5, %s : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
        hgc.yield %7 : tensor<2x4xf32>
      }
      hgc.yield %6, %5 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %2 = hgc.mul %1, %weights : (tensor<5x2x4xf32>, tensor<2x4xf32>) -> tensor<5x2x4xf32>
    %3 = hgc.mul %2, %0 : (tensor<5x2x4xf32>, tensor<2x4xf32>) -> tensor<5x2x4xf32>
    %l = hgc.reduce sum %3 axes = [0, 1, 2] : (tensor<5x2x4xf32>) -> tensor<f32>
    return %l : tensor<f32>
  }
}
