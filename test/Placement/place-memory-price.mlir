// RUN: hgc-opt --hgc-place %s | FileCheck %s --check-prefix=FREE
// RUN: hgc-opt --hgc-place=memory-price=1000000000 %s | FileCheck %s --check-prefix=DEAR
// RUN: hgc-opt '--hgc-place=memory-price=1 weights-only' %s | FileCheck %s --check-prefix=WEIGHTS
// RUN: hgc-opt --hgc-place=memory-price=1 %s | FileCheck %s --check-prefix=ALL

// Without a price the products are on the GPU; where memory is dear nothing is.
// FREE-NOT: hgc.memory_cost
// FREE-COUNT-2: hgc.matmul {{.*}}hgc.device = #hgc.device<gpu>
// DEAR: hgc.memory_cost = {memory_ps = 0 : i64,
// DEAR-COUNT-2: hgc.matmul {{.*}}hgc.device = #hgc.device<cpu>

// 1 MiB of @whole is surely kept there; of @part it may be the slice alone that is.
// WEIGHTS: hgc.memory_cost = {memory_ps = 1024 : i64, total_ps = {{[0-9]+}} : i64}
// WEIGHTS-COUNT-2: hgc.matmul {{.*}}hgc.device = #hgc.device<gpu>

// Two results of 8 and 4 MiB, and both parameters.
// ALL: hgc.memory_cost = {memory_ps = 14336 : i64, total_ps = {{[0-9]+}} : i64}
// ALL-COUNT-2: hgc.matmul {{.*}}hgc.device = #hgc.device<gpu>
module attributes {hgc.target_gpu = "a100"} {
  hgc.parameter @whole : tensor<512x512xf32> = dense<0.5>
  hgc.parameter @part : tensor<512x512xf32> = dense<0.5>
  func.func @f(%x: tensor<4096x512xf32>) -> tensor<4096x256xf32> attributes {hgc.entry, hgc.plan = "gpu"} {
    %0 = hgc.read @whole : tensor<512x512xf32>
    %1 = hgc.read @part : tensor<512x512xf32>
    %2 = hgc.slice %1 starts = [0, 0] sizes = [512, 256] : (tensor<512x512xf32>) -> tensor<512x256xf32>
    %3 = hgc.matmul %x, %0 : (tensor<4096x512xf32>, tensor<512x512xf32>) -> tensor<4096x512xf32>
    %4 = hgc.matmul %3, %2 : (tensor<4096x512xf32>, tensor<512x256xf32>) -> tensor<4096x256xf32>
    return %4 : tensor<4096x256xf32>
  }
}
