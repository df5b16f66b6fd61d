//===- TrainCommand.cpp - hgc train ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Session.h"
#include "Trainer.h"

#include "hgc/Support/Error.h"
#include "hgc/Support/Safetensors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace hgc;
using namespace hgc::driver;

namespace {

constexpr llvm::StringLiteral kExamples =
    R"(  hgc train model.so --data x=train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz --epochs 5
  hgc train model.so --data x=all.npz --labels all.npz:y --validation-split 0.1 --out weights.safetensors
  hgc train model.so --data x=iris.csv --labels iris.csv:species --epochs 100 --early-stopping patience=5
  hgc train model.so --data x=x.npy --labels y.npy --test x=tx.npy --test labels=ty.npy --curve loss.svg
  hgc train model.so --data x=x.npy --labels y.npy --epochs 50 --checkpoint run --resume   # after a crash, too
)";

/// What a run needs, in the order in which it must go away.
struct Run {
  std::unique_ptr<Session> session;
  std::unique_ptr<ModelLibrary> library, preprocessor;
  KernelWatch watch;
  std::optional<StepReplay> replay;
  DataSet training, validation, test;
  std::unique_ptr<Trainer> trainer;
};

/// Reads the files that options like `x=FILE` name.
llvm::Expected<DataSet> readData(const Run &run, const StepPlan &plan, llvm::ArrayRef<std::string> options) {
  std::string fallback = plan.arrays.front().name;
  std::vector<ArraySource> sources;
  for (llvm::StringRef option : options)
    sources.push_back(parseSource(option, fallback));
  llvm::Expected<NamedTensors> arrays = readArrays(sources, &run.session->getContext());
  if (!arrays)
    return arrays.takeError();
  return bindData(*run.library, plan, *arrays);
}

llvm::Error checkPartial(const StepPlan &plan, const RowSet &rows, llvm::StringRef entry) {
  if (plan.takesPartialBatches || rows.count % plan.batch == 0)
    return llvm::Error::success();
  return makeError("entry '" + entry + "' has no input 'valid_rows', and " + llvm::Twine(rows.count) +
                       " rows are no multiple of " + llvm::Twine(plan.batch),
                   "compile the model with --train, choose another --batch-size, or leave out some rows");
}

llvm::Error openLibraries(const ArgParser &parser, const TrainFlags &flags, Run &run) {
  run.session = std::make_unique<Session>(parser);
  llvm::StringRef path = flags.paths.front();
  if (!ModelLibrary::isLibrary(path))
    return makeError("'" + path + "' is no compiled library", "make one: hgc compile " + path + " --train -o model.so");
  ModelLibrary::Options options;
  options.threads = flags.threads;
  options.weightsPath = flags.weightsPath;
  if (llvm::Error error = flags.device.apply(options))
    return error;
  bool isOnGpu = !flags.device.device.empty() && flags.device.device != "cpu";
  if (flags.checkNumerics && isOnGpu)
    run.replay.emplace(path, options, &run.session->getContext());
  if (flags.checkNumerics && !isOnGpu) {
    options.device = "cpu";
    options.timing = KernelWatch::onKernel;
    options.timingUser = &run.watch;
  }
  auto library = ModelLibrary::open(path, options, &run.session->getContext());
  if (!library)
    return library.takeError();
  run.library = std::move(*library);
  if (!findEntryIndex(*run.library, "preprocess"))
    return llvm::Error::success();
  // Preprocessing runs beside the steps: an instance of its own, on one thread.
  ModelLibrary::Options beside;
  beside.threads = 1;
  beside.weightsPath = flags.weightsPath;
  beside.device = "cpu";
  library = ModelLibrary::open(path, beside, &run.session->getContext());
  if (!library)
    return library.takeError();
  run.preprocessor = std::move(*library);
  return llvm::Error::success();
}

/// Reads all data and gives each row its purpose.
llvm::Error prepareData(const TrainFlags &flags, Run &run) {
  Trainer &trainer = *run.trainer;
  std::vector<std::string> options = flags.data;
  if (!flags.labels.empty())
    options.push_back("labels=" + flags.labels);
  llvm::Expected<DataSet> data = readData(run, trainer.trainPlan, options);
  if (!data)
    return data.takeError();
  run.training = std::move(*data);
  int64_t rows = run.training.rows;
  int64_t held = static_cast<int64_t>(std::floor(static_cast<double>(rows) * flags.validationSplit));
  trainer.training = {&run.training, 0, rows - held};
  if (flags.validationSplit > 0) {
    if (held == 0)
      return makeError("a validation split of " + llvm::formatv("{0}", flags.validationSplit) + " leaves none of " +
                           llvm::Twine(rows) + " rows to validate with",
                       "raise --validation-split");
    trainer.validation = {&run.training, rows - held, held};
  }
  for (auto [files, set] :
       {std::make_pair(&flags.validation, &run.validation), std::make_pair(&flags.test, &run.test)}) {
    if (files->empty())
      continue;
    llvm::Expected<DataSet> other = readData(run, *trainer.evaluatePlan, *files);
    if (!other)
      return addContext(set == &run.test ? "--test" : "--validation", other.takeError());
    *set = std::move(*other);
  }
  if (!flags.validation.empty())
    trainer.validation = {&run.validation, 0, run.validation.rows};
  if (llvm::Error error = checkPartial(trainer.trainPlan, trainer.training, "train_step"))
    return error;
  for (const RowSet &set : {trainer.validation, RowSet{&run.test, 0, run.test.rows}})
    if (set && trainer.evaluatePlan)
      if (llvm::Error error = checkPartial(*trainer.evaluatePlan, set, "evaluate"))
        return error;
  return llvm::Error::success();
}

llvm::Error planSteps(const TrainFlags &flags, Run &run) {
  Trainer &trainer = *run.trainer;
  llvm::Expected<StepPlan> plan = planStep(*run.library, "train_step", flags.batchSize, /*isRequired=*/true);
  if (!plan)
    return plan.takeError();
  trainer.trainPlan = std::move(*plan);
  if (flags.validationSplit > 0 || !flags.validation.empty() || !flags.test.empty()) {
    plan = planStep(*run.library, "evaluate", trainer.trainPlan.batch, /*isRequired=*/false);
    if (!plan)
      return plan.takeError();
    trainer.evaluatePlan = std::move(*plan);
  }
  return llvm::Error::success();
}

/// Sums, names of columns, and what a checkpoint must agree with.
llvm::Error prepareState(const TrainFlags &flags, Run &run) {
  Trainer &trainer = *run.trainer;
  History &history = trainer.state.history;
  history.model = run.library->getName().str();
  history.names = trainer.trainPlan.results;
  history.stepsPerEpoch = countBatches(trainer.training.count, trainer.trainPlan.batch);
  if (trainer.validation)
    for (const std::string &name : trainer.evaluatePlan->results)
      history.names.push_back("val_" + name);
  trainer.state.sums.assign(trainer.trainPlan.results.size(), 0);
  if (flags.earlyStopping.isOn && !llvm::is_contained(history.names, flags.earlyStopping.monitor))
    return usageError("'--early-stopping' cannot monitor '" + flags.earlyStopping.monitor + "'",
                      "this run has " + llvm::join(history.names, ", "));
  uint64_t hash = 0;
  for (const HostTensor &array : run.training.arrays)
    hash = hash * 31 + llvm::xxh3_64bits(llvm::StringRef(array.data(), array.getNumBytes()));
  trainer.settings = {{"model", history.model},
                      {"--batch-size", std::to_string(trainer.trainPlan.batch)},
                      {"--seed", std::to_string(flags.seed)},
                      {"--shuffle", flags.shuffle},
                      {"rows", std::to_string(trainer.training.count)},
                      {"data", llvm::utohexstr(hash)}};
  return llvm::Error::success();
}

llvm::Error callInit(const Run &run, size_t entry, int64_t seed) {
  mlir::Type i64 = mlir::IntegerType::get(&run.session->getContext(), 64);
  std::vector<HostTensor> inputs{HostTensor::fromInts(i64, {}, {seed})}, outputs;
  return run.library->call(entry, inputs, outputs);
}

/// Removes what a killed run has not finished to write.
void removeLeftovers(llvm::StringRef checkpoint) {
  std::error_code error;
  llvm::StringRef folder = llvm::sys::path::parent_path(checkpoint);
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (llvm::StringRef(it->path()).starts_with((checkpoint + ".tmp").str()))
      llvm::sys::fs::remove(it->path());
}

/// First parameters: those of the checkpoint, of a file, of `init`, or as
/// compiled.
llvm::Error startModel(const TrainFlags &flags, Run &run) {
  mlir::MLIRContext *context = &run.session->getContext();
  std::string path = flags.checkpointPath();
  bool isThere = !flags.checkpoint.empty() && llvm::sys::fs::exists(path);
  if (isThere && !flags.resume)
    return makeError("'" + path + "' exists already", "--resume goes on from it; remove it to start anew");
  if (!flags.checkpoint.empty())
    removeLeftovers(path);
  if (isThere) {
    Trainer &trainer = *run.trainer;
    llvm::Expected<NamedTensors> parameters = readCheckpoint(path, trainer.settings, trainer.state, context);
    if (!parameters)
      return parameters.takeError();
    if (llvm::Error error = writeParameters(*run.library, *parameters, context))
      return addContext("checkpoint '" + path + "'", std::move(error));
    llvm::outs() << "resumed after step " << trainer.state.step << "\n";
    return llvm::Error::success();
  }
  std::optional<size_t> init = findEntryIndex(*run.library, "init");
  if (flags.start == "init" && !init)
    return makeError("the model has no entry 'init'", "compile it for training: hgc compile --train");
  if (flags.start == "init" || (flags.start.empty() && init))
    return callInit(run, *init, flags.seed);
  if (flags.start.empty() || flags.start == "compiled")
    return llvm::Error::success();
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(flags.start, context);
  if (!file)
    return file.takeError();
  if (init) // what the file lacks, such as the state of the optimiser
    if (llvm::Error error = callInit(run, *init, flags.seed))
      return error;
  NamedTensors parameters;
  for (llvm::StringRef name : file->getNames()) {
    llvm::Expected<HostTensor> tensor = file->get(name);
    if (!tensor)
      return tensor.takeError();
    parameters.emplace_back(name.str(), std::move(*tensor));
  }
  return addContext("'" + flags.start + "'", writeParameters(*run.library, parameters, context, /*mayLack=*/true));
}

/// What remains to be said and written when the epochs are over.
llvm::Error finish(const TrainFlags &flags, Run &run) {
  Trainer &trainer = *run.trainer;
  TrainState &state = trainer.state;
  mlir::MLIRContext *context = &run.session->getContext();
  if (state.hasStopped)
    llvm::outs() << llvm::formatv("stopped early: {0} was best in epoch {1} ({2:F4})\n", flags.earlyStopping.monitor,
                                  state.bestEpoch, state.best);
  if (!state.bestParameters.empty())
    if (llvm::Error error = writeParameters(*run.library, state.bestParameters, context))
      return error;
  if (!flags.test.empty()) {
    llvm::Expected<std::vector<double>> results = trainer.evaluate({&run.test, 0, run.test.rows});
    if (!results)
      return addContext("--test", results.takeError());
    for (auto [name, value] : llvm::zip_equal(trainer.evaluatePlan->results, *results))
      state.history.test.emplace_back(name, value);
  }
  if (state.history.epochs.size() > 1)
    llvm::outs() << formatHistory(state.history);
  for (const auto &[name, value] : state.history.test)
    llvm::outs() << llvm::formatv("test {0} {1:F4}\n", name, value);
  if (!flags.out.empty()) {
    llvm::Expected<NamedTensors> parameters = readParameters(*run.library, context, /*mustBeFinite=*/true);
    if (!parameters)
      return parameters.takeError();
    if (llvm::Error error = writeSafetensors(flags.out, dropOptimizerState(*parameters)))
      return error;
  }
  if (!flags.history.empty())
    if (llvm::Error error = writeHistory(flags.history, state.history))
      return error;
  return flags.curve.empty() ? llvm::Error::success() : writeCurve(flags.curve, state.history);
}

llvm::Error train(llvm::ArrayRef<const char *> args) {
  ArgParser parser("train", "train a library compiled with --train on data in files",
                   "MODEL.so --data NAME=FILE... [options]", kExamples);
  TrainFlags flags;
  flags.addTo(parser);
  llvm::Expected<bool> parsed = parser.parse(args);
  if (!parsed || !*parsed)
    return parsed.takeError();
  if (llvm::Error error = flags.finish())
    return error;
  Run run;
  if (llvm::Error error = openLibraries(parser, flags, run))
    return error;
  run.trainer = std::make_unique<Trainer>(
      flags, *run.library, run.preprocessor ? run.preprocessor->getModel() : nullptr, &run.session->getContext());
  run.trainer->watch = flags.checkNumerics && !run.replay ? &run.watch : nullptr;
  run.trainer->replay = run.replay ? &*run.replay : nullptr;
  for (auto step : {planSteps, prepareData, prepareState, startModel})
    if (llvm::Error error = step(flags, run))
      return error;
  const Trainer &trainer = *run.trainer;
  if (std::string device = describeDevice(*run.library); !device.empty())
    llvm::outs() << "device: " << device << "\n";
  llvm::outs() << llvm::formatv(
      "training '{0}': {1} rows, {2} to validate, batch {3}, {4} steps an epoch, {5} epoch{6}\n",
      trainer.state.history.model, trainer.training.count, trainer.validation.count, trainer.trainPlan.batch,
      trainer.state.history.stepsPerEpoch, flags.epochs, flags.epochs == 1 ? "" : "s");
  llvm::outs().flush();
  llvm::Error error = run.trainer->run();
  if (!error)
    return finish(flags, run);
  // What was measured is not lost with what failed.
  if (!flags.history.empty())
    error = llvm::joinErrors(std::move(error), writeHistory(flags.history, trainer.state.history));
  return error;
}

} // namespace

int hgc::driver::runTrain(llvm::ArrayRef<const char *> args) { return report(train(args)); }
