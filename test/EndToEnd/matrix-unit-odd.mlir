// What is not finite, or nearly not, goes through products in parts as through any others: in data, in weights, in both
// operands of the call, in the first and the last of the depth, in padding's neighbours, with and without blocks of the depth.
// REQUIRES: amx
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %python %S/Inputs/odd_arrays.py
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l2_bytes'] = 524288; json.dump(t, open('small.json', 'w'))" %S/../../lib/Target/tables/sapphirerapids.json
// RUN: cp %s odd.mlir
// RUN: hgc eval odd.mlir --input=x=@x.npy --input=i=@i.npy --input=r=@r.npy --output=result0=@0.npy --output=result1=@1.npy --output=result2=@2.npy --output=result3=@3.npy --output=result4=@4.npy
// RUN: hgc compile odd.mlir --target-cpu=sapphirerapids --matrix-unit=always --force-conv=matrix -o a.so
// RUN: hgc run a.so --input=x=@x.npy --input=i=@i.npy --input=r=@r.npy --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --atol=1e-4
// RUN: hgc compile odd.mlir --target-table=small.json --matrix-unit=always --force-conv=matrix -o b.so
// RUN: FileCheck %s < b.plan.json
// CHECK: "schedule": "matmul by tiles of the matrix unit, blocks {{[0-9]+}}x{{[0-9]+}}x288
// RUN: hgc run b.so --input=x=@x.npy --input=i=@i.npy --input=r=@r.npy --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --atol=1e-4
// RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l2_bytes'] = 16384; json.dump(t, open('tiny.json', 'w'))" %S/../../lib/Target/tables/sapphirerapids.json
// RUN: hgc compile odd.mlir --target-table=tiny.json --matrix-unit=always --force-conv=matrix -o c.so
// RUN: FileCheck %s --check-prefix=WHOLE < c.plan.json
// WHOLE: "schedule": "matmul by tiles of the matrix unit, blocks {{[0-9]+}}x{{[0-9]+}}x64, f32 in three parts, made beside products"
// RUN: hgc run c.so --input=x=@x.npy --input=i=@i.npy --input=r=@r.npy --expect=result0=@0.npy --expect=result1=@1.npy --expect=result2=@2.npy --expect=result3=@3.npy --expect=result4=@4.npy --atol=1e-4

module @odd {
  hgc.parameter @w : tensor<1100x45xf32> = #hgc.init<uniform, seed = 1>
  hgc.parameter @v : tensor<45x40xf32> = #hgc.file<"odd.safetensors", "v">
  hgc.parameter @f : tensor<3x3x20x34xf32> = #hgc.init<uniform, seed = 2>
  func.func @run(%x: tensor<260x1100xf32> {hgc.name = "x"}, %i: tensor<1x9x9x20xf32> {hgc.name = "i"},
                 %r: tensor<1100x50xf32> {hgc.name = "r"})
      -> (tensor<48x45xf32>, tensor<260x40xf32>, tensor<1x9x9x34xf32>, tensor<260x50xf32>, tensor<260x40xf32>) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<1100x45xf32>
    %v = hgc.read @v : tensor<45x40xf32>
    %f = hgc.read @f : tensor<3x3x20x34xf32>
    %s = hgc.slice %x starts = [0, 0] sizes = [48, 1100] : (tensor<260x1100xf32>) -> tensor<48x1100xf32>
    %0 = hgc.matmul %s, %w : (tensor<48x1100xf32>, tensor<1100x45xf32>) -> tensor<48x45xf32>
    %1 = hgc.slice %x starts = [0, 100] sizes = [260, 45] : (tensor<260x1100xf32>) -> tensor<260x45xf32>
    %2 = hgc.matmul %1, %v : (tensor<260x45xf32>, tensor<45x40xf32>) -> tensor<260x40xf32>
    %3 = hgc.conv %i, %f pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x9x9x20xf32>, tensor<3x3x20x34xf32>) -> tensor<1x9x9x34xf32>
    %4 = hgc.matmul %x, %r : (tensor<260x1100xf32>, tensor<1100x50xf32>) -> tensor<260x50xf32>
    // The last four of the depth, in both operands.
    %5 = hgc.slice %x starts = [0, 77] sizes = [260, 36] : (tensor<260x1100xf32>) -> tensor<260x36xf32>
    %6 = hgc.slice %v starts = [9, 0] sizes = [36, 40] : (tensor<45x40xf32>) -> tensor<36x40xf32>
    %7 = hgc.matmul %5, %6 : (tensor<260x36xf32>, tensor<36x40xf32>) -> tensor<260x40xf32>
    return %0, %2, %3, %4, %7 : tensor<48x45xf32>, tensor<260x40xf32>, tensor<1x9x9x34xf32>, tensor<260x50xf32>, tensor<260x40xf32>
  }
}
