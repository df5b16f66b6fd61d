// RUN: hgc-opt --hgc-rematerialize=limits=cpu=8KiB %s | FileCheck %s
// RUN: hgc-opt --hgc-rematerialize=limits=cpu=12KiB %s | FileCheck %s --check-prefix=ENOUGH
// RUN: hgc-opt --hgc-rematerialize=limits=gpu=0 %s | FileCheck %s --check-prefix=ENOUGH
// RUN: not hgc-opt --hgc-rematerialize=limits=tpu=1 %s 2>&1 | FileCheck %s --check-prefix=WRONG

// Each tensor has 4 KiB; the caller holds arguments and results.
// WRONG: error: the memory limit names 'tpu', expected cpu, gpu or gpu:N
// WRONG: hint: write --memory-limit gpu=64MiB,cpu=1GiB

// %a waits while %q needs all room: it is computed again.
// CHECK-LABEL: func.func @again
// CHECK: %[[A:.*]] = hgc.kernel(%arg0
// CHECK: hgc.relu
// CHECK: hgc.kernel(%[[A]]
// CHECK: hgc.exp
// CHECK: hgc.neg
// CHECK: %[[R:.*]] = hgc.kernel
// CHECK: hgc.tanh
// CHECK: %[[AGAIN:.*]] = hgc.kernel(%arg0
// CHECK: hgc.relu
// CHECK: hgc.kernel(%[[R]], %[[AGAIN]]
// ENOUGH-LABEL: func.func @again
// ENOUGH-COUNT-1: hgc.relu
// ENOUGH-NOT: hgc.relu
// ENOUGH: hgc.add
func.func @again(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry} {
  %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  return %s : tensor<1024xf32>
}

// What nobody needs earlier just moves.
// CHECK-LABEL: func.func @moves
// CHECK-NOT: hgc.relu
// CHECK: hgc.exp
// CHECK: hgc.neg
// CHECK: hgc.tanh
// CHECK: hgc.relu
// CHECK-NOT: hgc.relu
// CHECK: hgc.add
// ENOUGH-LABEL: func.func @moves
// ENOUGH: hgc.relu
// ENOUGH: hgc.exp
func.func @moves(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry} {
  %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %p = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  return %s : tensor<1024xf32>
}

// Keeping %z until then would not be better.
// CHECK-LABEL: func.func @inputs_count
// CHECK-COUNT-1: hgc.relu
// CHECK-NOT: hgc.relu
// CHECK: hgc.add
func.func @inputs_count(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry} {
  %z = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.abs %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %a = hgc.kernel(%z : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  return %s : tensor<1024xf32>
}

// The reshaped form is made again, too.
// CHECK-LABEL: func.func @views
// CHECK: hgc.tanh
// CHECK: %[[AGAIN:.*]] = hgc.kernel(%arg0
// CHECK: hgc.relu
// CHECK: hgc.reshape %[[AGAIN]] shape [32, 32]
func.func @views(%x: tensor<1024xf32>) -> tensor<32x32xf32> attributes {hgc.entry} {
  %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %v = hgc.reshape %a shape [32, 32] {hgc.device = #hgc.device<cpu>} : (tensor<1024xf32>) -> tensor<32x32xf32>
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %w = hgc.reshape %r shape [32, 32] {hgc.device = #hgc.device<cpu>} : (tensor<1024xf32>) -> tensor<32x32xf32>
  %s = hgc.kernel(%w, %v : tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<32x32xf32>, %p1: tensor<32x32xf32>):
    %y = hgc.add %p0, %p1 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    hgc.yield %y : tensor<32x32xf32>
  }
  return %s : tensor<32x32xf32>
}

// The certified cost grows by that of the kernel.
// CHECK-LABEL: func.func @certified
// CHECK-SAME: bound_ps = 1000 : i64
// CHECK-SAME: serial_ps = {{[0-9]+}}
// CHECK-NOT: serial_ps = 1000 : i64
// ENOUGH-LABEL: func.func @certified
// ENOUGH-SAME: serial_ps = 1000 : i64
func.func @certified(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry, hgc.certificate = {bound_ps = 1000 : i64, serial_ps = 1000 : i64}} {
  %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  return %s : tensor<1024xf32>
}

// State is set at the end: its new value is computed late, and the assignment follows.
// CHECK-LABEL: func.func @state
// CHECK-NOT: hgc.relu
// CHECK: hgc.tanh
// CHECK: %[[A:.*]] = hgc.kernel(%arg0
// CHECK: hgc.relu
// CHECK: hgc.assign @s, %[[A]]
// CHECK-NEXT: return
hgc.parameter @s : tensor<1024xf32> = dense<0.0>
func.func @state(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry} {
  %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  hgc.assign @s, %a {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  %p = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}
