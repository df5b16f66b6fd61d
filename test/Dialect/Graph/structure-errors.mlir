// RUN: hgc-opt --split-input-file --verify-diagnostics %s

func.func @if_rank(%c: tensor<2xi1>) {
  // expected-error @+2 {{condition of rank 1}}
  // expected-note @+1 {{hint: a condition is one tensor<i1>; reduce it with 'any' or 'all'}}
  hgc.if %c : tensor<2xi1> {
    hgc.yield
  } else {
    hgc.yield
  }
  return
}

// -----

func.func @if_types(%c: tensor<i1>, %a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{region 'else' ends with values of types ('tensor<5xf32>'), expected ('tensor<4xf32>')}}
  %0 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
    hgc.yield %a : tensor<4xf32>
  } else {
    // expected-note @+1 {{hint: end the region with hgc.yield of the expected types}}
    hgc.yield %b : tensor<5xf32>
  }
  return
}

// -----

func.func @if_arguments(%c: tensor<i1>) {
  // expected-error @+2 {{region 'then' takes ('tensor<f32>'), expected ()}}
  // expected-note @+1 {{hint: declare the block arguments with the expected types}}
  hgc.if %c : tensor<i1> {
  ^bb0(%x: tensor<f32>):
    hgc.yield
  } else {
    hgc.yield
  }
  return
}

// -----

func.func @while_results(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error @+2 {{has results ('tensor<f32>'), expected ('tensor<i32>')}}
  // expected-note @+1 {{hint: a carried value keeps its type}}
  %0 = hgc.while init(%n : tensor<i32>) -> (tensor<f32>) cond {
  ^bb0(%i: tensor<i32>):
    hgc.yield %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    hgc.yield %i : tensor<i32>
  }
  return
}

// -----

func.func @while_condition(%n: tensor<i32>) {
  // expected-error @+1 {{region 'cond' ends with values of types ('tensor<i32>'), expected ('tensor<i1>')}}
  %0 = hgc.while init(%n : tensor<i32>) -> (tensor<i32>) cond {
  ^bb0(%i: tensor<i32>):
    // expected-note @+1 {{hint: end the region with hgc.yield of the expected types}}
    hgc.yield %i : tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>):
    hgc.yield %i : tensor<i32>
  }
  return
}

// -----

func.func @while_hint(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error @+2 {{'trip_hint' is -1}}
  // expected-note @+1 {{hint: give the expected number of iterations}}
  %0 = hgc.while init(%n : tensor<i32>) trip_hint -1 -> (tensor<i32>) cond {
  ^bb0(%i: tensor<i32>):
    hgc.yield %p : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    hgc.yield %i : tensor<i32>
  }
  return
}

// -----

func.func @scan_nothing(%h: tensor<4xf32>) {
  // expected-error @+2 {{scan over no sequence}}
  // expected-note @+1 {{hint: the first extent of a sequence is the trip count}}
  %0 = "hgc.scan"(%h) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%s: tensor<4xf32>):
    "hgc.yield"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scan_scalar(%x: tensor<f32>) {
  // expected-error @+2 {{scan over a scalar}}
  // expected-note @+1 {{hint: a sequence has its steps along dim 0}}
  %0 = hgc.scan over(%x : tensor<f32>) -> (tensor<4xf32>) {
  ^bb0(%s: tensor<f32>):
    hgc.yield %s : tensor<f32>
  }
  return
}

// -----

func.func @scan_lengths(%x: tensor<3xf32>) {
  // expected-error @+2 {{scan of 3 steps has a sequence of 4}}
  // expected-note @+1 {{hint: all sequences and stacked results have the same first extent}}
  %0 = hgc.scan over(%x : tensor<3xf32>) -> (tensor<4xf32>) {
  ^bb0(%s: tensor<f32>):
    hgc.yield %s : tensor<f32>
  }
  return
}

// -----

func.func @scan_states(%h: tensor<4xf32>, %x: tensor<3xf32>) {
  // expected-error @+2 {{has results ('tensor<3xf32>'), expected them to start with ('tensor<4xf32>')}}
  // expected-note @+1 {{hint: results are the final states, then the stacked results}}
  %0 = hgc.scan init(%h : tensor<4xf32>) over(%x : tensor<3xf32>) -> (tensor<3xf32>) {
  ^bb0(%s: tensor<4xf32>, %y: tensor<f32>):
    hgc.yield %s : tensor<4xf32>
  }
  return
}

// -----

func.func @same_device(%x: tensor<4xf32>) {
  // expected-error @+2 {{moves its source from #hgc.device<gpu> to the same device}}
  // expected-note @+1 {{hint: use the source directly, or name another device after `to`}}
  %0 = hgc.transfer %x from <gpu> to <gpu> : tensor<4xf32>
  return
}

// -----

func.func @two_roots(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'hgc.kernel' op holds more than one root}}
  %0 = hgc.kernel(%x : tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %1 = hgc.softmax %a axis 1 : tensor<4x4xf32>
    // expected-note @+1 {{hint: 'hgc.softmax' needs a kernel of its own}}
    %2 = hgc.softmax %1 axis 0 : tensor<4x4xf32>
    hgc.yield %2 : tensor<4x4xf32>
  }
  return
}

// -----

func.func @view_in_kernel(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'hgc.kernel' op holds 'hgc.reshape', which cannot be fused}}
  %0 = hgc.kernel(%x : tensor<4x4xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    // expected-note @+1 {{hint: move it out of the kernel}}
    %1 = hgc.reshape %a shape [16] : (tensor<4x4xf32>) -> tensor<16xf32>
    hgc.yield %1 : tensor<16xf32>
  }
  return
}

// -----

func.func @device_in_kernel(%x: tensor<4xf32>) {
  // expected-error @+1 {{'hgc.kernel' op holds 'hgc.relu' with a device of its own}}
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-note @+1 {{hint: put 'hgc.device' on the kernel}}
    %1 = hgc.relu %a {hgc.device = #hgc.device<cpu>} : tensor<4xf32>
    hgc.yield %1 : tensor<4xf32>
  }
  return
}

// -----

func.func @kernel_arguments(%x: tensor<4xf32>) {
  // expected-error @+2 {{region 'body' takes ('tensor<5xf32>'), expected ('tensor<4xf32>')}}
  // expected-note @+1 {{hint: declare the block arguments with the expected types}}
  %0 = hgc.kernel(%x : tensor<4xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<5xf32>):
    hgc.yield %a : tensor<5xf32>
  }
  return
}
