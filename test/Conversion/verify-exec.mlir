// RUN: hgc-opt --hgc-convert-to-exec --hgc-plan-memory --hgc-verify-exec %s | FileCheck %s
// RUN: hgc-opt --hgc-convert-to-exec --hgc-plan-memory=arena=separate --hgc-verify-exec %s | FileCheck %s --check-prefix=SEPARATE

// What the passes make is sound, in both arena modes: a loop with two states
// and a stack, a branch in it, and state that survives the call.
// CHECK: exec.memory
// CHECK: exec.program @step
// CHECK: exec.view offset
// SEPARATE: exec.program @step
// SEPARATE: exec.view slot
hgc.parameter @total : tensor<4xf32> = dense<1.0>
func.func @step(%c: tensor<i1>, %xs: tensor<5x4xf32>) -> (tensor<4xf32>, tensor<5x4xf32>) attributes {hgc.entry} {
  %t = hgc.read @total : tensor<4xf32>
  %0, %1, %2 = hgc.scan init(%t, %t : tensor<4xf32>, tensor<4xf32>) over(%xs : tensor<5x4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<5x4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    %3 = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
      %4 = hgc.kernel(%a, %x : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
      ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>):
        %5 = hgc.add %p, %q : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        hgc.yield %5 : tensor<4xf32>
      }
      %6 = hgc.kernel(%4 : tensor<4xf32>) -> tensor<4xf32> {
      ^bb0(%p: tensor<4xf32>):
        %7 = hgc.relu %p : tensor<4xf32>
        hgc.yield %7 : tensor<4xf32>
      }
      hgc.yield %6 : tensor<4xf32>
    } else {
      hgc.yield %x : tensor<4xf32>
    }
    hgc.yield %b, %3, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  hgc.assign @total, %1 : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<5x4xf32>
}
