// Right operands of the caller that are packed past the caches: with whole panels and a last one of few columns, f32 and
// f64, on one thread and several.
// DEFINE: %{save} = --num-threads=1 --output=result0=@%t.0.npy --output=result1=@%t.1.npy
// DEFINE: %{same} = --expect=result0=@%t.0.npy --expect=result1=@%t.1.npy --rtol=0 --atol=0
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l2_bytes'] = 65536; json.dump(t, open('%t.json', 'w'))" %S/../../lib/Target/tables/x86-64-v3.json
// RUN: hgc compile %s --verify --target-table=%t.json -o %t.so
// RUN: FileCheck %s --input-file=%t.plan.json
// CHECK-COUNT-2: streamed
// RUN: hgc run %t.so %{save}
// RUN: hgc run %t.so --num-threads=3 %{same}
// RUN: hgc compile %s --verify --target-cpu=native --arena=separate -o %t.so

module @packed {
  func.func @run(%x: tensor<270x300xf32>, %y: tensor<300x330xf32>, %p: tensor<270x160xf64>, %q: tensor<160x161xf64>)
      -> (tensor<270x330xf32>, tensor<270x161xf64>) attributes {hgc.entry} {
    %0 = hgc.matmul %x, %y : (tensor<270x300xf32>, tensor<300x330xf32>) -> tensor<270x330xf32>
    %1 = hgc.matmul %p, %q : (tensor<270x160xf64>, tensor<160x161xf64>) -> tensor<270x161xf64>
    return %0, %1 : tensor<270x330xf32>, tensor<270x161xf64>
  }
}
