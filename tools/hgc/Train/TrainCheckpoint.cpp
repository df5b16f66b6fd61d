//===- TrainCheckpoint.cpp - checkpoints of a training run ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint is a safetensors file: the parameters by their names, tensors of
// the run under names that begin with "hgc.train/", and the rest as metadata.
// Numbers are written with all their bits.
//===----------------------------------------------------------------------===//

#include "TrainState.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/Safetensors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace hgc;
using namespace hgc::driver;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormat = "1", kBest = "hgc.train/best/", kLosses = "hgc.train/step_loss";

/// Of names, types and values, in order of the names.
static std::string checksum(NamedTensors tensors) {
  llvm::sort(tensors, [](const auto &a, const auto &b) { return a.first < b.first; });
  uint64_t hash = 0;
  for (const auto &[name, tensor] : tensors) {
    std::string text = llvm::formatv("{0} {1} {2}", hash, name, tensor.str(0));
    llvm::StringRef bytes(tensor.data(), tensor.getNumBytes());
    hash = llvm::xxh3_64bits(text) ^ (llvm::xxh3_64bits(bytes) * 3);
  }
  return llvm::utohexstr(hash);
}

static json::Object toJson(const TrainState &state) {
  return json::Object{{"epoch", state.epoch},
                      {"batch", state.batch},
                      {"step", state.step},
                      {"sums", json::Array(state.sums)},
                      {"rows", state.rows},
                      {"seconds", state.seconds},
                      {"best", state.best},
                      {"best_epoch", state.bestEpoch},
                      {"has_stopped", state.hasStopped},
                      {"names", json::Array(state.history.names)},
                      {"epochs", epochsToJson(state.history)}};
}

static llvm::Error fromJson(llvm::StringRef text, TrainState &state) {
  llvm::Expected<json::Value> value = json::parse(text);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  llvm::consumeError(value.takeError());
  const json::Array *sums = object ? object->getArray("sums") : nullptr;
  const json::Array *names = object ? object->getArray("names") : nullptr;
  const json::Value *epochs = object ? object->get("epochs") : nullptr;
  auto malformed = [] {
    return makeError("its metadata is malformed", "the file was changed by hand; use another one");
  };
  if (!sums || !names || !epochs || sums->size() != state.sums.size())
    return malformed();
  std::vector<std::string> columns;
  for (const json::Value &name : *names)
    columns.push_back(name.getAsString().value_or("").str());
  if (columns != state.history.names)
    return makeError("it has the metrics " + llvm::join(columns, ", ") + ", this run " +
                         llvm::join(state.history.names, ", "),
                     "validate as before, or start anew in another folder");
  for (auto [sum, number] : llvm::zip_equal(state.sums, *sums))
    sum = number.getAsNumber().value_or(0);
  std::optional<int64_t> epoch = object->getInteger("epoch"), batch = object->getInteger("batch"),
                         step = object->getInteger("step"), rows = object->getInteger("rows");
  if (!epoch || !batch || !step || !rows || *epoch < 0 || *batch < 0 || *step < 0 || *rows < 0)
    return malformed();
  state.epoch = *epoch;
  state.batch = *batch;
  state.step = *step;
  state.rows = *rows;
  state.seconds = object->getNumber("seconds").value_or(0);
  state.best = object->getNumber("best").value_or(0);
  state.bestEpoch = object->getInteger("best_epoch").value_or(0);
  state.hasStopped = object->getBoolean("has_stopped").value_or(false);
  llvm::Expected<std::vector<History::Epoch>> read = epochsFromJson(*epochs, columns.size());
  if (!read)
    return read.takeError();
  state.history.epochs = std::move(*read);
  return llvm::Error::success();
}

llvm::Error hgc::driver::writeCheckpoint(llvm::StringRef path, const TrainState &state, const NamedTensors &parameters,
                                         const TrainSettings &settings) {
  NamedTensors tensors = parameters;
  for (const auto &[name, tensor] : state.bestParameters)
    tensors.emplace_back((kBest + name).str(), tensor);
  if (!parameters.empty()) {
    mlir::Type f32 = mlir::Float32Type::get(parameters.front().second.getElementType().getContext());
    HostTensor losses(f32, {static_cast<int64_t>(state.history.stepLosses.size())});
    std::copy(state.history.stepLosses.begin(), state.history.stepLosses.end(),
              reinterpret_cast<float *>(losses.mutableData()));
    tensors.emplace_back(kLosses.str(), losses);
  }
  SafetensorsOptions options;
  options.durable = true;
  options.metadata["hgc.checkpoint"] = kFormat.str();
  options.metadata["hgc.checksum"] = checksum(tensors);
  options.metadata["hgc.train"] = llvm::formatv("{0}", json::Value(toJson(state))).str();
  for (const auto &[name, value] : settings)
    options.metadata["hgc.setting." + name] = value;
  llvm::Error error = writeSafetensors(path, tensors, options);
  if (!error)
    return llvm::Error::success();
  return addContext("the checkpoint of step " + llvm::Twine(state.step) + " was not written, the one before stays",
                    std::move(error));
}

static llvm::Error checkSettings(const std::map<std::string, std::string> &metadata, const TrainSettings &settings) {
  for (const auto &[name, value] : settings) {
    auto it = metadata.find("hgc.setting." + name);
    if (it == metadata.end() || it->second != value)
      return makeError("it was made with " + name + " " + (it == metadata.end() ? "unknown" : it->second) +
                           ", this run has " + value,
                       "use the same model, data and options to resume, or start anew in another folder");
  }
  return llvm::Error::success();
}

static llvm::Expected<NamedTensors> readTensors(const SafetensorsFile &file, TrainState &state) {
  NamedTensors parameters, all;
  for (llvm::StringRef name : file.getNames()) {
    llvm::Expected<HostTensor> tensor = file.get(name);
    if (!tensor)
      return tensor.takeError();
    all.emplace_back(name.str(), *tensor);
    if (name == kLosses && tensor->getElementType().isF32()) {
      const float *values = reinterpret_cast<const float *>(tensor->data());
      state.history.stepLosses.assign(values, values + tensor->getNumElements());
    } else if (name.consume_front(kBest)) {
      state.bestParameters.emplace_back(name.str(), *tensor);
    } else {
      parameters.push_back(all.back());
    }
  }
  auto sum = file.getMetadata().find("hgc.checksum");
  if (sum == file.getMetadata().end() || sum->second != checksum(all))
    return makeError("its contents do not have the checksum they were written with",
                     "the file is damaged; use another one");
  return parameters;
}

llvm::Expected<NamedTensors> hgc::driver::readCheckpoint(llvm::StringRef path, const TrainSettings &settings,
                                                         TrainState &state, mlir::MLIRContext *context) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(path, context);
  if (!file)
    return addContext("the checkpoint cannot be used", file.takeError());
  const std::map<std::string, std::string> &metadata = file->getMetadata();
  auto refuse = [&](llvm::Error error) { return addContext("checkpoint '" + path + "'", std::move(error)); };
  auto format = metadata.find("hgc.checkpoint");
  if (format == metadata.end() || format->second != kFormat)
    return refuse(makeError("it is not a checkpoint this hgc can read", "name the folder of a run of hgc train"));
  if (llvm::Error error = checkSettings(metadata, settings))
    return refuse(std::move(error));
  llvm::Expected<NamedTensors> parameters = readTensors(*file, state);
  if (!parameters)
    return refuse(parameters.takeError());
  auto text = metadata.find("hgc.train");
  if (llvm::Error error = fromJson(text == metadata.end() ? "" : text->second, state))
    return refuse(std::move(error));
  return parameters;
}
