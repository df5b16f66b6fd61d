// RUN: hgc-opt --hgc-place %s | FileCheck %s --check-prefix=SERIAL
// RUN: hgc-opt --hgc-place=objective=makespan %s | FileCheck %s --check-prefix=MAKESPAN
// RUN: hgc-opt '--hgc-place=objective=makespan memory-price=1' %s | FileCheck %s --check-prefix=PRICED
// RUN: not hgc-opt --hgc-place=objective=fast %s 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: unknown objective 'fast', expected 'serial' or 'makespan'
// ERROR: hint: use objective=serial for the certified plan

// One after the other all are cheapest on the CPU. At the same time the GPU can do one
// of them while the CPU does the others: dearer than the bound, and shorter.
// SERIAL: hgc.certificate = {
// SERIAL-NOT: makespan
// SERIAL-NOT: #hgc.device<gpu>
// SERIAL-COUNT-4: hgc.tanh {{.*}}hgc.device = #hgc.device<cpu>

// MAKESPAN: hgc.certificate = {{.*}}bound_ps = [[BOUND:[0-9]+]] : i64, makespan_ps = {{[0-9]+}} : i64, makespans = {all_cpu = [[BOUND]] : i64, all_gpu = {{[0-9]+}} : i64, cut = [[BOUND]] : i64, greedy
// MAKESPAN-NOT: serial_ps = [[BOUND]] :
// MAKESPAN-DAG: hgc.tanh {{.*}}runs beside the work of the other side{{.*}}hgc.device = #hgc.device<gpu>
// MAKESPAN-DAG: hgc.tanh {{.*}}hgc.device = #hgc.device<cpu>
// MAKESPAN-DAG: hgc.tanh {{.*}}hgc.device = #hgc.device<cpu>
// MAKESPAN-DAG: hgc.tanh {{.*}}hgc.device = #hgc.device<cpu>

// With a price on memory the cut decides.
// PRICED: hgc.certificate = {
// PRICED-NOT: makespan
// PRICED: hgc.tanh
!t = tensor<1024x1024xf32>
module attributes {hgc.target_gpu = "a100"} {
  func.func @f(%x: !t, %y: !t, %z: !t, %w: !t) -> (!t, !t, !t, !t) attributes {hgc.entry, hgc.plan = "gpu"} {
    %0 = hgc.tanh %x : !t
    %1 = hgc.tanh %y : !t
    %2 = hgc.tanh %z : !t
    %3 = hgc.tanh %w : !t
    return %0, %1, %2, %3 : !t, !t, !t, !t
  }
}
