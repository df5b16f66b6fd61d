//===- Harness.h - run pieces of PTX ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_TEST_HARNESS_H
#define HGC_EMU_TEST_HARNESS_H

#include "exec/Launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace hgc::emu::test {

/// A device with one module.
struct Device {
  Memory memory{0, 1ull << 30};
  std::unique_ptr<Module> module;
  std::string error;
  Counters counters;
  LaunchConfig config;

  bool load(const std::string &text) {
    module.reset();
    module = Module::load(text.data(), text.size(), memory, error);
    return module != nullptr;
  }
  /// A kernel `k` with the given 64-bit parameters p0, p1, ... and body.
  bool loadBody(const std::string &body, unsigned params = 4, const std::string &before = "") {
    std::string text = ".version 7.8\n.target sm_80\n.address_size 64\n" + before + "\n.visible .entry k(";
    for (unsigned i = 0; i < params; ++i)
      text += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
    return load(text + ")\n{\n" + body + "\n}\n");
  }
  void loadFile(const std::string &path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    ASSERT_TRUE(load(text.str())) << path << ": " << error;
  }
  template <class T> uint64_t put(const std::vector<T> &values) {
    uint64_t at = memory.allocate(values.size() * sizeof(T));
    EXPECT_TRUE(memory.write(at, values.data(), values.size() * sizeof(T), &error));
    return at;
  }
  template <class T> std::vector<T> get(uint64_t at, size_t count) {
    std::vector<T> result(count);
    EXPECT_TRUE(memory.read(result.data(), at, count * sizeof(T), &error));
    return result;
  }
  LaunchResult run(const std::string &name, uint32_t blocks, uint32_t threads, const std::vector<uint8_t> &params) {
    const Kernel *kernel = module->kernel(name);
    EXPECT_NE(kernel, nullptr) << name;
    config.grid[0] = blocks;
    if (threads)
      config.block[0] = threads;
    config.params = params.data();
    config.paramBytes = params.size();
    return launch(*kernel, config, memory, counters);
  }
  LaunchResult run(uint32_t blocks, uint32_t threads, const std::vector<uint64_t> &params) {
    std::vector<uint8_t> bytes(params.size() * 8);
    std::memcpy(bytes.data(), params.data(), bytes.size());
    return run("k", blocks, threads, bytes);
  }
};

/// Packs parameters with the alignment of their sizes.
struct Params {
  std::vector<uint8_t> bytes;
  template <class T> Params &add(T value) {
    while (bytes.size() % sizeof(T))
      bytes.push_back(0);
    size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(&bytes[at], &value, sizeof(T));
    return *this;
  }
};

inline std::string messages(const LaunchResult &result) {
  std::string text;
  for (const Finding &finding : result.findings)
    text += finding.message() + "\n";
  return text;
}

/// The one finding a broken kernel must lead to.
inline void expectFinding(const LaunchResult &result, Finding::Kind kind, const std::string &text) {
  ASSERT_FALSE(result.ok()) << "no finding, expected: " << text;
  EXPECT_EQ(Finding::name(result.findings[0].kind), Finding::name(kind)) << messages(result);
  EXPECT_NE(result.findings[0].message().find(text), std::string::npos) << messages(result);
}

/// Declarations and parameters most bodies start with: %rd0..3 hold p0..p3 and
/// %r0 the number of the thread in its block.
inline std::string prologue(unsigned params = 4) {
  std::string text = ".reg .pred %p<16>;\n.reg .b16 %h<32>;\n"
                     ".reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n";
  for (unsigned i = 0; i < params; ++i)
    text += "ld.param.u64 %rd" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  return text + "mov.u32 %r0, %tid.x;\n";
}

} // namespace hgc::emu::test

#endif // HGC_EMU_TEST_HARNESS_H
