//===- DeviceTable.cpp - what the emulated GPUs are like ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host links are what copies reach in practice, not the theoretical rate.
//
//===----------------------------------------------------------------------===//

#include "DeviceTable.h"

#include <algorithm>
#include <cctype>

using namespace hgc::emu::driver;

namespace {

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
constexpr double GB = 1e9, TF = 1e12;

// key, title, sm, SMs, MHz, memory, bandwidth, L2, threads/SM, blocks/SM,
// shared/SM, shared/block, f16 matrix rate, host link, peer link, integrated
const DeviceTable tables[] = {
    {"a100", "A100", 80, 108, 1410, 40 * GiB, 1555 * GB, 40 * MiB, 2048, 32,
     164 * KiB, 163 * KiB, 312 * TF, 25 * GB, 250 * GB, false},
    {"a100-80", "A100 80GB", 80, 108, 1410, 80 * GiB, 2039 * GB, 40 * MiB, 2048,
     32, 164 * KiB, 163 * KiB, 312 * TF, 25 * GB, 250 * GB, false},
    {"a10", "A10", 86, 72, 1695, 24 * GiB, 600 * GB, 6 * MiB, 1536, 16,
     100 * KiB, 99 * KiB, 125 * TF, 25 * GB, 20 * GB, false},
    {"h100", "H100", 90, 132, 1980, 80 * GiB, 3352 * GB, 50 * MiB, 2048, 32,
     228 * KiB, 227 * KiB, 989 * TF, 50 * GB, 370 * GB, false},
    {"h100-pcie", "H100 PCIe", 90, 114, 1755, 80 * GiB, 2039 * GB, 50 * MiB,
     2048, 32, 228 * KiB, 227 * KiB, 756 * TF, 50 * GB, 40 * GB, false},
    {"b200", "B200", 100, 148, 1965, 180 * GiB, 7672 * GB, 126 * MiB, 2048, 32,
     228 * KiB, 227 * KiB, 2250 * TF, 50 * GB, 740 * GB, false},
    {"l4", "L4", 89, 58, 2040, 24 * GiB, 300 * GB, 48 * MiB, 1536, 24,
     100 * KiB, 99 * KiB, 121 * TF, 25 * GB, 20 * GB, false},
    {"t4", "T4", 75, 40, 1590, 16 * GiB, 320 * GB, 4 * MiB, 1024, 16, 64 * KiB,
     64 * KiB, 65 * TF, 12 * GB, 10 * GB, false},
    {"rtx4090", "RTX 4090", 89, 128, 2520, 24 * GiB, 1008 * GB, 72 * MiB, 1536,
     24, 100 * KiB, 99 * KiB, 165 * TF, 25 * GB, 20 * GB, false},
    {"orin", "AGX Orin", 87, 16, 1300, 64 * GiB, 204 * GB, 4 * MiB, 1536, 16,
     164 * KiB, 163 * KiB, 43 * TF, 100 * GB, 100 * GB, true},
};

} // namespace

const DeviceTable *hgc::emu::driver::findDeviceTable(const std::string &key) {
  std::string wanted = key;
  std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const DeviceTable &table : tables)
    if (wanted == table.key)
      return &table;
  return nullptr;
}

std::string hgc::emu::driver::deviceTableKeys() {
  std::string text;
  for (const DeviceTable &table : tables)
    text += (text.empty() ? "" : ", ") + std::string(table.key);
  return text;
}

unsigned hgc::emu::driver::blocksPerMultiprocessor(const DeviceTable &table,
                                                   unsigned threads,
                                                   unsigned registers,
                                                   uint64_t sharedBytes) {
  unsigned warps = (threads + 31) / 32;
  if (warps == 0)
    return 0;
  // Registers are given to warps in units of 256, shared memory to blocks in
  // units of 128 bytes with 1 KiB kept by the system from sm_80 on.
  unsigned perWarp = (std::max(registers, 1u) * 32 + 255) / 256 * 256;
  uint64_t shared =
      (sharedBytes + 127) / 128 * 128 + (table.sm >= 80 ? 1024 : 0);
  unsigned blocks = std::min(table.blocksPerMultiprocessor,
                             table.threadsPerMultiprocessor / (warps * 32));
  blocks = std::min(blocks, Limits::registersPerBlock / (perWarp * warps));
  if (shared)
    blocks = std::min<uint64_t>(blocks, table.sharedPerMultiprocessor / shared);
  return blocks;
}
