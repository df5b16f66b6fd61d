//===- TuneCache.cpp - what was measured before ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Tuning/TuneCache.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"
#include "hgc/Target/ConvForm.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace hgc;
using namespace hgc::tuning;
namespace json = llvm::json;

/// Version of the file's form; another one counts as not understood.
static constexpr int64_t kSchema = 1;

static std::optional<Candidate> readCandidate(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  auto form = object->getString("form"), tile = object->getString("tile");
  auto ps = object->getInteger("ps");
  std::optional<TileChoice> choice = tile ? TileChoice::parse(*tile) : std::nullopt;
  if (!form || !choice || !ps || *ps < 1 || (!form->empty() && !parseConvForm(*form)))
    return std::nullopt;
  return Candidate{form->str(), *choice, *ps};
}

/// Reads all records, or says what is wrong.
static std::string readRecords(llvm::StringRef text, std::map<std::string, Record> &records) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return llvm::toString(value.takeError());
  const json::Object *object = value->getAsObject();
  if (!object || object->getInteger("schema") != kSchema)
    return "it is no cache of schema " + std::to_string(kSchema);
  const json::Object *kernels = object->getObject("kernels");
  if (!kernels)
    return "it has no object 'kernels'";
  for (const auto &[key, list] : *kernels) {
    const json::Array *candidates = list.getAsArray();
    Record record;
    for (const json::Value &item : candidates ? *candidates : json::Array())
      if (std::optional<Candidate> candidate = readCandidate(item))
        record.push_back(std::move(*candidate));
    if (!candidates || candidates->empty() || record.size() != candidates->size())
      return "a candidate of '" + llvm::StringRef(key).str() + "' is not understood";
    records[llvm::StringRef(key).str()] = std::move(record);
  }
  return "";
}

TuneCache TuneCache::read(llvm::StringRef path, std::string &problem) {
  TuneCache cache(path);
  problem.clear();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    if (buffer.getError() != std::errc::no_such_file_or_directory)
      problem = buffer.getError().message();
    return cache;
  }
  problem = readRecords((*buffer)->getBuffer(), cache.records);
  if (!problem.empty())
    cache.records.clear();
  return cache;
}

std::string TuneCache::getDefaultPath() {
  if (const char *path = std::getenv("HGC_TUNE_CACHE"); path && *path)
    return path;
  llvm::SmallString<128> path;
  const char *cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache)
    path = cache;
  else if (const char *home = std::getenv("HOME"); home && *home)
    llvm::sys::path::append(path, home, ".cache");
  else
    return "";
  llvm::sys::path::append(path, "hgc", "tune");
  return std::string(path);
}

const Record *TuneCache::find(const std::string &key) const {
  auto found = records.find(key);
  return found == records.end() ? nullptr : &found->second;
}

llvm::Error TuneCache::probe() const {
  // Where the folder cannot be made the file cannot either, and the message names it.
  llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  auto file = OutputFile::create(path);
  if (file)
    return llvm::Error::success();
  llvm::consumeError(file.takeError());
  return makeError("cannot write the tuning cache '" + path + "'",
                   "name another file with --tune=cache=FILE, or measure nothing with --tune=seconds=0");
}

llvm::Error TuneCache::write() {
  std::string problem;
  TuneCache others = read(path, problem);
  records.merge(others.records);
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream stream(os, /*IndentSize=*/1);
  stream.object([&] {
    stream.attributeObject("kernels", [&] {
      for (const auto &entry : records)
        stream.attributeArray(entry.first, [&] {
          for (const Candidate &candidate : entry.second)
            stream.value(json::Object{{"form", candidate.form}, {"tile", candidate.tile.str()}, {"ps", candidate.ps}});
        });
    });
    stream.attribute("schema", kSchema);
  });
  os << "\n";
  return writeFile(path, text);
}
