//===- RandomValues.h - random tensors of a seed ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_TRAINING_RANDOMVALUES_H
#define HGC_LIB_AUTODIFF_TRAINING_RANDOMVALUES_H

#include "lib/Autodiff/GradBuilder.h"

#include "hgc/Support/Parameters.h"

namespace hgc::training {

/// A constant ui64 of rank 0.
mlir::Value makeWord(const GradBuilder &b, uint64_t value);

/// Streams of random numbers of different consumers do not meet: consumer `number`
/// has 2^40 of them.
uint64_t getStream(uint64_t number);

/// 64 random bits for each element; `stream` and `key` are ui64 of rank 0.
mlir::Value makeBits(const GradBuilder &b, Ints shape, mlir::Value stream, mlir::Value key);

/// Draws a `#hgc.init` value with the distributions of `makeInitialValue`. `key`
/// replaces the seed; `number` tells parameters apart.
mlir::Value makeInitial(const GradBuilder &b, graph::InitKind kind, double scale, Fans fans,
                        mlir::RankedTensorType type, uint64_t number, mlir::Value key);

} // namespace hgc::training

#endif // HGC_LIB_AUTODIFF_TRAINING_RANDOMVALUES_H
