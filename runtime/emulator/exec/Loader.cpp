//===- Loader.cpp - from PTX text to programs -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls are inlined: a warp whose lanes are in different functions is then no
// special case, and the lowest program counter is the right one to run.
//
//===----------------------------------------------------------------------===//

#include "Allocate.h"
#include "Decoder.h"
#include "Flatten.h"
#include "Module.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace hgc::emu {

class ModuleLoader {
public:
  ModuleLoader(hgc::emu::Module &result, Memory &memory, std::string &error)
      : result(result), memory(memory), error(error) {}
  bool load(std::string_view text);
  bool outOfMemory = false;

private:
  bool placeVariables();
  bool initialise(const Variable &variable, const Place &place);
  bool buildKernel(const Function &function);
  bool verifyUncalled(const Function &function);
  void encode(Decoder &decoder, Program &program);
  const Place *findPlace(const std::string &name) const;

  hgc::emu::Module &result;
  Memory &memory;
  std::string &error;
  ptx::Module ast;
  std::vector<Place> places;
  std::set<std::string> called; ///< Names of inlined functions.
};

} // namespace hgc::emu

bool ModuleLoader::load(std::string_view text) {
  if (!ptx::parse(text, ast, error))
    return false;
  result.sm = ast.sm;
  result.version = ast.version;
  if (!placeVariables())
    return false;
  for (const Function &function : ast.functions)
    if (function.isEntry && function.hasBody && !buildKernel(function))
      return false;
  for (const Function &function : ast.functions)
    if (!function.isEntry && function.hasBody && !called.count(function.name) &&
        !verifyUncalled(function))
      return false;
  return true;
}

bool ModuleLoader::verifyUncalled(const Function &function) {
  Program program;
  program.predicates = 2;
  Decoder decoder(ast, program);
  decoder.modulePlaces = places;
  bool ok = Flattener(ast, decoder, program).verify(function);
  error = decoder.error;
  return ok;
}

const Place *ModuleLoader::findPlace(const std::string &name) const {
  for (size_t i = 0; i < ast.variables.size(); ++i)
    if (ast.variables[i].name == name)
      return &places[i];
  return nullptr;
}

bool ModuleLoader::placeVariables() {
  for (const Variable &variable : ast.variables) {
    Place place;
    place.space = variable.space;
    place.bytes = variable.bytes;
    place.alignment = variable.alignment;
    place.dynamic = variable.isExtern;
    place.placed = variable.isExtern;
    if (variable.space != Space::Shared) {
      bool readOnly = variable.space == Space::Const;
      place.placed = true;
      place.address =
          memory.allocate(variable.bytes, variable.alignment, readOnly);
      if (!place.address) {
        outOfMemory = true;
        error = "line " + std::to_string(variable.line) +
                ": no device memory for '" + variable.name + "'";
        return false;
      }
      result.globals.push_back(
          {variable.name, place.address, variable.bytes, readOnly});
    }
    places.push_back(place);
  }
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].space != Space::Shared &&
        !initialise(ast.variables[i], places[i]))
      return false;
  return true;
}

bool ModuleLoader::initialise(const Variable &variable, const Place &place) {
  std::vector<uint8_t> bytes(variable.bytes, 0);
  size_t at = 0;
  for (const Initialiser &value : variable.init) {
    uint64_t bits = value.bits;
    if (!value.symbol.empty()) {
      const Place *other = findPlace(value.symbol);
      if (!other || other->space == Space::Shared) {
        error = "line " + std::to_string(variable.line) + ": '" + value.symbol +
                "' has no address";
        return false;
      }
      bits += other->address;
    }
    std::memcpy(&bytes[at], &bits, variable.initWidth);
    at += variable.initWidth;
  }
  return memory.write(place.address, bytes.data(), bytes.size(), &error);
}

/// Replaces virtual registers by offsets and finds the straight runs.
void ModuleLoader::encode(Decoder &decoder, Program &program) {
  auto offsetOf = [&](int32_t op) {
    return op < 0 ? op : std::max(decoder.registers[op].slot, 0);
  };
  size_t count = decoder.drafts.size();
  program.code.resize(count);
  program.info.resize(count);
  program.runEnd.resize(count);
  for (size_t i = count; i-- > 0;) {
    Draft &draft = decoder.drafts[i];
    for (unsigned k = 0; k < 6; ++k)
      if (draft.patched >> k & 1)
        draft.inst.op[k] = offsetOf(draft.inst.op[k]);
    for (uint32_t k = 0; k < draft.moreCount; ++k) {
      int32_t &op = program.more[draft.inst.more + k];
      op = offsetOf(op);
    }
    program.code[i] = draft.inst;
    program.runEnd[i] =
        draft.info.control ? uint32_t(i) : program.runEnd[i + 1];
    program.info[i] = std::move(draft.info);
  }
  // Vectors of 32 bytes are read from the pool.
  size_t bytes = program.pool.size();
  program.pool.resize(bytes + 64);
  size_t skew = 64 - reinterpret_cast<uintptr_t>(program.pool.data()) % 64;
  program.poolOffset = skew % 64;
  std::memmove(program.pool.data() + program.poolOffset, program.pool.data(),
               bytes);
}

bool ModuleLoader::buildKernel(const Function &function) {
  if (result.kernel(function.name)) {
    error = "line " + std::to_string(function.line) + ": kernel '" +
            function.name + "' is defined twice";
    return false;
  }
  auto program = std::make_shared<Program>();
  program->name = function.name;
  program->predicates = 2;
  Decoder decoder(ast, *program);
  decoder.modulePlaces = places;
  auto kernel = std::make_unique<Kernel>();
  Flattener flattener(ast, decoder, *program);
  if (!flattener.run(function, *kernel)) {
    error = decoder.error;
    return false;
  }
  called.insert(program->functions.begin(), program->functions.end());
  decoder.placeDynamicShared();
  kernel->name = function.name;
  kernel->line = function.line;
  std::copy_n(function.maxThreads, 3, kernel->maxThreads);
  std::copy_n(function.reqThreads, 3, kernel->reqThreads);
  kernel->minBlocks = function.minBlocks;
  kernel->registers = allocateRegisters(decoder, *program);
  encode(decoder, *program);
  kernel->staticShared = program->staticShared;
  kernel->localBytes = program->localBytes;
  program->paramBytes = kernel->paramBytes;
  kernel->program = std::move(program);
  result.entries.push_back(std::move(kernel));
  return true;
}

std::unique_ptr<hgc::emu::Module>
hgc::emu::Module::load(const char *text, size_t length, Memory &memory,
                       std::string &error, bool *outOfMemory) {
  std::unique_ptr<Module> module(new Module());
  module->memory = &memory;
  // Drivers are handed text that ends in NULs.
  while (length && text[length - 1] == '\0')
    --length;
  error.clear();
  ModuleLoader loader(*module, memory, error);
  bool ok = loader.load(std::string_view(text, length));
  if (outOfMemory)
    *outOfMemory = loader.outOfMemory;
  if (!ok)
    module.reset();
  return module;
}

hgc::emu::Module::~Module() {
  for (const GlobalVariable &variable : globals)
    memory->free(variable.address);
}

const Kernel *hgc::emu::Module::kernel(const std::string &name) const {
  for (const std::unique_ptr<Kernel> &kernel : entries)
    if (kernel->name == name)
      return kernel.get();
  return nullptr;
}

const GlobalVariable *hgc::emu::Module::global(const std::string &name) const {
  for (const GlobalVariable &variable : globals)
    if (variable.name == name)
      return &variable;
  return nullptr;
}
