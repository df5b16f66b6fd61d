// Elementary functions against the evaluator, element by element: ordinary values,
// both ends of the range, denormals, infinities and NaN.
//
// RUN: hgc eval %s --input "x=16xf32=0,-0,1,-1,0.5,1e-3,-1e-3,3e38,-3e38,1e-40,inf,-inf,nan,88.7,-103,1.5e10" --output y=@%t.npy
// RUN: hgc run %s --input "x=16xf32=0,-0,1,-1,0.5,1e-3,-1e-3,3e38,-3e38,1e-40,inf,-inf,nan,88.7,-103,1.5e10" --expect y=@%t.npy --rtol=1e-6 --atol=1e-37
// RUN: hgc eval %s --input "x=16xf32=0.1,-0.2,0.3,-0.4,0.6,-0.7,0.8,-0.9,1.1,-2.3,4.9,-9.7,15.5,-33,60,1e5" --output y=@%t.npy
// RUN: hgc run %s --input "x=16xf32=0.1,-0.2,0.3,-0.4,0.6,-0.7,0.8,-0.9,1.1,-2.3,4.9,-9.7,15.5,-33,60,1e5" --expect y=@%t.npy --rtol=1e-6 --atol=1e-37
// Around the least normal results of the exponential, which are rounded once.
// RUN: hgc eval %s --input "x=16xf32=-86.6,-86.7,-86.79,-86.81,-86.9,-87,-87.3,-87.4,-88,-90,-95,-100,-103,-103.9,-103.98,-104.1" --output y=@%t.npy
// RUN: hgc run %s --input "x=16xf32=-86.6,-86.7,-86.79,-86.81,-86.9,-87,-87.3,-87.4,-88,-90,-95,-100,-103,-103.9,-103.98,-104.1" --expect y=@%t.npy --rtol=1e-6 --atol=3e-45
// A wrong value is noticed.
// RUN: not hgc run %s --input "x=16xf32=0.1,-0.2,0.3,-0.4,0.6,-0.7,0.8,-0.9,1.1,-2.3,4.9,-9.7,15.5,-33,61,1e5" --expect y=@%t.npy --rtol=1e-6 --atol=1e-37 2>&1 | FileCheck %s
// CHECK: error:

module @functions {
  func.func @apply(%x: tensor<16xf32> {hgc.name = "x"}) -> (tensor<26x16xf32> {hgc.name = "y"}) attributes {hgc.entry} {
    %exp = hgc.exp %x : tensor<16xf32>
    %expm1 = hgc.expm1 %x : tensor<16xf32>
    %log = hgc.log %x : tensor<16xf32>
    %log1p = hgc.log1p %x : tensor<16xf32>
    %tanh = hgc.tanh %x : tensor<16xf32>
    %sinh = hgc.sinh %x : tensor<16xf32>
    %cosh = hgc.cosh %x : tensor<16xf32>
    %asinh = hgc.asinh %x : tensor<16xf32>
    %acosh = hgc.acosh %x : tensor<16xf32>
    %atanh = hgc.atanh %x : tensor<16xf32>
    %erf = hgc.erf %x : tensor<16xf32>
    %sin = hgc.sin %x : tensor<16xf32>
    %cos = hgc.cos %x : tensor<16xf32>
    %tan = hgc.tan %x : tensor<16xf32>
    %asin = hgc.asin %x : tensor<16xf32>
    %acos = hgc.acos %x : tensor<16xf32>
    %atan = hgc.atan %x : tensor<16xf32>
    %sqrt = hgc.sqrt %x : tensor<16xf32>
    %rsqrt = hgc.rsqrt %x : tensor<16xf32>
    %sigmoid = hgc.sigmoid %x : tensor<16xf32>
    %floor = hgc.floor %x : tensor<16xf32>
    %ceil = hgc.ceil %x : tensor<16xf32>
    %round = hgc.round %x : tensor<16xf32>
    %trunc = hgc.trunc %x : tensor<16xf32>
    %c = hgc.constant dense<-1.5> : tensor<f32>
    %pow = hgc.pow %x, %c : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
    %angle = hgc.atan2 %x, %c : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
    %exp_row = hgc.reshape %exp shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %expm1_row = hgc.reshape %expm1 shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %log_row = hgc.reshape %log shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %log1p_row = hgc.reshape %log1p shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %tanh_row = hgc.reshape %tanh shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %sinh_row = hgc.reshape %sinh shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %cosh_row = hgc.reshape %cosh shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %asinh_row = hgc.reshape %asinh shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %acosh_row = hgc.reshape %acosh shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %atanh_row = hgc.reshape %atanh shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %erf_row = hgc.reshape %erf shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %sin_row = hgc.reshape %sin shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %cos_row = hgc.reshape %cos shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %tan_row = hgc.reshape %tan shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %asin_row = hgc.reshape %asin shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %acos_row = hgc.reshape %acos shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %atan_row = hgc.reshape %atan shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %sqrt_row = hgc.reshape %sqrt shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %rsqrt_row = hgc.reshape %rsqrt shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %sigmoid_row = hgc.reshape %sigmoid shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %floor_row = hgc.reshape %floor shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %ceil_row = hgc.reshape %ceil shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %round_row = hgc.reshape %round shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %trunc_row = hgc.reshape %trunc shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %pow_row = hgc.reshape %pow shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %angle_row = hgc.reshape %angle shape [1, 16] : (tensor<16xf32>) -> tensor<1x16xf32>
    %y = hgc.concat %exp_row, %expm1_row, %log_row, %log1p_row, %tanh_row, %sinh_row, %cosh_row, %asinh_row,
        %acosh_row, %atanh_row, %erf_row, %sin_row, %cos_row, %tan_row, %asin_row, %acos_row,
        %atan_row, %sqrt_row, %rsqrt_row, %sigmoid_row, %floor_row, %ceil_row, %round_row, %trunc_row,
        %pow_row, %angle_row axis 0
        : (tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>,
           tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>,
           tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>,
           tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>,
           tensor<1x16xf32>, tensor<1x16xf32>)
        -> tensor<26x16xf32>
    return %y : tensor<26x16xf32>
  }
}
