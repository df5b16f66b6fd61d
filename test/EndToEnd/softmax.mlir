// Terms far below a row's largest, masks and NaN, in rows, columns and the logarithm: the
// evaluator's results, except that terms below 2^-126 of the largest are 0.
// RUN: hgc eval %s --input "x=4x9xf32=0,-1,-30,-60,-87.32,-87.34,-100,-inf,-3e38,100,88.5,0.25,13,12.9,-1e4,101,99.5,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,1,2,nan,3,4,5,6,7,8" --output y=@%t.y.npy --output z=@%t.z.npy --output l=@%t.l.npy
// RUN: hgc run %s --input "x=4x9xf32=0,-1,-30,-60,-87.32,-87.34,-100,-inf,-3e38,100,88.5,0.25,13,12.9,-1e4,101,99.5,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,1,2,nan,3,4,5,6,7,8" --expect y=@%t.y.npy --expect z=@%t.z.npy --expect l=@%t.l.npy --rtol=5e-6 --atol=1.2e-38
// RUN: hgc run %s --target-cpu x86-64-v2 --input "x=4x9xf32=0,-1,-30,-60,-87.32,-87.34,-100,-inf,-3e38,100,88.5,0.25,13,12.9,-1e4,101,99.5,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,1,2,nan,3,4,5,6,7,8" --expect y=@%t.y.npy --expect z=@%t.z.npy --expect l=@%t.l.npy --rtol=5e-6 --atol=1.2e-38
// RUN: hgc run %s --input "x=4x9xf32=0,-1,-30,-60,-87.32,-87.34,-100,-inf,-3e38,100,88.5,0.25,13,12.9,-1e4,101,99.5,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,-inf,1,2,nan,3,4,5,6,7,8" | FileCheck %s
// CHECK: y: {{.*}}=0.731{{[0-9]*}},{{.*}}e-27,8.7{{[0-9]*}}e-39,0,0,0,0,0.231
func.func @f(%x: tensor<4x9xf32> {hgc.name = "x"})
    -> (tensor<4x9xf32> {hgc.name = "y"}, tensor<9x4xf32> {hgc.name = "z"}, tensor<4x9xf32> {hgc.name = "l"})
    attributes {hgc.entry} {
  %y = hgc.softmax %x axis 1 : tensor<4x9xf32>
  %t = hgc.transpose %x permutation = [1, 0] : (tensor<4x9xf32>) -> tensor<9x4xf32>
  %z = hgc.softmax %t axis 0 : tensor<9x4xf32>
  %l = hgc.log_softmax %x axis 1 : tensor<4x9xf32>
  return %y, %z, %l : tensor<4x9xf32>, tensor<9x4xf32>, tensor<4x9xf32>
}
