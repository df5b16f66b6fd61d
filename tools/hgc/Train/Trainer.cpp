//===- Trainer.cpp - the loop of a training run ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two calls are in flight: while one computes, the next one waits with its
// batch already on the device, and the feed makes the one after.
//===----------------------------------------------------------------------===//

#include "Trainer.h"

#include "hgc/Support/Error.h"

#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cmath>
#include <csignal>

using namespace hgc;
using namespace hgc::driver;
using Clock = std::chrono::steady_clock;

/// Set when the user interrupts; a second time ends the process.
static volatile std::sig_atomic_t isInterrupted = 0;

namespace {

/// Notes signals that ask the run to end, for as long as it lives. LLVM's own
/// handler would remove the checkpoint that is just being written.
class InterruptWatch {
public:
  InterruptWatch() {
    struct sigaction action = {};
    action.sa_handler = [](int) { isInterrupted = 1; };
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    for (size_t i = 0; i < signals.size(); ++i)
      ::sigaction(signals[i], &action, &previous[i]);
  }
  ~InterruptWatch() {
    for (size_t i = 0; i < signals.size(); ++i)
      ::sigaction(signals[i], &previous[i], nullptr);
  }

private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> previous;
};

/// Started calls, oldest first. Waits for all before their batches go away.
class Calls {
public:
  Calls(hgc_rt_model *model, const StepPlan &plan, BatchFeed &feed) : model(model), plan(plan), feed(feed) {}
  ~Calls() {
    while (!flying.empty())
      llvm::consumeError(finishOldest([](Batch &) { return llvm::Error::success(); }));
  }

  size_t size() const { return flying.size(); }

  llvm::Error start(Batch *batch) {
    hgc_rt_ticket ticket = 0;
    hgc_rt_status status = hgc_rt_model_start(model, plan.entry, batch->inputs.data(), toInt(batch->inputs.size()),
                                              batch->outputs.data(), toInt(batch->outputs.size()), &ticket);
    if (status != HGC_RT_OK)
      return makeLibraryError(hgc_rt_model_last_error(model));
    flying.emplace_back(batch, ticket);
    return llvm::Error::success();
  }

  template <typename Fn> llvm::Error finishOldest(Fn use) {
    auto [batch, ticket] = flying.front();
    flying.pop_front();
    hgc_rt_status status = hgc_rt_model_wait(model, ticket);
    llvm::Error error = status == HGC_RT_OK ? use(*batch) : makeLibraryError(hgc_rt_model_last_error(model));
    feed.release(batch);
    return error;
  }

private:
  static int32_t toInt(size_t count) { return static_cast<int32_t>(count); }

  hgc_rt_model *model;
  const StepPlan &plan;
  BatchFeed &feed;
  std::deque<std::pair<Batch *, hgc_rt_ticket>> flying;
};

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void addResults(const Batch &batch, std::vector<double> &sums, int64_t &rows) {
  for (auto [sum, result] : llvm::zip_equal(sums, batch.results))
    sum += result.getDouble(0) * static_cast<double>(batch.rows);
  rows += batch.rows;
}

} // namespace

int64_t hgc::driver::countBatches(int64_t rows, int64_t batch) { return (rows + batch - 1) / batch; }

bool Trainer::isCheckpointDue(int64_t step) const {
  return flags.checkpointEvery > 0 && step % flags.checkpointEvery == 0;
}

llvm::Error Trainer::checkpoint() {
  if (flags.checkpoint.empty())
    return llvm::Error::success();
  llvm::Expected<NamedTensors> parameters = readParameters(library, context, /*mustBeFinite=*/true);
  if (!parameters)
    return addContext("step " + llvm::Twine(state.step), parameters.takeError());
  return writeCheckpoint(flags.checkpointPath(), state, *parameters, settings);
}

/// The run ends with the first number that is not finite.
llvm::Error Trainer::checkNumbers(Batch &batch, double loss) {
  std::string found, why;
  if (!std::isfinite(loss))
    found = llvm::formatv("the loss of step {0} (epoch {1}) is {2}", state.step, state.epoch + 1,
                          std::isnan(loss) ? "NaN" : "infinite");
  if (replay) {
    if (llvm::Error error = replay->remember(library))
      return error;
    std::string bad = replay->findBad();
    if (found.empty() && !bad.empty())
      found = llvm::formatv("{0} after step {1} (epoch {2})", bad, state.step, state.epoch + 1);
  }
  if (found.empty())
    return llvm::Error::success();
  if (replay) {
    llvm::Expected<std::string> text = replay->explain(trainPlan, batch, state.step);
    if (!text)
      return addContext(found, text.takeError());
    why = *text;
  } else if (watch) {
    why = watch->explain(state.step);
  }
  return makeError(why.empty() ? found : found + "; " + why,
                   watch || replay
                       ? "lower the learning rate, clip gradients, or look at the data; compiled with -O0 a "
                         "kernel holds a single op"
                       : "lower the learning rate, or look at the data; --check-numerics says which op it "
                         "comes from, --resume goes on from the last checkpoint");
}

llvm::Error Trainer::account(Batch &batch) {
  ++state.step;
  ++state.batch;
  double loss = batch.results.front().getDouble(0);
  if (llvm::Error error = checkNumbers(batch, loss))
    return error;
  addResults(batch, state.sums, state.rows);
  state.history.stepLosses.push_back(static_cast<float>(loss));
  state.seconds = secondsBefore + secondsSince(epochStart);
  return llvm::Error::success();
}

llvm::Error Trainer::trainEpoch(TrainProgress &progress) {
  RowOrder order{training.first, training.count, std::nullopt};
  if (flags.shuffle == "on")
    order.shuffle.emplace(training.count, flags.seed, state.epoch);
  BatchFeed feed(trainPlan, *training.data, order, state.batch, preprocessor);
  Calls calls(library.getModel(), trainPlan, feed);
  epochStart = Clock::now();
  secondsBefore = state.seconds;
  size_t depth = watch || replay ? 1 : 2;
  bool isLast = false;
  while (true) {
    // Parameters can be read only while nothing is in flight.
    int64_t started = state.step + static_cast<int64_t>(calls.size());
    bool mustDrain = isInterrupted || (isCheckpointDue(started) && calls.size());
    if (!isLast && !mustDrain && calls.size() < depth) {
      llvm::Expected<Batch *> batch = feed.next();
      if (!batch)
        return batch.takeError();
      isLast = !*batch;
      if (isLast)
        continue;
      (*batch)->setStep(started + 1);
      if (watch)
        watch->setStep(started + 1);
      if (llvm::Error error = calls.start(*batch))
        return error;
      continue;
    }
    if (!calls.size())
      break;
    if (llvm::Error error = calls.finishOldest([&](Batch &batch) { return account(batch); }))
      return error;
    progress.step(state, trainPlan.results, state.seconds);
    if (!calls.size() && isCheckpointDue(state.step))
      if (llvm::Error error = checkpoint())
        return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<double>> Trainer::evaluate(const RowSet &rows) {
  RowOrder order{rows.first, rows.count, std::nullopt};
  BatchFeed feed(*evaluatePlan, *rows.data, order, 0, preprocessor);
  Calls calls(library.getModel(), *evaluatePlan, feed);
  std::vector<double> sums(evaluatePlan->results.size());
  int64_t count = 0;
  for (bool isLast = false; !isLast || calls.size();) {
    if (!isLast && calls.size() < 2) {
      llvm::Expected<Batch *> batch = feed.next();
      if (!batch)
        return batch.takeError();
      isLast = !*batch;
      if (!isLast)
        if (llvm::Error error = calls.start(*batch))
          return std::move(error);
      continue;
    }
    llvm::Error error = calls.finishOldest([&](Batch &batch) {
      addResults(batch, sums, count);
      return llvm::Error::success();
    });
    if (error)
      return std::move(error);
  }
  for (double &sum : sums)
    sum /= static_cast<double>(std::max<int64_t>(count, 1));
  return sums;
}

llvm::Error Trainer::updateBest() {
  const EarlyStopping &rule = flags.earlyStopping;
  if (!rule.isOn)
    return llvm::Error::success();
  double value = state.history.column(rule.monitor).back();
  double gain = rule.prefersLess() ? state.best - value : value - state.best;
  if (state.bestEpoch == 0 || gain > rule.minDelta) {
    state.best = value;
    state.bestEpoch = state.epoch;
    if (!rule.restoreBest)
      return llvm::Error::success();
    llvm::Expected<NamedTensors> parameters = readParameters(library, context);
    if (!parameters)
      return parameters.takeError();
    state.bestParameters = std::move(*parameters);
    return llvm::Error::success();
  }
  state.hasStopped = state.epoch - state.bestEpoch >= std::max<int64_t>(rule.patience, 1);
  return llvm::Error::success();
}

llvm::Error Trainer::finishEpoch(TrainProgress &progress) {
  History::Epoch row;
  for (double sum : state.sums)
    row.values.push_back(sum / static_cast<double>(std::max<int64_t>(state.rows, 1)));
  row.samplesPerSecond = static_cast<double>(state.rows) / std::max(state.seconds, 1e-9);
  row.seconds = state.seconds;
  if (validation) {
    Clock::time_point start = Clock::now();
    llvm::Expected<std::vector<double>> results = evaluate(validation);
    if (!results)
      return addContext("validation", results.takeError());
    row.values.insert(row.values.end(), results->begin(), results->end());
    row.seconds += secondsSince(start);
  }
  state.history.epochs.push_back(std::move(row));
  ++state.epoch;
  state.batch = state.rows = 0;
  state.seconds = 0;
  std::fill(state.sums.begin(), state.sums.end(), 0);
  progress.epoch(state.history);
  if (llvm::Error error = updateBest())
    return error;
  return checkpoint();
}

llvm::Error Trainer::run() {
  int64_t steps = countBatches(training.count, trainPlan.batch);
  TrainProgress progress(flags.progress, flags.epochs, steps, training.count);
  InterruptWatch interrupts;
  if (replay)
    if (llvm::Error error = replay->remember(library))
      return error;
  while (state.epoch < flags.epochs && !state.hasStopped) {
    if (llvm::Error error = trainEpoch(progress))
      return error;
    if (isInterrupted) {
      if (llvm::Error error = checkpoint())
        return error;
      return makeError("interrupted after step " + llvm::Twine(state.step),
                       flags.checkpoint.empty() ? "with --checkpoint=DIR a run can be resumed" : "--resume goes on");
    }
    if (llvm::Error error = finishEpoch(progress))
      return error;
  }
  return llvm::Error::success();
}
