// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @rank(%q: tensor<8xf32>, %k: tensor<7x8xf32>) {
  // expected-error @+2 {{attention of an operand of rank 1, expected two or more}}
  // expected-note @+1 {{hint: give it dims for positions and features with hgc.reshape}}
  %0 = hgc.attention %q, %k, %k : (tensor<8xf32>, tensor<7x8xf32>, tensor<7x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @element(%q: tensor<5x8xf32>, %k: tensor<7x8xf16>) {
  // expected-error @+2 {{operands have element types 'f32' and 'f16'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.attention %q, %k, %k : (tensor<5x8xf32>, tensor<7x8xf16>, tensor<7x8xf16>) -> tensor<5x8xf32>
  return
}

// -----

func.func @features(%q: tensor<5x8xf32>, %k: tensor<7x4xf32>) {
  // expected-error @+2 {{feature extents of query and key differ: 8 and 4}}
  // expected-note @+1 {{hint: query is [..., queries, features], key is [..., keys, features]}}
  %0 = hgc.attention %q, %k, %k : (tensor<5x8xf32>, tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @keys(%q: tensor<5x8xf32>, %k: tensor<7x8xf32>, %v: tensor<6x8xf32>) {
  // expected-error @+2 {{extents of key and value differ: 7 and 6}}
  // expected-note @+1 {{hint: key is [..., keys, features], value is [..., keys, results]}}
  %0 = hgc.attention %q, %k, %v : (tensor<5x8xf32>, tensor<7x8xf32>, tensor<6x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @no_keys(%q: tensor<5x8xf32>, %k: tensor<0x8xf32>) {
  // expected-error @+2 {{attention without keys}}
  // expected-note @+1 {{hint: give key and value at least one position}}
  %0 = hgc.attention %q, %k, %k : (tensor<5x8xf32>, tensor<0x8xf32>, tensor<0x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @batch(%q: tensor<2x5x8xf32>, %k: tensor<3x7x8xf32>) {
  // expected-error @+2 {{shapes 2 and 3 do not broadcast: extents 2 and 3 differ}}
  // expected-note @+1 {{hint: extents are aligned from the last dim on; make them equal or one of them 1}}
  %0 = hgc.attention %q, %k, %k : (tensor<2x5x8xf32>, tensor<3x7x8xf32>, tensor<3x7x8xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

func.func @mask(%q: tensor<1x8xf32>, %k: tensor<7x8xf32>, %m: tensor<3x7xf32>) {
  // expected-error @+2 {{mask of shape 3x7 for scores of shape 1x7}}
  // expected-note @+1 {{hint: a mask broadcasts to [..., queries, keys]}}
  %0 = hgc.attention %q, %k, %k mask %m : (tensor<1x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>, tensor<3x7xf32>) -> tensor<1x8xf32>
  return
}

// -----

func.func @mask_element(%q: tensor<5x8xf32>, %k: tensor<7x8xf32>, %m: tensor<5x7xf16>) {
  // expected-error @+2 {{operands have element types 'f16' and 'f32'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.attention %q, %k, %k mask %m : (tensor<5x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>, tensor<5x7xf16>) -> tensor<5x8xf32>
  return
}

// -----

func.func @scale(%q: tensor<5x8xf32>, %k: tensor<7x8xf32>) {
  // expected-error @+2 {{'scale' is not finite}}
  // expected-note @+1 {{hint: leave it out for 1 / sqrt(features)}}
  %0 = hgc.attention %q, %k, %k scale = 0x7FF0000000000000 : (tensor<5x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>) -> tensor<5x8xf32>
  return
}
