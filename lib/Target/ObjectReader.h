//===- ObjectReader.h - strict reading of a JSON object ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TARGET_OBJECTREADER_H
#define HGC_LIB_TARGET_OBJECTREADER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace hgc::detail {

inline llvm::Error makeTableError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Takes the keys of one JSON object; remembers the first mistake.
class ObjectReader {
public:
  ObjectReader(const llvm::json::Object &object, llvm::StringRef what) : object(object), what(what.str()) {}

  void read(llvm::StringRef key, std::string &into) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return;
    if (std::optional<llvm::StringRef> text = value->getAsString())
      into = text->str();
    else
      fail("key '" + key + "' of " + what + " must be a string");
  }

  void read(llvm::StringRef key, int64_t &into, int64_t least) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return;
    std::optional<int64_t> number = value->getAsInteger();
    if (number && *number >= least)
      into = *number;
    else
      fail("key '" + key + "' of " + what + " must be an integer of at least " + llvm::Twine(least));
  }

  void read(llvm::StringRef key, double &into) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return;
    std::optional<double> number = value->getAsNumber();
    if (number && *number > 0)
      into = *number;
    else
      fail("key '" + key + "' of " + what + " must be a number above 0");
  }

  void read(llvm::StringRef key, bool &into) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return;
    if (std::optional<bool> truth = value->getAsBoolean())
      into = *truth;
    else
      fail("key '" + key + "' of " + what + " must be true or false");
  }

  /// A rate that may be 0: the device cannot do it.
  void readRate(llvm::StringRef key, double &into) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return;
    std::optional<double> number = value->getAsNumber();
    if (number && *number >= 0)
      into = *number;
    else
      fail("key '" + key + "' of " + what + " must be a number of at least 0");
  }

  void read(llvm::StringRef key, std::vector<std::string> &into) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return;
    const llvm::json::Array *list = value->getAsArray();
    if (!list)
      return fail("key '" + key + "' of " + what + " must be a list of strings");
    for (const llvm::json::Value &entry : *list) {
      std::optional<llvm::StringRef> text = entry.getAsString();
      if (!text)
        return fail("key '" + key + "' of " + what + " must be a list of strings");
      into.push_back(text->str());
    }
  }

  const llvm::json::Object *readObject(llvm::StringRef key) {
    const llvm::json::Value *value = take(key);
    if (!value)
      return nullptr;
    const llvm::json::Object *inner = value->getAsObject();
    if (!inner)
      fail("key '" + key + "' of " + what + " must be an object");
    return inner;
  }

  void fail(const llvm::Twine &message) {
    if (problem.empty())
      problem = message.str();
  }

  /// Success when every key was known and well formed.
  llvm::Error finish() {
    // llvm::json::Object is a hash map: sort, so that the message is stable.
    std::vector<llvm::StringRef> unknown;
    for (const auto &entry : object)
      if (!llvm::is_contained(taken, llvm::StringRef(entry.first)))
        unknown.push_back(entry.first);
    llvm::sort(unknown);
    if (problem.empty() && !unknown.empty())
      problem = ("unknown key '" + unknown.front() + "' in " + what + "; known keys: " + llvm::join(taken, ", ")).str();
    return problem.empty() ? llvm::Error::success() : makeTableError(problem);
  }

private:
  const llvm::json::Value *take(llvm::StringRef key) {
    taken.push_back(key);
    const llvm::json::Value *value = object.get(key);
    if (!value)
      fail("missing key '" + key + "' in " + what);
    return value;
  }

  const llvm::json::Object &object;
  std::string what, problem;
  std::vector<llvm::StringRef> taken;
};

} // namespace hgc::detail

#endif // HGC_LIB_TARGET_OBJECTREADER_H
