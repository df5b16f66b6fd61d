//===- Refused.cpp - ops that are known and not imported ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../OpTable.h"

using namespace hgc::stablehlo;

void hgc::stablehlo::addRefusedOps(OpTable &table) {
  for (llvm::StringRef op : {"complex", "real", "imag", "fft"})
    table.refuse(("stablehlo." + op).str(), "hgc has no complex numbers");
  for (llvm::StringRef op : {"cholesky", "triangular_solve"})
    table.refuse(("stablehlo." + op).str(), "hgc has no ops of linear algebra beside products");
  for (llvm::StringRef op : {"lgamma", "digamma", "polygamma", "zeta", "bessel_i1e"})
    table.refuse(("chlo." + op).str(), "hgc does not have this function");
  for (llvm::StringRef op : {"rng", "rng_bit_generator"})
    table.refuse(("stablehlo." + op).str(), "the generator is not known; jax.random's threefry is");
  for (llvm::StringRef op : {"dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather", "dynamic_iota",
                             "dynamic_pad", "dynamic_reshape", "real_dynamic_slice", "set_dimension_size"})
    table.refuse(("stablehlo." + op).str(), "shapes must be known; lower the program for fixed ones");
  for (llvm::StringRef op : {"all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute",
                             "partition_id", "recv", "reduce_scatter", "replica_id", "send"})
    table.refuse(("stablehlo." + op).str(), "hgc runs on one machine; lower the program for one device");
  for (llvm::StringRef op : {"infeed", "outfeed", "create_token", "after_all", "tuple", "get_tuple_element"})
    table.refuse(("stablehlo." + op).str(), "hgc has tensors only");
  for (llvm::StringRef op : {"uniform_quantize", "uniform_dequantize"})
    table.refuse(("stablehlo." + op).str(), "hgc has no quantised types");
}
