//===- Compare.h - plans against each other and against limits --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_COMPARE_H
#define HGC_REPORT_COMPARE_H

#include "hgc/Report/Plan.h"

#include "llvm/Support/raw_ostream.h"

namespace hgc::plans {

/// Prints what moved from `a` to `b`, and what costs, transfers and memory did.
/// Returns whether anything differs; prints nothing when nothing does.
bool printDiff(const Plan &a, const Plan &b, llvm::raw_ostream &os);

/// What a plan must not exceed. Transfers are those of a call.
struct Gates {
  std::optional<int64_t> maxTransfers, maxTransferBytes, maxSerialPs, maxMakespanPs;
  /// Bytes an instance needs there, by device; `gpu` means each GPU.
  std::map<std::string, int64_t> maxPeak;
  /// Rules as of `--place`: ops they match must be where they say.
  std::vector<std::string> requireDevice;

  bool isEmpty() const;
};

/// Sentences about all that `plan` breaks, in the plan for GPUs where there is
/// one. A rule that matches no op is broken, a rule that cannot be read an error.
llvm::Expected<std::vector<std::string>> findViolations(const Plan &plan, const Gates &gates);

/// Copies of one call, and their bytes.
struct TransferTotals {
  int64_t calls = 0, callBytes = 0, loads = 0, loadBytes = 0;
};
TransferTotals countTransfers(const EntryPlan &entry);

/// Copies that each op causes where it is, and saves by not being elsewhere, in
/// the order of the entry's ops.
struct OpCopies {
  int64_t caused = 0, saved = 0;
};
std::vector<OpCopies> countCopies(const EntryPlan &entry);

} // namespace hgc::plans

#endif // HGC_REPORT_COMPARE_H
