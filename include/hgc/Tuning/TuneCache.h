//===- TuneCache.h - what was measured before -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TUNING_TUNECACHE_H
#define HGC_TUNING_TUNECACHE_H

#include "hgc/Target/TileChoice.h"

#include "llvm/Support/Error.h"
#include <map>
#include <vector>

namespace hgc::tuning {

/// One way to compute a kernel, and how long it took.
struct Candidate {
  /// Form of a convolution; empty for other contractions.
  std::string form;
  TileChoice tile;
  int64_t ps = 0;
};

/// All that was measured of one kernel; the first is what the cost model chooses.
using Record = std::vector<Candidate>;

/// Records of kernels by their keys, in a JSON file that several compilations may share.
class TuneCache {
public:
  /// Reads `path`. A file that is not there is an empty cache, as is one that cannot be understood:
  /// then `problem` says why.
  static TuneCache read(llvm::StringRef path, std::string &problem);

  /// Where the cache is unless a command line says: `$HGC_TUNE_CACHE`, else `hgc/tune` in
  /// `$XDG_CACHE_HOME` or `~/.cache`. Empty where none of these is set.
  static std::string getDefaultPath();

  const Record *find(const std::string &key) const;
  void insert(const std::string &key, Record record) { records[key] = std::move(record); }

  /// Whether the file can be written; makes its folder.
  llvm::Error probe() const;
  /// Replaces the file at once. What others have written meanwhile stays.
  llvm::Error write();

private:
  explicit TuneCache(llvm::StringRef path) : path(path.str()) {}

  std::string path;
  std::map<std::string, Record> records;
};

} // namespace hgc::tuning

#endif // HGC_TUNING_TUNECACHE_H
