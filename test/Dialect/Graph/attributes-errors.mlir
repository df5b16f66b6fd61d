// RUN: hgc-opt --split-input-file --verify-diagnostics %s

// expected-error @+2 {{'hgc.entry' is not a unit attribute of a function}}
// expected-note @+1 {{hint: write func.func @predict(...) attributes {hgc.entry}}}
func.func @f() attributes {hgc.entry = 1} { return }

// -----

// expected-error @+2 {{entry 'f' has no body}}
// expected-note @+1 {{hint: define the function or drop 'hgc.entry'}}
func.func private @f() attributes {hgc.entry}

// -----

// expected-error @+2 {{entry 'f' has argument 0 of type 'f32'}}
// expected-note @+1 {{hint: use a ranked tensor of}}
func.func @f(%x: f32) attributes {hgc.entry} { return }

// -----

// expected-error @+2 {{entry 'f' has result 0 of type 'tensor<4xsi8>'}}
// expected-note @+1 {{hint: use a ranked tensor of}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xsi8> attributes {hgc.entry} {
  %0 = builtin.unrealized_conversion_cast %x : tensor<4xf32> to tensor<4xsi8>
  return %0 : tensor<4xsi8>
}

// -----

// expected-error @+2 {{is larger than the limit of 2^40 bytes}}
// expected-note @+1 {{hint: split the tensor}}
func.func @f(%x: tensor<1099511627776x2xf32>) attributes {hgc.entry} { return }

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'hgc.name' is not a name}}
  // expected-note @+1 {{hint: give a string that is not empty}}
  %0 = hgc.relu %x {hgc.name = ""} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'hgc.device' is not a device}}
  // expected-note @+1 {{hint: use #hgc.device<cpu> or #hgc.device<gpu:0>}}
  %0 = hgc.relu %x {hgc.device = "gpu"} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{'hgc.device' is not a device}}
  // expected-note @+1 {{hint: use #hgc.device<cpu> or #hgc.device<gpu:0>}}
  %0 = hgc.relu %x {hgc.device = #hgc.device<cpu:1>} : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+2 {{attribute 'hgc.devise' is unknown or has a wrong value on 'hgc.relu'}}
  // expected-note @+1 {{hint: known are hgc.entry, hgc.grad, hgc.name, hgc.device, hgc.dims, hgc.frozen, and on arguments hgc.shape}}
  %0 = hgc.relu %x {hgc.devise = #hgc.device<cpu>} : tensor<4xf32>
  return
}

// -----

// expected-error @+2 {{attribute 'hgc.packed_from' is unknown or has a wrong value on 'func.func'}}
// expected-note @+1 {{hint: known are}}
func.func @f() attributes {hgc.packed_from = "w"} { return }

// -----

// expected-error @+2 {{'hgc.dims' is not a dictionary of a module}}
// expected-note @+1 {{hint: write module attributes}}
func.func @f() attributes {hgc.dims = {batch = [1]}} { return }

// -----

// expected-error @+2 {{'hgc.dims' names the dim '1x'}}
// expected-note @+1 {{hint: use letters, digits and underscores}}
module attributes {hgc.dims = {"1x" = [1]}} {}

// -----

// expected-error @+2 {{'hgc.dims' gives 'batch' no list of extents}}
// expected-note @+1 {{hint: write it as in batch = [1, 32]}}
module attributes {hgc.dims = {batch = 1}} {}

// -----

// expected-error @+2 {{'hgc.dims' gives 'batch' an extent that is not positive}}
// expected-note @+1 {{hint: extents are integers from 1 to 2^40}}
module attributes {hgc.dims = {batch = [0]}} {}

// -----

// expected-error @+2 {{'hgc.dims' gives 'batch' the extent 8 twice}}
// expected-note @+1 {{hint: list each extent once}}
module attributes {hgc.dims = {batch = [8, 1, 8]}} {}

// -----

// expected-error @+2 {{'hgc.shape' does not have one entry per dim}}
// expected-note @+1 {{hint: write it as in ["batch", 784]}}
func.func @f(%x: tensor<?x4xf32> {hgc.shape = ["batch"]}) { return }

// -----

// expected-error @+2 {{'hgc.shape' does not describe dim 1 of ?x4}}
// expected-note @+1 {{hint: name dynamic dims with an identifier, repeat static extents}}
func.func @f(%x: tensor<?x4xf32> {hgc.shape = ["batch", 5]}) { return }

// -----

// expected-error @+2 {{'hgc.shape' does not describe dim 0 of ?x4}}
// expected-note @+1 {{hint: name dynamic dims with an identifier, repeat static extents}}
func.func @f(%x: tensor<?x4xf32> {hgc.shape = ["batch size", 4]}) { return }

// -----

// expected-error @+2 {{attribute 'hgc.names' on argument 0 is unknown}}
// expected-note @+1 {{hint: arguments have hgc.name and hgc.shape}}
func.func @f(%x: tensor<4xf32> {hgc.names = "x"}) { return }

// -----

// expected-error @+2 {{attribute 'hgc.names' on result 0 is unknown}}
// expected-note @+1 {{hint: results have hgc.name, hgc.shape and hgc.extents}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {hgc.names = "x"}) { return %x : tensor<4xf32> }

// -----

// expected-error @+2 {{'hgc.extents' is not the name of a result}}
// expected-note @+1 {{hint: write {hgc.name = "y", hgc.extents = "y_shape"}}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {hgc.extents = 1}) { return %x : tensor<4xf32> }
