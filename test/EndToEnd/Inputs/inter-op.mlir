// Six branches of small kernels with a common input.
module @inter_op {
  func.func @f(%x: tensor<16x1024xf32> {hgc.name = "x"})
      -> (tensor<16xf32> {hgc.name = "s"},
          tensor<16xf32> {hgc.name = "t"},
          tensor<16xf32> {hgc.name = "u"},
          tensor<16xf32> {hgc.name = "v"},
          tensor<16xf32> {hgc.name = "w"},
          tensor<16xf32> {hgc.name = "z"})
      attributes {hgc.entry} {
    %a0 = hgc.tanh %x : tensor<16x1024xf32>
    %a1 = hgc.reduce sum %a0 axes = [1] : (tensor<16x1024xf32>) -> tensor<16xf32>
    %b0 = hgc.sin %x : tensor<16x1024xf32>
    %b1 = hgc.reduce sum %b0 axes = [1] : (tensor<16x1024xf32>) -> tensor<16xf32>
    %c0 = hgc.erf %x : tensor<16x1024xf32>
    %c1 = hgc.reduce sum %c0 axes = [1] : (tensor<16x1024xf32>) -> tensor<16xf32>
    %d0 = hgc.sigmoid %x : tensor<16x1024xf32>
    %d1 = hgc.reduce sum %d0 axes = [1] : (tensor<16x1024xf32>) -> tensor<16xf32>
    %e0 = hgc.cos %x : tensor<16x1024xf32>
    %e1 = hgc.reduce sum %e0 axes = [1] : (tensor<16x1024xf32>) -> tensor<16xf32>
    %g0 = hgc.atan %x : tensor<16x1024xf32>
    %g1 = hgc.reduce sum %g0 axes = [1] : (tensor<16x1024xf32>) -> tensor<16xf32>
    return %a1, %b1, %c1, %d1, %e1, %g1 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}
