//===- TrainEntries.cpp - the entries of a model that trains --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TrainEntries.h"

#include "Driver.h"

#include "hgc/Data/Rows.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace hgc;
using namespace hgc::driver;

namespace {

bool isCounter(const TensorSignature &tensor) {
  return tensor.dims.empty() && (tensor.name == "step" || tensor.name == "valid_rows");
}

/// Extents of the variant of an entry that has this batch, by symbolic dim.
struct Variant {
  int64_t batch;
  std::vector<int64_t> extents;
};

/// All batches of an entry: the leading extents of its tensors.
llvm::Expected<std::vector<Variant>> listVariants(const EntrySignature &entry) {
  const TensorSignature *leader = nullptr;
  for (const TensorSignature &tensor : entry.inputs)
    if (!leader && !isCounter(tensor))
      leader = &tensor;
  if (!leader || leader->dims.empty())
    return makeError("entry '" + entry.name + "' takes no batch of rows",
                     "its inputs need a first dim that counts rows");
  std::vector<Variant> variants;
  int64_t dim = leader->dims.front();
  if (entry.variants.empty())
    variants.push_back({dim, {}});
  for (const std::vector<int64_t> &extents : entry.variants)
    variants.push_back({dim < 0 ? extents[-1 - dim] : dim, extents});
  return variants;
}

BoundTensor bind(const TensorSignature &tensor, const Variant &variant) {
  BoundTensor bound{tensor.name, tensor.element, tensor.dims};
  for (int64_t &dim : bound.shape)
    dim = dim < 0 ? variant.extents[-1 - dim] : dim;
  return bound;
}

llvm::Expected<Variant> chooseVariant(const EntrySignature &entry, int64_t batch, bool isRequired) {
  llvm::Expected<std::vector<Variant>> variants = listVariants(entry);
  if (!variants)
    return variants.takeError();
  std::set<int64_t> batches;
  for (const Variant &variant : *variants)
    batches.insert(variant.batch);
  if (!isRequired && !batches.count(batch))
    batch = *batches.rbegin();
  if (batch == 0)
    batch = batches.size() == 1 ? *batches.begin() : 32;
  for (const Variant &variant : *variants)
    if (variant.batch == batch)
      return variant;
  std::vector<std::string> known;
  for (int64_t each : batches)
    known.push_back(std::to_string(each));
  return makeError("entry '" + entry.name + "' was not compiled for batches of " + llvm::Twine(batch) + " rows",
                   "use --batch-size=" + llvm::join(known, " or --batch-size=") +
                       ", or compile with --dim batch=" + llvm::Twine(batch));
}

/// Makes sure that results are what a loop can add up.
llvm::Error checkResults(const EntrySignature &entry) {
  bool isGood = !entry.outputs.empty() && entry.outputs.front().name == "loss";
  for (const TensorSignature &output : entry.outputs)
    isGood &= output.dims.empty() && output.element.isF32();
  if (isGood)
    return llvm::Error::success();
  return makeError("entry '" + entry.name + "' does not give 'loss' and metrics as f32 numbers",
                   "compile the model with --train, or let the entry return rank-0 f32 tensors, 'loss' first");
}

/// Adds the arrays `preprocess` takes, and its results.
llvm::Error planPreprocess(const ModelLibrary &library, StepPlan &plan) {
  std::optional<size_t> index = findEntryIndex(library, "preprocess");
  if (!index)
    return llvm::Error::success();
  const EntrySignature &entry = library.getEntries()[*index];
  llvm::Expected<Variant> variant = chooseVariant(entry, plan.batch, /*isRequired=*/true);
  if (!variant)
    return variant.takeError();
  plan.preprocess = static_cast<int32_t>(*index);
  for (const TensorSignature &input : entry.inputs) {
    plan.arrays.push_back(bind(input, *variant));
    // Arguments and results of an entry have distinct names: `raw_x` makes `x`.
    llvm::StringRef name = input.name;
    if (name.consume_front("raw_"))
      plan.arrays.back().name = name.str();
  }
  for (const TensorSignature &output : entry.outputs)
    plan.preprocessed.push_back(bind(output, *variant));
  return llvm::Error::success();
}

llvm::Expected<StepPlan::Input> planInput(StepPlan &plan, const BoundTensor &input) {
  if (input.shape.empty() && input.name == "step")
    return StepPlan::Input{StepPlan::Input::Step};
  if (input.shape.empty() && input.name == "valid_rows")
    return StepPlan::Input{StepPlan::Input::ValidRows};
  for (auto [i, made] : llvm::enumerate(plan.preprocessed)) {
    if (made.name != input.name)
      continue;
    if (made.element == input.element && made.shape == input.shape)
      return StepPlan::Input{StepPlan::Input::Preprocessed, i};
    return makeError("entry 'preprocess' makes '" + input.name + "' in another type or shape than it is taken in",
                     "give both the same tensor type");
  }
  plan.arrays.push_back(input);
  return StepPlan::Input{StepPlan::Input::Array, plan.arrays.size() - 1};
}

/// Classes that labels number, or 0 when that is not known: the last extent of
/// what the model predicts, or of labels that `preprocess` encodes.
int64_t countClasses(const ModelLibrary &library, const StepPlan &plan, const BoundTensor &labels) {
  if (!mlir::isa<mlir::IntegerType>(labels.element))
    return 0;
  for (const BoundTensor &made : plan.preprocessed)
    if (made.name == "labels" && made.shape.size() == labels.shape.size() + 1)
      return made.shape.back();
  std::optional<size_t> predict = findEntryIndex(library, "predict");
  if (!predict || library.getEntries()[*predict].outputs.empty())
    return 0;
  const std::vector<int64_t> &dims = library.getEntries()[*predict].outputs.front().dims;
  return dims.size() == labels.shape.size() + 1 && dims.back() > 1 ? dims.back() : 0;
}

llvm::Error checkLabels(const HostTensor &labels, int64_t classes) {
  int64_t rowElements = labels.getNumElements() / std::max<int64_t>(labels.getDim(0), 1);
  for (int64_t i = 0, n = classes ? labels.getNumElements() : 0; i < n; ++i) {
    double value = labels.getDouble(i);
    if (!(value >= 0 && value < static_cast<double>(classes)))
      return makeError("the label of row " + llvm::Twine(i / rowElements) + " is " +
                           llvm::Twine(static_cast<int64_t>(value)) + ", the model has " + llvm::Twine(classes) +
                           " classes",
                       "number classes from 0 to " + llvm::Twine(classes - 1));
  }
  return llvm::Error::success();
}

std::string spellShape(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text.empty() ? "single numbers" : text;
}

llvm::Error checkArray(const ModelLibrary &library, const StepPlan &plan, const BoundTensor &use,
                       const HostTensor &array) {
  if (array.getRank() == 0)
    return makeError("the data of '" + use.name + "' is a single number", "give an array whose first dim counts rows");
  llvm::ArrayRef<int64_t> row = array.getShape().drop_front(), wanted = llvm::ArrayRef(use.shape).drop_front();
  if (!isSameRow(row, wanted))
    return makeError("rows of '" + use.name + "' are " + spellShape(row) + ", the model takes " + spellShape(wanted),
                     use.name == "labels" ? "encode labels in an entry 'preprocess', or train with another loss"
                                          : "reshape the data, or compile the model for it");
  if (llvm::Error error = checkConversion(array, use.element))
    return addContext("data of '" + use.name + "'", std::move(error));
  return use.name == "labels" ? checkLabels(array, countClasses(library, plan, use)) : llvm::Error::success();
}

} // namespace

std::optional<size_t> hgc::driver::findEntryIndex(const ModelLibrary &library, llvm::StringRef name) {
  for (auto [i, entry] : llvm::enumerate(library.getEntries()))
    if (entry.name == name)
      return i;
  return std::nullopt;
}

llvm::Expected<StepPlan> hgc::driver::planStep(const ModelLibrary &library, llvm::StringRef name, int64_t batch,
                                               bool isRequired) {
  std::optional<size_t> index = findEntryIndex(library, name);
  if (!index)
    return makeError("the model has no entry '" + name + "'", "compile it for training: hgc compile --train");
  const EntrySignature &entry = library.getEntries()[*index];
  if (llvm::Error error = checkResults(entry))
    return std::move(error);
  llvm::Expected<Variant> variant = chooseVariant(entry, batch, isRequired);
  if (!variant)
    return variant.takeError();
  StepPlan plan;
  plan.entry = static_cast<int32_t>(*index);
  plan.batch = variant->batch;
  if (llvm::Error error = planPreprocess(library, plan))
    return std::move(error);
  for (const TensorSignature &tensor : entry.inputs) {
    BoundTensor bound = bind(tensor, *variant);
    if (!isCounter(tensor) && (bound.shape.empty() || bound.shape.front() != plan.batch))
      return makeError("input '" + tensor.name + "' of entry '" + entry.name + "' takes no batch of " +
                           llvm::Twine(plan.batch) + " rows",
                       "all inputs of a step but 'step' and 'valid_rows' need the batch as their first dim");
    if (hgc_rt_model_argument_gpu(library.getModel(), plan.entry, static_cast<int32_t>(plan.inputs.size())) >= 0)
      return makeError("input '" + tensor.name + "' of entry '" + entry.name + "' is expected in device memory",
                       "compile without --resident; hgc train sends batches ahead itself");
    llvm::Expected<StepPlan::Input> input = planInput(plan, bound);
    if (!input)
      return input.takeError();
    plan.takesPartialBatches |= input->kind == StepPlan::Input::ValidRows;
    plan.inputs.push_back(*input);
  }
  for (const TensorSignature &output : entry.outputs)
    plan.results.push_back(output.name);
  return plan;
}

llvm::Expected<DataSet> hgc::driver::bindData(const ModelLibrary &library, const StepPlan &plan,
                                              const NamedTensors &arrays) {
  DataSet set;
  std::vector<std::string> names;
  for (const BoundTensor &use : plan.arrays)
    names.push_back(use.name);
  for (const auto &[name, array] : arrays)
    if (!llvm::is_contained(names, name))
      return makeError("the model has no input '" + name + "' for data", "it takes " + llvm::join(names, ", "));
  for (const BoundTensor &use : plan.arrays) {
    auto it = llvm::find_if(arrays, [&](const auto &item) { return item.first == use.name; });
    if (it == arrays.end())
      return makeError("no data for '" + use.name + "'", "add --data " + use.name + "=FILE");
    if (llvm::Error error = checkArray(library, plan, use, it->second))
      return std::move(error);
    int64_t rows = it->second.getDim(0);
    if (!set.arrays.empty() && rows != set.rows)
      return makeError("'" + use.name + "' has " + llvm::Twine(rows) + " rows, '" + names.front() + "' has " +
                           llvm::Twine(set.rows),
                       "give files of the same data set");
    set.rows = rows;
    set.arrays.push_back(it->second);
  }
  if (set.rows == 0)
    return makeError("the data has no rows", "check that it is the right file");
  return set;
}
