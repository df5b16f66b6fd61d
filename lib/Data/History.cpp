//===- History.cpp - what a training run has measured ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/History.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace hgc;
namespace json = llvm::json;

std::vector<double> History::column(llvm::StringRef name) const {
  auto it = llvm::find(names, name);
  std::vector<double> values;
  for (const Epoch &epoch : epochs)
    if (it != names.end())
      values.push_back(epoch.values[it - names.begin()]);
  return values;
}

json::Value hgc::epochsToJson(const History &history) {
  json::Array rows;
  for (const History::Epoch &epoch : history.epochs)
    rows.push_back(json::Object{{"values", json::Array(epoch.values)},
                                {"seconds", epoch.seconds},
                                {"samples_per_second", epoch.samplesPerSecond}});
  return rows;
}

llvm::Expected<std::vector<History::Epoch>> hgc::epochsFromJson(const json::Value &value, size_t columns) {
  std::vector<History::Epoch> epochs;
  const json::Array *rows = value.getAsArray();
  for (size_t i = 0; rows && i < rows->size(); ++i) {
    const json::Object *row = (*rows)[i].getAsObject();
    const json::Array *values = row ? row->getArray("values") : nullptr;
    if (!values || values->size() != columns)
      break;
    History::Epoch epoch;
    for (const json::Value &number : *values)
      epoch.values.push_back(number.getAsNumber().value_or(0));
    epoch.seconds = row->getNumber("seconds").value_or(0);
    epoch.samplesPerSecond = row->getNumber("samples_per_second").value_or(0);
    epochs.push_back(std::move(epoch));
  }
  if (rows && epochs.size() == rows->size())
    return epochs;
  return makeError("the epochs of the history are malformed", "the file was changed by hand; use another one");
}

static std::string spell(double value, const char *format) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}

static std::string toCsv(const History &history) {
  std::string text = "epoch," + llvm::join(history.names, ",") + ",seconds,samples_per_second\n";
  for (auto [i, epoch] : llvm::enumerate(history.epochs)) {
    text += std::to_string(i + 1);
    for (double value : epoch.values)
      text += "," + spell(value, "%.9g");
    text += "," + spell(epoch.seconds, "%.3f") + "," + spell(epoch.samplesPerSecond, "%.1f") + "\n";
  }
  return text;
}

static std::string toJson(const History &history) {
  json::Array epochs;
  for (auto [i, epoch] : llvm::enumerate(history.epochs)) {
    json::Object row{{"epoch", static_cast<int64_t>(i + 1)},
                     {"seconds", epoch.seconds},
                     {"samples_per_second", epoch.samplesPerSecond}};
    for (auto [name, value] : llvm::zip_equal(history.names, epoch.values))
      row[name] = value;
    epochs.push_back(std::move(row));
  }
  json::Object all{{"model", history.model}, {"epochs", std::move(epochs)}};
  json::Array losses;
  for (float loss : history.stepLosses)
    losses.push_back(static_cast<double>(loss));
  all["steps"] = json::Object{{"per_epoch", history.stepsPerEpoch}, {"loss", std::move(losses)}};
  if (!history.test.empty()) {
    json::Object test;
    for (const auto &[name, value] : history.test)
      test[name] = value;
    all["test"] = std::move(test);
  }
  return llvm::formatv("{0:2}\n", json::Value(std::move(all))).str();
}

llvm::Error hgc::checkHistoryName(llvm::StringRef path) {
  if (path.ends_with(".json") || path.ends_with(".csv"))
    return llvm::Error::success();
  return makeError("'" + path + "' is no name for a history", "end it in .json or .csv");
}

llvm::Error hgc::writeHistory(llvm::StringRef path, const History &history) {
  if (llvm::Error error = checkHistoryName(path))
    return error;
  return writeFile(path, path.ends_with(".csv") ? toCsv(history) : toJson(history));
}

std::string hgc::formatHistory(const History &history) {
  std::string text = "epoch";
  auto cell = [](llvm::StringRef value, size_t width) {
    return "  " + std::string(width > value.size() ? width - value.size() : 0, ' ') + value.str();
  };
  auto widthOf = [](llvm::StringRef name) { return std::max<size_t>(name.size(), 8); };
  for (llvm::StringRef name : history.names)
    text += cell(name, widthOf(name));
  text += cell("samples/s", 9) + "\n";
  for (auto [i, epoch] : llvm::enumerate(history.epochs)) {
    text += cell(std::to_string(i + 1), 3);
    for (auto [name, value] : llvm::zip_equal(history.names, epoch.values))
      text += cell(spell(value, "%.4f"), widthOf(name));
    text += cell(spell(epoch.samplesPerSecond, "%.0f"), 9) + "\n";
  }
  return text;
}
