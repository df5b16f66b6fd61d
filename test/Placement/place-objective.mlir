// RUN: hgc-opt --hgc-place %s | FileCheck %s --check-prefix=SERIAL
// RUN: hgc-opt --hgc-place=objective=makespan %s | FileCheck %s --check-prefix=MAKESPAN
// RUN: hgc-opt '--hgc-place=objective=makespan memory-price=1' %s | FileCheck %s --check-prefix=PRICED
// RUN: not hgc-opt --hgc-place=objective=fast %s 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: unknown objective 'fast', expected 'serial' or 'makespan'
// ERROR: hint: use objective=serial for the certified plan

// One after the other all are cheapest on the same device. At the same time the other
// one can do some of them: dearer than the bound, and shorter.
// SERIAL: hgc.certificate = {
// SERIAL-NOT: makespan
// SERIAL: hgc.tanh {{.*}}hgc.device = [[DEVICE:#hgc.device<[cg]pu>]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]
// SERIAL-NEXT: hgc.tanh {{.*}}hgc.device = [[DEVICE]]

// MAKESPAN: hgc.certificate = {{.*}}bound_ps = [[BOUND:[0-9]+]] : i64, makespan_ps = {{[0-9]+}} : i64, makespans = {all_cpu = {{[0-9]+}} : i64, all_gpu = {{[0-9]+}} : i64, cut = {{[0-9]+}} : i64, greedy
// MAKESPAN-NOT: serial_ps = [[BOUND]] :
// MAKESPAN-DAG: hgc.tanh {{.*}}hgc.device = #hgc.device<gpu>
// MAKESPAN-DAG: hgc.tanh {{.*}}hgc.device = #hgc.device<cpu>
// MAKESPAN-DAG: hgc.tanh {{.*}}runs beside the work of the other side

// With a price on memory the cut decides.
// PRICED: hgc.certificate = {
// PRICED-NOT: makespan
// PRICED: hgc.tanh
!t = tensor<1024x1024xf32>
module attributes {hgc.target_gpu = "a100"} {
  func.func @f(%x0: !t, %x1: !t, %x2: !t, %x3: !t, %x4: !t, %x5: !t, %x6: !t, %x7: !t, %x8: !t, %x9: !t, %x10: !t, %x11: !t)
      -> (!t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) attributes {hgc.entry, hgc.plan = "gpu"} {
    %0 = hgc.tanh %x0 : !t
    %1 = hgc.tanh %x1 : !t
    %2 = hgc.tanh %x2 : !t
    %3 = hgc.tanh %x3 : !t
    %4 = hgc.tanh %x4 : !t
    %5 = hgc.tanh %x5 : !t
    %6 = hgc.tanh %x6 : !t
    %7 = hgc.tanh %x7 : !t
    %8 = hgc.tanh %x8 : !t
    %9 = hgc.tanh %x9 : !t
    %10 = hgc.tanh %x10 : !t
    %11 = hgc.tanh %x11 : !t
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t
  }
}
