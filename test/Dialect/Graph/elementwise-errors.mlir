// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @no_broadcast(%x: tensor<2x3xf32>, %y: tensor<4xf32>) {
  // expected-error @+2 {{shapes 2x3 and 4 do not broadcast: extents 3 and 4 differ}}
  // expected-note @+1 {{hint: extents are aligned from the last dim on}}
  %0 = hgc.add %x, %y : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @wrong_result(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{'hgc.mul' op has result type 'tensor<3x2xf32>', but its operands and attributes give 'tensor<2x3xf32>'}}
  // expected-note @+1 {{hint: declare the result as 'tensor<2x3xf32>'}}
  %0 = hgc.mul %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @wrong_element(%x: tensor<2xf32>) {
  // expected-error @+2 {{'hgc.is_nan' op has result type 'tensor<3xi1>', but its operands and attributes give 'tensor<2xi1>'}}
  // expected-note @+1 {{hint: declare the result as}}
  %0 = hgc.is_nan %x : (tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @mixed_elements(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %0 = hgc.add %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @unsupported_element(%x: tensor<2xi4>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = hgc.abs %x : tensor<2xi4>
  return
}

// -----

func.func @exp_of_integers(%x: tensor<2xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = hgc.exp %x : tensor<2xi32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of}}
  %0 = "hgc.relu"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @compare_mixed(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error @+2 {{'hgc.compare' op has operands of element types 'f32' and 'i32'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.compare lt %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @select_mixed(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error @+2 {{'hgc.select' op has operands of element types 'f32' and 'i32'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.select %c, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @cast_to_nothing(%x: tensor<2xf32>) {
  // expected-error @+2 {{cast to a type that is no number}}
  // expected-note @+1 {{hint: name an element type such as f32 after `to`}}
  %0 = hgc.cast %x to index : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @too_large(%x: tensor<1048576x1048576xf32>) {
  // expected-error @+2 {{tensor of shape 1048576x1048576 is larger than the limit of 2^40 bytes}}
  // expected-note @+1 {{hint: split the tensor}}
  %0 = hgc.relu %x : tensor<1048576x1048576xf32>
  return
}

// -----

func.func @count_overflows(%x: tensor<4294967296x4294967296x4294967296xf32>) {
  // expected-error @+2 {{is larger than the limit of 2^40 bytes}}
  // expected-note @+1 {{hint: split the tensor}}
  %0 = hgc.relu %x : tensor<4294967296x4294967296x4294967296xf32>
  return
}

// -----

func.func @extent_too_large(%x: tensor<0x9223372036854775807xf32>) {
  // expected-error @+2 {{extent 9223372036854775807 is larger than the limit of 2^40}}
  // expected-note @+1 {{hint: split the tensor}}
  %0 = hgc.relu %x : tensor<0x9223372036854775807xf32>
  return
}
