// RUN: hgc-opt --hgc-spill=limits=gpu=8KiB %s | FileCheck %s
// RUN: hgc-opt --hgc-spill=limits=gpu=12KiB %s | FileCheck %s --check-prefix=ENOUGH
// RUN: hgc-opt --hgc-spill=limits=gpu:1=0 %s | FileCheck %s --check-prefix=ENOUGH
// RUN: hgc-opt --hgc-spill=limits=gpu=8KiB --hgc-cancel-round-trips %s | FileCheck %s
// RUN: not hgc-opt --hgc-spill=limits=gpu %s 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: the memory limit 'gpu' is not of the form DEVICE=SIZE
// ENOUGH-NOT: hgc.spill

// Each tensor has 4 KiB. %a waits on the host while %q needs all room.
// CHECK-LABEL: func.func @there_and_back
// CHECK: %[[A:.*]] = hgc.kernel
// CHECK: hgc.relu
// CHECK: hgc.kernel(%[[A]]
// CHECK: hgc.exp
// CHECK: %[[PARKED:.*]] = hgc.transfer %[[A]] from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>, hgc.reason = "spilled under the memory limit", hgc.spill}
// CHECK: hgc.neg
// CHECK: hgc.tanh
// CHECK: %[[BACK:.*]] = hgc.transfer %[[PARKED]] from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>, hgc.reason = "spilled under the memory limit", hgc.spill}
// CHECK: hgc.kernel(%{{.*}}, %[[BACK]]
func.func @there_and_back(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %a = hgc.kernel(%g : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %out = hgc.transfer %s from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  return %out : tensor<1024xf32>
}

// What came from the host comes from there again.
// CHECK-LABEL: func.func @from_host
// CHECK: hgc.transfer %arg0 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>}
// CHECK-NOT: from <gpu> to <cpu> {{.*}}hgc.spill
// CHECK: hgc.tanh
// CHECK: %[[BACK:.*]] = hgc.transfer %arg0 from <cpu> to <gpu> {{.*}}hgc.spill
// CHECK: hgc.kernel(%{{.*}}, %[[BACK]]
func.func @from_host(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %a = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %out = hgc.transfer %s from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  return %out : tensor<1024xf32>
}

// An upload that nobody needs earlier just comes later.
// CHECK-LABEL: func.func @later
// CHECK-NOT: hgc.transfer %arg1
// CHECK: hgc.tanh
// CHECK: %[[Y:.*]] = hgc.transfer %arg1 from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} :
// CHECK: hgc.kernel(%{{.*}}, %[[Y]]
func.func @later(%x: tensor<1024xf32>, %z: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %b = hgc.transfer %z from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %a = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %b : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %out = hgc.transfer %s from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  return %out : tensor<1024xf32>
}

// What goes to the host anyway needs no second copy.
// CHECK-LABEL: func.func @already_there
// CHECK: %[[A:.*]] = hgc.kernel
// CHECK: hgc.relu
// CHECK: %[[DOWN:.*]] = hgc.transfer %[[A]] from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>}
// CHECK-NOT: hgc.transfer %[[A]]
// CHECK: hgc.transfer %[[DOWN]] from <cpu> to <gpu> {{.*}}hgc.spill
func.func @already_there(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) attributes {hgc.entry, hgc.plan = "gpu"} {
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %a = hgc.kernel(%g : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %h = hgc.transfer %a from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  %n = hgc.kernel(%h : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<cpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %p = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %r = hgc.kernel(%q : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.tanh %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %s = hgc.kernel(%r, %a : tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>, %p1: tensor<1024xf32>):
    %y = hgc.add %p0, %p1 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %out = hgc.transfer %s from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  return %out, %n : tensor<1024xf32>, tensor<1024xf32>
}

// State is set at the end: its new value waits on the host, and the assignment follows.
// CHECK-LABEL: func.func @state
// CHECK: hgc.neg
// CHECK: %[[BACK:.*]] = hgc.transfer %{{.*}} from <cpu> to <gpu> {{.*}}hgc.spill
// CHECK: hgc.assign @s, %[[BACK]]
// CHECK-NEXT: return
hgc.parameter @s : tensor<1024xf32> = dense<0.0>
func.func @state(%x: tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %g = hgc.transfer %x from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %a = hgc.kernel(%g : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.relu %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  hgc.assign @s, %a {hgc.device = #hgc.device<gpu>} : tensor<1024xf32>
  %p = hgc.kernel(%g : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.exp %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %q = hgc.kernel(%p : tensor<1024xf32>) -> tensor<1024xf32> attributes {hgc.device = #hgc.device<gpu>} {
  ^bb0(%p0: tensor<1024xf32>):
    %y = hgc.neg %p0 : tensor<1024xf32>
    hgc.yield %y : tensor<1024xf32>
  }
  %out = hgc.transfer %q from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<1024xf32>
  return %out : tensor<1024xf32>
}
