// Rows of the left operand that compete for sets of the first-level cache make tiles that are shorter and take two
// panels, which are fetched ahead across blocks of the depth; depth, panels, columns and rows leave rests. Results agree
// with the evaluator's, and are the same for every number of threads.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l1_bytes'] = 16384; json.dump(t, open('small.json', 'w'))" %S/../../lib/Target/tables/x86-64-v3.json
// RUN: hgc compile %s --target-table=small.json --verify --arena=separate -o panels.so
// RUN: FileCheck %s < panels.plan.json
// CHECK: "schedule": "matmul: tile 3x32, blocks 33x{{[0-9]+}}x{{[0-9]+}}"
// RUN: hgc run panels.so --num-threads=1 --output=result0=@0.npy
// RUN: hgc run panels.so --num-threads=2 --expect=result0=@0.npy --rtol=0 --atol=0
// RUN: hgc run panels.so --num-threads=5 --expect=result0=@0.npy --rtol=0 --atol=0

module @panels {
  hgc.parameter @w : tensor<2048x165xf32> = #hgc.init<uniform, seed = 0>
  func.func @run(%x: tensor<31x2048xf32>) -> tensor<31x165xf32> attributes {hgc.entry} {
    %w = hgc.read @w : tensor<2048x165xf32>
    %0 = hgc.matmul %x, %w : (tensor<31x2048xf32>, tensor<2048x165xf32>) -> tensor<31x165xf32>
    %1 = hgc.relu %0 : tensor<31x165xf32>
    return %1 : tensor<31x165xf32>
  }
}
