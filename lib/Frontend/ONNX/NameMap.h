//===- NameMap.h - a map from names that keeps its order --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_NAMEMAP_H
#define HGC_FRONTEND_ONNX_NAMEMAP_H

#include "llvm/ADT/MapVector.h"
#include <map>
#include <string>

namespace hgc::onnx {

template <typename T> using NameMap = llvm::MapVector<std::string, T, std::map<std::string, unsigned>>;

/// Extents of the named dims in one variant.
using DimBinding = NameMap<int64_t>;

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_NAMEMAP_H
