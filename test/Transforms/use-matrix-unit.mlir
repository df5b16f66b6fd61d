// RUN: hgc-opt --hgc-use-matrix-unit --split-input-file %s | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: hgc-opt --hgc-use-matrix-unit=mode=always --split-input-file %s | FileCheck %s --check-prefixes=CHECK,ALWAYS
// RUN: hgc-opt --hgc-use-matrix-unit=mode=never --split-input-file %s | FileCheck %s --check-prefix=NEVER
// RUN: not hgc-opt --hgc-use-matrix-unit=mode=often --split-input-file %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// NEVER-NOT: hgc.form
// UNKNOWN: error: unknown use of matrix units 'often'
// UNKNOWN: hint: the known ones are auto, always, never

module @products attributes {hgc.target_cpu = "sapphirerapids"} {
  hgc.parameter @w : tensor<384x384xf32> = #hgc.init<normal, seed = 1>
  hgc.parameter @v : tensor<384x384xf32> = #hgc.init<normal, seed = 2>
  hgc.parameter @state : tensor<384x384xf32> = #hgc.init<normal, seed = 3>

  // Many rows share the weights. One row alone reads more of them than it saves; weights that both use decide for both.
  // CHECK-LABEL: func.func @rows
  func.func @rows(%x: tensor<128x384xf32>, %y: tensor<1x384xf32>) -> (tensor<128x384xf32>, tensor<1x384xf32>, tensor<1x384xf32>)
      attributes {hgc.entry} {
    %w = hgc.read @w : tensor<384x384xf32>
    %v = hgc.read @v : tensor<384x384xf32>
    // CHECK: hgc.matmul %{{.*}} {hgc.form = "matrix"} : (tensor<128x384xf32>
    %0 = hgc.matmul %x, %w : (tensor<128x384xf32>, tensor<384x384xf32>) -> tensor<128x384xf32>
    // CHECK: hgc.matmul %{{.*}} {hgc.form = "matrix"} : (tensor<1x384xf32>
    %1 = hgc.matmul %y, %w : (tensor<1x384xf32>, tensor<384x384xf32>) -> tensor<1x384xf32>
    // AUTO: hgc.matmul %{{[^:]*}} : (tensor<1x384xf32>
    // ALWAYS: hgc.matmul %{{.*}} {hgc.form = "matrix"} : (tensor<1x384xf32>
    %2 = hgc.matmul %y, %v : (tensor<1x384xf32>, tensor<384x384xf32>) -> tensor<1x384xf32>
    return %0, %1, %2 : tensor<128x384xf32>, tensor<1x384xf32>, tensor<1x384xf32>
  }

  // All cores would share tiles of one row, which one core multiplies in less time by vectors: that is what counts then.
  hgc.parameter @u : tensor<784x128xf32> = #hgc.init<normal, seed = 4>
  // CHECK-LABEL: func.func @row
  func.func @row(%x: tensor<1x784xf32>) -> tensor<1x128xf32> attributes {hgc.entry} {
    %u = hgc.read @u : tensor<784x128xf32>
    // AUTO-NOT: hgc.form
    // ALWAYS: hgc.form
    %0 = hgc.matmul %x, %u : (tensor<1x784xf32>, tensor<784x128xf32>) -> tensor<1x128xf32>
    return %0 : tensor<1x128xf32>
  }

  // Operands of the call: one matrix for many rows is worth it, a few rows or a stack of matrices are not; nor can an
  // operand be turned, f64 be multiplied, or weights change.
  // CHECK-LABEL: func.func @call
  func.func @call(%a: tensor<300x384xf32>, %b: tensor<384x384xf32>, %c: tensor<100x384xf32>, %d: tensor<4x384x384xf32>,
                  %e: tensor<4x300x384xf32>, %f: tensor<384x300xf32>, %g: tensor<300x384xf64>, %h: tensor<384x384xf64>)
      -> tensor<300x384xf32> attributes {hgc.entry} {
    // CHECK: hgc.matmul %{{.*}} {hgc.form = "matrix"} : (tensor<300x384xf32>
    %0 = hgc.matmul %a, %b : (tensor<300x384xf32>, tensor<384x384xf32>) -> tensor<300x384xf32>
    // CHECK-NOT: hgc.form
    %1 = hgc.matmul %c, %b : (tensor<100x384xf32>, tensor<384x384xf32>) -> tensor<100x384xf32>
    %2 = hgc.matmul %e, %d : (tensor<4x300x384xf32>, tensor<4x384x384xf32>) -> tensor<4x300x384xf32>
    %3 = hgc.matmul %f, %b transpose_lhs : (tensor<384x300xf32>, tensor<384x384xf32>) -> tensor<300x384xf32>
    %4 = hgc.matmul %g, %h : (tensor<300x384xf64>, tensor<384x384xf64>) -> tensor<300x384xf64>
    %s = hgc.read @state : tensor<384x384xf32>
    %5 = hgc.matmul %c, %s : (tensor<100x384xf32>, tensor<384x384xf32>) -> tensor<100x384xf32>
    hgc.assign @state, %b : tensor<384x384xf32>
    return %0 : tensor<300x384xf32>
  }

  // Nothing is no tile.
  // CHECK-LABEL: func.func @empty
  // CHECK-NOT: hgc.form
  func.func @empty(%x: tensor<300x0xf32>, %y: tensor<0x40xf32>, %z: tensor<300x40xf32>, %w: tensor<40x0xf32>)
      -> (tensor<300x40xf32>, tensor<300x0xf32>) attributes {hgc.entry} {
    %0 = hgc.matmul %x, %y : (tensor<300x0xf32>, tensor<0x40xf32>) -> tensor<300x40xf32>
    %1 = hgc.matmul %z, %w : (tensor<300x40xf32>, tensor<40x0xf32>) -> tensor<300x0xf32>
    return %0, %1 : tensor<300x40xf32>, tensor<300x0xf32>
  }
}

// -----

// This CPU has none.
module @plain attributes {hgc.target_cpu = "znver4"} {
  hgc.parameter @w : tensor<384x384xf32> = #hgc.init<normal, seed = 1>
  // CHECK-LABEL: func.func @plain
  // CHECK-NOT: hgc.form
  func.func @plain(%x: tensor<128x384xf32>) -> tensor<128x384xf32> attributes {hgc.entry} {
    %w = hgc.read @w : tensor<384x384xf32>
    %0 = hgc.matmul %x, %w : (tensor<128x384xf32>, tensor<384x384xf32>) -> tensor<128x384xf32>
    return %0 : tensor<128x384xf32>
  }
}

// -----

// The GPU plan shares its weights, in panels that it can read.
module @gpu attributes {hgc.target_cpu = "sapphirerapids"} {
  hgc.parameter @w : tensor<384x384xf32> = #hgc.init<normal, seed = 1>
  // CHECK-LABEL: func.func @gpu
  // CHECK-NOT: hgc.form
  func.func @gpu(%x: tensor<128x384xf32>) -> tensor<128x384xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
    %w = hgc.read @w : tensor<384x384xf32>
    %0 = hgc.matmul %x, %w : (tensor<128x384xf32>, tensor<384x384xf32>) -> tensor<128x384xf32>
    return %0 : tensor<128x384xf32>
  }
}
