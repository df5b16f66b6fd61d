// A large product, then the sum of all its elements.
module @matmul_sum {
  func.func @run(%a: tensor<1024x1024xf32> {hgc.name = "a"}, %b: tensor<1024x1024xf32> {hgc.name = "b"})
      -> (tensor<f32> {hgc.name = "total"}) attributes {hgc.entry} {
    %0 = hgc.matmul %a, %b {hgc.name = "product"} : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %1 = hgc.reduce sum %0 axes = [0, 1] {hgc.name = "sum"} : (tensor<1024x1024xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
