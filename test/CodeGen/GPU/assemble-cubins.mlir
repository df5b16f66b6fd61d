// RUN: hgc-opt --hgc-assemble-cubins=ptxas=%S/Inputs/fake_ptxas.sh --split-input-file %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t
// RUN: hgc-opt --hgc-assemble-cubins --split-input-file %s | FileCheck %s --check-prefix=NONE
// RUN: hgc-opt --hgc-assemble-cubins=ptxas=%t.nowhere --split-input-file %s 2>&1 | FileCheck %s --check-prefix=NOWHERE

// One cubin per compute capability that was asked for, behind the PTX.
// CHECK: exec.gpu_images = [{data = "text", kind = "ptx", sm = 80 : i64}, {data = "code -arch=sm_80", kind = "cubin", sm = 80 : i64}, {data = "code -arch=sm_89", kind = "cubin", sm = 89 : i64}]
// NONE: exec.gpu_images = [{data = "text", kind = "ptx", sm = 80 : i64}]
// NOWHERE: warning: no cubin: ptxas for sm_80:
module attributes {hgc.target_gpu = "l4,a100,sm_80", exec.gpu_images = [{data = "text", kind = "ptx", sm = 80 : i64}]} {
}

// -----

// An assembler that is too old leaves the PTX to do the work.
// CHECK: exec.gpu_images = [{data = "text", kind = "ptx", sm = 80 : i64}]
// WARNING: warning: no cubin: ptxas for sm_90: ptxas fatal : Value '-arch=sm_90' is not defined
// WARNING: note: hint: the library holds PTX, which serves as well
module attributes {hgc.target_gpu = "h100", exec.gpu_images = [{data = "text", kind = "ptx", sm = 80 : i64}]} {
}
