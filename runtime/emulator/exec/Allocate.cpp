//===- Allocate.cpp - liveness and linear scan ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Allocate.h"

#include <algorithm>

using namespace hgc::emu;

namespace {

using Bits = std::vector<uint64_t>;

bool test(const Bits &bits, size_t i) { return bits[i / 64] >> (i % 64) & 1; }
void set(Bits &bits, size_t i) { bits[i / 64] |= 1ull << (i % 64); }

struct BasicBlock {
  uint32_t begin = 0, end = 0;
  std::vector<uint32_t> successors;
  Bits use, def, in, out;
};

/// Live from the earliest to the latest position; instruction i reads at 2i
/// and writes at 2i + 1.
struct LiveRange {
  int64_t begin = INT64_MAX, end = -1;
  void cover(int64_t at) {
    begin = std::min(begin, at);
    end = std::max(end, at);
  }
};

std::vector<BasicBlock> findBlocks(const std::vector<Draft> &drafts) {
  std::vector<bool> starts(drafts.size() + 1, false);
  starts[0] = true;
  for (size_t i = 0; i < drafts.size(); ++i) {
    for (uint32_t target : drafts[i].targets)
      starts[target] = true;
    if (drafts[i].branches || !drafts[i].fallsThrough)
      starts[i + 1] = true;
  }
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockAt(drafts.size());
  for (size_t i = 0; i < drafts.size(); ++i) {
    if (starts[i]) {
      blocks.emplace_back();
      blocks.back().begin = i;
    }
    blocks.back().end = i + 1;
    blockAt[i] = blocks.size() - 1;
  }
  for (size_t b = 0; b < blocks.size(); ++b) {
    const Draft &last = drafts[blocks[b].end - 1];
    for (uint32_t target : last.targets)
      blocks[b].successors.push_back(blockAt[target]);
    if (last.fallsThrough && b + 1 < blocks.size())
      blocks[b].successors.push_back(b + 1);
  }
  return blocks;
}

void solveLiveness(std::vector<BasicBlock> &blocks,
                   const std::vector<Draft> &drafts, size_t registers) {
  size_t words = (registers + 63) / 64;
  for (BasicBlock &block : blocks) {
    for (Bits *bits : {&block.use, &block.def, &block.in, &block.out})
      bits->assign(words, 0);
    for (uint32_t i = block.begin; i < block.end; ++i) {
      for (int32_t reg : drafts[i].uses)
        if (reg >= 0 && !test(block.def, reg))
          set(block.use, reg);
      for (int32_t reg : drafts[i].defs)
        set(block.def, reg);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks.size(); b-- > 0;) {
      BasicBlock &block = blocks[b];
      for (uint32_t next : block.successors)
        for (size_t k = 0; k < words; ++k)
          block.out[k] |= blocks[next].in[k];
      for (size_t k = 0; k < words; ++k) {
        uint64_t in = block.use[k] | (block.out[k] & ~block.def[k]);
        changed |= in != block.in[k];
        block.in[k] = in;
      }
    }
  }
}

std::vector<LiveRange> liveRanges(const std::vector<BasicBlock> &blocks,
                                  const std::vector<Draft> &drafts,
                                  size_t registers) {
  std::vector<LiveRange> ranges(registers);
  auto coverAll = [&](const Bits &bits, int64_t at) {
    for (size_t k = 0; k < bits.size(); ++k)
      for (uint64_t word = bits[k]; word; word &= word - 1)
        ranges[k * 64 + __builtin_ctzll(word)].cover(at);
  };
  for (const BasicBlock &block : blocks) {
    coverAll(block.in, 2 * int64_t(block.begin));
    coverAll(block.out, 2 * int64_t(block.end) - 1);
  }
  for (size_t i = 0; i < drafts.size(); ++i) {
    for (int32_t reg : drafts[i].uses)
      if (reg >= 0)
        ranges[reg].cover(2 * i);
    for (int32_t reg : drafts[i].defs)
      ranges[reg].cover(2 * i + 1);
  }
  return ranges;
}

/// Rooms of one register size.
struct Rooms {
  std::vector<uint32_t> free;
  std::vector<std::pair<int64_t, uint32_t>> busy; ///< Heap by end.
};

/// Linear scan; returns the bytes of the register file.
uint32_t scan(std::vector<VirtualRegister> &registers,
              const std::vector<LiveRange> &ranges) {
  std::vector<int32_t> order;
  for (size_t i = 0; i < registers.size(); ++i)
    if (registers[i].bytes && ranges[i].end >= 0)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return std::pair(ranges[a].begin, a) < std::pair(ranges[b].begin, b);
  });
  Rooms rooms[9];
  uint32_t top = 0;
  auto later = [](auto &a, auto &b) { return a.first > b.first; };
  for (int32_t reg : order) {
    Rooms &mine = rooms[registers[reg].bytes];
    while (!mine.busy.empty() && mine.busy.front().first < ranges[reg].begin) {
      std::pop_heap(mine.busy.begin(), mine.busy.end(), later);
      mine.free.push_back(mine.busy.back().second);
      mine.busy.pop_back();
    }
    uint32_t offset = top;
    if (mine.free.empty())
      top += 32 * registers[reg].bytes;
    else {
      offset = mine.free.back();
      mine.free.pop_back();
    }
    registers[reg].slot = static_cast<int32_t>(offset);
    mine.busy.push_back({ranges[reg].end, offset});
    std::push_heap(mine.busy.begin(), mine.busy.end(), later);
  }
  return top;
}

} // namespace

uint32_t hgc::emu::allocateRegisters(Decoder &decoder, Program &program) {
  std::vector<BasicBlock> blocks = findBlocks(decoder.drafts);
  size_t count = decoder.registers.size();
  solveLiveness(blocks, decoder.drafts, count);
  std::vector<LiveRange> ranges = liveRanges(blocks, decoder.drafts, count);
  Bits entry = blocks.front().in;
  for (const Program::SpecialUse &use : program.specials) {
    ranges[use.offset] = {0, INT64_MAX};
    entry[use.offset / 64] &= ~(1ull << (use.offset % 64));
  }
  for (uint64_t word : entry)
    program.entryReads |= word != 0;
  program.registerBytes = scan(decoder.registers, ranges);
  for (Program::SpecialUse &use : program.specials)
    use.offset = decoder.registers[use.offset].slot;
  return program.registerBytes / 128;
}
