// Arithmetic, functions, comparisons and conversions of floats, in both forms.

// RUN: hgc run %s --input arg0=4xf32=-1.5,0.25,2.5,0.5 --input arg1=4xf32=2,-0.5,0.75,0.5 | FileCheck %s
// RUN: cat %s | hgc compile - --emit=graph -o - | hgc-opt -o %t.pretty
// RUN: cat %S/Inputs/elementwise.generic.mlir | hgc compile - --emit=graph -o - | hgc-opt -o %t.generic
// RUN: cmp %t.pretty %t.generic
// CHECK: abs: 4xf32=1.5,0.25,2.5,0.5
// CHECK: negate: 4xf32=1.5,-0.25,-2.5,-0.5
// CHECK: sign: 4xf32=-1,1,1,1
// CHECK: exp: 4xf32=0.22313{{[0-9]*}},1.2840{{[0-9]*}},12.182{{[0-9]*}},1.6487{{[0-9]*}}
// CHECK: expm1: 4xf32=-0.77686{{[0-9]*}},0.28402{{[0-9]*}},11.182{{[0-9]*}},0.64872{{[0-9]*}}
// CHECK: log: 4xf32=0.40546{{[0-9]*}},-1.3862{{[0-9]*}},0.91629{{[0-9]*}},-0.69314{{[0-9]*}}
// CHECK: log1p: 4xf32=0.91629{{[0-9]*}},0.22314{{[0-9]*}},1.2527{{[0-9]*}},0.40546{{[0-9]*}}
// CHECK: logistic: 4xf32=0.18242{{[0-9]*}},0.56217{{[0-9]*}},0.92414{{[0-9]*}},0.62245{{[0-9]*}}
// CHECK: sqrt: 4xf32=1.2247{{[0-9]*}},0.5,1.5811{{[0-9]*}},0.70710{{[0-9]*}}
// CHECK: rsqrt: 4xf32=0.81649{{[0-9]*}},2,0.63245{{[0-9]*}},1.4142{{[0-9]*}}
// CHECK: cbrt: 4xf32=-1.1447{{[0-9]*}},0.62996{{[0-9]*}},1.3572{{[0-9]*}},0.79370{{[0-9]*}}
// CHECK: sine: 4xf32=-0.99749{{[0-9]*}},0.24740{{[0-9]*}},0.59847{{[0-9]*}},0.47942{{[0-9]*}}
// CHECK: cosine: 4xf32=0.070737{{[0-9]*}},0.96891{{[0-9]*}},-0.80114{{[0-9]*}},0.87758{{[0-9]*}}
// CHECK: tan: 4xf32=-14.101{{[0-9]*}},0.25534{{[0-9]*}},-0.74702{{[0-9]*}},0.54630{{[0-9]*}}
// CHECK: tanh: 4xf32=-0.90514{{[0-9]*}},0.24491{{[0-9]*}},0.98661{{[0-9]*}},0.46211{{[0-9]*}}
// CHECK: floor: 4xf32=-2,0,2,0
// CHECK: ceil: 4xf32=-1,1,3,1
// CHECK: even: 4xf32=-2,0,2,0
// CHECK: away: 4xf32=-2,0,3,1
// CHECK: finite: 4xi1=0,0,0,0
// CHECK: add: 4xf32=0.5,-0.25,3.25,1
// CHECK: subtract: 4xf32=-3.5,0.75,1.75,0
// CHECK: multiply: 4xf32=-3,-0.125,1.875,0.25
// CHECK: divide: 4xf32=-0.75,-0.5,3.3333{{[0-9]*}},1
// CHECK: maximum: 4xf32=2,0.25,2.5,0.5
// CHECK: minimum: 4xf32=-1.5,-0.5,0.75,0.5
// CHECK: remainder: 4xf32=-1.5,0.25,0.25,0
// CHECK: power: 4xf32=2.25,2,1.9881{{[0-9]*}},0.70710{{[0-9]*}}
// CHECK: atan2: 4xf32=-0.64350{{[0-9]*}},2.6779{{[0-9]*}},1.2793{{[0-9]*}},0.78539{{[0-9]*}}
// CHECK: less: 4xi1=1,0,0,0
// CHECK: equal: 4xi1=0,0,0,1
// CHECK: total: 4xi1=1,1,1,1
// CHECK: select: 4xf32=-1.5,0,0,0
// CHECK: clamp: 4xf32=-1,0.25,1,0.5
// CHECK: convert: 4xi32=-1,0,2,0
// CHECK: reduced: 4xf32=0.22265{{[0-9]*}},1.28125,12.1875,1.6484{{[0-9]*}}
// CHECK: bits: 4xi32=-1077936128,1048576000,1075838976,1056964608
// CHECK: number: 4xf32=-1.5,0.25,2.5,0.5

module @elementwise {
  func.func public @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "abs"}, tensor<4xf32> {jax.result_info = "negate"}, tensor<4xf32> {jax.result_info = "sign"}, tensor<4xf32> {jax.result_info = "exp"}, tensor<4xf32> {jax.result_info = "expm1"}, tensor<4xf32> {jax.result_info = "log"}, tensor<4xf32> {jax.result_info = "log1p"}, tensor<4xf32> {jax.result_info = "logistic"}, tensor<4xf32> {jax.result_info = "sqrt"}, tensor<4xf32> {jax.result_info = "rsqrt"}, tensor<4xf32> {jax.result_info = "cbrt"}, tensor<4xf32> {jax.result_info = "sine"}, tensor<4xf32> {jax.result_info = "cosine"}, tensor<4xf32> {jax.result_info = "tan"}, tensor<4xf32> {jax.result_info = "tanh"}, tensor<4xf32> {jax.result_info = "floor"}, tensor<4xf32> {jax.result_info = "ceil"}, tensor<4xf32> {jax.result_info = "even"}, tensor<4xf32> {jax.result_info = "away"}, tensor<4xi1> {jax.result_info = "finite"}, tensor<4xf32> {jax.result_info = "add"}, tensor<4xf32> {jax.result_info = "subtract"}, tensor<4xf32> {jax.result_info = "multiply"}, tensor<4xf32> {jax.result_info = "divide"}, tensor<4xf32> {jax.result_info = "maximum"}, tensor<4xf32> {jax.result_info = "minimum"}, tensor<4xf32> {jax.result_info = "remainder"}, tensor<4xf32> {jax.result_info = "power"}, tensor<4xf32> {jax.result_info = "atan2"}, tensor<4xi1> {jax.result_info = "less"}, tensor<4xi1> {jax.result_info = "equal"}, tensor<4xi1> {jax.result_info = "total"}, tensor<4xf32> {jax.result_info = "select"}, tensor<4xf32> {jax.result_info = "clamp"}, tensor<4xi32> {jax.result_info = "convert"}, tensor<4xf32> {jax.result_info = "reduced"}, tensor<4xi32> {jax.result_info = "bits"}, tensor<4xf32> {jax.result_info = "number"}) {
    %abs = stablehlo.abs %x : tensor<4xf32>
    %negate = stablehlo.negate %x : tensor<4xf32>
    %sign = stablehlo.sign %x : tensor<4xf32>
    %exp = stablehlo.exponential %x : tensor<4xf32>
    %expm1 = stablehlo.exponential_minus_one %x : tensor<4xf32>
    %log = stablehlo.log %abs : tensor<4xf32>
    %log1p = stablehlo.log_plus_one %abs : tensor<4xf32>
    %logistic = stablehlo.logistic %x : tensor<4xf32>
    %sqrt = stablehlo.sqrt %abs : tensor<4xf32>
    %rsqrt = stablehlo.rsqrt %abs : tensor<4xf32>
    %cbrt = stablehlo.cbrt %x : tensor<4xf32>
    %sine = stablehlo.sine %x : tensor<4xf32>
    %cosine = stablehlo.cosine %x : tensor<4xf32>
    %tan = stablehlo.tan %x : tensor<4xf32>
    %tanh = stablehlo.tanh %x : tensor<4xf32>
    %floor = stablehlo.floor %x : tensor<4xf32>
    %ceil = stablehlo.ceil %x : tensor<4xf32>
    %even = stablehlo.round_nearest_even %x : tensor<4xf32>
    %away = stablehlo.round_nearest_afz %x : tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
    %quotient = stablehlo.divide %floor, %zero : tensor<4xf32>
    %finite = stablehlo.is_finite %quotient : (tensor<4xf32>) -> tensor<4xi1>
    %add = stablehlo.add %x, %y : tensor<4xf32>
    %subtract = stablehlo.subtract %x, %y : tensor<4xf32>
    %multiply = stablehlo.multiply %x, %y : tensor<4xf32>
    %divide = stablehlo.divide %x, %y : tensor<4xf32>
    %maximum = stablehlo.maximum %x, %y : tensor<4xf32>
    %minimum = stablehlo.minimum %x, %y : tensor<4xf32>
    %remainder = stablehlo.remainder %x, %y : tensor<4xf32>
    %power = stablehlo.power %abs, %y : tensor<4xf32>
    %atan2 = stablehlo.atan2 %x, %y : tensor<4xf32>
    %less = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %equal = stablehlo.compare EQ, %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %nan = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000, 2.0]> : tensor<4xf32>
    %total = stablehlo.compare GE, %nan, %x, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %select = stablehlo.select %less, %x, %zero : tensor<4xi1>, tensor<4xf32>
    %low = stablehlo.constant dense<-1.0> : tensor<f32>
    %high = stablehlo.constant dense<1.0> : tensor<f32>
    %clamp = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %convert = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
    %reduced = stablehlo.reduce_precision %exp, format = e8m7 : tensor<4xf32>
    %bits = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
    %number = stablehlo.bitcast_convert %bits : (tensor<4xi32>) -> tensor<4xf32>
    return %abs, %negate, %sign, %exp, %expm1, %log, %log1p, %logistic, %sqrt, %rsqrt, %cbrt, %sine, %cosine, %tan, %tanh, %floor, %ceil, %even, %away, %finite, %add, %subtract, %multiply, %divide, %maximum, %minimum, %remainder, %power, %atan2, %less, %equal, %total, %select, %clamp, %convert, %reduced, %bits, %number : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
  }
}
