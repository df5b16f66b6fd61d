// RUN: hgc-opt --hgc-resolve-residents --split-input-file --verify-diagnostics %s
// RUN: not hgc-opt --hgc-resolve-residents=strict=true --split-input-file %s 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not hgc-opt --hgc-resolve-residents=rules=z=gpu --split-input-file %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not hgc-opt --hgc-resolve-residents=rules=x=disk --split-input-file %s 2>&1 | FileCheck %s --check-prefix=DEVICE

// STRICT: error: 'x' is not resident on 'gpu:0': this plan has only 'cpu'
// NAME: error: no entry has an argument or a result 'z' to be resident
// NAME: note: hint: there are 'x', 'result0'
// DEVICE: error: residence 'x=disk' is not of the form name=device
// DEVICE: note: hint: write x=gpu or y=gpu:0

// Without a GPU plan nobody passes device memory.
// expected-remark @+2 {{'x' is not resident on 'gpu:0': this plan has only 'cpu'}}
// expected-note @+1 {{hint: add --gpu=sm_80, or drop hgc.device of that argument}}
func.func @f(%x: tensor<4xf32> {hgc.name = "x", hgc.device = #hgc.device<gpu>}) -> tensor<4xf32> attributes {hgc.entry} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+2 {{'result0' cannot be resident on 'gpu:8': a plan has GPUs 0 to 7}}
// expected-note @+1 {{hint: name a GPU of a lower number}}
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32> {hgc.device = #hgc.device<gpu:8>}) attributes {hgc.entry, hgc.plan = "gpu"} {
  return %x : tensor<4xf32>
}
