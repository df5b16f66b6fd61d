// RUN: hgc-opt --hgc-verify-graph --split-input-file --verify-diagnostics %s

// expected-error @+2 {{the module has no entry}}
// expected-note @+1 {{hint: add the attribute hgc.entry to a function}}
module {
}

// -----

// expected-error @+2 {{function 'f' is neither an entry nor inlined}}
// expected-note @+1 {{hint: add the attribute hgc.entry}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+2 {{entry 'f' has unbound dims}}
// expected-note @+1 {{hint: run hgc-bind-dims first}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry} {
  return %x : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{'arith.addf' cannot be compiled in an entry}}
  // expected-note @+1 {{hint: an entry holds ops of the hgc dialect only}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+2 {{a value of type tensor<?xf32> is left with a dynamic shape}}
// expected-note @+1 {{hint: name the dim in hgc.shape}}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  return %x : tensor<?xf32>
}

// -----

hgc.parameter @p : tensor<4xf32> = dense<0.0>
func.func @f(%x: tensor<4xf32>) attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-note @+1 {{the first assignment is here}}
  hgc.assign @p, %x : tensor<4xf32>
  // expected-error @+2 {{parameter 'p' is assigned twice}}
  // expected-note @+1 {{hint: keep the last one}}
  hgc.assign @p, %x : tensor<4xf32>
  return
}

// -----

// expected-error @+2 {{entry 'f' has two arguments or results named 'x'}}
// expected-note @+1 {{hint: give each its own hgc.name}}
func.func @f(%x: tensor<4xf32> {hgc.name = "x"}) -> (tensor<4xf32> {hgc.name = "x"})
    attributes {hgc.entry, hgc.variant_of = "f"} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+2 {{unknown target cpu 'z80'}}
// expected-note @+1 {{hint: the known ones are x86-64-v3, }}
module attributes {hgc.target_cpu = "z80"} {
}

// -----

func.func @f(%x: tensor<16x16xf32>) -> tensor<1x16x16xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{'hgc.pack' does not belong to stage graph}}
  // expected-note @+1 {{hint: start from the stage}}
  %0 = hgc.pack matmul_rhs %x width 16 : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
  return %0 : tensor<1x16x16xf32>
}

// -----

// expected-error @+2 {{unknown GPU in 'sm_80,gtx580'}}
// expected-note @+1 {{hint: the known ones are sm_75 and later, t4, a100}}
module attributes {hgc.target_gpu = "sm_80,gtx580"} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
    return %x : tensor<4xf32>
  }
}

// -----

// A table inside the module is checked like one of hgc.
// expected-error @+2 {{bad table: missing key 'name' in device table}}
// expected-note @+1 {{hint: a table of 'hgc calibrate' shows all keys}}
module attributes {hgc.target_cpu_table = "{}"} {
}

// -----

// expected-error @+2 {{bad table: key 'kind' of GPU table 'x' must be a string}}
// expected-note @+1 {{hint: a table of 'hgc calibrate' shows all keys}}
module attributes {hgc.target_gpu_table = "{\"name\": \"x\", \"kind\": 1}"} {
}

// -----

func.func @f() attributes {hgc.entry, hgc.variant_of = "f"} {
  %false = hgc.constant dense<false> : tensor<i1>
  // expected-error @+2 {{the check never holds: x is too large}}
  // expected-note @+1 {{hint: every call of entry 'f' would fail with this message}}
  hgc.check %false, "x is too large" : tensor<i1>
  return
}

// -----

// expected-error @+2 {{result 0 of entry 'f' has its extents in 's', which is no result of type tensor<2xi64>}}
// expected-note @+1 {{hint: return the actual shape as a result of that hgc.name and type}}
func.func @f(%x: tensor<4x2xf32>, %s: tensor<1xi64>)
    -> (tensor<4x2xf32> {hgc.extents = "s"}, tensor<1xi64> {hgc.name = "s"})
    attributes {hgc.entry, hgc.variant_of = "f"} {
  return %x, %s : tensor<4x2xf32>, tensor<1xi64>
}
