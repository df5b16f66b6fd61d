// RUN: hgc-opt --hgc-simulate-exec --split-input-file %s | FileCheck %s

// One thing after the other takes the sum, and what CPU kernels take is on them.
// CHECK-LABEL: exec.program @chain
// CHECK-SAME: makespan_ps = 700
!h = memref<8xf32>
exec.kernel @k inputs 1 attributes {price_ps = 300 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
exec.kernel @l inputs 1 attributes {price_ps = 400 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
exec.program @chain entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !h
  exec.launch @k ins(%x : !h) outs(%a : !h)
  exec.launch @l ins(%a : !h) outs(%y : !h)
  exec.return
}

// -----

// Loops count: 3 times 300, a hint of 5 times (100 + 300) and once 100 more, and
// of a branch the dearer side.
!h = memref<8xf32>
!p = memref<i1>
exec.kernel @test inputs 1 attributes {price_ps = 100 : i64} {
^bb0(%x: !h, %y: !p):
  %0 = hgc.constant dense<true> : tensor<i1>
  exec.store %0, %y : tensor<i1>, !p
}
exec.kernel @k inputs 1 attributes {price_ps = 300 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @loop
// CHECK-SAME: makespan_ps = 900
exec.program @loop entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  exec.for 3 {
  ^bb0(%i: index):
    exec.launch @k ins(%x : !h) outs(%y : !h)
  }
  exec.return
}
// CHECK-LABEL: exec.program @hinted
// CHECK-SAME: makespan_ps = 2100
exec.program @hinted entry "g" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %c = exec.view : !p
  exec.while %c : !p attributes {trip_hint = 5 : i64} {
    exec.launch @test ins(%x : !h) outs(%c : !p)
  } do {
    exec.launch @k ins(%x : !h) outs(%y : !h)
  }
  exec.return
}
// CHECK-LABEL: exec.program @branch
// CHECK-SAME: makespan_ps = 700
exec.program @branch entry "h" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %c = exec.view : !p
  exec.launch @test ins(%x : !h) outs(%c : !p)
  exec.if %c : !p {
    exec.launch @k ins(%x : !h) outs(%y : !h)
    exec.launch @k ins(%x : !h) outs(%y : !h)
  } else {
    exec.launch @k ins(%x : !h) outs(%y : !h)
  }
  exec.return
}
// Branches side by side take as long as the longest.
// CHECK-LABEL: exec.program @beside
// CHECK-SAME: makespan_ps = 300
exec.program @beside entry "i" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !h
  exec.parallel {
    exec.launch @k ins(%x : !h) outs(%a : !h)
  }, {
    exec.launch @k ins(%x : !h) outs(%y : !h)
  }
  exec.return
}

// -----

// The copy to the GPU (8 us and 32 bytes at 25 GB/s on an A100) is needed by the
// kernel; the CPU kernel runs meanwhile, and the last wait ends the program.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
module attributes {hgc.target_gpu = "a100"} {
exec.kernel @k inputs 1 attributes {price_ps = 5000000 : i64} {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
exec.kernel @h inputs 1 attributes {price_ps = 10000000 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @overlap
// CHECK-SAME: makespan_ps = 13001280
exec.program @overlap entry "f" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.record event 0 stream 1
  %b = exec.view : !g
  exec.wait event 0 stream 0
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.launch @h ins(%x : !h) outs(%y : !h)
  exec.sync stream 0
  exec.return
}
// What is issued behind the CPU kernel starts behind it.
// CHECK-LABEL: exec.program @late
// CHECK-SAME: makespan_ps = 23001280
exec.program @late entry "g" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  exec.launch @h ins(%x : !h) outs(%y : !h)
  %a = exec.view : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.record event 0 stream 1
  %b = exec.view : !g
  exec.wait event 0 stream 0
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.sync stream 0
  exec.return
}
// A loop whose work is all on one stream is handed over; the CPU kernel runs beside.
// CHECK-LABEL: exec.program @queued
// CHECK-SAME: makespan_ps = 15000000
exec.program @queued entry "h" inputs 1 attributes {plan = "gpu", tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view : !g
  %b = exec.view : !g
  exec.for 3 {
  ^bb0(%i: index):
    exec.launch @k ins(%a : !g) outs(%b : !g)
  }
  exec.launch @h ins(%x : !h) outs(%y : !h)
  exec.sync stream 0
  exec.return
}
// Loading weights is no part of a call.
// CHECK-LABEL: exec.program @load
// CHECK-NOT: makespan_ps
exec.program @load entry "" inputs 0 attributes {plan = "gpu", load, tensors = []} {
  exec.return
}
}

// -----

// A kernel without a price is priced by what it computes.
// CHECK-LABEL: exec.program @unpriced
// CHECK-SAME: makespan_ps = {{[1-9][0-9]*}}
!h = memref<8xf32>
exec.kernel @k inputs 1 {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  %1 = hgc.exp %0 : tensor<8xf32>
  exec.store %1, %y : tensor<8xf32>, !h
}
exec.program @unpriced entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  exec.launch @k ins(%x : !h) outs(%y : !h)
  exec.return
}
