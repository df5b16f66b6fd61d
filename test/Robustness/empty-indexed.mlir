// Sorting, scatter and attention without elements, updates, queries or features:
// compiled code of both devices and the evaluator agree.
// RUN: hgc compile %s --verify -O0 --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device=emulated --verify --strict-placement -O0 --arena=separate -o %t.so
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device=emulated --verify --strict-placement -o %t.so

module @nothing {
  func.func @f(%a: tensor<0xf32>, %b: tensor<3x0xf32>, %c: tensor<0x4xf32>, %d: tensor<4x3xf32>, %i:
        tensor<4x0xi64>, %u: tensor<4x0xf32>, %bi: tensor<3x0xi64>, %si: tensor<0xi64>, %su: tensor<0x3xf32>, %q:
        tensor<0x3xf32>, %n: tensor<4x0xf32>, %qq: tensor<0x4x3xf32>)
      -> (tensor<0xi64>, tensor<3x0xi64>, tensor<4x0xi64>, tensor<0xi64>, tensor<4x0xf32>, tensor<4x3xf32>,
            tensor<3x0xf32>, tensor<4x3xf32>, tensor<0x3xf32>, tensor<4x3xf32>, tensor<0x4x3xf32>, tensor<4x0xf32>)
            attributes {hgc.entry} {
    %0 = hgc.arg_sort %a axis 0 : (tensor<0xf32>) -> tensor<0xi64>
    %1 = hgc.arg_sort %b axis 1 : (tensor<3x0xf32>) -> tensor<3x0xi64>
    %2 = hgc.arg_sort %d axis 1 k = 0 : (tensor<4x3xf32>) -> tensor<4x0xi64>
    %3 = hgc.arg_reduce max %c axis 1 : (tensor<0x4xf32>) -> tensor<0xi64>
    %4 = hgc.gather_along %d, %i axis 1 : (tensor<4x3xf32>, tensor<4x0xi64>) -> tensor<4x0xf32>
    %5 = hgc.scatter add %d, %i, %u axis 1 : (tensor<4x3xf32>, tensor<4x0xi64>, tensor<4x0xf32>) -> tensor<4x3xf32>
    %6 = hgc.scatter set %b, %bi, %b axis 1 : (tensor<3x0xf32>, tensor<3x0xi64>, tensor<3x0xf32>) -> tensor<3x0xf32>
    %7 = hgc.scatter max %d, %si, %su axis 0 slices : (tensor<4x3xf32>, tensor<0xi64>, tensor<0x3xf32>) -> tensor<4x3xf32>
    %8 = hgc.attention %q, %d, %d : (tensor<0x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<0x3xf32>
    %9 = hgc.attention %n, %n, %d causal : (tensor<4x0xf32>, tensor<4x0xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %10 = hgc.attention %qq, %d, %d : (tensor<0x4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<0x4x3xf32>
    %11 = hgc.attention %d, %d, %n : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x0xf32>) -> tensor<4x0xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<0xi64>, tensor<3x0xi64>, tensor<4x0xi64>,
          tensor<0xi64>, tensor<4x0xf32>, tensor<4x3xf32>, tensor<3x0xf32>, tensor<4x3xf32>, tensor<0x3xf32>,
          tensor<4x3xf32>, tensor<0x4x3xf32>, tensor<4x0xf32>
  }
}
