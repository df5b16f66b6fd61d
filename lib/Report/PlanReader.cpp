//===- PlanReader.cpp - a plan from JSON ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strict, because a plan that is half understood would place half a model. Files
// come from anywhere: sizes and depth are bounded before anything is parsed.
//===----------------------------------------------------------------------===//

#include "hgc/Report/Plan.h"
#include "hgc/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace hgc;
using namespace hgc::plans;
using namespace llvm;

namespace {

constexpr size_t kMaxBytes = size_t(1) << 30;
constexpr int kMaxDepth = 32;
constexpr StringLiteral kHint = "make the plan again with 'hgc compile MODEL --emit=plan'";

/// A problem with its place, `variants[0].plans[1].name`.
class Problem {
public:
  void set(const Twine &place, const Twine &text) {
    if (message.empty())
      message = ("'" + place + "' " + text).str();
  }
  StringRef get() const { return message; }

private:
  std::string message;
};

/// Takes the keys of one object, then refuses what is left.
class Reader {
public:
  Reader(const json::Value &value, std::string place, Problem &problem)
      : object(value.getAsObject()), place(std::move(place)), problem(problem) {
    if (!object)
      problem.set(this->place, "is not an object");
  }

  void read(StringRef key, std::string &into, bool isOptional = false) {
    const json::Value *value = take(key, isOptional);
    if (!value)
      return;
    if (std::optional<StringRef> text = value->getAsString())
      into = text->str();
    else
      problem.set(at(key), "is not a string");
  }

  void read(StringRef key, int64_t &into, bool mayBeNegative = false) {
    if (const json::Value *value = take(key, false))
      readNumber(*value, at(key), into, mayBeNegative);
  }

  void read(StringRef key, std::optional<int64_t> &into, bool mayBeNegative = false) {
    if (const json::Value *value = take(key, true))
      readNumber(*value, at(key), into.emplace(), mayBeNegative);
  }

  /// True unless it is there and false.
  void read(StringRef key, bool &into) {
    const json::Value *value = take(key, true);
    std::optional<bool> flag = value ? value->getAsBoolean() : std::optional(true);
    if (!flag)
      problem.set(at(key), "is neither true nor false");
    into = flag.value_or(true);
  }

  void read(StringRef key, std::vector<std::string> &into) {
    readArray(key, [&](const json::Value &item, const std::string &where) {
      if (std::optional<StringRef> text = item.getAsString())
        into.push_back(text->str());
      else
        problem.set(where, "is not a string");
    });
  }

  void read(StringRef key, std::map<std::string, int64_t> &into) {
    const json::Value *value = take(key, false);
    const json::Object *map = value ? value->getAsObject() : nullptr;
    if (value && !map)
      problem.set(at(key), "is not an object");
    if (!map)
      return;
    for (const auto &[name, number] : *map)
      readNumber(number, at(key) + "." + StringRef(name).str(), into[StringRef(name).str()], false);
  }

  template <typename T>
  void read(StringRef key, std::vector<T> &into, void (*readItem)(Reader &, T &), bool isOptional = false) {
    if (isOptional && object && !object->get(key))
      return;
    readArray(key, [&](const json::Value &item, const std::string &where) {
      Reader reader(item, where, problem);
      if (reader.object)
        readItem(reader, into.emplace_back());
      reader.finish();
    });
  }

  template <typename T> void read(StringRef key, T &into, void (*readItem)(Reader &, T &), bool isOptional = false) {
    const json::Value *value = take(key, isOptional);
    if (!value)
      return;
    Reader reader(*value, at(key), problem);
    readItem(reader, into);
    reader.finish();
  }

  /// Everything known has been taken.
  void finish() {
    if (!object)
      return;
    std::vector<StringRef> unknown;
    for (const auto &entry : *object)
      if (!is_contained(taken, StringRef(entry.first)))
        unknown.push_back(entry.first);
    // Objects are hash maps; the message must not depend on that.
    if (!unknown.empty())
      problem.set(at(*min_element(unknown)), "is not a key of this version");
  }

  /// Reports what types cannot express.
  void require(bool holds, StringRef key, const Twine &text) {
    if (!holds)
      problem.set(at(key), text);
  }

private:
  std::string at(StringRef key) const { return (place.empty() ? Twine(key) : place + "." + key).str(); }

  const json::Value *take(StringRef key, bool isOptional) {
    taken.push_back(key);
    const json::Value *value = object ? object->get(key) : nullptr;
    if (!value && object && !isOptional)
      problem.set(at(key), "is missing");
    return value;
  }

  void readNumber(const json::Value &value, const std::string &where, int64_t &into, bool mayBeNegative) {
    std::optional<int64_t> number = value.getAsInteger();
    if (number && (mayBeNegative || *number >= 0))
      into = *number;
    else
      problem.set(where, mayBeNegative ? "is not a whole number" : "is not a whole number of at least 0");
  }

  template <typename Each> void readArray(StringRef key, Each each) {
    const json::Value *value = take(key, false);
    const json::Array *array = value ? value->getAsArray() : nullptr;
    if (value && !array)
      problem.set(at(key), "is not a list");
    if (array)
      for (auto [i, item] : enumerate(*array))
        each(item, at(key) + "[" + std::to_string(i) + "]");
  }

  const json::Object *object;
  std::string place;
  Problem &problem;
  std::vector<StringRef> taken;
};

void readOp(Reader &reader, OpPlan &op) {
  reader.read("also_on", op.alsoOn, true);
  reader.read("bytes", op.bytes);
  reader.read("cost_ps", op.costPs);
  reader.read("device", op.device);
  reader.read("form", op.form, true);
  reader.read("inputs", op.inputs);
  reader.read("kernel", op.kernel, true);
  reader.read("name", op.name);
  reader.read("op", op.op);
  reader.read("pin", op.pin, true);
  reader.read("reason", op.reason, true);
  reader.read("switch_price_ps", op.switchPricePs, true);
}

void readTransfer(Reader &reader, TransferPlan &transfer) {
  std::string when;
  reader.read("bytes", transfer.bytes);
  reader.read("from", transfer.from);
  reader.read("reason", transfer.reason, true);
  reader.read("times", transfer.times);
  reader.read("to", transfer.to);
  reader.read("value", transfer.value);
  reader.read("when", when);
  reader.require(when == "load" || when == "call", "when", "is neither 'load' nor 'call'");
  transfer.isAtLoad = when == "load";
}

void readTuned(Reader &reader, std::optional<TunedPlan> &tuned) {
  TunedPlan &plan = tuned.emplace();
  reader.read("candidates", plan.candidates);
  reader.read("measured_ps", plan.measuredPs);
  reader.read("modelled_ps", plan.modelledPs);
  reader.read("tile", plan.tile, true);
  reader.read("untuned_ps", plan.untunedPs);
}

void readKernel(Reader &reader, KernelPlan &kernel) {
  reader.read("device", kernel.device);
  reader.read("launches", kernel.launches);
  reader.read("name", kernel.name);
  reader.read("ops", kernel.ops);
  reader.read("schedule", kernel.schedule);
  reader.read("scratch_bytes", kernel.scratchBytes);
  reader.read("tuned", kernel.tuned, readTuned, true);
}

void readResident(Reader &reader, ResidentPlan &resident) {
  std::string role;
  reader.read("device", resident.device);
  reader.read("name", resident.name);
  reader.read("role", role);
  reader.read("value", resident.value);
  reader.require(role == "input" || role == "output", "role", "is neither 'input' nor 'output'");
  resident.isOutput = role == "output";
}

void readEntry(Reader &reader, EntryPlan &entry) {
  std::optional<int64_t> gap;
  reader.read("alternatives", entry.alternatives);
  bool isCertified = true;
  reader.read("bound_ps", entry.boundPs);
  reader.read("certified", isCertified);
  entry.isUncertified = !isCertified;
  reader.read("gap_ps", gap, true);
  reader.read("kernels", entry.kernels, readKernel);
  reader.read("makespan_ps", entry.makespanPs);
  reader.read("name", entry.name);
  reader.read("ops", entry.ops, readOp);
  reader.read("outputs", entry.outputs);
  reader.read("residents", entry.residents, readResident, true);
  reader.read("serial_cost_ps", entry.serialCostPs);
  reader.read("transfers", entry.transfers, readTransfer);
  StringSet<> names;
  for (const OpPlan &op : entry.ops)
    reader.require(names.insert(op.name).second, "ops", "has two ops named '" + op.name + "'");
}

void readMemory(Reader &reader, MemoryPlan &memory) {
  reader.read("arena_bytes", memory.arenaBytes);
  reader.read("bound_ps", memory.boundPs);
  reader.read("device", memory.device);
  reader.read("gap_ps", memory.gapPs);
  reader.read("limit", memory.limit);
  reader.read("lower_bound", memory.lowerBound);
  reader.read("scratch_bytes", memory.scratchBytes);
  reader.read("state_bytes", memory.stateBytes);
  reader.read("weights_bytes", memory.weightsBytes);
  // Sums of four must not overflow.
  for (int64_t bytes : {memory.arenaBytes, memory.weightsBytes, memory.stateBytes, memory.scratchBytes})
    reader.require(bytes < (int64_t(1) << 60), "arena_bytes", "or another size is beyond any machine");
}

void readPlan(Reader &reader, DevicePlan &plan) {
  reader.read("entries", plan.entries, readEntry);
  reader.read("memory", plan.memory, readMemory);
  reader.read("name", plan.name);
}

void readVariant(Reader &reader, VariantPlan &variant) {
  reader.read("dims", variant.dims);
  reader.read("plans", variant.plans, readPlan);
  reader.require(!variant.plans.empty(), "plans", "is empty");
}

void readTarget(Reader &reader, Plan &plan) {
  reader.read("cpu", plan.cpu);
  reader.read("gpus", plan.gpus);
  reader.read("table_hash", plan.tableHash);
}

/// The parser calls itself once per level.
bool isTooDeep(StringRef text) {
  int depth = 0;
  bool isInString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      isInString = !isInString;
    else if (isInString && c == '\\')
      ++i;
    else if (!isInString && (c == '[' || c == '{') && ++depth > kMaxDepth)
      return true;
    else if (!isInString && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

/// The version decides what the other keys mean.
Error checkSchema(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Value *schema = object ? object->get("schema") : nullptr;
  if (!schema)
    return makeError("it is no plan of hgc: it has no key 'schema'", "name a file that 'hgc compile' wrote");
  if (schema->getAsInteger() == kPlanSchema)
    return Error::success();
  return makeError("it is a plan of another version: this hgc reads schema " + Twine(kPlanSchema), kHint);
}

} // namespace

Expected<Plan> hgc::plans::readJson(StringRef text) {
  if (text.size() > kMaxBytes || isTooDeep(text))
    return makeError("it is no plan of hgc: it is too large or too deep", "name a file that 'hgc compile' wrote");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return makeError("it is not JSON: " + toString(value.takeError()), kHint);
  if (Error error = checkSchema(*value))
    return std::move(error);
  Plan plan;
  Problem problem;
  Reader reader(*value, "", problem);
  int64_t schema = 0;
  reader.read("hgc_version", plan.hgcVersion);
  reader.read("model_hash", plan.modelHash);
  reader.read("schema", schema);
  reader.read("variants", plan.variants, readVariant);
  reader.read("target", plan, readTarget);
  reader.finish();
  if (!problem.get().empty())
    return makeError(problem.get(), kHint);
  return plan;
}

Expected<Plan> hgc::plans::readPlanFile(StringRef path) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message(),
                     "check the path; 'hgc compile' writes the plan beside the library");
  Expected<Plan> plan = readJson((*buffer)->getBuffer());
  if (!plan)
    return addContext("'" + path + "'", plan.takeError());
  return plan;
}
