// RUN: hgc-opt --hgc-schedule-exec --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-schedule-exec --hgc-assign-streams --hgc-plan-memory --hgc-verify-exec \
// RUN:   --hgc-simulate-exec --split-input-file %s | FileCheck %s --check-prefix=AFTER
// RUN: hgc-opt --hgc-assign-streams --hgc-simulate-exec --split-input-file %s | FileCheck %s --check-prefix=BEFORE

// What the GPU can do is handed over before the long CPU kernel, with the buffers
// it needs; the copy out comes last, when the thread has time to wait.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
module attributes {hgc.target_gpu = "a100"} {
exec.kernel @k inputs 1 attributes {price_ps = 20000000 : i64} {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
exec.kernel @long inputs 1 attributes {price_ps = 40000000 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @hand_over
// CHECK: %[[A:.*]] = exec.view
// CHECK-NEXT: exec.copy %{{.*}} to %[[A]]
// CHECK-NEXT: %[[B:.*]] = exec.view
// CHECK-NEXT: exec.launch @k ins(%[[A]] {{.*}} outs(%[[B]]
// CHECK-NEXT: exec.copy %[[B]]
// CHECK-NEXT: exec.launch @long
// CHECK-NEXT: exec.return
// BEFORE-LABEL: exec.program @hand_over
// BEFORE-SAME: makespan_ps = 76002560
// AFTER-LABEL: exec.program @hand_over
// AFTER-SAME: makespan_ps = 40000000
exec.program @hand_over entry "f" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>},
    {name = "z", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h, %z: !h):
  exec.launch @long ins(%x : !h) outs(%y : !h)
  %a = exec.view : !g
  exec.copy %x to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.copy %b to %z : !g, !h
  exec.return
}

// Data is stronger: the copy overwrites what the CPU kernel reads.
// CHECK-LABEL: exec.program @anti
// CHECK: exec.launch @long
// CHECK-NEXT: exec.copy %{{.*}} to %[[H:.*]] :
// CHECK: exec.launch @k
exec.program @anti entry "g" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %w = exec.view : !h
  exec.copy %x to %w : !h, !h
  exec.launch @long ins(%w : !h) outs(%y : !h)
  exec.copy %x to %w : !h, !h
  %a = exec.view : !g
  exec.copy %w to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.return
}

// Nothing moves across a check that may end the call.
// CHECK-LABEL: exec.program @check
// CHECK: exec.launch @long
// CHECK-NEXT: exec.fail_if
// CHECK: exec.launch @k
exec.program @check entry "h" inputs 2 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "p", shape = [], type = tensor<i1>},
    {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %p: memref<i1>, %y: !h):
  exec.launch @long ins(%x : !h) outs(%y : !h)
  exec.fail_if %p, "bad" : memref<i1>
  %a = exec.view : !g
  exec.copy %x to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.return
}

// A loop's body is scheduled by itself; what stands behind the loop stays there.
// CHECK-LABEL: exec.program @loop
// CHECK: exec.for 2
// CHECK: exec.copy
// CHECK-NEXT: exec.launch @long
// CHECK-NEXT: }
// CHECK: exec.copy
// AFTER-LABEL: exec.program @loop
exec.program @loop entry "i" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  exec.for 2 {
  ^bb0(%i: index):
    exec.launch @long ins(%x : !h) outs(%y : !h)
    %a = exec.view : !g
    exec.copy %x to %a : !h, !g
  }
  %b = exec.view : !g
  exec.copy %x to %b : !h, !g
  exec.return
}

// Programs of the CPU plan have one thread to issue and run: nothing to gain.
// CHECK-LABEL: exec.program @host
// CHECK: exec.launch @long
// CHECK-NEXT: exec.copy
exec.program @host entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>},
    {name = "z", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h, %z: !h):
  exec.launch @long ins(%x : !h) outs(%y : !h)
  exec.copy %x to %z : !h, !h
  exec.return
}
}

// -----

// A program that has its waits keeps its order.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
exec.kernel @long inputs 1 attributes {price_ps = 40000000 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @ordered
// CHECK: exec.launch @long
// CHECK: exec.copy
exec.program @ordered entry "f" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  exec.launch @long ins(%x : !h) outs(%y : !h)
  %a = exec.view : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.sync stream 1
  exec.return
}
