// RUN: hgc-opt --hgc-assign-streams=serial=true --hgc-simulate-exec %s | FileCheck %s
// RUN: hgc-opt --hgc-assign-streams --hgc-simulate-exec %s | FileCheck %s --check-prefix=OVERLAP

// The host waits behind every action of a GPU: the makespan is the sum.
!h = memref<8xf32>
!g = memref<8xf32, #exec.space<gpu>>
module attributes {hgc.target_gpu = "a100"} {
exec.kernel @k inputs 1 attributes {price_ps = 1000000 : i64} {
^bb0(%x: !g, %y: !g):
  %0 = exec.load %x : !g -> tensor<8xf32>
  exec.store %0, %y : tensor<8xf32>, !g
}
// CHECK-LABEL: exec.program @two
// CHECK-SAME: makespan_ps = 18002560
// CHECK: exec.copy {{.*}} stream 1
// CHECK-NEXT: exec.sync stream 1
// CHECK: exec.launch
// CHECK-NEXT: exec.sync stream 0
// CHECK: exec.copy {{.*}} stream 1
// CHECK-NEXT: exec.sync stream 1
// CHECK: exec.launch
// CHECK-NEXT: exec.sync stream 0
// CHECK-NEXT: exec.return
// OVERLAP-LABEL: exec.program @two
// OVERLAP-SAME: makespan_ps = 17002560
exec.program @two entry "f" inputs 1 attributes {plan = "gpu", tensors = [{name = "x", shape = [8], type = tensor<8xf32>}]} {
^bb0(%x: !h):
  %a = exec.view : !g
  exec.copy %x to %a : !h, !g
  %b = exec.view : !g
  exec.launch @k ins(%a : !g) outs(%b : !g)
  %c = exec.view : !g
  exec.copy %x to %c : !h, !g
  %d = exec.view : !g
  exec.launch @k ins(%c : !g) outs(%d : !g)
  exec.return
}
}
