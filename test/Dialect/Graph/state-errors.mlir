// RUN: hgc-opt --split-input-file --verify-diagnostics %s

// expected-error @+2 {{parameter 'w' has a dynamic shape}}
// expected-note @+1 {{hint: write all extents of its type}}
hgc.parameter @w : tensor<?xf32> = #hgc.init<ones>

// -----

// expected-error @+2 {{parameter 'w' has a value that is no tensor}}
// expected-note @+1 {{hint: use dense<...>, dense_resource<...>, #hgc.file<...> or #hgc.init<...>}}
hgc.parameter @w : tensor<4xf32> = "zeros"

// -----

// expected-error @+2 {{'w' has type 'tensor<4xf32>', its value has 'tensor<5xf32>'}}
// expected-note @+1 {{hint: make both types equal}}
"hgc.parameter"() <{sym_name = "w", type = tensor<4xf32>, value = dense<0.0> : tensor<5xf32>}> : () -> ()

// -----

// expected-error @+1 {{attribute 'type' failed to satisfy constraint}}
hgc.parameter @w : vector<4xf32> = #hgc.init<ones>

// -----

// expected-error @+2 {{is larger than the limit of 2^40 bytes}}
// expected-note @+1 {{hint: split the tensor}}
hgc.parameter @w : tensor<1099511627776x2xf32> = #hgc.init<ones>

// -----

// expected-error @+2 {{parameter 'w' has the file '../secret'}}
// expected-note @+1 {{hint: use a path below the model's folder}}
hgc.parameter @w : tensor<4xf32> = #hgc.file<"../secret", "w">

// -----

// expected-error @+2 {{parameter 'w' has the file '/etc/secret'}}
// expected-note @+1 {{hint: use a path below the model's folder}}
hgc.parameter @w : tensor<4xf32> = #hgc.file<"/etc/secret", "w">

// -----

// expected-error @+2 {{parameter 'w' names no tensor of its file}}
// expected-note @+1 {{hint: write it as in}}
hgc.parameter @w : tensor<4xf32> = #hgc.file<"a.safetensors", "">

// -----

// expected-error @+2 {{parameter 'w' of integers has the distribution 'normal'}}
// expected-note @+1 {{hint: integers start as 'zeros', 'ones' or a literal}}
hgc.parameter @w : tensor<4xi32> = #hgc.init<normal>

// -----

// expected-error @+2 {{parameter 'w' has a scale that is not positive}}
// expected-note @+1 {{hint: use a scale such as 1.0}}
hgc.parameter @w : tensor<4xf32> = #hgc.init<normal, scale = -1.0>

// -----

// expected-error @+1 {{unknown distribution 'gamma'}}
hgc.parameter @w : tensor<4xf32> = #hgc.init<gamma>

// -----

// expected-error @+1 {{expected 'scale' or 'seed'}}
hgc.parameter @w : tensor<4xf32> = #hgc.init<normal, sead = 3>

// -----

func.func @unknown() {
  // expected-error @+2 {{'hgc.read' op names 'w', which is no parameter}}
  // expected-note @+1 {{hint: declare it with hgc.parameter @w : 'tensor<4xf32>' = ...}}
  %0 = hgc.read @w : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{hint: this declaration decides; reshape or cast the value}}
hgc.parameter @w : tensor<4xf32> = #hgc.init<ones>
func.func @read_type() {
  // expected-error @+1 {{'hgc.read' op has type 'tensor<5xf32>', parameter 'w' has 'tensor<4xf32>'}}
  %0 = hgc.read @w : tensor<5xf32>
  return
}

// -----

// expected-note @+1 {{hint: this declaration decides; reshape or cast the value}}
hgc.parameter @w : tensor<4xf32> = #hgc.init<ones>
func.func @assign_type(%x: tensor<4xf16>) {
  // expected-error @+1 {{'hgc.assign' op has type 'tensor<4xf16>', parameter 'w' has 'tensor<4xf32>'}}
  hgc.assign @w, %x : tensor<4xf16>
  return
}

// -----

hgc.parameter @w : tensor<4xf32> = #hgc.init<ones>
func.func @nested(%c: tensor<i1>, %x: tensor<4xf32>) {
  hgc.if %c : tensor<i1> {
    // expected-error @+2 {{'hgc.assign' op of 'w' is not at the top level of a function}}
    // expected-note @+1 {{hint: yield the value from the region and assign it outside}}
    hgc.assign @w, %x : tensor<4xf32>
    hgc.yield
  } else {
    hgc.yield
  }
  return
}

// -----

func.func @f(%ok: tensor<2xi1>) {
  // expected-error @+2 {{condition of rank 1}}
  // expected-note @+1 {{hint: a condition is one tensor<i1>; reduce it with 'any' or 'all'}}
  hgc.check %ok, "no good" : tensor<2xi1>
  return
}

// -----

func.func @f(%ok: tensor<i1>) {
  // expected-error @+2 {{the check has no message}}
  // expected-note @+1 {{hint: say what the caller did wrong}}
  hgc.check %ok, "" : tensor<i1>
  return
}
