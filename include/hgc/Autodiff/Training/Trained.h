//===- Trained.h - what training changes ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_AUTODIFF_TRAINING_TRAINED_H
#define HGC_AUTODIFF_TRAINING_TRAINED_H

#include "llvm/ADT/StringRef.h"

namespace hgc {

/// Unit attribute of parameters that training changes: their values never travel
/// between devices.
inline constexpr llvm::StringLiteral kTrainedAttr = "hgc.trained";

} // namespace hgc

#endif // HGC_AUTODIFF_TRAINING_TRAINED_H
