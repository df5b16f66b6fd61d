//===- Hashes.cpp - what a plan belongs to --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphOps.h"
#include "hgc/Report/Collect.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::plans;

namespace {

/// Hashes what is printed to it.
class HashStream final : public llvm::raw_ostream {
public:
  HashStream() : raw_ostream(/*unbuffered=*/false) {}
  ~HashStream() override { flush(); }

  std::string finish() {
    flush();
    auto digest = hash.final();
    return llvm::toHex(ArrayRef<uint8_t>(digest.data(), 16), /*LowerCase=*/true);
  }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update(StringRef(data, size));
    written += size;
  }
  uint64_t current_pos() const override { return written; }

  llvm::SHA256 hash;
  uint64_t written = 0;
};

/// Longest tensor whose values are part of the graph: axes, shapes, scalars.
constexpr int64_t kShort = 16;

} // namespace

std::string hgc::plans::computeModelHash(ModuleOp module) {
  HashStream os;
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(kShort).elideLargeResourceString(kShort).useLocalScope();
  for (Operation &op : *module.getBody()) {
    if (auto parameter = dyn_cast<graph::ParameterOp>(op))
      os << "parameter " << parameter.getSymName() << " " << parameter.getTensorType();
    else
      op.print(os, flags);
    os << "\n";
  }
  return os.finish();
}

static void print(llvm::raw_ostream &os, const GpuTable &table) {
  os << "gpu " << table.sm << " " << table.sms << " " << table.clockHz << " " << table.tensorTf32 << " "
     << table.tensorF16 << " " << table.memoryBandwidth << " " << table.memoryBytes << " " << table.l2Bytes << " "
     << table.linkBandwidth << " " << table.linkLatencyPs << " " << table.launchPs << " " << table.unifiedMemory << " "
     << table.useTf32;
  for (const GemmFigures *figures : {&table.gemmF16, &table.gemmTf32, &table.gemmSimt})
    os << " " << figures->latencyPs << " " << figures->efficiency << " " << figures->tileOverhead;
  for (double rate : table.flops)
    os << " " << rate;
  os << "\n";
}

std::string hgc::plans::computeTableHash(ModuleOp module) {
  HashStream os;
  os << printDeviceTable(getCpuTable(module));
  if (module->hasAttr(kTargetGpuAttr))
    print(os, getGpuTable(module));
  return os.finish();
}
