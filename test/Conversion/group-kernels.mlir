// RUN: hgc-opt --hgc-group-kernels=threads=2 --split-input-file %s | FileCheck %s
// RUN: hgc-opt --hgc-group-kernels=threads=4 --hgc-plan-memory --hgc-verify-exec --hgc-simulate-exec \
// RUN:   --split-input-file %s | FileCheck %s --check-prefix=PLANNED
// RUN: hgc-opt --hgc-group-kernels --split-input-file %s | FileCheck %s --check-prefix=OFF
// OFF-NOT: exec.parallel

// Two chains that meet in one kernel: side by side up to there, and what they need
// is declared before.
!h = memref<8xf32>
exec.kernel @k inputs 1 attributes {price_ps = 6000000 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
exec.kernel @join inputs 2 attributes {price_ps = 1000000 : i64} {
^bb0(%x: !h, %y: !h, %z: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  %1 = exec.load %y : !h -> tensor<8xf32>
  %2 = hgc.add %0, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  exec.store %2, %z : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @chains
// CHECK: exec.launch @k ins(%{{.*}} outs(%[[S:[0-9]+]]
// CHECK-DAG: %[[A:.*]] = exec.view
// CHECK-DAG: %[[B:.*]] = exec.view
// CHECK-DAG: %[[C:.*]] = exec.view
// CHECK-DAG: %[[D:.*]] = exec.view
// CHECK: exec.parallel {
// CHECK-NEXT: exec.launch @k ins(%[[S]]
// CHECK-NEXT: exec.launch @k
// CHECK-NEXT: }, {
// CHECK-NEXT: exec.launch @k ins(%[[S]]
// CHECK-NEXT: exec.launch @k
// CHECK-NEXT: }
// CHECK-NEXT: exec.launch @join
// CHECK-NEXT: exec.return
// PLANNED-LABEL: exec.program @chains
// PLANNED-SAME: makespan_ps = 19000000
exec.program @chains entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  %s = exec.view : !h
  exec.launch @k ins(%x : !h) outs(%s : !h)
  %a = exec.view : !h
  exec.launch @k ins(%s : !h) outs(%a : !h)
  %b = exec.view : !h
  exec.launch @k ins(%a : !h) outs(%b : !h)
  %c = exec.view : !h
  exec.launch @k ins(%s : !h) outs(%c : !h)
  %d = exec.view : !h
  exec.launch @k ins(%c : !h) outs(%d : !h)
  exec.launch @join ins(%b, %d : !h, !h) outs(%y : !h)
  exec.return
}

// Three kernels for two threads: the branches are as long as they can be equal.
// PLANNED-LABEL: exec.program @three
// PLANNED: }, {
// PLANNED: }, {
// CHECK-LABEL: exec.program @three
// CHECK: exec.parallel {
// CHECK-NEXT: exec.launch @k
// CHECK-NEXT: exec.launch @k
// CHECK-NEXT: }, {
// CHECK-NEXT: exec.launch @k
// CHECK-NEXT: }
exec.program @three entry "g" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>},
    {name = "z", shape = [8], type = tensor<8xf32>}, {name = "w", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h, %z: !h, %w: !h):
  exec.launch @k ins(%x : !h) outs(%y : !h)
  exec.launch @k ins(%x : !h) outs(%z : !h)
  exec.launch @k ins(%x : !h) outs(%w : !h)
  exec.return
}

// Two kernels that write the same buffer are in order, whatever they read.
// CHECK-LABEL: exec.program @ordered
// CHECK-NOT: exec.parallel
exec.program @ordered entry "h" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h):
  exec.launch @k ins(%x : !h) outs(%y : !h)
  exec.launch @k ins(%x : !h) outs(%y : !h)
  exec.return
}

// A part of a buffer that only a later action uses follows the buffer.
// CHECK-LABEL: exec.program @part
// CHECK: %[[V:.*]] = exec.view
// CHECK: exec.parallel
// CHECK: %[[P:.*]] = exec.alias %[[V]]
// CHECK: exec.copy %[[P]]
exec.program @part entry "i" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>},
    {name = "z", shape = [2], type = tensor<2xf32>}]} {
^bb0(%x: !h, %y: !h, %z: memref<2xf32>):
  %v = exec.view : !h
  %p = exec.alias %v offset 0 : !h to memref<2xf32>
  exec.launch @k ins(%x : !h) outs(%y : !h)
  exec.launch @k ins(%x : !h) outs(%v : !h)
  exec.copy %p to %z : memref<2xf32>, memref<2xf32>
  exec.return
}

// -----

// What threads share already, and what is not worth handing over, stays alone.
!h = memref<8xf32>
exec.kernel @big inputs 1 attributes {price_ps = 90000000 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
exec.kernel @tiny inputs 1 attributes {price_ps = 100000 : i64} {
^bb0(%x: !h, %y: !h):
  %0 = exec.load %x : !h -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !h
}
// CHECK-LABEL: exec.program @alone
// CHECK-NOT: exec.parallel
exec.program @alone entry "f" inputs 1 attributes {tensors = [
    {name = "x", shape = [8], type = tensor<8xf32>}, {name = "y", shape = [8], type = tensor<8xf32>},
    {name = "z", shape = [8], type = tensor<8xf32>}, {name = "v", shape = [8], type = tensor<8xf32>},
    {name = "w", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h, %y: !h, %z: !h, %v: !h, %w: !h):
  exec.launch @big ins(%x : !h) outs(%y : !h)
  exec.launch @big ins(%x : !h) outs(%z : !h)
  exec.launch @tiny ins(%x : !h) outs(%v : !h)
  exec.launch @tiny ins(%x : !h) outs(%w : !h)
  exec.return
}
