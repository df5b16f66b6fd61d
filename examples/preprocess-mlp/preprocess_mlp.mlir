// Rows of 100 features and a category each: features are normalised over all
// rows, the category becomes one of 10 flags, and a perceptron scores the lot.
module @preprocess_mlp attributes {hgc.dims = {rows = [100000]}} {
  hgc.parameter @dense1.weight : tensor<110x16xf32> = #hgc.init<glorot_uniform, seed = 1>
  hgc.parameter @dense1.bias : tensor<16xf32> = dense<0.1>
  hgc.parameter @dense2.weight : tensor<16x1xf32> = #hgc.init<glorot_uniform, seed = 2>

  func.func @score(%x: tensor<?x100xf32> {hgc.name = "x", hgc.shape = ["rows", 100]},
                   %category: tensor<?xi32> {hgc.name = "category", hgc.shape = ["rows"]})
      -> (tensor<?x1xf32> {hgc.name = "score"}) attributes {hgc.entry} {
    // Normalise: zero mean and unit deviation per feature.
    %mean = hgc.reduce mean %x axes = [0] {hgc.name = "pre.mean"} : (tensor<?x100xf32>) -> tensor<100xf32>
    %centred = hgc.sub %x, %mean {hgc.name = "pre.centre"} : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    %square = hgc.mul %centred, %centred {hgc.name = "pre.square"} : (tensor<?x100xf32>, tensor<?x100xf32>) -> tensor<?x100xf32>
    %variance = hgc.reduce mean %square axes = [0] {hgc.name = "pre.variance"} : (tensor<?x100xf32>) -> tensor<100xf32>
    %epsilon = hgc.constant dense<1.0e-6> : tensor<f32>
    %shifted = hgc.add %variance, %epsilon {hgc.name = "pre.shift"} : (tensor<100xf32>, tensor<f32>) -> tensor<100xf32>
    %scale = hgc.rsqrt %shifted {hgc.name = "pre.scale"} : tensor<100xf32>
    %normal = hgc.mul %centred, %scale {hgc.name = "pre.normal"} : (tensor<?x100xf32>, tensor<100xf32>) -> tensor<?x100xf32>
    // One-hot.
    %column = hgc.reshape %category shape ["rows", 1] : (tensor<?xi32>) -> tensor<?x1xi32>
    %classes = hgc.iota shape [10] axis 0 of i32 {hgc.name = "pre.classes"} : tensor<10xi32>
    %equal = hgc.compare eq %column, %classes {hgc.name = "pre.equal"} : (tensor<?x1xi32>, tensor<10xi32>) -> tensor<?x10xi1>
    %flags = hgc.cast %equal to f32 {hgc.name = "pre.onehot"} : (tensor<?x10xi1>) -> tensor<?x10xf32>
    %input = hgc.concat %normal, %flags axis 1 {hgc.name = "pre.join"} : (tensor<?x100xf32>, tensor<?x10xf32>) -> tensor<?x110xf32>

    %w1 = hgc.read @dense1.weight : tensor<110x16xf32>
    %b1 = hgc.read @dense1.bias : tensor<16xf32>
    %w2 = hgc.read @dense2.weight : tensor<16x1xf32>
    %0 = hgc.matmul %input, %w1 {hgc.name = "mlp.dense1"} : (tensor<?x110xf32>, tensor<110x16xf32>) -> tensor<?x16xf32>
    %1 = hgc.add %0, %b1 {hgc.name = "mlp.add"} : (tensor<?x16xf32>, tensor<16xf32>) -> tensor<?x16xf32>
    %2 = hgc.relu %1 {hgc.name = "mlp.relu"} : tensor<?x16xf32>
    %3 = hgc.matmul %2, %w2 {hgc.name = "mlp.dense2"} : (tensor<?x16xf32>, tensor<16x1xf32>) -> tensor<?x1xf32>
    %4 = hgc.sigmoid %3 {hgc.name = "mlp.score"} : tensor<?x1xf32>
    return %4 : tensor<?x1xf32>
  }
}
