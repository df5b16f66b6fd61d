// RUN: hgc-opt --hgc-differentiate --split-input-file --verify-diagnostics %s

func.func @loop(%x: tensor<3xf32> {hgc.name = "x"}) -> tensor<f32> attributes {hgc.entry, hgc.grad} {
  %zero = hgc.constant dense<0> : tensor<i32>
  // expected-error @+2 {{'hgc.while' op has no gradient}}
  // expected-note @+1 {{hint: walk a known number of steps with hgc.scan, or cut the gradient with hgc.stop_gradient}}
  %n, %s = hgc.while init(%zero, %x : tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) cond {
  ^bb0(%i: tensor<i32>, %y: tensor<3xf32>):
    %p = hgc.compare lt %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    hgc.yield %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %y: tensor<3xf32>):
    %z = hgc.exp %y : tensor<3xf32>
    hgc.yield %i, %z : tensor<i32>, tensor<3xf32>
  }
  %l = hgc.reduce sum %s axes = [0] : (tensor<3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func private @square(tensor<f32>) -> tensor<f32>
func.func @called(%x: tensor<f32> {hgc.name = "x"}) -> tensor<f32> attributes {hgc.entry, hgc.grad} {
  // expected-error @+2 {{'func.call' op has no gradient}}
  // expected-note @+1 {{hint: cut the gradient with hgc.stop_gradient, or compute it from other ops}}
  %l = func.call @square(%x) : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

func.func @vector(%x: tensor<3xf32> {hgc.name = "x"}) -> tensor<3xf32> attributes {hgc.entry, hgc.grad} {
  // expected-error @+2 {{a value of type 'tensor<3xf32>' is no loss}}
  // expected-note @+1 {{hint: a loss is one float: reduce it to rank 0, for example with hgc.reduce mean}}
  %0 = hgc.exp %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// expected-error @+2 {{entry 'nothing' has no result to differentiate}}
// expected-note @+1 {{hint: return the loss first}}
func.func @nothing(%x: tensor<f32>) attributes {hgc.entry, hgc.grad} {
  return
}

// -----

// expected-error @+2 {{'hgc.grad' names 'z', which is no float the entry reads}}
// expected-note @+1 {{hint: it reads x, w}}
func.func @f(%x: tensor<f32> {hgc.name = "x"}, %i: tensor<i32> {hgc.name = "i"}) -> tensor<f32>
    attributes {hgc.entry, hgc.grad = ["x", "z"]} {
  %w = hgc.read @w : tensor<f32>
  %l = hgc.mul %x, %w : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
hgc.parameter @w : tensor<f32> = dense<1.0>

// -----

// expected-error @+2 {{'hgc.grad' names 'i', which is no float the entry reads}}
// expected-note @+1 {{hint: this entry reads no floats}}
func.func @f(%i: tensor<i32> {hgc.name = "i"}) -> tensor<f32> attributes {hgc.entry, hgc.grad = ["i"]} {
  %l = hgc.cast %i to f32 : (tensor<i32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @+2 {{the name 'f_grad' of the gradients is taken}}
// expected-note @+1 {{hint: rename the function of that name}}
func.func @f(%x: tensor<f32> {hgc.name = "x"}) -> tensor<f32> attributes {hgc.entry, hgc.grad} {
  return %x : tensor<f32>
}
func.func @f_grad(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+2 {{'hgc.grad' is not a list of names on an entry}}
// expected-note @+1 {{hint: write attributes {hgc.entry, hgc.grad = ["x", "fc.weight"]}, or hgc.grad alone for all}}
func.func @f(%x: tensor<f32>) -> tensor<f32> attributes {hgc.entry, hgc.grad = [1]} {
  return %x : tensor<f32>
}
