// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @rate(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{'rate' is not from 0 to less than 1}}
  // expected-note @+1 {{hint: use a rate such as 2.0e-01}}
  %0 = hgc.dropout %x rate 1.0e+00 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @momentum(%x: tensor<4x2xf32>, %s: tensor<2xf32>) -> tensor<4x2xf32> {
  // expected-error @+2 {{'momentum' is not from 0 to 1}}
  // expected-note @+1 {{hint: use a value such as 9.9e-01}}
  %0 = hgc.batch_norm %x, %s, %s, %s, %s axis 1 epsilon 1.0e-03 momentum 1.5e+00
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
