// RUN: hgc-opt --hgc-verify-exec --split-input-file --verify-diagnostics %s

// The program of the first case, as hgc-assign-streams makes it, is right; every
// other case lacks one wait, one sync, or lets two buffers share too early.
!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 128 : i64}}} {
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<16xf32>
  exec.store %0, %y : tensor<16xf32>, !g
}
exec.program @right entry "f" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view offset 0 : !g
  %b = exec.view offset 64 : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.record event 0 stream 1
  exec.wait event 0 stream 0
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.record event 1 stream 0
  exec.wait event 1 stream 2
  exec.copy %b to %y stream 2 : !g, !h
  exec.sync stream 2
  exec.return
}
}

// -----

!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 128 : i64}}} {
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<16xf32>
  exec.store %0, %y : tensor<16xf32>, !g
}
exec.program @no_wait entry "f" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view offset 0 : !g
  %b = exec.view offset 64 : !g
  // expected-note @+1 {{that action is here}}
  exec.copy %x to %a stream 1 : !h, !g
  exec.record event 0 stream 1
  // expected-error @+2 {{reads bytes that stream 1 may still write}}
  // expected-note @+1 {{hint: run hgc-assign-streams and hgc-plan-memory}}
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.record event 1 stream 0
  exec.wait event 1 stream 2
  exec.copy %b to %y stream 2 : !g, !h
  exec.sync stream 2
  exec.return
}
}

// -----

// The event is recorded too early: it does not cover the kernel.
!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 128 : i64}}} {
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<16xf32>
  exec.store %0, %y : tensor<16xf32>, !g
}
exec.program @early entry "f" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [
    {name = "x", shape = [16], type = tensor<16xf32>}, {name = "y", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view offset 0 : !g
  %b = exec.view offset 64 : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.record event 0 stream 1
  exec.wait event 0 stream 0
  exec.record event 1 stream 0
  // expected-note @+1 {{that action is here}}
  exec.launch @k ins(%a : !g) outs(%b : !g)
  exec.wait event 1 stream 2
  // expected-error @+2 {{reads bytes that stream 0 may still write}}
  // expected-note @+1 {{hint: run hgc-assign-streams}}
  exec.copy %b to %y stream 2 : !g, !h
  exec.sync stream 2
  exec.return
}
}

// -----

// A copy in shares bytes with what a kernel reads, without waiting for it.
!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 128 : i64}}} {
exec.kernel @k inputs 1 {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<16xf32>
  exec.store %0, %y : tensor<16xf32>, !g
}
exec.program @reuse entry "f" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [{name = "x", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: !h):
  %a = exec.view offset 0 : !g
  %b = exec.view offset 64 : !g
  %c = exec.view offset 0 : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.record event 0 stream 1
  exec.wait event 0 stream 0
  // expected-note @+1 {{that action is here}}
  exec.launch @k ins(%a : !g) outs(%b : !g)
  // expected-error @+2 {{writes bytes that stream 0 may still read}}
  // expected-note @+1 {{hint: run hgc-assign-streams}}
  exec.copy %x to %c stream 1 : !h, !g
  exec.sync stream 0
  exec.sync stream 1
  exec.return
}
}

// -----

// The host reads a predicate that is still on its way.
!h = memref<i1>
!g = memref<i1, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 64 : i64}}} {
exec.program @predicate entry "f" inputs 1 attributes {arena_bytes = 64 : i64, plan = "gpu", tensors = [{name = "x", shape = [], type = tensor<i1>}]} {
^bb0(%x: !h):
  %a = exec.view offset 0 : !g
  %p = exec.view offset 0 : !h
  exec.copy %x to %a stream 1 : !h, !g
  exec.sync stream 1
  // expected-note @+1 {{that action is here}}
  exec.copy %a to %p stream 2 : !g, !h
  // expected-error @+2 {{reads bytes that stream 2 may still write}}
  // expected-note @+1 {{hint: run hgc-assign-streams}}
  exec.if %p : !h {
  } else {
  }
  exec.return
}
}

// -----

// A wait on one way only is no wait behind the branch.
!h = memref<i1>
!g = memref<i1, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 64 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 64 : i64}}} {
exec.program @branch entry "f" inputs 1 attributes {arena_bytes = 64 : i64, plan = "gpu", tensors = [
    {name = "x", shape = [], type = tensor<i1>}, {name = "y", shape = [], type = tensor<i1>}]} {
^bb0(%x: !h, %y: !h):
  %a = exec.view offset 0 : !g
  // expected-note @+1 {{that action is here}}
  exec.copy %x to %a stream 1 : !h, !g
  exec.if %x : !h {
    exec.sync stream 1
  } else {
  }
  // expected-error @+2 {{reads bytes that stream 1 may still write}}
  // expected-note @+1 {{hint: run hgc-assign-streams}}
  exec.copy %a to %y stream 2 : !g, !h
  exec.sync stream 2
  exec.return
}
}

// -----

!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 64 : i64}}} {
// expected-error @+2 {{ends before the host has waited for stream 1}}
// expected-note @+1 {{hint: add exec.sync before exec.return}}
exec.program @end entry "f" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [{name = "x", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: !h):
  %a = exec.view offset 0 : !g
  exec.copy %x to %a stream 1 : !h, !g
  exec.return
}
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 64 : i64, state_bytes = 0 : i64}} {
exec.blob @w : memref<16xf32> = dense<1.0> {offset = 0 : i64}
exec.program @load entry "" inputs 0 attributes {arena_bytes = 0 : i64, load, plan = "gpu", tensors = []} {
  %h = exec.weight @w : memref<16xf32>
  // expected-error @+2 {{uses blob 'w', which has no place in gpu_0}}
  // expected-note @+1 {{hint: run hgc-plan-memory first}}
  %g = exec.weight @w : memref<16xf32, #exec.space<gpu>>
  exec.copy %h to %g stream 1 : memref<16xf32>, memref<16xf32, #exec.space<gpu>>
  exec.sync stream 1
  exec.return
}
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 64 : i64}}} {
exec.kernel @k inputs 1 {
^bb0(%x: memref<16xf32>, %y: memref<16xf32, #exec.space<gpu>>):
  %0 = exec.load %x : memref<16xf32> -> tensor<16xf32>
  exec.store %0, %y : tensor<16xf32>, memref<16xf32, #exec.space<gpu>>
}
exec.program @p entry "p" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [{name = "x", shape = [16], type = tensor<16xf32>}]} {
// expected-note @+1 {{this one is not where its output is}}
^bb0(%x: memref<16xf32>):
  %a = exec.view offset 0 : memref<16xf32, #exec.space<gpu>>
  // expected-error @+2 {{has buffers on several devices}}
  // expected-note @+1 {{hint: copy it to the kernel's device with exec.copy}}
  exec.launch @k ins(%x : memref<16xf32>) outs(%a : memref<16xf32, #exec.space<gpu>>)
  exec.return
}
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 64 : i64}}} {
exec.program @p entry "p" inputs 1 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = [{name = "x", shape = [16], type = tensor<16xf32>}]} {
^bb0(%x: memref<16xf32>):
  %a = exec.view offset 0 : memref<16xf32, #exec.space<gpu>>
  // expected-error @+2 {{uses stream 4, which its GPU does not have}}
  // expected-note @+1 {{hint: run hgc-assign-streams; GPU g has the streams 3g to 3g + 2}}
  exec.copy %x to %a stream 4 : memref<16xf32>, memref<16xf32, #exec.space<gpu>>
  exec.return
}
}

// -----

module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 0 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 64 : i64}}} {
exec.program @p entry "p" inputs 0 attributes {arena_bytes = 0 : i64, plan = "gpu", tensors = []} {
  // expected-error @+2 {{uses stream 3, which its GPU does not have}}
  // expected-note @+1 {{hint: run hgc-assign-streams}}
  exec.sync stream 3
  exec.return
}
}

// -----

// A weight that the load program makes from another one waits for it.
!h = memref<16xf32>
!g = memref<16xf32, #exec.space<gpu>>
module attributes {exec.memory = {arena_bytes = 0 : i64, weights_bytes = 64 : i64, state_bytes = 0 : i64, gpu_0 = {arena_bytes = 0 : i64, weights_bytes = 128 : i64}}} {
exec.blob @w : !h = dense<1.0> {offset = 0 : i64, device_offsets = {gpu_0 = 0 : i64}}
exec.blob @made : !h = unit {device_only, device_offsets = {gpu_0 = 64 : i64}}
exec.program @load entry "" inputs 0 attributes {arena_bytes = 0 : i64, load, plan = "gpu", tensors = []} {
  // expected-note @+1 {{buffer declared here}}
  %w = exec.weight @w : !g
  %made = exec.weight @made : !g
  // expected-error @+2 {{reads a buffer that was not written before}}
  // expected-note @+1 {{hint: write it on every way to this op}}
  exec.copy %w to %made stream 0 : !g, !g
  %host = exec.weight @w : !h
  exec.copy %host to %w stream 1 : !h, !g
  exec.sync stream 0
  exec.sync stream 1
  exec.return
}
}
