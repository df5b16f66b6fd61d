// RUN: hgc-opt --hgc-load-parameters --split-input-file %s | FileCheck %s

// A distribution becomes its values; small ones are literals.
// CHECK: hgc.parameter @ones : tensor<2xf32> = dense<1.000000e+00>
hgc.parameter @ones : tensor<2xf32> = #hgc.init<ones>

// -----

// Large ones become resources, never text.
// CHECK: hgc.parameter @large : tensor<1024xf32> = dense_resource<large>
hgc.parameter @large : tensor<1024xf32> = #hgc.init<uniform, seed = 3>

// -----

// Data stays as it is.
// CHECK: hgc.parameter @data : tensor<2xi8> = dense<[1, 2]>
hgc.parameter @data : tensor<2xi8> = dense<[1, 2]>
