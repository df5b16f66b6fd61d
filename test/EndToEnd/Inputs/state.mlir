// Parameters that calls change: a counter, and a pair that is swapped.
module @state {
  hgc.parameter @n : tensor<2xf32> = dense<[1.0, 2.0]>
  hgc.parameter @a : tensor<3xi32> = dense<[1, 2, 3]>
  hgc.parameter @b : tensor<3xi32> = dense<[7, 8, 9]>
  hgc.parameter @fixed : tensor<2xf32> = dense<[10.0, 20.0]>
  func.func @step(%x: tensor<2xf32> {hgc.name = "x"}, %refuse: tensor<i1> {hgc.name = "refuse"})
      -> (tensor<2xf32> {hgc.name = "before"}) attributes {hgc.entry} {
    %0 = hgc.read @n : tensor<2xf32>
    %1 = hgc.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    hgc.assign @n, %1 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @swap() attributes {hgc.entry} {
    %0 = hgc.read @a : tensor<3xi32>
    %1 = hgc.read @b : tensor<3xi32>
    hgc.assign @a, %1 : tensor<3xi32>
    hgc.assign @b, %0 : tensor<3xi32>
    return
  }
  func.func @sum() -> (tensor<2xf32> {hgc.name = "sum"}) attributes {hgc.entry} {
    %0 = hgc.read @n : tensor<2xf32>
    %1 = hgc.read @fixed : tensor<2xf32>
    %2 = hgc.add %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
