// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @depths(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{contraction depths differ: lhs has 3, rhs has 4}}
  // expected-note @+1 {{hint: lhs is [..., M, K], rhs is [..., K, N]}}
  %0 = hgc.matmul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @vector(%a: tensor<3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{matmul of operands of rank 1 and 2, expected two or more}}
  // expected-note @+1 {{hint: give a vector a dim of extent 1 with hgc.reshape}}
  %0 = hgc.matmul %a, %b : (tensor<3xf32>, tensor<3x5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @elements(%a: tensor<2x3xf32>, %b: tensor<3x5xf16>) {
  // expected-error @+2 {{operands have element types 'f32' and 'f16'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %0 = hgc.matmul %a, %b : (tensor<2x3xf32>, tensor<3x5xf16>) -> tensor<2x5xf32>
  return
}

// -----

func.func @batches(%a: tensor<2x3x3xf32>, %b: tensor<4x3x3xf32>) {
  // expected-error @+2 {{shapes 2 and 4 do not broadcast}}
  // expected-note @+1 {{hint: extents are aligned}}
  %0 = hgc.matmul %a, %b : (tensor<2x3x3xf32>, tensor<4x3x3xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

func.func @result(%a: tensor<2x3xf16>) {
  // expected-error @+2 {{has result type 'tensor<2x2xf64>', but its operands and attributes give 'tensor<2x2xf32>'}}
  // expected-note @+1 {{hint: declare the result as}}
  %0 = hgc.matmul %a, %a transpose_rhs : (tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<2x2xf64>
  return
}

// -----

func.func @packed_transposed(%a: tensor<2x3xf32>, %b: tensor<1x3x8xf32>) {
  // expected-error @+2 {{'transpose_rhs' on a packed operand}}
  // expected-note @+1 {{hint: transpose the operand before it is packed}}
  %0 = hgc.matmul %a, %b transpose_rhs packed <8, [3, 5]> : (tensor<2x3xf32>, tensor<1x3x8xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @packed_shape(%a: tensor<2x3xf32>, %b: tensor<1x3x8xf32>) {
  // expected-error @+2 {{packed operand has shape 1x3x8, but 'packed' says 2x3x8}}
  // expected-note @+1 {{hint: the operand must be the result of hgc.pack with the same width and shape}}
  %0 = hgc.matmul %a, %b packed <8, [3, 9]> : (tensor<2x3xf32>, tensor<1x3x8xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @interleave(%w: tensor<5x20xf32>) {
  // expected-error @+2 {{'interleave' is 2}}
  // expected-note @+1 {{hint: use 2, 4 or 64 for i8, 32 for bf16, 32 or 96 for f32, with static shapes, or drop it}}
  %0 = hgc.pack matmul_rhs %w width 16 interleave = 2 : (tensor<5x20xf32>) -> tensor<2x3x32xf32>
  return
}

// -----

func.func @tiled_width(%w: tensor<5x20xf32>) {
  // expected-error @+2 {{tiled panels of width 20 in 1 groups}}
  // expected-note @+1 {{hint: use a multiple of 16 and one group, or drop 'interleave'}}
  %0 = hgc.pack matmul_rhs %w width 20 interleave = 96 : (tensor<5x20xf32>) -> tensor<1x1x1920xbf16>
  return
}

// -----

func.func @tiled_elements(%a: tensor<2x5xf32>, %w: tensor<5x20xbf16>) {
  %0 = hgc.pack matmul_rhs %w width 32 interleave = 32 : (tensor<5x20xbf16>) -> tensor<1x1x1024xbf16>
  // expected-error @+2 {{operands have element types 'f32' and 'bf16'}}
  // expected-note @+1 {{hint: convert one of them with hgc.cast}}
  %1 = hgc.matmul %a, %0 packed <32, [5, 20]> : (tensor<2x5xf32>, tensor<1x1x1024xbf16>) -> tensor<2x20xf32>
  return
}

// -----

func.func @packed_width(%a: tensor<2x3xf32>, %b: tensor<1x3x8xf32>) {
  // expected-error @+2 {{panel width 0 is out of range}}
  // expected-note @+1 {{hint: use a width from 1 to 1024}}
  %0 = hgc.matmul %a, %b packed <0, [3, 9]> : (tensor<2x3xf32>, tensor<1x3x8xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @packed_rank(%a: tensor<2x3xf32>, %b: tensor<1x3x8xf32>) {
  // expected-error @+2 {{'packed' has a logical shape of rank 1}}
  // expected-note @+1 {{hint: give the shape of the operand before packing}}
  %0 = hgc.matmul %a, %b packed <8, [3]> : (tensor<2x3xf32>, tensor<1x3x8xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @packed_extent(%a: tensor<2x3xf32>, %b: tensor<1x3x8xf32>) {
  // expected-error @+2 {{'packed' holds the extent -3}}
  // expected-note @+1 {{hint: use extents from 0 to 2^40}}
  %0 = hgc.matmul %a, %b packed <8, [-3, 8]> : (tensor<2x3xf32>, tensor<1x3x8xf32>) -> tensor<2x9xf32>
  return
}

// -----

func.func @pack_width(%w: tensor<3x8xf32>) {
  // expected-error @+2 {{panel width -1 is out of range}}
  // expected-note @+1 {{hint: use a width from 1 to 1024}}
  %0 = hgc.pack matmul_rhs %w width -1 : (tensor<3x8xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @pack_vector(%w: tensor<8xf32>) {
  // expected-error @+2 {{operand of rank 1 cannot be packed}}
  // expected-note @+1 {{hint: a matrix has rank two or more}}
  %0 = hgc.pack matmul_rhs %w width 8 : (tensor<8xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @pack_filter_rank(%w: tensor<8x8xf32>) {
  // expected-error @+2 {{operand of rank 2 cannot be packed}}
  // expected-note @+1 {{hint: a filter has rank 3 to 5 in hwio order}}
  %0 = hgc.pack conv_filter %w width 8 : (tensor<8x8xf32>) -> tensor<1x1x8x8xf32>
  return
}

// -----

func.func @pack_matrix_groups(%w: tensor<8x8xf32>) {
  // expected-error @+2 {{'groups' is 2 for a matrix}}
  // expected-note @+1 {{hint: drop 'groups'}}
  %0 = hgc.pack matmul_rhs %w width 8 groups = 2 : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
  return
}

// -----

func.func @pack_groups(%w: tensor<3x3x8x9xf32>) {
  // expected-error @+2 {{9 output channels do not divide into 2 groups}}
  // expected-note @+1 {{hint: choose 'groups' so that it divides both channel counts}}
  %0 = hgc.pack conv_filter %w width 8 groups = 2 : (tensor<3x3x8x9xf32>) -> tensor<2x1x72x8xf32>
  return
}
