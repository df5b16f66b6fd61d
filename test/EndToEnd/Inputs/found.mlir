// Results whose shape depends on the data, and calls that may fail.
module @found {
  // Positions of the positive elements, row by row.
  func.func @positive(%x: tensor<2x3xf32> {hgc.name = "x"}, %limit: tensor<i64> {hgc.name = "limit"})
      -> (tensor<6x2xi64> {hgc.name = "at", hgc.extents = "at_shape"}, tensor<2xi64> {hgc.name = "at_shape"},
          tensor<2x3xf32> {hgc.name = "twice"}) attributes {hgc.entry} {
    %zero = hgc.constant dense<0.0> : tensor<f32>
    %three = hgc.constant dense<3> : tensor<i64>
    %two = hgc.constant dense<2> : tensor<1xi64>
    %flags = hgc.compare gt %x, %zero : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>
    %flat = hgc.reshape %flags shape [6] : (tensor<2x3xi1>) -> tensor<6xi1>
    %ones = hgc.cast %flat to i64 : (tensor<6xi1>) -> tensor<6xi64>
    %count = hgc.reduce sum %ones axes = [0] : (tensor<6xi64>) -> tensor<i64>
    %few = hgc.compare le %count, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    hgc.check %few, "more elements of 'x' are positive than 'limit' says\nhint: raise 'limit'" : tensor<i1>
    %order = hgc.arg_sort %flat axis 0 descending : (tensor<6xi1>) -> tensor<6xi64>
    %row = hgc.div %order, %three : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
    %column = hgc.rem %order, %three : (tensor<6xi64>, tensor<i64>) -> tensor<6xi64>
    %rows = hgc.reshape %row shape [6, 1] : (tensor<6xi64>) -> tensor<6x1xi64>
    %columns = hgc.reshape %column shape [6, 1] : (tensor<6xi64>) -> tensor<6x1xi64>
    %at = hgc.concat %rows, %columns axis 1 : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x2xi64>
    %n = hgc.reshape %count shape [1] : (tensor<i64>) -> tensor<1xi64>
    %shape = hgc.concat %n, %two axis 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %twice = hgc.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %at, %shape, %twice : tensor<6x2xi64>, tensor<2xi64>, tensor<2x3xf32>
  }

  // Adds up `x` step by step; only where `strict` is set a step may not be negative.
  func.func @walk(%x: tensor<4xf32> {hgc.name = "x"}, %strict: tensor<i1> {hgc.name = "strict"})
      -> (tensor<f32> {hgc.name = "sum"}) attributes {hgc.entry} {
    %zero = hgc.constant dense<0.0> : tensor<f32>
    %sum = hgc.scan init(%zero : tensor<f32>) over(%x : tensor<4xf32>) -> (tensor<f32>) {
    ^bb0(%s: tensor<f32>, %e: tensor<f32>):
      hgc.if %strict : tensor<i1> {
        %good = hgc.compare ge %e, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
        hgc.check %good, "a step is negative" : tensor<i1>
        hgc.yield
      } else {
        hgc.yield
      }
      %n = hgc.add %s, %e : (tensor<f32>, tensor<f32>) -> tensor<f32>
      hgc.yield %n : tensor<f32>
    }
    return %sum : tensor<f32>
  }
}
