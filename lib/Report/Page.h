//===- Page.h - parts of the HTML report ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_REPORT_PAGE_H
#define HGC_LIB_REPORT_PAGE_H

#include "llvm/ADT/StringRef.h"

namespace hgc::plans {

/// The files under lib/Report/page. The first has places `@TITLE@`, `@STYLE@`,
/// `@DATA@` and `@SCRIPT@` for a title, the others and the plan.
extern const llvm::StringLiteral kPageHtml, kPageStyle, kPageScript;

} // namespace hgc::plans

#endif // HGC_LIB_REPORT_PAGE_H
