//===- Memory.h - address space of an emulated GPU ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device addresses lie outside the host's canonical range, so that a host
// access faults as it does on hardware. Every allocation is surrounded by red
// zones, stays unusable after it was freed, and knows of each byte whether it
// was ever written.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_MEMORY_H
#define HGC_EMU_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace hgc::emu {

/// One allocation, live or freed.
struct Allocation {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  bool freed = false;
  bool readOnly = false; ///< `.const` variables: kernels may not write.
  uint64_t end() const { return begin + bytes; }
};

/// Memory of one device. Not thread safe, except that any number of threads
/// may access the bytes of allocations while none is made or freed.
class Memory {
public:
  /// Address of the first byte of device 0; each device has 1 TiB of its own.
  static constexpr uint64_t firstAddress = 0xff0000000000ull;
  static constexpr uint64_t bytesPerDevice = 1ull << 40;

  /// `device` separates the address spaces, `capacity` bounds the bytes of all
  /// live allocations.
  Memory(unsigned device, uint64_t capacity);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Poisoned memory aligned to `alignment` (a power of two, at least 256 is
  /// used), or 0 when the capacity is exhausted.
  uint64_t allocate(uint64_t bytes, uint64_t alignment = 256,
                    bool readOnly = false);
  /// False unless `address` is the begin of a live allocation.
  bool free(uint64_t address);

  uint64_t capacity() const { return limit; }
  uint64_t used() const { return live; }
  /// Sum of the sizes of live allocations at its highest.
  uint64_t peak() const { return highest; }
  size_t liveAllocations() const { return liveCount; }

  /// True for every address of this device, allocated or not.
  bool owns(uint64_t address) const { return address - base < bytesPerDevice; }
  /// The live allocation that holds `address`, or null.
  const Allocation *find(uint64_t address) const;
  /// Whether [address, address + bytes) lies in one live allocation; otherwise
  /// `error` (may be null) says where the range lies instead.
  bool check(uint64_t address, uint64_t bytes, std::string *error) const;
  /// Where a bad range lies: "16 bytes past the end of the 4096 bytes at 0x..",
  /// "inside 4096 bytes at 0x.. that were freed", ...
  std::string describe(uint64_t address, uint64_t bytes) const;

  /// Bulk operations of the driver. They return false, with `error` set and
  /// nothing changed, when a range is not inside one live allocation.
  bool write(uint64_t address, const void *source, uint64_t bytes,
             std::string *error);
  bool read(void *target, uint64_t address, uint64_t bytes,
            std::string *error) const;
  /// Within or between devices; bytes never written stay so in the copy.
  bool copy(uint64_t target, const Memory &from, uint64_t source,
            uint64_t bytes, std::string *error);
  /// `count` repetitions of the `width` (1, 2, 4) bytes of `value`.
  bool fill(uint64_t address, uint32_t value, unsigned width, uint64_t count,
            std::string *error);
  /// Forgets the contents: reads before the next write are findings.
  bool poison(uint64_t address, uint64_t bytes, std::string *error);

  /// First byte in a checked range that was never written, or
  /// `address + bytes`.
  uint64_t firstUninitialised(uint64_t address, uint64_t bytes) const;
  /// Host view of a range, or null when it is not in one live allocation. A
  /// caller that writes through it calls markWritten().
  uint8_t *host(uint64_t address, uint64_t bytes);
  const uint8_t *host(uint64_t address, uint64_t bytes) const;
  void markWritten(uint64_t address, uint64_t bytes);

  /// For the interpreter: byte of address `a` is bytesAt()[a], its validity
  /// (0xff written, 0 not) validAt()[a].
  uint8_t *bytesAt() const { return data - base; }
  uint8_t *validAt() const { return valid - base; }
  uint64_t firstByte() const { return base; }
  /// Behind the highest address handed out so far.
  uint64_t lastByte() const { return top; }

private:
  void forget(uint64_t address, uint64_t bytes);
  /// Takes the room of the oldest freed allocations back when the addresses
  /// run out.
  bool recycle(uint64_t bytes, uint64_t alignment, uint64_t &begin);

  uint64_t base;
  uint64_t limit;
  uint64_t reserved = 0; ///< Bytes of address space behind `base`.
  uint64_t top;          ///< Next address never handed out.
  uint64_t live = 0;
  uint64_t highest = 0;
  size_t liveCount = 0;
  uint8_t *data = nullptr;
  uint8_t *valid = nullptr;
  std::map<uint64_t, Allocation> allocations; ///< By begin.
};

} // namespace hgc::emu

#endif // HGC_EMU_MEMORY_H
