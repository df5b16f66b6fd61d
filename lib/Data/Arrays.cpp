//===- Arrays.cpp - arrays in files of many formats -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Arrays.h"

#include "hgc/Data/Csv.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace hgc;

namespace {

bool isCsvName(llvm::StringRef path) {
  path.consume_back(".gz");
  return path.ends_with_insensitive(".csv") || path.ends_with_insensitive(".tsv");
}

/// A path, and what of the file is wanted.
struct Spec {
  llvm::StringRef path, part;
};

/// Only files that hold several arrays have parts, so that other paths may
/// have a colon in them.
Spec parseSpec(llvm::StringRef text) {
  auto [path, part] = text.rsplit(':');
  return path.ends_with(".npz") || isCsvName(path) ? Spec{path, part} : Spec{text, ""};
}

/// Reads arrays and remembers files that hold several.
class Reader {
public:
  Reader(llvm::ArrayRef<ArraySource> sources, mlir::MLIRContext *context) : sources(sources), context(context) {}

  llvm::Expected<HostTensor> read(const ArraySource &source) {
    Spec spec = parseSpec(source.spec);
    llvm::Expected<OwnedBytes> file = readPlainBytes(spec.path);
    if (!file)
      return file.takeError();
    llvm::Expected<HostTensor> array = parse(spec, source.name, *file);
    if (!array)
      return addContext("'" + spec.path + "'", array.takeError());
    return array;
  }

private:
  llvm::Expected<HostTensor> parse(const Spec &spec, llvm::StringRef name, const OwnedBytes &file) {
    if (isCsvName(spec.path))
      return readCsv(spec, file);
    if (file.bytes.starts_with("\x93NUMPY"))
      return parseNpy(file.bytes, context, file.owner);
    if (file.bytes.starts_with("PK"))
      return readNpzPart(spec, name, file);
    if (isIdx(file.bytes))
      return parseIdx(file, context);
    return makeError("its format is not known", "give an IDX, .npy, .npz or .csv file, plain or compressed by gzip");
  }

  llvm::Expected<HostTensor> readNpzPart(const Spec &spec, llvm::StringRef name, const OwnedBytes &file) {
    auto it = archives.find(spec.path.str());
    if (it == archives.end()) {
      llvm::Expected<NamedTensors> arrays = parseNpz(file.bytes, context);
      if (!arrays)
        return arrays.takeError();
      it = archives.emplace(spec.path.str(), std::move(*arrays)).first;
    }
    std::vector<std::string> names;
    for (const auto &[array, tensor] : it->second) {
      names.push_back(array);
      if (array == (spec.part.empty() ? name : spec.part) || (spec.part.empty() && it->second.size() == 1))
        return tensor;
    }
    return makeError("it has no array '" + (spec.part.empty() ? name : spec.part) + "'",
                     "name one of its arrays as " + spec.path + ":" +
                         llvm::join(names, " or " + spec.path.str() + ":"));
  }

  llvm::Expected<const CsvTable *> openCsv(llvm::StringRef path, const OwnedBytes &file) {
    auto it = tables.find(path.str());
    if (it == tables.end()) {
      llvm::Expected<CsvTable> table = CsvTable::parse(file.bytes);
      if (!table)
        return table.takeError();
      it = tables.emplace(path.str(), std::move(*table)).first;
    }
    return &it->second;
  }

  llvm::Expected<HostTensor> readCsv(const Spec &spec, const OwnedBytes &file) {
    llvm::Expected<const CsvTable *> table = openCsv(spec.path, file);
    if (!table)
      return table.takeError();
    if (!spec.part.empty()) {
      llvm::Expected<std::vector<int64_t>> columns = (*table)->findColumns(spec.part);
      return columns ? (*table)->get(*columns, context) : columns.takeError();
    }
    std::vector<bool> isTaken((*table)->getColumns());
    for (const ArraySource &other : sources) {
      Spec taken = parseSpec(other.spec);
      if (taken.path != spec.path || taken.part.empty())
        continue;
      llvm::Expected<std::vector<int64_t>> columns = (*table)->findColumns(taken.part);
      if (!columns)
        return columns.takeError();
      for (int64_t column : *columns)
        isTaken[column] = true;
    }
    std::vector<int64_t> left;
    for (size_t column = 0; column < isTaken.size(); ++column)
      if (!isTaken[column])
        left.push_back(static_cast<int64_t>(column));
    return (*table)->get(left, context);
  }

  llvm::ArrayRef<ArraySource> sources;
  mlir::MLIRContext *context;
  std::map<std::string, NamedTensors> archives;
  std::map<std::string, CsvTable> tables;
};

} // namespace

llvm::Expected<NamedTensors> hgc::readArrays(llvm::ArrayRef<ArraySource> sources, mlir::MLIRContext *context) {
  Reader reader(sources, context);
  NamedTensors arrays;
  for (const ArraySource &source : sources) {
    llvm::Expected<HostTensor> array = reader.read(source);
    if (!array)
      return array.takeError();
    arrays.emplace_back(source.name, std::move(*array));
  }
  return arrays;
}
