// RUN: hgc-opt --hgc-convert-to-exec %s | FileCheck %s --check-prefixes=CHECK,ORDER
// RUN: hgc-opt --hgc-convert-to-exec --hgc-assign-streams --hgc-plan-memory --hgc-verify-exec %s | FileCheck %s --check-prefix=STREAMS

// Iterations are written out one by one, each with buffers of its own; results go
// straight to their part of the output.
// CHECK-LABEL: exec.program @pieces
// CHECK:       ^bb0(%[[X:.*]]: memref<8x4xf32>, %[[Y:.*]]: memref<8x4xf32>):
// CHECK-NOT:     exec.for
// ORDER:         %[[P0:.*]] = exec.alias %[[XS:.*]] offset 0 : {{.*}} to memref<4x4xf32>
// ORDER:         %[[Q0:.*]] = exec.alias %[[YS:.*]] offset 0 : {{.*}} to memref<4x4xf32>
// ORDER:         %[[G0:.*]] = exec.view : memref<4x4xf32, #exec.space<gpu>>
// ORDER:         exec.copy %[[P0]] to %[[G0]]
// ORDER:         exec.launch @[[K:.*]] ins(%[[G0]]
// ORDER:         exec.copy %{{.*}} to %[[Q0]]
// ORDER:         %[[P1:.*]] = exec.alias %[[XS]] offset 64
// ORDER:         %[[Q1:.*]] = exec.alias %[[YS]] offset 64
// ORDER:         %[[G1:.*]] = exec.view : memref<4x4xf32, #exec.space<gpu>>
// ORDER:         exec.copy %[[P1]] to %[[G1]]
// ORDER:         exec.launch @[[K]] ins(%[[G1]]
// ORDER:         exec.copy %{{.*}} to %[[Q1]]

// The second piece is on its way while the first one is computed: neither the
// host nor the stream of copies waits for a kernel.
// STREAMS-LABEL: exec.program @pieces
// STREAMS:         exec.copy {{.*}} stream 1
// STREAMS:         exec.launch @exp
// STREAMS-NOT:     exec.sync
// STREAMS-NOT:     exec.wait {{.*}} stream 1
// STREAMS:         exec.copy {{.*}} stream 1
// STREAMS:         exec.launch @exp
func.func @pieces(%x: tensor<8x4xf32>) -> tensor<8x4xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
  %xs = hgc.reshape %x shape [2, 4, 4] {hgc.device = #hgc.device<cpu>} : (tensor<8x4xf32>) -> tensor<2x4x4xf32>
  %ys = hgc.scan over(%xs : tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>) attributes {hgc.device = #hgc.device<cpu>, hgc.unroll} {
  ^bb0(%p: tensor<4x4xf32>):
    %g = hgc.transfer %p from <cpu> to <gpu> {hgc.device = #hgc.device<gpu>} : tensor<4x4xf32>
    %e = hgc.kernel(%g : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {hgc.device = #hgc.device<gpu>} {
    ^bb0(%a: tensor<4x4xf32>):
      %0 = hgc.exp %a : tensor<4x4xf32>
      hgc.yield %0 : tensor<4x4xf32>
    }
    %c = hgc.transfer %e from <gpu> to <cpu> {hgc.device = #hgc.device<cpu>} : tensor<4x4xf32>
    hgc.yield %c : tensor<4x4xf32>
  }
  %y = hgc.reshape %ys shape [8, 4] {hgc.device = #hgc.device<cpu>} : (tensor<2x4x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
