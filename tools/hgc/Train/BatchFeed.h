//===- BatchFeed.h - batches made while others are used ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_BATCHFEED_H
#define HGC_TOOLS_BATCHFEED_H

#include "TrainEntries.h"

#include "hgc/Data/Shuffle.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace hgc::driver {

/// Rows of a data set in the order they are used.
struct RowOrder {
  int64_t first = 0, count = 0;
  std::optional<Shuffle> shuffle;

  int64_t operator[](int64_t position) const {
    return first + (shuffle ? static_cast<int64_t>((*shuffle)(position)) : position);
  }
};

/// Arguments of one call and memory for its results.
struct Batch {
  std::vector<HostTensor> arrays, preprocessed, results;
  HostTensor step, validRows;
  std::vector<hgc_rt_tensor> inputs, outputs;
  int64_t rows = 0;

  void setStep(int64_t number) { step.setInt(0, number); }
};

/// Makes batches on a thread of its own: gathers rows, converts them and runs
/// the entry `preprocess` of an instance of its own.
class BatchFeed {
public:
  /// Starts with batch number `begin` of the order. Everything must outlive it.
  BatchFeed(const StepPlan &plan, const DataSet &data, const RowOrder &order, int64_t begin,
            hgc_rt_model *preprocessor);
  ~BatchFeed();
  BatchFeed(const BatchFeed &) = delete;
  BatchFeed &operator=(const BatchFeed &) = delete;

  /// The next batch, or null after the last one.
  llvm::Expected<Batch *> next();
  /// Gives a batch back once its call is done.
  void release(Batch *batch);

private:
  /// Two calls in flight, one batch ready, one being made.
  static constexpr int kBatches = 4;

  void prepare(Batch &batch) const;
  void work(int64_t begin);
  std::string fill(Batch &batch, int64_t begin);

  const StepPlan &plan;
  const DataSet &data;
  const RowOrder &order;
  hgc_rt_model *preprocessor;
  std::vector<std::unique_ptr<Batch>> batches;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Batch *> ready, idle;
  std::string failure;
  bool isDone = false, isStopped = false;
  std::thread thread;
};

} // namespace hgc::driver

#endif // HGC_TOOLS_BATCHFEED_H
