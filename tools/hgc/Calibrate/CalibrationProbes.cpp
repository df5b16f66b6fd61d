//===- CalibrationProbes.cpp - kernels that stand for their families ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Calibration.h"

using namespace hgc;
using namespace hgc::driver;

/// Several of one family stand for its large, small and odd shapes.
static const FamilyProbe kFamilies[] = {
    {KernelFamily::Gemm, "12 products of 32x192x192", "%x: tensor<32x192xf32>",
     "    %r = hgc.matmul %x, %w : (tensor<32x192xf32>, tensor<192x192xf32>) -> tensor<32x192xf32>",
     "tensor<32x192xf32>", "tensor<192x192xf32>", 12},
    {KernelFamily::Gemm, "4 products of 1x256x256", "%x: tensor<1x256xf32>",
     "    %r = hgc.matmul %x, %w : (tensor<1x256xf32>, tensor<256x256xf32>) -> tensor<1x256xf32>", "tensor<1x256xf32>",
     "tensor<256x256xf32>", 4},
    {KernelFamily::Gemm, "product of 16x512x128", "%x: tensor<16x512xf32>",
     "    %r = hgc.matmul %x, %w : (tensor<16x512xf32>, tensor<512x128xf32>) -> tensor<16x128xf32>",
     "tensor<16x128xf32>", "tensor<512x128xf32>"},
    {KernelFamily::Moving, "transpose", "%x: tensor<256x192xf32>",
     "    %r = hgc.transpose %x permutation = [1, 0] : (tensor<256x192xf32>) -> tensor<192x256xf32>",
     "tensor<192x256xf32>"},
    {KernelFamily::Copy, "pad", "%x: tensor<20000xf32>",
     "    %c = hgc.constant dense<0.0> : tensor<f32>\n"
     "    %r = hgc.pad constant %x, %c low = [127] high = [127] : (tensor<20000xf32>, tensor<f32>) -> "
     "tensor<20254xf32>",
     "tensor<20254xf32>"},
    {KernelFamily::Copy, "concatenation", "%x: tensor<160x72xf32>, %y: tensor<160x145xf32>",
     "    %r = hgc.concat %x, %y axis 1 : (tensor<160x72xf32>, tensor<160x145xf32>) -> tensor<160x217xf32>",
     "tensor<160x217xf32>"},
    {KernelFamily::Conv, "convolution", "%x: tensor<1x28x28x64xf32>",
     "    %r = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x28x28x64xf32>, "
     "tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32>",
     "tensor<1x28x28x64xf32>", "tensor<3x3x64x64xf32>"},
    {KernelFamily::Conv, "convolution of 16x16 pixels", "%x: tensor<1x16x16x32xf32>",
     "    %r = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x16x16x32xf32>, "
     "tensor<3x3x32x32xf32>) -> tensor<1x16x16x32xf32>",
     "tensor<1x16x16x32xf32>", "tensor<3x3x32x32xf32>"},
    {KernelFamily::Conv, "6 convolutions of 7x7 pixels", "%x: tensor<1x7x7x128xf32>",
     "    %r = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : (tensor<1x7x7x128xf32>, "
     "tensor<3x3x128x128xf32>) -> tensor<1x7x7x128xf32>",
     "tensor<1x7x7x128xf32>", "tensor<3x3x128x128xf32>", 6},
    {KernelFamily::Depthwise, "depthwise convolution", "%x: tensor<1x28x28x64xf32>",
     "    %r = hgc.conv %x, %w pads = [1, 1, 1, 1] groups = 64 channels_last hwio : (tensor<1x28x28x64xf32>, "
     "tensor<3x3x1x64xf32>) -> tensor<1x28x28x64xf32>",
     "tensor<1x28x28x64xf32>", "tensor<3x3x1x64xf32>"},
    {KernelFamily::Reduction, "reduction", "%x: tensor<128x512xf32>",
     "    %r = hgc.reduce sum %x axes = [1] : (tensor<128x512xf32>) -> tensor<128xf32>", "tensor<128xf32>"},
    {KernelFamily::Columns, "sums of columns", "%x: tensor<192x192xf32>",
     "    %r = hgc.reduce sum %x axes = [0] : (tensor<192x192xf32>) -> tensor<192xf32>", "tensor<192xf32>"},
    {KernelFamily::Columns, "sums of few columns", "%x: tensor<400x24xf32>",
     "    %r = hgc.reduce sum %x axes = [0] : (tensor<400x24xf32>) -> tensor<24xf32>", "tensor<24xf32>"},
    {KernelFamily::Rows, "softmax", "%x: tensor<64x256xf32>", "    %r = hgc.softmax %x axis 1 : tensor<64x256xf32>",
     "tensor<64x256xf32>"},
    {KernelFamily::Rows, "softmax of short rows", "%x: tensor<512x16xf32>",
     "    %r = hgc.softmax %x axis 1 : tensor<512x16xf32>", "tensor<512x16xf32>"},
    {KernelFamily::Pool, "pool of 2x2", "%x: tensor<1x24x24x16xf32>",
     "    %r = hgc.pool max %x window = [2, 2] strides = [2, 2] channels_last : (tensor<1x24x24x16xf32>) -> "
     "tensor<1x12x12x16xf32>",
     "tensor<1x12x12x16xf32>"},
    {KernelFamily::Pool, "pool", "%x: tensor<1x28x28x64xf32>",
     "    %r = hgc.pool max %x window = [3, 3] strides = [2, 2] channels_last : (tensor<1x28x28x64xf32>) -> "
     "tensor<1x13x13x64xf32>",
     "tensor<1x13x13x64xf32>"},
    {KernelFamily::Ordering, "sort", "%x: tensor<16x256xf32>",
     "    %r = hgc.arg_sort %x axis 1 : (tensor<16x256xf32>) -> tensor<16x256xi64>", "tensor<16x256xi64>"},
    {KernelFamily::Scatter, "scatter", "%x: tensor<64x256xf32>, %i: tensor<64x64xi64>, %u: tensor<64x64xf32>",
     "    %r = hgc.scatter add %x, %i, %u axis 1 : (tensor<64x256xf32>, tensor<64x64xi64>, tensor<64x64xf32>) -> "
     "tensor<64x256xf32>",
     "tensor<64x256xf32>"},
};

llvm::ArrayRef<FamilyProbe> hgc::driver::getFamilyProbes() { return kFamilies; }
