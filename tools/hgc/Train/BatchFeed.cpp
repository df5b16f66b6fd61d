//===- BatchFeed.cpp - batches made while others are used -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BatchFeed.h"

#include "hgc/CodeGen/CPU/ModelInfo.h"
#include "hgc/Data/Rows.h"

using namespace hgc;
using namespace hgc::driver;

/// A tensor as calls take it; the HostTensor must keep its place and memory.
static hgc_rt_tensor toArgument(HostTensor &tensor) {
  return {tensor.mutableData(), tensor.getShape().data(), nullptr, cpu::getRuntimeDtype(tensor.getElementType()),
          static_cast<int32_t>(tensor.getRank())};
}

void BatchFeed::prepare(Batch &batch) const {
  mlir::Type count = mlir::IntegerType::get(plan.arrays.front().element.getContext(), 64);
  batch.step = HostTensor(count, {});
  batch.validRows = HostTensor(count, {});
  for (const BoundTensor &use : plan.arrays)
    batch.arrays.emplace_back(use.element, use.shape);
  for (const BoundTensor &made : plan.preprocessed)
    batch.preprocessed.emplace_back(made.element, made.shape);
  for (size_t i = 0; i < plan.results.size(); ++i)
    batch.results.emplace_back(mlir::Float32Type::get(count.getContext()), llvm::ArrayRef<int64_t>());
  for (const StepPlan::Input &input : plan.inputs)
    batch.inputs.push_back(toArgument(input.kind == StepPlan::Input::Step           ? batch.step
                                      : input.kind == StepPlan::Input::ValidRows    ? batch.validRows
                                      : input.kind == StepPlan::Input::Preprocessed ? batch.preprocessed[input.index]
                                                                                    : batch.arrays[input.index]));
  for (HostTensor &result : batch.results)
    batch.outputs.push_back(toArgument(result));
}

BatchFeed::BatchFeed(const StepPlan &plan, const DataSet &data, const RowOrder &order, int64_t begin,
                     hgc_rt_model *preprocessor)
    : plan(plan), data(data), order(order), preprocessor(preprocessor) {
  for (int i = 0; i < kBatches; ++i) {
    batches.push_back(std::make_unique<Batch>());
    prepare(*batches.back());
    idle.push_back(batches.back().get());
  }
  thread = std::thread([this, begin] { work(begin); });
}

BatchFeed::~BatchFeed() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopped = true;
  }
  changed.notify_all();
  thread.join();
}

void BatchFeed::work(int64_t begin) {
  for (int64_t at = begin * plan.batch; at < order.count; at += plan.batch) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return isStopped || !idle.empty(); });
    if (isStopped)
      return;
    Batch *batch = idle.front();
    idle.pop_front();
    lock.unlock();
    std::string error = fill(*batch, at);
    lock.lock();
    ready.push_back(batch);
    failure = error;
    changed.notify_all();
    if (!error.empty())
      return;
  }
  std::lock_guard<std::mutex> lock(mutex);
  isDone = true;
  changed.notify_all();
}

std::string BatchFeed::fill(Batch &batch, int64_t begin) {
  batch.rows = std::min(plan.batch, order.count - begin);
  batch.validRows.setInt(0, batch.rows);
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < batch.rows; ++i)
    rows.push_back(order[begin + i]);
  for (auto [from, to] : llvm::zip_equal(data.arrays, batch.arrays))
    gatherRows(from, rows, to);
  if (plan.preprocess < 0)
    return "";
  const hgc_rt_entry_info *entry = hgc_rt_model_entry_info(preprocessor, plan.preprocess);
  std::vector<hgc_rt_tensor> inputs, outputs;
  for (int32_t i = 0; i < entry->n_inputs; ++i)
    inputs.push_back(toArgument(batch.arrays[i]));
  for (HostTensor &made : batch.preprocessed)
    outputs.push_back(toArgument(made));
  hgc_rt_status status = hgc_rt_model_call(preprocessor, plan.preprocess, inputs.data(), entry->n_inputs,
                                           outputs.data(), entry->n_outputs);
  return status == HGC_RT_OK ? "" : hgc_rt_model_last_error(preprocessor);
}

llvm::Expected<Batch *> BatchFeed::next() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return isDone || !ready.empty(); });
  if (!failure.empty() && ready.size() == 1)
    return makeLibraryError(failure);
  if (ready.empty())
    return nullptr;
  Batch *batch = ready.front();
  ready.pop_front();
  return batch;
}

void BatchFeed::release(Batch *batch) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(batch);
  }
  changed.notify_all();
}
