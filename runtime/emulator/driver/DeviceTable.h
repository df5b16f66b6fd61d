//===- DeviceTable.h - what the emulated GPUs are like --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits decide what a launch may ask for, rates feed the virtual clock. The
// figures are data sheet values; the clock they give is no measurement.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_DEVICE_TABLE_H
#define HGC_EMU_DEVICE_TABLE_H

#include <cstdint>
#include <string>

namespace hgc::emu::driver {

/// One kind of GPU.
struct DeviceTable {
  const char *key;   ///< As HGC_EMU_DEVICE has it.
  const char *title; ///< The device is called "hgc emulated <title>".
  unsigned sm;       ///< 80 is compute capability 8.0.
  unsigned multiprocessors;
  unsigned clockMHz;
  uint64_t memoryBytes;
  double memoryBandwidth; ///< Bytes per second.
  uint64_t l2Bytes;
  unsigned threadsPerMultiprocessor;
  unsigned blocksPerMultiprocessor;
  unsigned sharedPerMultiprocessor; ///< Bytes.
  unsigned sharedOptin;             ///< Most a block may ask for.
  double matrixFlops;               ///< f16 tensor cores, per second.
  double hostLink;                  ///< Bytes per second, each direction.
  double peerLink;
  bool integrated;
};

/// The table of that name (letter case does not matter), or null.
const DeviceTable *findDeviceTable(const std::string &key);
/// "a100, h100, ...", for messages.
std::string deviceTableKeys();

/// Limits that all GPUs from sm_75 on share.
struct Limits {
  static constexpr unsigned threadsPerBlock = 1024;
  static constexpr unsigned block[3] = {1024, 1024, 64};
  static constexpr unsigned grid[3] = {0x7fffffff, 65535, 65535};
  static constexpr unsigned registersPerBlock = 65536;
  static constexpr unsigned registersPerThread = 255;
  static constexpr unsigned sharedDefault = 48 * 1024;
  static constexpr unsigned paramBytes = 4096;
};

/// Blocks of a kernel that fit on one multiprocessor at once.
unsigned blocksPerMultiprocessor(const DeviceTable &table, unsigned threads,
                                 unsigned registers, uint64_t sharedBytes);

} // namespace hgc::emu::driver

#endif // HGC_EMU_DEVICE_TABLE_H
