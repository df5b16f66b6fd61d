// Elementary functions on the GPU: f64 has no library there, and huge angles are
// reduced by integers.
// RUN: hgc compile %s --gpu sm_80 '--place=gpu(.*)' --device emulated --strict-placement --verify -o %t.so

module @functions {
  func.func @exponential_f64(%x: tensor<515xf64>, %y: tensor<515xf64>) -> (tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>) attributes {hgc.entry} {
    %one = hgc.constant dense<1.0> : tensor<f64>
    %a = hgc.abs %x : tensor<515xf64>
    %above = hgc.add %a, %one : (tensor<515xf64>, tensor<f64>) -> tensor<515xf64>
    %inside = hgc.tanh %x : tensor<515xf64>
    %r0 = hgc.exp %x : tensor<515xf64>
    %r1 = hgc.expm1 %x : tensor<515xf64>
    %r2 = hgc.log %above : tensor<515xf64>
    %r3 = hgc.log1p %above : tensor<515xf64>
    %r4 = hgc.sqrt %x : tensor<515xf64>
    %r5 = hgc.rsqrt %above : tensor<515xf64>
    %r6 = hgc.sinh %x : tensor<515xf64>
    %r7 = hgc.cosh %x : tensor<515xf64>
    %r8 = hgc.tanh %x : tensor<515xf64>
    return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>
  }
  func.func @angles_f64(%x: tensor<515xf64>, %y: tensor<515xf64>) -> (tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>) attributes {hgc.entry} {
    %one = hgc.constant dense<1.0> : tensor<f64>
    %a = hgc.abs %x : tensor<515xf64>
    %above = hgc.add %a, %one : (tensor<515xf64>, tensor<f64>) -> tensor<515xf64>
    %inside = hgc.tanh %x : tensor<515xf64>
    %r0 = hgc.sin %x : tensor<515xf64>
    %r1 = hgc.cos %x : tensor<515xf64>
    %r2 = hgc.tan %x : tensor<515xf64>
    %r3 = hgc.asin %inside : tensor<515xf64>
    %r4 = hgc.acos %inside : tensor<515xf64>
    %r5 = hgc.atan %x : tensor<515xf64>
    %r6 = hgc.asinh %x : tensor<515xf64>
    %r7 = hgc.acosh %above : tensor<515xf64>
    %r8 = hgc.atanh %inside : tensor<515xf64>
    %r9 = hgc.erf %x : tensor<515xf64>
    return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>
  }
  func.func @pairs_f64(%x: tensor<515xf64>, %y: tensor<515xf64>) -> (tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>) attributes {hgc.entry} {
    %one = hgc.constant dense<1.0> : tensor<f64>
    %a = hgc.abs %x : tensor<515xf64>
    %above = hgc.add %a, %one : (tensor<515xf64>, tensor<f64>) -> tensor<515xf64>
    %inside = hgc.tanh %x : tensor<515xf64>
    %r0 = hgc.pow %a, %y : (tensor<515xf64>, tensor<515xf64>) -> tensor<515xf64>
    %r1 = hgc.rem %x, %y : (tensor<515xf64>, tensor<515xf64>) -> tensor<515xf64>
    %r2 = hgc.atan2 %x, %y : (tensor<515xf64>, tensor<515xf64>) -> tensor<515xf64>
    %s3 = hgc.constant dense<1.0e200> : tensor<f64>
    %h3 = hgc.mul %x, %s3 : (tensor<515xf64>, tensor<f64>) -> tensor<515xf64>
    %r3 = hgc.sin %h3 : tensor<515xf64>
    %s4 = hgc.constant dense<1.0e200> : tensor<f64>
    %h4 = hgc.mul %x, %s4 : (tensor<515xf64>, tensor<f64>) -> tensor<515xf64>
    %r4 = hgc.cos %h4 : tensor<515xf64>
    return %r0, %r1, %r2, %r3, %r4 : tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>, tensor<515xf64>
  }
  func.func @pairs_f32(%x: tensor<515xf32>, %y: tensor<515xf32>) -> (tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>) attributes {hgc.entry} {
    %one = hgc.constant dense<1.0> : tensor<f32>
    %a = hgc.abs %x : tensor<515xf32>
    %above = hgc.add %a, %one : (tensor<515xf32>, tensor<f32>) -> tensor<515xf32>
    %inside = hgc.tanh %x : tensor<515xf32>
    %r0 = hgc.pow %a, %y : (tensor<515xf32>, tensor<515xf32>) -> tensor<515xf32>
    %r1 = hgc.rem %x, %y : (tensor<515xf32>, tensor<515xf32>) -> tensor<515xf32>
    %r2 = hgc.atan2 %x, %y : (tensor<515xf32>, tensor<515xf32>) -> tensor<515xf32>
    %s3 = hgc.constant dense<1.0e30> : tensor<f32>
    %h3 = hgc.mul %x, %s3 : (tensor<515xf32>, tensor<f32>) -> tensor<515xf32>
    %r3 = hgc.sin %h3 : tensor<515xf32>
    %s4 = hgc.constant dense<1.0e30> : tensor<f32>
    %h4 = hgc.mul %x, %s4 : (tensor<515xf32>, tensor<f32>) -> tensor<515xf32>
    %r4 = hgc.cos %h4 : tensor<515xf32>
    %r5 = hgc.sin %x : tensor<515xf32>
    %r6 = hgc.cos %x : tensor<515xf32>
    %r7 = hgc.erf %x : tensor<515xf32>
    return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>, tensor<515xf32>
  }
}
