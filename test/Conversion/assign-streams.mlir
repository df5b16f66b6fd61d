// RUN: hgc-opt --hgc-assign-streams --split-input-file %s | FileCheck %s

// Copies in, kernels and copies out have a stream each; each waits for the event
// behind what it needs, and the host for all of it before it returns. Waiting for
// the copy out is enough: it has waited for the rest.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
// CHECK-LABEL: exec.program @chain
// CHECK: exec.copy %{{.*}} to %[[A:.*]] stream 1
// CHECK-NEXT: exec.record event 0 stream 1
// CHECK: exec.wait event 0 stream 0
// CHECK-NEXT: exec.launch @k ins(%[[A]] {{.*}}) outs(%[[B:.*]] :
// CHECK-NEXT: exec.record event 1 stream 0
// CHECK-NEXT: exec.wait event 1 stream 2
// CHECK-NEXT: exec.copy %[[B]] to %{{.*}} stream 2
// CHECK-NEXT: exec.sync stream 2
// CHECK-NEXT: exec.return
exec.program @chain entry "f" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !g
  exec.copy %x to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.copy %b to %y : !g, !h
  exec.return
}

// -----

// Nothing is waited for twice: two kernels read one copy, one event serves.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
// CHECK-LABEL: exec.program @once
// CHECK: exec.wait event 0 stream 0
// CHECK-NEXT: exec.launch
// CHECK-NOT: exec.wait
// CHECK: exec.launch
exec.program @once entry "f" inputs 1 attributes {plan = "gpu", tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h):
  %a = exec.view : !g
  exec.copy %x to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  %c = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%c : !g)
  exec.return
}

// -----

// A copy that overwrites what a kernel reads waits for it (anti-dependence), and
// the host waits before it overwrites what a copy reads.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
exec.kernel @h inputs 1 {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @anti
// CHECK: exec.launch @h
// CHECK-NEXT: %[[A:.*]] = exec.view
// CHECK-NEXT: exec.copy %{{.*}} to %[[A]] stream 1
// CHECK: exec.launch @k
// CHECK-NEXT: exec.record event [[E:.*]] stream 0
// CHECK-NEXT: exec.sync stream 1
// CHECK-NEXT: exec.launch @h
// CHECK-NEXT: exec.wait event [[E]] stream 1
// CHECK-NEXT: exec.copy %{{.*}} to %[[A]] stream 1
exec.program @anti entry "f" inputs 1 attributes {plan = "gpu", tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h):
  %t = exec.view : !h
  exec.launch @h ins(%x : !h) outs(%t : !h)
  %a = exec.view : !g
  exec.copy %t to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.launch @h ins(%x : !h) outs(%t : !h)
  exec.copy %t to %a : !h, !g
  exec.return
}

// -----

// A loop all of whose work is on one stream needs no wait between iterations, and
// behind it one event; a second GPU has streams of its own.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu : 1>>
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
// CHECK-LABEL: exec.program @loop
// CHECK: exec.copy %{{.*}} stream 4
// CHECK-NEXT: exec.record event 0 stream 4
// CHECK-NEXT: exec.wait event 0 stream 3
// CHECK-NEXT: exec.for 3
// CHECK: exec.launch @k {{.*}} stream 3
// CHECK-NEXT: }
// CHECK-NEXT: exec.record event 1 stream 3
// CHECK-NEXT: exec.wait event 1 stream 5
// CHECK-NEXT: exec.copy %{{.*}} stream 5
// CHECK-NEXT: exec.sync stream 5
exec.program @loop entry "f" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !g
  %b = exec.view : !g
  exec.copy %x to %a : !h, !g
  exec.for 3 {
  ^bb0(%i: index):
    exec.launch @k ins(%a : !g) outs(%b : !g)
  }
  exec.copy %b to %y : !g, !h
  exec.return
}

// -----

// Streams are idle where other loops and each of their iterations begin and end.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
// CHECK-LABEL: exec.program @mixed
// CHECK: exec.copy %{{.*}} stream 1
// CHECK-NEXT: exec.sync stream 1
// CHECK-NEXT: exec.for 3
// CHECK: exec.launch @k
// CHECK-NEXT: exec.record event 0 stream 0
// CHECK-NEXT: exec.wait event 0 stream 2
// CHECK-NEXT: exec.copy %{{.*}} stream 2
// CHECK-NEXT: exec.sync stream 2
// CHECK-NEXT: }
// CHECK-NEXT: exec.return
exec.program @mixed entry "f" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !g
  %b = exec.view : !g
  exec.copy %x to %a : !h, !g
  exec.for 3 {
  ^bb0(%i: index):
    exec.launch @k ins(%a : !g) outs(%b : !g)
    exec.copy %b to %y : !g, !h
  }
  exec.return
}

// -----

// The CPU plan has no streams.
// CHECK-LABEL: exec.program @host
// CHECK-NOT: stream
exec.program @host entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  exec.copy %x to %y : memref<8xf32>, memref<8xf32>
  exec.return
}
