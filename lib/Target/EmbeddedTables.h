//===- EmbeddedTables.h - the tables' JSON text -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TARGET_EMBEDDEDTABLES_H
#define HGC_LIB_TARGET_EMBEDDEDTABLES_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>

namespace hgc::detail {

/// JSON text of every table under lib/Target/tables; the default CPU's first.
extern const llvm::StringRef embeddedTables[];
extern const size_t embeddedTableCount;

/// Whether a table is of kind "gpu". Tables are written one key a line.
inline bool isGpuTable(llvm::StringRef json) { return json.contains("\"kind\": \"gpu\""); }

} // namespace hgc::detail

#endif // HGC_LIB_TARGET_EMBEDDEDTABLES_H
