// RUN: hgc-opt --hgc-verify-fused --split-input-file --verify-diagnostics %s

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{'hgc.relu' computes outside a kernel}}
  // expected-note @+1 {{hint: run hgc-fuse}}
  %0 = hgc.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<2x4xf32>, %v: tensor<4xf32>) -> tensor<2x4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{'hgc.batch_norm' has no kernel}}
  // expected-note @+1 {{hint: run hgc-decompose}}
  %0 = hgc.batch_norm %x, %v, %v, %v, %v axis 1 epsilon 1.0e-03
      : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  // expected-error @+2 {{the kernel has no device}}
  // expected-note @+1 {{hint: run hgc-place before hgc-fuse}}
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+2 {{the kernel holds a constant with different elements}}
    // expected-note @+1 {{hint: pass it in as an input}}
    %c = hgc.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %1 = hgc.add %a, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  %0 = hgc.kernel(%x : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4x4xf32>):
    %r = hgc.relu %a : tensor<4x4xf32>
    // expected-error @+2 {{an operand of 'hgc.matmul' is computed in its kernel}}
    // expected-note @+1 {{hint: contractions read inputs of the kernel only}}
    %1 = hgc.matmul %r, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    hgc.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  %0 = hgc.kernel(%x : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4x4xf32>):
    %1 = hgc.softmax %a axis 1 : tensor<4x4xf32>
    // expected-error @+2 {{'hgc.transpose' does not continue the root element by element}}
    // expected-note @+1 {{hint: the ops after a root are pointwise and keep its shape}}
    %2 = hgc.transpose %1 permutation = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    hgc.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.entry, hgc.variant_of = "f"} {
  %0 = hgc.kernel(%x : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4x4xf32>):
    // expected-error @+2 {{the root's result has several users in its kernel}}
    // expected-note @+1 {{hint: split the kernel}}
    %1 = hgc.softmax %a axis 1 : tensor<4x4xf32>
    %2 = hgc.relu %1 : tensor<4x4xf32>
    %3 = hgc.neg %1 : tensor<4x4xf32>
    %4 = hgc.add %2, %3 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    hgc.yield %4 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f"} {
  // expected-error @+2 {{operand #0 of 'hgc.kernel' is on 'cpu', expected 'gpu:0'}}
  // expected-note @+1 {{hint: run hgc-materialize-transfers}}
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The certificate is checked on the kernels there are.
// expected-error-re @+2 {{internal error: the plan of 'f' costs {{[0-9]+}} ps, its certificate says 1 ps}}
// expected-note @+1 {{hint: report this with the model; without --check-certificate the plan is used, uncertified}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f", hgc.certificate = {serial_ps = 1 : i64}} {
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// After a pass that improved on it, it may cost less.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {hgc.entry, hgc.plan = "gpu", hgc.variant_of = "f", hgc.refined, hgc.certificate = {serial_ps = 9000000 : i64}} {
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%a: tensor<4xf32>):
    %1 = hgc.relu %a : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
