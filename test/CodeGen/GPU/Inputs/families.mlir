// One kernel of each family beside contractions; see scripts/check_kernels.py.
// @GPU@ stands for the GPU.
module attributes {hgc.target_gpu = "@GPU@"} {

// Elements one by one.
exec.kernel @pointwise inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %y: memref<1024xf32>, %out: memref<1024x1024xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %y_0 = exec.load %y : memref<1024xf32> -> tensor<1024xf32>
  %0 = hgc.add %x_0, %y_0 : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
  %r = hgc.gelu_tanh %0 : tensor<1024x1024xf32>
  exec.store %r, %out : tensor<1024x1024xf32>, memref<1024x1024xf32>
}

// Rows become columns.
exec.kernel @transpose inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %out: memref<1024x1024xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %r = hgc.transpose %x_0 permutation = [1, 0] : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  exec.store %r, %out : tensor<1024x1024xf32>, memref<1024x1024xf32>
}

// Sums along memory.
exec.kernel @reduce_rows inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %out: memref<1024xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %r = hgc.reduce sum %x_0 axes = [1] : (tensor<1024x1024xf32>) -> tensor<1024xf32>
  exec.store %r, %out : tensor<1024xf32>, memref<1024xf32>
}

// Sums across memory.
exec.kernel @reduce_columns inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %out: memref<1024xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %r = hgc.reduce sum %x_0 axes = [0] : (tensor<1024x1024xf32>) -> tensor<1024xf32>
  exec.store %r, %out : tensor<1024xf32>, memref<1024xf32>
}

// One number of all.
exec.kernel @reduce_all inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %out: memref<f32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %r = hgc.reduce max %x_0 axes = [0, 1] : (tensor<1024x1024xf32>) -> tensor<f32>
  exec.store %r, %out : tensor<f32>, memref<f32>
}

// Rows that sum to one.
exec.kernel @softmax inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %out: memref<1024x1024xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %r = hgc.softmax %x_0 axis 1 : tensor<1024x1024xf32>
  exec.store %r, %out : tensor<1024x1024xf32>, memref<1024x1024xf32>
}

// Rows of mean zero.
exec.kernel @layer_norm inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %s: memref<1024xf32>, %b: memref<1024xf32>, %out: memref<1024x1024xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %s_0 = exec.load %s : memref<1024xf32> -> tensor<1024xf32>
  %b_0 = exec.load %b : memref<1024xf32> -> tensor<1024xf32>
  %r = hgc.layer_norm %x_0, %s_0, %b_0 axis 1 epsilon 1.0e-05
      : (tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
  exec.store %r, %out : tensor<1024x1024xf32>, memref<1024x1024xf32>
}

// Chosen rows.
exec.kernel @gather inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<5000x256xf32>, %i: memref<512xi64>, %out: memref<512x256xf32>):
  %x_0 = exec.load %x : memref<5000x256xf32> -> tensor<5000x256xf32>
  %i_0 = exec.load %i : memref<512xi64> -> tensor<512xi64>
  %r = hgc.gather %x_0, %i_0 axis 0 : (tensor<5000x256xf32>, tensor<512xi64>) -> tensor<512x256xf32>
  exec.store %r, %out : tensor<512x256xf32>, memref<512x256xf32>
}

// Two side by side.
exec.kernel @concat inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %y: memref<1024x512xf32>, %out: memref<1024x1536xf32>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %y_0 = exec.load %y : memref<1024x512xf32> -> tensor<1024x512xf32>
  %r = hgc.concat %x_0, %y_0 axis 1 : (tensor<1024x1024xf32>, tensor<1024x512xf32>) -> tensor<1024x1536xf32>
  exec.store %r, %out : tensor<1024x1536xf32>, memref<1024x1536xf32>
}

// A border.
exec.kernel @pad inputs 2 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x400xf32>, %f: memref<f32>, %out: memref<1026x408xf32>):
  %x_0 = exec.load %x : memref<1024x400xf32> -> tensor<1024x400xf32>
  %f_0 = exec.load %f : memref<f32> -> tensor<f32>
  %r = hgc.pad constant %x_0, %f_0 low = [1, 4] high = [1, 4] : (tensor<1024x400xf32>, tensor<f32>) -> tensor<1026x408xf32>
  exec.store %r, %out : tensor<1026x408xf32>, memref<1026x408xf32>
}

// Windows without filters.
exec.kernel @pool inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<8x32x32x64xf32>, %out: memref<8x16x16x64xf32>):
  %x_0 = exec.load %x : memref<8x32x32x64xf32> -> tensor<8x32x32x64xf32>
  %r = hgc.pool max %x_0 window = [3, 3] strides = [2, 2] pads = [1, 1, 0, 0] channels_last
      : (tensor<8x32x32x64xf32>) -> tensor<8x16x16x64xf32>
  exec.store %r, %out : tensor<8x16x16x64xf32>, memref<8x16x16x64xf32>
}

// Where the largest is.
exec.kernel @arg_max inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1024x1024xf32>, %out: memref<1024xi64>):
  %x_0 = exec.load %x : memref<1024x1024xf32> -> tensor<1024x1024xf32>
  %r = hgc.arg_reduce max %x_0 axis 1 : (tensor<1024x1024xf32>) -> tensor<1024xi64>
  exec.store %r, %out : tensor<1024xi64>, memref<1024xi64>
}

// The order of rows.
exec.kernel @sort inputs 1 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<256x512xf32>, %out: memref<256x512xi64>):
  %x_0 = exec.load %x : memref<256x512xf32> -> tensor<256x512xf32>
  %r = hgc.arg_sort %x_0 axis 1 : (tensor<256x512xf32>) -> tensor<256x512xi64>
  exec.store %r, %out : tensor<256x512xi64>, memref<256x512xi64>
}

// Rows added to chosen ones.
exec.kernel @scatter inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%x: memref<1000x256xf32>, %i: memref<64xi64>, %u: memref<64x256xf32>, %out: memref<1000x256xf32>):
  %x_0 = exec.load %x : memref<1000x256xf32> -> tensor<1000x256xf32>
  %i_0 = exec.load %i : memref<64xi64> -> tensor<64xi64>
  %u_0 = exec.load %u : memref<64x256xf32> -> tensor<64x256xf32>
  %r = hgc.scatter add %x_0, %i_0, %u_0 axis 0 slices
      : (tensor<1000x256xf32>, tensor<64xi64>, tensor<64x256xf32>) -> tensor<1000x256xf32>
  exec.store %r, %out : tensor<1000x256xf32>, memref<1000x256xf32>
}

// Softmax between two products.
exec.kernel @attention inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%q: memref<8x128x64xf32>, %k: memref<8x128x64xf32>, %v: memref<8x128x64xf32>, %out: memref<8x128x64xf32>):
  %q_0 = exec.load %q : memref<8x128x64xf32> -> tensor<8x128x64xf32>
  %k_0 = exec.load %k : memref<8x128x64xf32> -> tensor<8x128x64xf32>
  %v_0 = exec.load %v : memref<8x128x64xf32> -> tensor<8x128x64xf32>
  %r = hgc.attention %q_0, %k_0, %v_0
      : (tensor<8x128x64xf32>, tensor<8x128x64xf32>, tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  exec.store %r, %out : tensor<8x128x64xf32>, memref<8x128x64xf32>
}

// The same in half precision: both products on tensor cores.
exec.kernel @attention_f16 inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%q: memref<4x128x64xf16>, %k: memref<4x128x64xf16>, %v: memref<4x128x64xf16>, %y: memref<4x128x64xf16>):
  %0 = exec.load %q : memref<4x128x64xf16> -> tensor<4x128x64xf16>
  %1 = exec.load %k : memref<4x128x64xf16> -> tensor<4x128x64xf16>
  %2 = exec.load %v : memref<4x128x64xf16> -> tensor<4x128x64xf16>
  %3 = hgc.attention %0, %1, %2 : (tensor<4x128x64xf16>, tensor<4x128x64xf16>, tensor<4x128x64xf16>) -> tensor<4x128x64xf16>
  exec.store %3, %y : tensor<4x128x64xf16>, memref<4x128x64xf16>
}

// Bytes of shared memory are the limit.
exec.kernel @attention_bf16_wide inputs 3 attributes {device = #hgc.device<gpu:0>} {
^bb0(%q: memref<2x128x128xbf16>, %k: memref<2x128x128xbf16>, %v: memref<2x128x128xbf16>, %y: memref<2x128x128xbf16>):
  %0 = exec.load %q : memref<2x128x128xbf16> -> tensor<2x128x128xbf16>
  %1 = exec.load %k : memref<2x128x128xbf16> -> tensor<2x128x128xbf16>
  %2 = exec.load %v : memref<2x128x128xbf16> -> tensor<2x128x128xbf16>
  %3 = hgc.attention %0, %1, %2 causal : (tensor<2x128x128xbf16>, tensor<2x128x128xbf16>, tensor<2x128x128xbf16>) -> tensor<2x128x128xbf16>
  exec.store %3, %y : tensor<2x128x128xbf16>, memref<2x128x128xbf16>
}
}
