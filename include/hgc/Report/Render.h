//===- Render.h - plans for people ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_RENDER_H
#define HGC_REPORT_RENDER_H

#include "hgc/Report/Plan.h"

#include "llvm/Support/raw_ostream.h"

namespace hgc::plans {

struct TextOptions {
  /// Colours of a terminal.
  bool hasColors = false;
  /// Every op, not just those that matter most.
  bool showsAll = false;
  /// The only entry to show; empty: all.
  std::string entry;
};

/// Columns that the text keeps to.
inline constexpr size_t kTextColumns = 100;

/// Tables of all variants: ops with their devices and prices, totals against the
/// alternatives, copies, memory, and the reasons that weigh most.
void printText(const Plan &plan, const TextOptions &options, llvm::raw_ostream &os);

/// One page that needs nothing else: graph, tables, memory, timeline. `title` is
/// the model's name.
std::string renderHtml(const Plan &plan, llvm::StringRef title);

/// `all on cpu` for the key `all_cpu`, or `rest on cpu` where ops are pinned, and
/// so on, in the order to show them.
std::vector<std::pair<std::string, int64_t>> listAlternatives(const EntryPlan &entry);

} // namespace hgc::plans

#endif // HGC_REPORT_RENDER_H
