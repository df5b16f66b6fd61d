//===- Copies.cpp - which copies an op causes and saves -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Report/Compare.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace hgc::plans;

/// Adds `bytes` as often as said; numbers of a file may be any, sums stop at the
/// largest.
static void add(int64_t &total, int64_t bytes, int64_t times) {
  int64_t product = 0;
  if (__builtin_mul_overflow(bytes, times, &product) || __builtin_add_overflow(total, product, &total))
    total = INT64_MAX;
}

TransferTotals hgc::plans::countTransfers(const EntryPlan &entry) {
  TransferTotals totals;
  for (const TransferPlan &transfer : entry.transfers) {
    add(transfer.isAtLoad ? totals.loads : totals.calls, 1, transfer.times);
    add(transfer.isAtLoad ? totals.loadBytes : totals.callBytes, transfer.bytes, transfer.times);
  }
  return totals;
}

std::vector<OpCopies> hgc::plans::countCopies(const EntryPlan &entry) {
  llvm::StringMap<llvm::StringRef> devices;
  for (const OpPlan &op : entry.ops)
    devices[op.name] = op.device;
  // What the caller has, or wants to have, on a GPU.
  llvm::StringMap<llvm::StringRef> wanted;
  for (const ResidentPlan &resident : entry.residents)
    (resident.isOutput ? wanted : devices)[resident.value] = resident.device;
  // Devices that read each value; the caller reads other outputs on the host.
  llvm::StringMap<llvm::StringSet<>> readers;
  for (const OpPlan &op : entry.ops)
    for (const std::string &input : op.inputs)
      readers[input].insert(op.device);
  for (const std::string &output : entry.outputs)
    readers[output].insert(wanted.contains(output) ? wanted[output] : "cpu");

  std::vector<OpCopies> result;
  for (const OpPlan &op : entry.ops) {
    OpCopies copies;
    for (const std::string &input : op.inputs) {
      // What never changes lies where it is read.
      if (llvm::StringRef(input).starts_with("@"))
        continue;
      auto device = devices.find(input);
      bool isHere = (device == devices.end() ? "cpu" : device->second) == op.device;
      ++(isHere ? copies.saved : copies.caused);
    }
    for (const auto &reader : readers[op.name])
      ++(reader.getKey() == op.device ? copies.saved : copies.caused);
    result.push_back(copies);
  }
  return result;
}
