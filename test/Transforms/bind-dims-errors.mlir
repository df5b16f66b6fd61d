// RUN: hgc-opt --hgc-bind-dims --split-input-file --verify-diagnostics %s

// A dim needs an extent.
// expected-error @+2 {{dim 'batch' has no extent}}
// expected-note @+1 {{hint: pass --dim batch=1}}
func.func @unbound(%x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
  return %x : tensor<?xf32>
}

// -----

// An unnamed dynamic extent cannot be bound.
// expected-error @+2 {{dim 0 of argument 'x' is '?' and has no name}}
// expected-note @+1 {{hint: name it with hgc.shape}}
func.func @unnamed(%x: tensor<?xf32> {hgc.name = "x"}) -> tensor<?xf32> attributes {hgc.entry} {
  return %x : tensor<?xf32>
}

// -----

// The type and the dim disagree.
module attributes {hgc.dims = {batch = [4]}} {
  // expected-error @+3 {{dim 0 of argument 'arg0' is 3 in the type, but 4 by hgc.shape}}
  // expected-note @+2 {{hint: use '?' in the type}}
  // expected-note @+1 {{with batch = 4}}
  func.func @conflict(%x: tensor<3xf32> {hgc.shape = ["batch"]}) -> tensor<3xf32> attributes {hgc.entry} {
    return %x : tensor<3xf32>
  }
}

// -----

// The product of all extents is bounded.
module attributes {hgc.dims = {a = [1, 2, 3, 4, 5, 6, 7, 8, 9], b = [1, 2, 3, 4, 5, 6, 7, 8, 9]}} {
  // expected-error @+2 {{entry 'many' has more than 64 combinations of dims}}
  // expected-note @+1 {{hint: list fewer extents}}
  func.func @many(%x: tensor<?x?xf32> {hgc.shape = ["a", "b"]}) -> tensor<?x?xf32> attributes {hgc.entry} {
    return %x : tensor<?x?xf32>
  }
}

// -----

// A declared static type has to hold for every variant.
module attributes {hgc.dims = {batch = [4]}} {
  func.func @promise(%x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
    %c = hgc.constant dense<1.0> : tensor<1xf32>
    // expected-error @+3 {{the declared type 'tensor<3xf32>' does not fit the inferred 'tensor<4xf32>'}}
    // expected-note @+2 {{hint: use '?' for extents}}
    // expected-note @+1 {{with batch = 4}}
    %0 = hgc.add %x, %c : (tensor<?xf32>, tensor<1xf32>) -> tensor<3xf32>
    return %x : tensor<?xf32>
  }
}

// -----

// Errors of inference say which variant they are about.
module attributes {hgc.dims = {batch = [4]}} {
  func.func @infer(%x: tensor<?x2xf32> {hgc.shape = ["batch", 2]}) -> tensor<?x3xf32> attributes {hgc.entry} {
    // expected-error-re @+3 {{{{.+}}}}
    // expected-note-re @+2 {{hint: {{.+}}}}
    // expected-note @+1 {{with batch = 4}}
    %0 = hgc.reshape %x shape [-1, 3] : (tensor<?x2xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
}

// -----

// Loops keep the shape of what they carry.
module attributes {hgc.dims = {batch = [4]}} {
  func.func @grow(%c: tensor<i1>, %x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
    %y = hgc.if %c : tensor<i1> -> (tensor<?xf32>) {
      hgc.yield %x : tensor<?xf32>
    } else {
      %0 = hgc.concat %x, %x axis 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      // expected-error @+3 {{value 0 has type 'tensor<8xf32>', but the other branch of 'hgc.if' has 'tensor<4xf32>'}}
      // expected-note @+2 {{hint: pad, slice or reshape the value}}
      // expected-note @+1 {{with batch = 4}}
      hgc.yield %0 : tensor<?xf32>
    }
    return %y : tensor<?xf32>
  }
}

// -----

// Callers know the extents of results from the dims they pass.
module attributes {hgc.dims = {batch = [2, 3]}} {
  // expected-error @+2 {{extent 0 of result 0 changes with the dims, but equals none of them}}
  // expected-note @+1 {{hint: compile one combination of dims, or make the extent a named dim}}
  func.func @double(%x: tensor<?xf32> {hgc.shape = ["batch"]}) -> tensor<?xf32> attributes {hgc.entry} {
    %0 = hgc.concat %x, %x axis 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}
