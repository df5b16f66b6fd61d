// More rows than a grid has blocks in its second dim.
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --strict-placement --verify --device emulated -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --strict-placement --verify --device emulated --arena=separate -o %t.so
module {
  func.func @f(%x: tensor<70001x5xf32>, %w: tensor<5x7xf32>) -> (tensor<70001x7xf32>, tensor<70001xf32>, tensor<5x70001xf32>, tensor<70001x5xi64>) attributes {hgc.entry} {
    %0 = hgc.matmul %x, %w : (tensor<70001x5xf32>, tensor<5x7xf32>) -> tensor<70001x7xf32>
    %1 = hgc.softmax %0 axis 1 : tensor<70001x7xf32>
    %2 = hgc.reduce sum %x axes = [1] : (tensor<70001x5xf32>) -> tensor<70001xf32>
    %3 = hgc.transpose %x permutation = [1, 0] : (tensor<70001x5xf32>) -> tensor<5x70001xf32>
    %4 = hgc.arg_sort %x axis 1 : (tensor<70001x5xf32>) -> tensor<70001x5xi64>
    return %1, %2, %3, %4 : tensor<70001x7xf32>, tensor<70001xf32>, tensor<5x70001xf32>, tensor<70001x5xi64>
  }
}
