//===- TrainFlags.cpp - options of hgc train ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TrainFlags.h"

#include "Driver.h"

#include "hgc/Data/History.h"
#include "hgc/Support/Error.h"
#include "hgc/Support/OutputFile.h"

#include "llvm/Support/Path.h"

using namespace hgc;
using namespace hgc::driver;

llvm::Expected<EarlyStopping> EarlyStopping::parse(llvm::StringRef text) {
  EarlyStopping stop;
  stop.isOn = true;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [key, value] = part.split('=');
    bool isGood = true;
    if (key == "patience")
      isGood = !value.getAsInteger(10, stop.patience) && stop.patience >= 0;
    else if (key == "monitor")
      stop.monitor = value.str();
    else if (key == "min_delta")
      isGood = !value.getAsDouble(stop.minDelta) && stop.minDelta >= 0;
    else if (part == "restore_best")
      stop.restoreBest = true;
    else
      isGood = false;
    if (!isGood)
      return usageError("'--early-stopping' does not know '" + part + "'",
                        "write for example patience=3,monitor=val_loss,min_delta=0.001,restore_best");
  }
  return stop;
}

bool EarlyStopping::prefersLess() const {
  llvm::StringRef name = monitor;
  return name.contains("loss") || name.contains("error");
}

void TrainFlags::addTo(ArgParser &parser) {
  parser.positional(paths);
  parser.list("data", "NAME=FILE", data,
              "rows of an input: IDX, .npy, .npz[:array] or .csv[:columns], plain or .gz (repeat for several inputs)");
  parser.value("labels", "FILE", labels, "short for --data labels=FILE");
  parser.number("epochs", "N", epochs, "how often to go through the data (default 1)");
  parser.number("batch-size", "N", batchSize, "rows of a step: a batch the library was compiled for");
  parser.real("validation-split", "F", validationSplit, "fraction of the rows, from the end, to validate with");
  parser.list("validation", "NAME=FILE", validation, "rows to validate with after each epoch, as --data");
  parser.list("test", "NAME=FILE", test, "rows to test with at the end, as --data");
  parser.number("seed", "N", seed, "seed of the order of rows and of 'init' (default 0)");
  parser.choice("shuffle", {"on", "off"}, shuffle, "a new order of rows in each epoch (default on)");
  parser.value("start", "init|compiled|FILE", start,
               "first parameters: of entry 'init' (default where there is one), as compiled, or a safetensors file");
  parser.value("out", "FILE", out, "write the trained parameters to a safetensors file");
  parser.value("history", "FILE", history, "write losses and metrics to a .json or .csv file");
  parser.value("curve", "FILE", curve, "draw losses and metrics into a .svg or .png file");
  parser.value("checkpoint", "DIR", checkpoint, "write a checkpoint into this folder after each epoch");
  parser.number("checkpoint-every", "N", checkpointEvery, "write one after every N steps as well");
  parser.flag("resume", resume, "go on from the checkpoint, if there is one, to the same bits");
  parser.value("early-stopping", "RULE", earlyStoppingText,
               "stop when nothing improves: patience=3,monitor=val_loss,min_delta=0.001,restore_best");
  parser.flag("check-numerics", checkNumerics,
              "find the kernel a NaN or infinity comes from; slower, on the CPU unless --device says otherwise");
  parser.choice("progress", {"auto", "bar", "lines", "off"}, progress,
                "how to show progress (default: bar on a terminal)");
  parser.number("num-threads", "N", threads, "threads of the training steps (default: all cores)");
  parser.value("weights-path", "FILE", weightsPath, "weights file of a library compiled with --weights=external");
  device.addTo(parser);
}

/// Fails now what would fail after hours.
static llvm::Error checkWritable(llvm::StringRef path) {
  if (path.empty())
    return llvm::Error::success();
  return OutputFile::create(path).takeError();
}

llvm::Error TrainFlags::finish() {
  if (paths.size() != 1)
    return usageError(paths.empty() ? "no model given" : "more than one model given", "name one model.so");
  if (data.empty())
    return usageError("no data given", "name a file for each input, as --data x=images.npy --labels labels.npy");
  if (validationSplit >= 1)
    return usageError("'--validation-split' needs a fraction below 1", "write for example --validation-split=0.1");
  if (validationSplit > 0 && !validation.empty())
    return usageError("both '--validation-split' and '--validation' are given", "choose one of them");
  if (checkpoint.empty() && (resume || checkpointEvery))
    return usageError("'--resume' and '--checkpoint-every' need '--checkpoint'", "name a folder: --checkpoint=DIR");
  if (!earlyStoppingText.empty()) {
    llvm::Expected<EarlyStopping> parsed = EarlyStopping::parse(earlyStoppingText);
    if (!parsed)
      return parsed.takeError();
    earlyStopping = *parsed;
    if (earlyStopping.monitor.empty())
      earlyStopping.monitor = validationSplit > 0 || !validation.empty() ? "val_loss" : "loss";
  }
  if (!history.empty())
    if (llvm::Error error = checkHistoryName(history))
      return error;
  if (!curve.empty())
    if (llvm::Error error = checkCurveName(curve))
      return error;
  if (!checkpoint.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(checkpoint))
      return makeError("cannot make the folder '" + checkpoint + "': " + error.message(),
                       "name a folder you may write to");
  for (const std::string &path : {checkpoint.empty() ? "" : checkpointPath(), out, history, curve})
    if (llvm::Error error = checkWritable(path))
      return error;
  return llvm::Error::success();
}

std::string TrainFlags::checkpointPath() const {
  llvm::SmallString<128> path(checkpoint);
  llvm::sys::path::append(path, "checkpoint.safetensors");
  return std::string(path);
}

ArraySource hgc::driver::parseSource(llvm::StringRef text, llvm::StringRef fallback) {
  auto [name, spec] = text.split('=');
  return spec.empty() ? ArraySource{fallback.str(), text.str()} : ArraySource{name.str(), spec.str()};
}
